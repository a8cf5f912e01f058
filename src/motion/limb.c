/* Arms and legs of the puppet: angles as a person feels them, and the closed
 * solution of the two-bone chain that puts wrist or ankle where it is told. */
#include "limb.h"

#include <math.h>

#include "jointcast/transform.h"

static const struct jc_vec3 axis_x = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 axis_z = { 0.0f, 0.0f, 1.0f };

enum jc_bone jc_limb_bone(enum jc_bone left, enum jc_side side)
{
	int stride = JC_BONE_RIGHT_SHOULDER - JC_BONE_LEFT_SHOULDER; /* as for the legs */

	if (left >= JC_BONE_LEFT_THUMB_METACARPAL) {
		stride = JC_BONE_RIGHT_THUMB_METACARPAL - JC_BONE_LEFT_THUMB_METACARPAL;
	}
	return (enum jc_bone)(side == JC_LEFT ? left : left + stride);
}

/* The joint between two bones of lengths a and b that reach from `root` to
 * `end`, in the half plane of `pole`. *out_bend is the unit direction, across
 * the line from root to end, in which it stands out. */
static struct jc_vec3 solve_hinge(struct jc_vec3 root, struct jc_vec3 end, float a, float b,
	struct jc_vec3 pole, struct jc_vec3 *out_bend)
{
	struct jc_vec3 line = jc_vec3_subtract(end, root);
	float distance = jc_vec3_length(line);
	struct jc_vec3 along = jc_vec3_normalize(line);
	struct jc_vec3 across =
		jc_vec3_subtract(pole, jc_vec3_scale(along, jc_vec3_dot(pole, along)));
	float reach = (distance * distance + a * a - b * b) / (2.0f * distance);
	float height = sqrtf(fmaxf(a * a - reach * reach, 0.0f));

	*out_bend = jc_vec3_normalize(across);
	return jc_vec3_add(
		root, jc_vec3_add(jc_vec3_scale(along, reach), jc_vec3_scale(*out_bend, height)));
}

/* `end` drawn towards `root` as far as the chain can reach. */
static struct jc_vec3 within_reach(struct jc_vec3 root, struct jc_vec3 end, float reach)
{
	struct jc_vec3 line = jc_vec3_subtract(end, root);
	float distance = jc_vec3_length(line);

	return jc_vec3_add(root, jc_vec3_scale(line, fminf(reach / distance, 1.0f)));
}

/* A limb never turns by half a turn against its parent, so of the two signs
 * the one with w >= 0 is continuous in time. */
static void set_world_rotation(
	struct jc_figure *figure, enum jc_bone bone, struct jc_quat parent, struct jc_quat rotation)
{
	struct jc_quat q = jc_quat_multiply(jc_quat_conjugate(parent), rotation);

	if (q.w < 0.0f) {
		q = (struct jc_quat){ -q.x, -q.y, -q.z, -q.w };
	}
	figure->pose.rotations[bone] = jc_quat_normalize(q);
}

void jc_figure_plant_leg(struct jc_figure *figure, enum jc_side side, struct jc_vec3 ankle,
	struct jc_quat foot, float toes, struct jc_vec3 forward)
{
	enum jc_bone upper = jc_limb_bone(JC_BONE_LEFT_UPPER_LEG, side);
	enum jc_bone lower = jc_limb_bone(JC_BONE_LEFT_LOWER_LEG, side);
	enum jc_bone end = jc_limb_bone(JC_BONE_LEFT_FOOT, side);
	struct jc_vec3 thigh = jc_figure_offset(lower);
	struct jc_vec3 shin = jc_figure_offset(end);
	struct jc_vec3 hip = jc_figure_world_position(figure, upper);
	struct jc_vec3 bend, knee, x, y, down;
	struct jc_quat pelvis = figure->pose.rotations[JC_BONE_HIPS];
	struct jc_quat upper_world, lower_world;
	/* The shin of the T-pose leans back a little. */
	float lean = atan2f(-shin.z, -shin.y);

	ankle = within_reach(hip, ankle, jc_vec3_length(jc_vec3_add(thigh, shin)));
	knee = solve_hinge(hip, ankle, jc_vec3_length(thigh), jc_vec3_length(shin), forward, &bend);
	y = jc_vec3_normalize(jc_vec3_subtract(hip, knee));
	x = jc_vec3_normalize(jc_vec3_cross(y, bend));
	upper_world = jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
	down = jc_vec3_normalize(jc_vec3_subtract(ankle, knee));
	y = jc_vec3_scale(down, -1.0f);
	lower_world = jc_quat_multiply(jc_quat_from_axes(x, y, jc_vec3_cross(x, y)),
		jc_quat_from_axis_angle(axis_x, -lean));
	set_world_rotation(figure, upper, pelvis, upper_world);
	set_world_rotation(figure, lower, upper_world, lower_world);
	set_world_rotation(figure, end, lower_world, foot);
	figure->pose.rotations[jc_limb_bone(JC_BONE_LEFT_TOES, side)] =
		jc_quat_from_axis_angle(axis_x, -toes);
}

void jc_figure_shrug(struct jc_figure *figure, enum jc_side side, float raise)
{
	figure->pose.rotations[jc_limb_bone(JC_BONE_LEFT_SHOULDER, side)] =
		jc_quat_from_axis_angle(axis_z, side == JC_LEFT ? raise : -raise);
}

static float blend(float a, float b, float share)
{
	return a + (b - a) * share;
}

struct jc_figure_arm jc_figure_blend_arms(
	struct jc_figure_arm a, struct jc_figure_arm b, float share)
{
	return (struct jc_figure_arm){
		.raise = blend(a.raise, b.raise, share),
		.forward = blend(a.forward, b.forward, share),
		.twist = blend(a.twist, b.twist, share),
		.elbow = blend(a.elbow, b.elbow, share),
		.supinate = blend(a.supinate, b.supinate, share),
		.wrist = blend(a.wrist, b.wrist, share),
		.deviate = blend(a.deviate, b.deviate, share),
	};
}

/* The left arm lies along +X in the T-pose, palm down, elbow bending to +Z. */
void jc_figure_set_arm(struct jc_figure *figure, enum jc_side side, struct jc_figure_arm arm)
{
	struct jc_quat *rotations = figure->pose.rotations;
	float sign = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_quat swing =
		jc_figure_rotation(0.0f, -arm.forward, -sign * (JC_RADIANS(90.0f) - arm.raise));

	rotations[jc_limb_bone(JC_BONE_LEFT_UPPER_ARM, side)] =
		jc_quat_multiply(swing, jc_quat_from_axis_angle(axis_x, -arm.twist));
	rotations[jc_limb_bone(JC_BONE_LEFT_LOWER_ARM, side)] =
		jc_figure_rotation(-sign * arm.elbow, -arm.supinate, 0.0f);
	rotations[jc_limb_bone(JC_BONE_LEFT_HAND, side)] =
		jc_figure_rotation(-sign * arm.deviate, 0.0f, -sign * arm.wrist);
}

void jc_figure_reach(struct jc_figure *figure, enum jc_side side, float share, struct jc_vec3 wrist,
	struct jc_quat hand, struct jc_vec3 elbow)
{
	enum jc_bone upper = jc_limb_bone(JC_BONE_LEFT_UPPER_ARM, side);
	enum jc_bone lower = jc_limb_bone(JC_BONE_LEFT_LOWER_ARM, side);
	enum jc_bone end = jc_limb_bone(JC_BONE_LEFT_HAND, side);
	float a = jc_vec3_length(jc_figure_offset(lower));
	float b = jc_vec3_length(jc_figure_offset(end));
	float sign = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_vec3 root = jc_figure_world_position(figure, upper);
	struct jc_vec3 old_wrist = jc_figure_world_position(figure, end);
	struct jc_vec3 old_elbow = jc_figure_world_position(figure, lower);
	struct jc_quat shoulder = jc_figure_world_rotation(figure, jc_bone_parent(upper));
	struct jc_quat upper_world, lower_world, twist, swing;
	struct jc_vec3 bend, middle, x, y;

	wrist = within_reach(root, jc_vec3_lerp(old_wrist, wrist, share), 0.995f * (a + b));
	hand = jc_quat_slerp(jc_figure_world_rotation(figure, end), hand, share);
	old_elbow =
		jc_vec3_normalize(jc_vec3_subtract(old_elbow, jc_vec3_lerp(root, old_wrist, 0.5f)));
	elbow = jc_vec3_lerp(old_elbow, elbow, share);

	middle = solve_hinge(root, wrist, a, b, elbow, &bend);
	x = jc_vec3_scale(jc_vec3_normalize(jc_vec3_subtract(middle, root)), sign);
	/* The forearm bends away from where the elbow stands out. */
	y = jc_vec3_normalize(jc_vec3_cross(x, bend));
	upper_world = jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
	x = jc_vec3_scale(jc_vec3_normalize(jc_vec3_subtract(wrist, middle)), sign);
	lower_world = jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
	/* Half of the hand's roll is the forearm's. */
	jc_quat_swing_twist(
		jc_quat_multiply(jc_quat_conjugate(lower_world), hand), axis_x, &swing, &twist);
	lower_world = jc_quat_multiply(lower_world, jc_quat_slerp(JC_QUAT_IDENTITY, twist, 0.5f));

	set_world_rotation(figure, upper, shoulder, upper_world);
	set_world_rotation(figure, lower, upper_world, lower_world);
	set_world_rotation(figure, end, lower_world, hand);
}
