/* Maps the joints of each OpenXR body tracker to those of a body frame; proto/joints.json
 * generates the table. */
#ifndef JC_XR_JOINTS_H
#define JC_XR_JOINTS_H

#include <stdint.h>

#include "jointcast/humanoid.h"
#include "source/openxr/xr_declarations.h"

/* Indices into XrFullBodyJointMETA, XrBodyJointFB, XrBodyJointBD and XrBodyJointHTC; -1: the
 * tracker has no such joint. */
struct jc_xr_joint {
	int8_t meta, fb, bd, htc;
};

extern const struct jc_xr_joint jc_xr_joints[JC_JOINT_COUNT];

#endif
