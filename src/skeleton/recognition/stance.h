/* Distinguishes animals from humans. */
#ifndef JC_SKELETON_STANCE_H
#define JC_SKELETON_STANCE_H

#include <stdbool.h>

#include "joint_name.h"
#include "jointcast_private/recognition.h"

/* Whether legs are too short for a human, and either arms and legs stand side by side across the
 * trunk, on one floor, in any axes; or, in a pose that shows nothing, the figure has a tail.
 * `names` has the parsed names by joint. False without positions or one of the four limbs. */
bool jc_stance_is_animal(
	const struct jc_joint_tree *tree, const struct jc_joint_name *names, const int *bones);

#endif
