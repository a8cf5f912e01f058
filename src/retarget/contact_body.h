/* The joints of a figure that contacts of hands need, and where they are under a pose: without its
 * nodes. Spine joints that share a rotation count as one. */
#ifndef JC_RETARGET_CONTACT_BODY_H
#define JC_RETARGET_CONTACT_BODY_H

#include <stdbool.h>

#include "contact_figure.h"

/* Constants of a figure; arrays by enum jc_bone, filled for trunk, arms, thighs and knees. Metres,
 * canonical axes, in the T-pose. */
struct jc_contact_body {
	uint64_t mask;                      /* bones of the figure */
	struct jc_vec3 hips;                /* over the floor */
	struct jc_vec3 hips_point;          /* jc_skeleton_hips_point */
	float hips_height;                  /* jc_skeleton_hips_height */
	float height;                       /* of the head joint over the floor */
	int8_t above[JC_BONE_COUNT];        /* the bone that carries it, or JC_BONE_NONE */
	struct jc_vec3 ways[JC_BONE_COUNT]; /* from that bone */
};

void jc_contact_body_init(struct jc_contact_body *body, const struct jc_contact_t_pose *t_pose);

bool jc_contact_body_has(const struct jc_contact_body *body, enum jc_bone bone);

/* Whether b is a, `scale` times as large: within 0.002 of its height. */
bool jc_contact_body_is_like(
	const struct jc_contact_body *a, const struct jc_contact_body *b, float scale);

/* A figure in a pose. */
struct jc_contact_posed {
	struct jc_quat turns[JC_BONE_COUNT];  /* D: rotation from the T-pose */
	struct jc_vec3 joints[JC_BONE_COUNT]; /* over the floor */
};

/* The figure of the source in a pose of the motion. */
void jc_contact_body_pose_source(const struct jc_contact_body *body, const struct jc_pose *pose,
	struct jc_contact_posed *out_posed);

/* A figure with the rotations and translation of jc_retargeter_fold. */
void jc_contact_body_pose_target(const struct jc_contact_body *body,
	const struct jc_quat rotations[JC_BONE_COUNT], struct jc_vec3 hips_translation,
	struct jc_contact_posed *out_posed);

#endif
