/* Measures the rest pose of a recognised skeleton: its facing and the rotation of each bone to the
 * T-pose. */
#ifndef JC_PRIVATE_REST_POSE_H
#define JC_PRIVATE_REST_POSE_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

/* Properties of a figure that its motion shows and its rest pose does not, in the axes of the tree.
 * - find_hips: up and left of the hips, where the rest pose does not show them because it is
 *   folded: trunk and legs lie side by side.
 * - find_hinge: the mean bend axis of the limb upper-lower-end, upper direction x lower direction,
 *   both of length 1; and the mean of its length.
 * - find_mean: the mean rotation of a joint relative to a joint above it, of length 1 if it is the
 *   same in all frames, less if they differ. With shows_thumbs, it is the rest of thumbs, of which
 *   the rest pose shows nothing.
 * All return false if unknown. */
struct jc_rest_evidence {
	bool (*find_hinge)(const void *context, int upper, int lower, int end,
		struct jc_vec3 *out_axis, float *out_bend);
	bool (*find_hips)(const void *context, struct jc_vec3 *out_up, struct jc_vec3 *out_left);
	bool (*find_mean)(const void *context, int above, int joint, struct jc_quat *out_mean);
	bool shows_thumbs;
	const void *context;
};

struct jc_rest_pose {
	/* Rotation from the rest pose's axes to canonical axes: left +X, up +Y. */
	struct jc_quat orientation;
	bool is_measurable;       /* false: left or up is unknown, orientation is a guess */
	bool has_uncertain_turns; /* the motion does not show clearly how bones rest */
	bool is_square;           /* orientation is one of the 24 axis-aligned rotations */
	/* K in canonical axes; identity for absent bones. */
	struct jc_quat corrections[JC_BONE_COUNT];
	/* Joints and tips in the T-pose, canonical axes, the tree's unit, hips at
	 * the origin; owned. */
	struct jc_vec3 *t_positions;
};

/* bones: joint of the tree or -1; the tree has positions and hips are mapped. evidence (may be
 * NULL) gives the roll of limbs that rest far from the T-pose. JC_OK or JC_ERROR_MEMORY. */
int jc_rest_pose_init(struct jc_rest_pose *rest, const struct jc_joint_tree *tree, const int *bones,
	const struct jc_rest_evidence *evidence);
void jc_rest_pose_finish(struct jc_rest_pose *rest);

#endif
