/* Where the joints of a skeleton are in the T-pose. */
#ifndef JC_RETARGET_CONTACT_T_POSE_H
#define JC_RETARGET_CONTACT_T_POSE_H

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

struct jc_contact_t_pose {
	const struct jc_skeleton *skeleton;   /* borrowed */
	struct jc_vec3 joints[JC_BONE_COUNT]; /* over the floor, canonical axes; zero: no bone */
};

/* JC_OK or JC_ERROR_MEMORY. */
int jc_contact_t_pose_init(struct jc_contact_t_pose *t_pose, const struct jc_skeleton *skeleton);

#endif
