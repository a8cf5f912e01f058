/* The figure of a written file: the bones of a skeleton in the T-pose, all rest rotations
 * identity, and poses on it. */
#ifndef JC_MOTION_T_POSE_FIGURE_H
#define JC_MOTION_T_POSE_FIGURE_H

#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

struct jc_t_pose_figure {
	uint64_t bones; /* bit = enum jc_bone; always includes the hips */
	/* Nearest ancestor among the bones of the figure; JC_BONE_NONE for the hips. */
	enum jc_bone parents[JC_BONE_COUNT];
	struct jc_vec3 positions[JC_BONE_COUNT]; /* in the T-pose, canonical, metres */
	/* Height of the hips, or of the hip joints if higher, above the lowest foot or toe joint.
	 * jc_t_pose_figure_set_down adds the sole if hips_height_has_sole;
	 * jc_t_pose_figure_stand measures as VRM does. Readers multiply the translation of the
	 * hips by this height, whatever hips height the skeleton has. */
	float hips_height;
	/* The point whose height that is, from the hips: see jc_skeleton_hips_point. */
	struct jc_vec3 hips_point;
	float sole; /* depth of the soles below the lowest foot or toe joint, if known */
	/* Whether the skeleton has a floor, so that its hips height counts from the soles. */
	bool hips_height_has_sole;
};

/* Fails for a skeleton without hips. */
int jc_t_pose_figure_init(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton,
	struct jc_diagnostic *diagnostic);

/* Measures hips_height and hips_point again after positions changed; without feet the height does
 * not change. */
void jc_t_pose_figure_measure(struct jc_t_pose_figure *t_pose);

/* Lifts the figure to stand on y = 0 with its soles, or with its lowest foot or toe joint if it has
 * none, and measures the hips height. */
void jc_t_pose_figure_set_down(struct jc_t_pose_figure *t_pose);

/* Lifts the figure to stand on y = 0 and measures the hips height from there, as readers
 * of VRM animations do. Hips that are not above the floor of their skeleton keep their
 * height. */
void jc_t_pose_figure_stand(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton);

bool jc_t_pose_figure_has(const struct jc_t_pose_figure *t_pose, enum jc_bone bone);

/* From the joint of the parent bone, or from the origin for the hips. */
struct jc_vec3 jc_t_pose_figure_offset(const struct jc_t_pose_figure *t_pose, enum jc_bone bone);

/* From the joint of a bone without children to its estimated end: in hips heights, and in metres,
 * where a foot or its toes end at the sole, y = 0 of a figure that was set down. */
struct jc_vec3 jc_t_pose_figure_reach(enum jc_bone bone);
struct jc_vec3 jc_t_pose_figure_tip(const struct jc_t_pose_figure *t_pose, enum jc_bone bone);

/* N of the bones, each combined with those of missing bones above it, and the position of
 * the hips. */
void jc_t_pose_figure_pose(const struct jc_t_pose_figure *t_pose, const struct jc_pose *pose,
	struct jc_quat out_rotations[JC_BONE_COUNT], struct jc_vec3 *out_hips);

#endif
