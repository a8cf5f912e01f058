/* Measures the rest pose of a recognised skeleton: its facing and the rotation of each bone to the
 * T-pose. */
#ifndef JC_PRIVATE_REST_POSE_H
#define JC_PRIVATE_REST_POSE_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

/* Properties of a figure that its motion shows and its rest pose does not, in the axes of the tree.
 * find_hinge returns the bend axis of the limb upper-lower-end: upper direction x lower direction;
 * find_up the direction of the body as the hips see it, where the rest pose does not show it. Both
 * return false if unknown. */
struct jc_rest_evidence {
	bool (*find_hinge)(
		const void *context, int upper, int lower, int end, struct jc_vec3 *out_axis);
	bool (*find_up)(const void *context, struct jc_vec3 *out_up);
	const void *context;
};

struct jc_rest_pose {
	/* Rotation from the rest pose's axes to canonical axes: left +X, up +Y. */
	struct jc_quat orientation;
	bool is_measurable; /* false: left or up is unknown, orientation is a guess */
	bool is_square;     /* orientation is one of the 24 axis-aligned rotations */
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
