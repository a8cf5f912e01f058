/* Moves the ankle of a posed leg: bends the knee in its own plane and swings the leg. */
#ifndef JC_RETARGET_CONTACT_LEG_H
#define JC_RETARGET_CONTACT_LEG_H

#include "contact_figure.h"

/* How far the ankle can go towards `goal` (from the hip): the same direction, its distance eased
 * towards the length of the leg, but never below the present distance where the goal is farther. */
struct jc_vec3 jc_contact_leg_reach(
	const struct jc_contact_leg *leg, const struct jc_posed_leg *posed, struct jc_vec3 goal);

/* Changes the rotations so that the ankle is at `goal` from the hip, which is in reach, and the
 * foot keeps its direction in the world. */
void jc_contact_leg_bend(const struct jc_contact_leg *leg, int side, struct jc_vec3 goal,
	struct jc_posed_leg *posed, struct jc_quat rotations[JC_BONE_COUNT]);

#endif
