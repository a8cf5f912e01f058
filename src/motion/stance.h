/* A person standing: what "wave", "sit" and "idle" have in common. */
#ifndef JC_MOTION_STANCE_H
#define JC_MOTION_STANCE_H

#include "figure.h"

/* Where the pelvis is, as a difference from standing with even weight. */
struct jc_stance {
	struct jc_vec3 moved; /* metres */
	float bow;            /* of the pelvis, forward */
	float weight;         /* -1 all on the right leg, 1 all on the left */
	float breath;         /* -1 emptied, 1 filled */
	float turn, bend;     /* of the upper chest, to the left and forward */
};

/* Places hips, trunk and both legs, feet flat and side by side. */
void jc_stance_place(const struct jc_stance *stance, struct jc_figure *figure);

/* The arms of somebody who has nothing to do with them. */
struct jc_figure_arm jc_stance_arm(const struct jc_stance *stance, enum jc_side side);

/* Head towards a direction, with eyes that were there first. */
void jc_stance_look(
	struct jc_figure *figure, float turn, float bow, float eyes_turn, float eyes_bow);

#endif
