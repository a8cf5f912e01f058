/* Pose -> skeleton pose: the motion fitted onto one registered humanoid. */
#ifndef JOINTCAST_RETARGET_H
#define JOINTCAST_RETARGET_H

#include "humanoid.h"
#include "skeleton.h"

struct jc_retargeter;

/* Prepares everything that does not change from frame to frame. The skeleton
 * is borrowed and must outlive the retargeter. */
int jc_retargeter_create(const struct jc_skeleton *skeleton, struct jc_retargeter **out_retargeter);
void jc_retargeter_destroy(struct jc_retargeter *retargeter);

/* Multiplies the way of the hips, along x and z and along y, beyond what the
 * hips heights say: 1 and 1 is a motion in proportion, 0 and 1 walks on the
 * spot. */
void jc_retargeter_scale_hips(struct jc_retargeter *retargeter, float horizontal, float vertical);

/* Bones that the skeleton lacks fold into the nearest bone below that it has:
 * with hp the nearest mapped bone above b in the node tree, N = D_hp^-1 D_b. Then
 * R = L^-1 P^-1 N O W, and the hips move by hips_translation * hips height. */
void jc_retargeter_apply(const struct jc_retargeter *retargeter, const struct jc_pose *pose,
	struct jc_skeleton_pose *out_pose);

/* The first half of that, which chains carry: N of the bones that the skeleton has, identity
 * for others (what jc_skeleton_normalized makes of R), and the way of the hips in metres. */
void jc_retargeter_fold(const struct jc_retargeter *retargeter, const struct jc_pose *pose,
	struct jc_quat out_rotations[JC_BONE_COUNT], uint8_t out_states[JC_BONE_COUNT],
	struct jc_vec3 *out_hips_translation);

/* Where the skeleton's virtual transforms stand, model space, one for each of
 * jc_skeleton_virtual_transforms. worlds are the posed nodes'
 * (jc_skeleton_worlds). A transform that respects its parent's position,
 * rotation and scale is the exact matrix product, decomposed. Otherwise, with
 * the parent's parts t_p, R_p, S_p replaced by nothing where they are not
 * respected and the offset o, q, s:
 *   position t_p + R_p (S_p o), rotation R_p q, scale S_p s. */
void jc_virtual_transforms_evaluate(const struct jc_skeleton *skeleton,
	const struct jc_mat4 *worlds, struct jc_transform *out_transforms);

#endif
