/* Directions of bones in a given rest and in the T-pose. */
#ifndef JC_SKELETON_REST_DIRECTION_H
#define JC_SKELETON_REST_DIRECTION_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

bool jc_rest_direction_is_zero(struct jc_vec3 direction);

/* The coordinate axis nearest to v, with its sign. */
struct jc_vec3 jc_rest_direction_axis(struct jc_vec3 v);

/* From one bone's joint to another's; zero if one is missing. */
struct jc_vec3 jc_rest_direction_between(
	const struct jc_joint_tree *tree, const int *bones, enum jc_bone from, enum jc_bone to);

/* Of a mapped bone, in the axes of the tree; zero if it has none. */
struct jc_vec3 jc_rest_direction_of(
	const struct jc_joint_tree *tree, const int *bones, enum jc_bone bone);

/* Of a left or middle bone in the T-pose, canonical axes; zero for bones that only follow
 * their parent. */
struct jc_vec3 jc_rest_direction_in_t_pose(enum jc_bone bone);

#endif
