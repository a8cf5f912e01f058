/* What a written file shows: the bones of a skeleton as a normalised figure in
 * its T-pose, all rest rotations identity, and poses fitted onto it. */
#ifndef JC_MOTION_T_POSE_FIGURE_H
#define JC_MOTION_T_POSE_FIGURE_H

#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

struct jc_t_pose_figure {
	uint64_t bones; /* bit = enum jc_bone; the hips among them */
	/* Nearest bone above that the figure has, JC_BONE_NONE for the hips. */
	enum jc_bone parents[JC_BONE_COUNT];
	struct jc_vec3 positions[JC_BONE_COUNT]; /* in the T-pose, canonical, metres */
	/* Over its lowest foot or toe joint: by that readers will scale the way
	 * of the hips, even of a figure whose own height is told otherwise. */
	float hips_height;
};

/* Refuses a skeleton without hips. */
int jc_t_pose_figure_init(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton,
	struct jc_diagnostic *diagnostic);

/* Measures hips_height anew after positions changed; without feet it stays. */
void jc_t_pose_figure_measure(struct jc_t_pose_figure *t_pose);

/* Lifts it to stand on y = 0, and measures the hips over that, as readers of VRM
 * animations do; those not above their skeleton's floor keep their height. */
void jc_t_pose_figure_stand(struct jc_t_pose_figure *t_pose, const struct jc_skeleton *skeleton);

bool jc_t_pose_figure_has(const struct jc_t_pose_figure *t_pose, enum jc_bone bone);

/* From the joint of the bone above, or from the origin for the hips. */
struct jc_vec3 jc_t_pose_figure_offset(const struct jc_t_pose_figure *t_pose, enum jc_bone bone);

/* From the joint of a bone with nothing below it to where it ends, about. */
struct jc_vec3 jc_t_pose_figure_tip(const struct jc_t_pose_figure *t_pose, enum jc_bone bone);

/* N of its bones, with those it lacks folded into the next below, and where the
 * hips stand. */
void jc_t_pose_figure_pose(const struct jc_t_pose_figure *t_pose, const struct jc_pose *pose,
	struct jc_quat out_rotations[JC_BONE_COUNT], struct jc_vec3 *out_hips);

#endif
