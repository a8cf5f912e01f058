/* Where the joints of a body frame stand in what each body tracker of OpenXR
 * delivers; the table is generated from proto/joints.json. */
#ifndef JC_XR_JOINTS_H
#define JC_XR_JOINTS_H

#include <stdint.h>

#include "jointcast/humanoid.h"
#include "source/openxr/xr_declarations.h"

/* Indices into XrFullBodyJointMETA, XrBodyJointFB, XrBodyJointBD and
 * XrBodyJointHTC; -1 where there is no such joint. */
struct jc_xr_joint {
	int8_t meta, fb, bd, htc;
};

extern const struct jc_xr_joint jc_xr_joints[JC_JOINT_COUNT];

#endif
