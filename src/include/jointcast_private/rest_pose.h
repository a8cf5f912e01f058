/* What the rest of a figure is that promises nothing: which way it looks and
 * how far each bone stands from the T-pose. Files in which bones were
 * recognised need it, whatever their format. */
#ifndef JC_PRIVATE_REST_POSE_H
#define JC_PRIVATE_REST_POSE_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

/* Tells about which axis the limb upper-lower-end bends, in the axes of the
 * tree: upper direction x lower direction. False where nothing shows it. */
struct jc_rest_hinge {
	bool (*measure)(
		const void *context, int upper, int lower, int end, struct jc_vec3 *out_axis);
	const void *context;
};

struct jc_rest_pose {
	/* Turns the rest to canonical axes: left +X, up +Y. */
	struct jc_quat orientation;
	bool is_measurable; /* false: no left or no up in it, orientation is a guess */
	bool is_square;     /* orientation is one of the 24 along the axes */
	/* K in canonical axes; identity for absent bones. */
	struct jc_quat corrections[JC_BONE_COUNT];
	/* Joints and tips in the T-pose, canonical axes, the tree's unit, hips at
	 * the origin; owned. */
	struct jc_vec3 *t_positions;
};

/* bones are joints of the tree, which has positions, or -1; hips mapped. hinge
 * (may be NULL) is asked about limbs that rest far from the T-pose, where their
 * direction leaves the roll open. Fails for want of memory only. */
int jc_rest_pose_init(struct jc_rest_pose *rest, const struct jc_joint_tree *tree, const int *bones,
	const struct jc_rest_hinge *hinge);
void jc_rest_pose_finish(struct jc_rest_pose *rest);

#endif
