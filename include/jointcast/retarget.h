/* Retargets a pose to one skeleton: pose -> skeleton pose. */
#ifndef JOINTCAST_RETARGET_H
#define JOINTCAST_RETARGET_H

#include "humanoid.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

struct jc_retargeter;

/* Computes all values that are constant over frames. The skeleton is borrowed and must outlive
 * the retargeter. JC_OK or JC_ERROR_MEMORY. */
int jc_retargeter_create(const struct jc_skeleton *skeleton, struct jc_retargeter **out_retargeter);
void jc_retargeter_destroy(struct jc_retargeter *retargeter);

/* Multiplies the hips translation along x and z (horizontal) and y (vertical), in addition to
 * the ratio of hips heights. 1 and 1 keeps the motion in proportion (default); 0 and 1 walks on
 * the spot. */
void jc_retargeter_scale_hips(struct jc_retargeter *retargeter, float horizontal, float vertical);

/* Rotations of bones that the skeleton lacks are added to the nearest mapped bone below: with hp
 * the nearest mapped bone above b in the node tree, N = D_hp^-1 D_b. Then R = L^-1 P^-1 N O W
 * (symbols: skeleton.h), and the hips joint moves as jc_skeleton_hips_point describes. */
void jc_retargeter_apply(const struct jc_retargeter *retargeter, const struct jc_pose *pose,
	struct jc_skeleton_pose *out_pose);

/* The first half of jc_retargeter_apply, which streams transmit: N of the skeleton's bones
 * (identity for other bones), equal to jc_skeleton_normalized of R, and the
 * displacement of the hips joint in metres. */
void jc_retargeter_fold(const struct jc_retargeter *retargeter, const struct jc_pose *pose,
	struct jc_quat out_rotations[JC_BONE_COUNT], uint8_t out_states[JC_BONE_COUNT],
	struct jc_vec3 *out_hips_translation);

/* The second half: turns the N of the skeleton's bones into their R. */
void jc_retargeter_relate(
	const struct jc_retargeter *retargeter, struct jc_quat rotations[JC_BONE_COUNT]);

/* The inverse of jc_retargeter_fold, for a body that was received on one skeleton and is shown on
 * another. Bones that the skeleton lacks are at rest: their rotation is in that of the bone below.
 * scale_hips of the retargeter that folded is assumed to be that of this one. */
void jc_retargeter_unfold(const struct jc_retargeter *retargeter,
	const struct jc_quat rotations[JC_BONE_COUNT], const uint8_t states[JC_BONE_COUNT],
	struct jc_vec3 hips_translation, struct jc_pose *out_pose);

/* Computes the skeleton's virtual transforms in model space, one for each of
 * jc_skeleton_virtual_transforms. worlds are the matrices of the posed nodes
 * (jc_skeleton_worlds). A transform that respects its parent's position, rotation and scale is
 * the exact matrix product, decomposed. Otherwise, with offset o, q, s and the parent's
 * t_p, R_p, S_p, each replaced by identity if it is not respected:
 *   position t_p + R_p (S_p o), rotation R_p q, scale S_p s.
 * proto/SKELETONS.md, "Virtual transforms", gives the reason and an example. */
void jc_virtual_transforms_evaluate(const struct jc_skeleton *skeleton,
	const struct jc_mat4 *worlds, struct jc_transform *out_transforms);

#ifdef __cplusplus
}
#endif

#endif
