/* The legs of a figure and where their joints are under a pose, without its nodes. */
#ifndef JC_RETARGET_CONTACT_FIGURE_H
#define JC_RETARGET_CONTACT_FIGURE_H

#include <stdbool.h>

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

/* Where the joints of a skeleton are in the T-pose. */
struct jc_contact_t_pose {
	const struct jc_skeleton *skeleton;   /* borrowed */
	struct jc_vec3 joints[JC_BONE_COUNT]; /* over the floor, canonical axes; zero: no bone */
};

/* JC_OK or JC_ERROR_MEMORY. */
int jc_contact_t_pose_init(struct jc_contact_t_pose *t_pose, const struct jc_skeleton *skeleton);

enum { JC_LEFT, JC_RIGHT, JC_SIDES };

/* The bones of one leg, in this order. */
enum jc_leg_bone { JC_LEG_UPPER, JC_LEG_LOWER, JC_LEG_FOOT, JC_LEG_BONES };

extern const enum jc_bone jc_leg_bones[JC_SIDES][JC_LEG_BONES];
extern const enum jc_bone jc_toes[JC_SIDES];

/* Constants of one leg: metres, canonical axes, in the T-pose. */
struct jc_contact_leg {
	struct jc_vec3 hip;   /* from the hips joint */
	struct jc_vec3 knee;  /* from the hip */
	struct jc_vec3 ankle; /* from the knee */
	struct jc_vec3 ball;  /* from the ankle; estimated if the figure has no toes */
	float ankle_level;    /* height over the floor where the foot stands */
	float ball_level;
	float upper, lower; /* lengths */
	float longest;      /* from hip to ankle with a straight knee, which only turns about X */
};

struct jc_contact_figure {
	bool has_legs;        /* hips and both legs down to the foot */
	bool has_toes;        /* on both sides */
	float height;         /* jc_skeleton_hips_height */
	float leg;            /* length of a leg from hip to ankle, mean of both */
	struct jc_vec3 hips;  /* the hips joint over the floor; x and z of the model */
	struct jc_vec3 point; /* jc_skeleton_hips_point */
	struct jc_contact_leg legs[JC_SIDES];
};

void jc_contact_figure_init(
	struct jc_contact_figure *figure, const struct jc_contact_t_pose *t_pose);

/* Whether one figure is the other in another size, from the hips down. */
bool jc_contact_figure_is_like(
	const struct jc_contact_figure *a, const struct jc_contact_figure *b);

/* A leg under a pose. */
struct jc_posed_leg {
	struct jc_quat turns[JC_LEG_BONES]; /* D: rotation from the T-pose */
	struct jc_vec3 thigh, shin;         /* from hip to knee, from knee to ankle */
	struct jc_vec3 hip;                 /* from the hips joint */
	struct jc_vec3 ankle, ball;         /* from the hips joint */
};

void jc_contact_figure_pose(const struct jc_contact_figure *figure, int side,
	const struct jc_quat rotations[JC_BONE_COUNT], struct jc_posed_leg *out_leg);

#endif
