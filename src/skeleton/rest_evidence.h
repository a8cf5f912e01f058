/* Finds the rest pose of bones from fingers and motion: the roll of each bone about its length, and
 * the rest of thumbs. */
#ifndef JC_SKELETON_REST_EVIDENCE_H
#define JC_SKELETON_REST_EVIDENCE_H

#include "jointcast_private/rest_pose.h"

/* A figure in its rest pose and the evidence of its motion; all borrowed. */
struct jc_rest_figure {
	const struct jc_joint_tree *tree;
	const int *bones;
	const struct jc_rest_evidence *evidence; /* may be NULL */
	struct jc_quat orientation;              /* from rest axes to canonical axes */
};

/* The functions below give the roll that a bone still lacks after its correction k, in canonical
 * axes. */

/* Roll of a hand: palms face the floor, the index finger is in front. Identity if the fingers do
 * not show it, or if it is small. */
struct jc_quat jc_rest_evidence_palm(
	const struct jc_rest_figure *figure, enum jc_bone hand, struct jc_quat k);

/* Roll of an upper arm or upper leg along `axis` by its hinge in the T-pose: knees flex about +X,
 * left elbows about -Y, right ones about +Y. Rigs are aligned with axes, so the roll is rounded to
 * quarter turns, which removes the noise of the clip. Identity if the clip does not show the
 * hinge. */
struct jc_quat jc_rest_evidence_hinge(const struct jc_rest_figure *figure, enum jc_bone upper,
	struct jc_vec3 axis, struct jc_quat k);

/* A bone and the bone above it in the T-pose. */
struct jc_rest_joint {
	enum jc_bone above, bone;
	struct jc_quat k_above, k;
	struct jc_vec3 axis; /* direction of the bone, of length 1 */
	bool is_aligned;     /* the bone lies along an axis of its joint, other than a foot */
};

/* Roll of a bone by its motion, in quarter turns if it is aligned: on average, a bone is hardly
 * twisted relative to the bone above it, and a limb bends about its hinge. out_is_certain: whether
 * the motion shows it clearly. */
struct jc_quat jc_rest_evidence_roll(const struct jc_rest_figure *figure,
	const struct jc_rest_joint *bone, bool *out_is_certain);

/* The mean rotation of a bone in the motion, relative to the bone above it, as a correction; false
 * without motion. */
bool jc_rest_evidence_mean(const struct jc_rest_figure *figure, const struct jc_rest_joint *bone,
	struct jc_quat *out_mean);

/* Correction of a bone that is at rest in the mean of the motion; false without motion. */
bool jc_rest_evidence_relaxed(const struct jc_rest_figure *figure, const struct jc_rest_joint *bone,
	struct jc_quat *out_k);

/* Correction of a bone of a folded figure that has no direction: in quarter turns, the nearest to
 * being at rest in the mean of the motion; k_above without motion. */
struct jc_quat jc_rest_evidence_align(
	const struct jc_rest_figure *figure, const struct jc_rest_joint *bone);

#endif
