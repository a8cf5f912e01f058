/* Keeps feet steady. The lattice points within the bound of a leg's bone put knee, ankle and toes
 * at different places: a foot that stands would slide from one to another. The encoder prefers
 * points that move a joint as the motion does. These also make up for the rounding of the hips
 * translation. It assumes the proportions of the built-in figure; other figures differ little. */
#include <math.h>

#include "chain_private.h"
#include "jointcast/humanoid.h"

#define STEP_MOST 0.02 /* metres; the error of a joint that moves faster is not visible */

#define LEG_BONES 3 /* those that move a foot */

static uint32_t legs(void)
{
	const uint32_t leg = (UINT32_C(1) << LEG_BONES) - 1;

	return UINT32_C(1) << JC_BONE_HIPS | leg << JC_BONE_LEFT_UPPER_LEG |
	       leg << JC_BONE_RIGHT_UPPER_LEG;
}

/* The index of the joint at the beginning of a bone. */
static int joint_of(int bone)
{
	return bone == JC_BONE_HIPS ? 0 : bone - JC_BONE_LEFT_UPPER_LEG + 1;
}

void jc_chain_feet_init(
	struct jc_chain_feet *feet, const struct jc_chain *chain, const struct jc_vec3 *points)
{
	struct jc_vec3 hips = points ? points[0] : (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	const double at[2] = { hips.x, hips.z };
	double unit = 2.0 * jc_chain_precisions[chain->precision].metres;
	double most = unit * JC_CHAIN_TRAVEL_MOST;
	uint32_t bones = 0;

	feet->before = &chain->legs;
	feet->precision = &jc_chain_precisions[chain->precision];
	feet->now.known = false;
	feet->matters = false;
	/* Written so that NaN fails it. */
	feet->watched = jc_chain_is_linked(chain) && fabs(at[0]) < most && fabs(at[1]) < most;
	if (!feet->watched) {
		return;
	}
	for (size_t i = 0; i < chain->count; i++) {
		bones |= UINT32_C(1) << chain->bones[i];
	}
	feet->watched = (bones & legs()) == legs();
	feet->now.known = feet->watched;
	for (int c = 0; c < 2; c++) {
		feet->now.exact[0][c] = at[c];
		feet->now.shown[0][c] = (float)(round(at[c] / unit) * unit);
	}
}

/* Turns a vector. */
static inline void turn(const struct jc_quat64 *q, double v[3])
{
	const double t[3] = { 2.0 * (q->y * v[2] - q->z * v[1]), 2.0 * (q->z * v[0] - q->x * v[2]),
		2.0 * (q->x * v[1] - q->y * v[0]) };

	v[0] += q->w * t[0] + (q->y * t[2] - q->z * t[1]);
	v[1] += q->w * t[1] + (q->z * t[0] - q->x * t[2]);
	v[2] += q->w * t[2] + (q->x * t[1] - q->y * t[0]);
}

/* The way from the beginning of a bone to that of its child, at rest. */
static void rest_way(int bone, int child, double out_way[3])
{
	struct jc_vec3 here = jc_bone_rest_position((enum jc_bone)bone),
		       there = jc_bone_rest_position((enum jc_bone)child);

	out_way[0] = (double)there.x - here.x;
	out_way[1] = (double)there.y - here.y;
	out_way[2] = (double)there.z - here.z;
}

/* The rows of a rotation matrix that give x and z of what it turns. */
static void find_rows(const struct jc_quat64 *q, double out_rows[2][3])
{
	const struct jc_quat64 back = { -q->x, -q->y, -q->z, q->w };

	for (int i = 0; i < 2; i++) {
		double axis[3] = { i == 0, 0.0, i == 1 };

		turn(&back, axis);
		memcpy(out_rows[i], axis, sizeof(axis));
	}
}

/* The place of the joint at the end of a bone. from: where the bone begins. turned: its rotation in
 * its parent. way: from its beginning to the joint, at rest. */
static inline void reach(const struct jc_chain_feet *feet, const double way[3],
	const struct jc_quat64 *turned, const double from[2], double out_at[2])
{
	double end[3] = { way[0], way[1], way[2] };

	turn(turned, end);
	for (int i = 0; i < 2; i++) {
		const double *row = feet->rows[i];

		out_at[i] = from[i] + ((row[0] * end[0] + row[1] * end[1]) + row[2] * end[2]);
	}
}

/* Where the children of the bone begin if it is turned so. */
static void spread(const struct jc_chain_feet *feet, int bone, const struct jc_quat64 *turned,
	double joints[JC_CHAIN_LEG_JOINTS][2])
{
	static const int hips_children[] = { JC_BONE_LEFT_UPPER_LEG, JC_BONE_RIGHT_UPPER_LEG };
	int joint = joint_of(bone);

	if (bone != JC_BONE_HIPS) {
		reach(feet, feet->way, turned, joints[joint], joints[joint + 1]);
		return;
	}
	for (int i = 0; i < 2; i++) {
		double way[3];

		rest_way(bone, hips_children[i], way);
		reach(feet, way, turned, joints[joint], joints[joint_of(hips_children[i])]);
	}
}

static bool is_leg(const struct jc_chain_feet *feet, int bone)
{
	return feet->watched && legs() >> bone & 1;
}

/* Finds the step that the joint should make, and whether it matters. Steps as small as the
 * precision are none: the foot stands. The others are shortened by that, because errors across a
 * step lengthen it. */
static void find_step(struct jc_chain_feet *feet, int joint)
{
	double square = 0.0, share;

	for (int c = 0; c < 2; c++) {
		feet->step[c] = feet->now.exact[joint][c] - feet->before->exact[joint][c];
		square += feet->step[c] * feet->step[c];
	}
	share = 1.0 - feet->precision->metres / sqrt(square);
	/* Written so that -infinity passes it. */
	share = share > 0.0 ? share : 0.0;
	feet->step[0] *= share;
	feet->step[1] *= share;
	feet->matters = square <= STEP_MOST * STEP_MOST;
}

void jc_chain_feet_aim(struct jc_chain_feet *feet, int bone, const struct jc_quat64 *wanted)
{
	static const struct jc_quat64 nothing = { 0.0, 0.0, 0.0, 1.0 };

	feet->matters = false;
	if (!is_leg(feet, bone)) {
		return;
	}
	find_rows(bone == JC_BONE_HIPS ? &nothing : &feet->turns[jc_chain_table.parents[bone]],
		feet->rows);
	if (bone != JC_BONE_HIPS) {
		rest_way(bone, bone + 1, feet->way);
	}
	spread(feet, bone, wanted, feet->now.exact);
	if (bone != JC_BONE_HIPS && feet->before->known) {
		find_step(feet, joint_of(bone) + 1);
	}
}

/* A knee matters half as much: lower legs make up for it. */
static double slide_cost(const struct jc_chain_feet *feet, int bone)
{
	bool ends_in_knee = bone == JC_BONE_LEFT_UPPER_LEG || bone == JC_BONE_RIGHT_UPPER_LEG;
	double cost = feet->precision->slide_cost;

	return ends_in_knee ? 0.5 * cost : cost;
}

int jc_chain_feet_cost(const struct jc_chain_feet *feet, int bone, const struct jc_quat64 *shown)
{
	int joint = joint_of(bone), end = joint + 1;
	double unit = 2.0 * feet->precision->metres, at[2], wrong = 0.0;

	reach(feet, feet->way, shown, feet->now.shown[joint], at);
	for (int c = 0; c < 2; c++) {
		double off = (at[c] - feet->before->shown[end][c]) - feet->step[c];

		wrong += off * off;
	}
	return (int)(slide_cost(feet, bone) * wrong / (unit * unit));
}

void jc_chain_feet_pass(struct jc_chain_feet *feet, int bone, const struct jc_quat64 *shown)
{
	if (!is_leg(feet, bone)) {
		return;
	}
	spread(feet, bone, shown, feet->now.shown);
	feet->turns[bone] =
		bone == JC_BONE_HIPS
			? *shown
			: jc_quat64_multiply(&feet->turns[jc_chain_table.parents[bone]], shown);
}
