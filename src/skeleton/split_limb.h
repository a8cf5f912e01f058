/* Limbs of more joints than bones, such as upperarm01 and upperarm02: the bone is the first joint,
 * and its pose has to show where the last one carries the next bone. */
#ifndef JC_SKELETON_SPLIT_LIMB_H
#define JC_SKELETON_SPLIT_LIMB_H

#include "jointcast/skeleton.h"

/* By the upper or lower bone of an arm or leg. */
struct jc_split_limb {
	int next;              /* node of the next bone; -1 if no joint is between */
	struct jc_vec3 offset; /* of that node at rest, in the axes of the last joint between */
};

/* Finds the split limbs of a skeleton whose T-pose is analysed, and sets the ends of their
 * bones. */
void jc_split_limb_analyse(struct jc_skeleton *skeleton);

/* The rotation, in the axes of the end of the bone, from the direction of the next bone at rest to
 * that in these local transforms; identity for other bones. */
struct jc_quat jc_split_limb_swing(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals, enum jc_bone bone);

#endif
