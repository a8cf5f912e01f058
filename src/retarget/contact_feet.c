/* Keeps contacts. While a foot stands, it follows the foot of the source: the difference between
 * the two, which the exact rotations would add as sliding, goes into a correction of the ankle.
 * Afterwards the correction returns to zero like a damped spring. The height of a foot near the
 * ground is that of the source's foot. */
#include "contact_feet.h"

#include <math.h>

#include "contact_leg.h"
#include "jointcast/contacts.h"
#include "jointcast/transform.h"

/* Heights are in hips heights of the source, speeds in hips heights a second. Between the two
 * values of a pair the weight of a contact falls from 1 to 0. */
static const float level_held[2] = { 0.035f, 0.08f };
static const float speed_held[2] = { 0.55f, 1.3f };
static const float level_raised[2] = { 0.03f, 0.16f };
static const float level_sunk[2] = { -0.14f, -0.17f }; /* below: not this floor */
static const float upright[2] = { 0.25f, 0.5f }; /* of the axis of the pelvis, its share of up */
static const float lying[2] = { 0.35f, 0.5f };   /* height of the hips */
static const float release = 14.0f;              /* of the spring, 1/s */
static const float hips_share = 0.018f;          /* hips move at most, hips heights */
static const float hips_pace = 18.0f;            /* of their spring, 1/s */
static const float roll_most = 0.5f;             /* radians */
static const float depth_left = 0.003f;          /* of a foot below the ground, hips heights */

/* Intermediate results of one foot in one step. */
struct step {
	struct jc_posed_leg source, target;
	float level[2]; /* where ankle and ball of the target would be as the source's are, metres
			 */
	float held[2], raised[2]; /* weights of ankle and ball */
	float rise;               /* correction of the height */
	bool is_rolled;
	struct jc_quat roll; /* turn of the foot about its own lateral axis */
};

void jc_contact_feet_init(struct jc_contact_feet *feet, const struct jc_contact_t_pose *source,
	const struct jc_contact_t_pose *target)
{
	*feet = (struct jc_contact_feet){ .scale = 1.0f, .stride = 1.0f };
	jc_contact_figure_init(&feet->source, source);
	jc_contact_figure_init(&feet->target, target);
	jc_contact_limits_init(&feet->limits, target->skeleton, jc_leg_bones);
	feet->is_active = feet->source.has_legs && feet->target.has_legs &&
			  !jc_contact_figure_is_like(&feet->source, &feet->target);
	if (feet->is_active) {
		feet->scale = feet->target.leg / feet->source.leg;
		feet->stride = feet->scale * feet->source.height / feet->target.height;
	}
}

void jc_contact_feet_reset(struct jc_contact_feet *feet)
{
	feet->has_past = false;
	feet->hips = (struct jc_contact_spring){ 0 };
	for (int side = 0; side < JC_SIDES; side++) {
		feet->feet[side] = (struct jc_contact_foot){ 0 };
	}
}

/* 1 up to `pair[0]`, 0 from `pair[1]`, smooth in between. */
static float fall(float value, const float pair[2])
{
	float t = (value - pair[0]) / (pair[1] - pair[0]);

	t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
	return 1.0f - t * t * (3.0f - 2.0f * t);
}

/* How far a point that deep below the ground is raised: smoothly from 0 on, and up to `left` below
 * the ground. */
static float lift_out(float depth, float left)
{
	if (depth <= 0.0f) {
		return 0.0f;
	}
	return depth < 2.0f * left ? depth * depth / (4.0f * left) : depth - left;
}

/* Moves towards `goal`, critically damped; exact for any time. */
static void settle(struct jc_contact_spring *spring, struct jc_vec3 goal, float pace, float seconds)
{
	struct jc_vec3 away = jc_vec3_subtract(spring->value, goal);
	struct jc_vec3 rate = jc_vec3_add(spring->speed, jc_vec3_scale(away, pace));
	float left = expf(-pace * seconds);

	spring->value = jc_vec3_add(
		goal, jc_vec3_scale(jc_vec3_add(away, jc_vec3_scale(rate, seconds)), left));
	spring->speed = jc_vec3_scale(
		jc_vec3_subtract(spring->speed, jc_vec3_scale(rate, pace * seconds)), left);
}

static struct jc_vec3 along_ground(struct jc_vec3 v)
{
	return (struct jc_vec3){ v.x, 0.0f, v.z };
}

/* Where the hips joint of a figure is over its floor, and the point that all motion scales with. */
static struct jc_vec3 source_hips(const struct jc_contact_feet *feet, const struct jc_pose *pose)
{
	const struct jc_contact_figure *source = &feet->source;

	return jc_vec3_add(source->hips,
		jc_vec3_subtract(jc_vec3_scale(pose->hips_translation, source->height),
			jc_quat_displace(pose->rotations[JC_BONE_HIPS], source->point)));
}

static struct jc_vec3 joint(const struct jc_posed_leg *leg, int i)
{
	return i == 0 ? leg->ankle : leg->ball;
}

/* 1 for a body that stands, kneels or sits, 0 for one that lies: its feet have no sole on the
 * ground. */
static float stands(const struct jc_contact_feet *feet, const struct jc_pose *pose, float hips)
{
	struct jc_vec3 up =
		jc_quat_rotate(pose->rotations[JC_BONE_HIPS], (struct jc_vec3){ 0.0f, 1.0f, 0.0f });

	return 1.0f - fall(up.y, upright) * fall(hips / feet->source.height, lying);
}

/* Weights of the contacts of a foot of the source. */
static void detect(const struct jc_contact_feet *feet, int side, struct jc_vec3 hips,
	float standing, double seconds, struct jc_contact_foot *foot, struct step *step)
{
	const struct jc_contact_leg *leg = &feet->source.legs[side];
	const float levels[2] = { leg->ankle_level, leg->ball_level };
	float height = feet->source.height;

	for (int i = 0; i < 2; i++) {
		struct jc_vec3 at = jc_vec3_add(hips, joint(&step->source, i));
		float level = (at.y - levels[i]) / height;
		float there =
			standing * (1.0f - fall(level, (float[2]){ level_sunk[1], level_sunk[0] }));
		float speed = feet->has_past ? jc_vec3_length(jc_vec3_subtract(at, foot->past[i])) /
						       (float)seconds / height
					     : 0.0f;

		step->held[i] = there * fall(level, level_held) * fall(speed, speed_held);
		step->raised[i] = there * fall(level, level_raised);
		foot->past[i] = at;
	}
}

/* Heights of ankle and ball over where they stand as those of the source, in the size of the
 * target. What is below the ground in the source is raised by itself, so that the other keeps its
 * contact. */
static void find_levels(
	const struct jc_contact_feet *feet, int side, float source_y, struct step *step)
{
	const struct jc_contact_leg *from = &feet->source.legs[side];
	float size = feet->target.height / feet->source.height;
	float left = depth_left * feet->target.height;
	const float levels[2] = { from->ankle_level, from->ball_level };

	for (int i = 0; i < 2; i++) {
		step->level[i] = size * (source_y + joint(&step->source, i).y - levels[i]);
		step->level[i] += lift_out(-step->level[i], left);
	}
}

/* Pitches the foot so that heel and ball are as high over the ground as those of the source: a
 * longer foot rolls by a smaller angle. */
static void roll(const struct jc_contact_feet *feet, int side, struct step *step)
{
	const struct jc_contact_leg *to = &feet->target.legs[side];
	float weight = fminf(step->raised[0], step->raised[1]);
	struct jc_vec3 sole = jc_vec3_subtract(step->target.ball, step->target.ankle);
	float length = jc_vec3_length(sole);
	struct jc_vec3 axis = jc_vec3_cross(sole, (struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	float level = jc_vec3_length(axis);
	float wanted = to->ball.y + step->level[1] - step->level[0];
	float angle;

	step->is_rolled = false;
	weight *= 1.0f - fall(level, (float[2]){ 0.15f * length, 0.5f * length });
	if (weight <= 0.0f) {
		return;
	}
	angle = weight * (wanted - sole.y) / fmaxf(level, 0.5f * length);
	angle = roll_most * angle / sqrtf(angle * angle + roll_most * roll_most);
	step->is_rolled = true;
	step->roll = jc_quat_from_axis_angle(jc_vec3_normalize(axis), angle);
	step->target.turns[JC_LEG_FOOT] =
		jc_quat_multiply(step->roll, step->target.turns[JC_LEG_FOOT]);
	step->target.ball = jc_vec3_add(step->target.ankle, jc_quat_rotate(step->roll, sole));
}

/* The correction of the height: that of the joint nearer to the ground counts more. The ball of
 * the target never sinks, unless that of the source is on a lower floor. */
static void find_rise(const struct jc_contact_feet *feet, int side, float source_y, float target_y,
	struct step *step)
{
	const struct jc_contact_leg *from = &feet->source.legs[side];
	const struct jc_contact_leg *to = &feet->target.legs[side];
	float size = feet->target.height / feet->source.height;
	float left = depth_left * feet->target.height;
	float source_ball = size * (source_y + step->source.ball.y - from->ball_level);
	float ball = target_y + step->target.ball.y - to->ball_level;
	float ankle = target_y + step->target.ankle.y - to->ankle_level;
	float heel = step->raised[0] * step->raised[0] * step->raised[0];
	float toe = step->raised[1] * step->raised[1] * step->raised[1];

	step->rise = 0.0f;
	if (heel + toe > 0.0f) {
		step->rise = fmaxf(step->raised[0], step->raised[1]) *
			     (heel * (step->level[0] - ankle) + toe * (step->level[1] - ball)) /
			     (heel + toe);
	}
	step->rise += lift_out(-(ball + step->rise), left) *
		      fall(-source_ball / feet->target.height,
			      (float[2]){ -level_sunk[0], -level_sunk[1] });
}

/* Holds the foot along the ground by its contacts; without them the correction fades. */
static void hold(const struct jc_contact_feet *feet, struct jc_vec3 hips_moved, float seconds,
	struct jc_contact_foot *foot, struct step *step)
{
	float weight = fmaxf(step->held[0], step->held[1]);
	float sum = step->held[0] + step->held[1];
	struct jc_contact_spring held = foot->slide;
	struct jc_vec3 moved = { 0.0f, 0.0f, 0.0f };

	for (int i = 0; i < 2; i++) {
		struct jc_vec3 difference = along_ground(jc_vec3_subtract(joint(&step->target, i),
			jc_vec3_scale(joint(&step->source, i), feet->scale)));

		if (sum > 0.0f) {
			moved = jc_vec3_add(moved,
				jc_vec3_scale(jc_vec3_subtract(difference, foot->difference[i]),
					step->held[i] / sum));
		}
		foot->difference[i] = difference;
	}
	if (!feet->has_past) {
		return;
	}
	moved = jc_vec3_add(moved, hips_moved);
	settle(&foot->slide, (struct jc_vec3){ 0.0f, 0.0f, 0.0f }, release, seconds);
	held.value = jc_vec3_subtract(held.value, moved);
	held.speed = jc_vec3_scale(moved, -1.0f / seconds);
	foot->slide.value = jc_vec3_lerp(foot->slide.value, held.value, weight);
	foot->slide.speed = jc_vec3_lerp(foot->slide.speed, held.speed, weight);
	if (weight <= 0.0f && jc_vec3_length(foot->slide.value) < 1e-4f) {
		foot->slide = (struct jc_contact_spring){ 0 };
	}
}

/* How far the hips have to move so that the ankle reaches its goal. */
static struct jc_vec3 shortage(
	const struct jc_contact_feet *feet, int side, struct jc_vec3 goal, const struct step *step)
{
	struct jc_vec3 reached =
		jc_contact_leg_reach(&feet->target.legs[side], &step->target, goal);

	return jc_vec3_subtract(goal, reached);
}

static struct jc_vec3 limit(struct jc_vec3 v, float most)
{
	float length = jc_vec3_length(v);

	return length > 0.0f ? jc_vec3_scale(v, most / sqrtf(length * length + most * most)) : v;
}

static struct jc_vec3 goal_of(const struct jc_contact_foot *foot, const struct step *step)
{
	struct jc_vec3 goal = jc_vec3_subtract(step->target.ankle, step->target.hip);

	goal = jc_vec3_add(goal, foot->slide.value);
	goal.y += step->rise;
	return goal;
}

/* Moves the hips by the least that both feet need. Returns the movement of this step. */
static struct jc_vec3 shift_hips(
	struct jc_contact_feet *feet, const struct step steps[JC_SIDES], float seconds)
{
	struct jc_vec3 before = feet->hips.value, shift = { 0.0f, 0.0f, 0.0f };

	/* Twice over both feet: the second foot moves what the first one needs. */
	for (int i = 0; i < 2 * JC_SIDES; i++) {
		int side = i % JC_SIDES;
		const struct step *step = &steps[side];
		float weight = fmaxf(step->raised[0], step->raised[1]);
		struct jc_vec3 goal;

		if (weight <= 0.0f) {
			continue;
		}
		goal = jc_vec3_subtract(
			jc_vec3_add(goal_of(&feet->feet[side], step), before), shift);
		shift = jc_vec3_add(shift, jc_vec3_scale(shortage(feet, side, goal, step), weight));
	}
	shift = limit(shift, hips_share * feet->target.height);
	settle(&feet->hips, shift, hips_pace, seconds);
	if (jc_vec3_length(feet->hips.value) < 1e-5f && jc_vec3_length(shift) <= 0.0f) {
		feet->hips = (struct jc_contact_spring){ 0 };
	}
	return jc_vec3_subtract(feet->hips.value, before);
}

static bool is_changed(struct jc_vec3 v)
{
	return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f;
}

/* Turns the toes back by the roll of the foot: they stay on the ground. */
static void keep_toes(const struct jc_posed_leg *leg, struct jc_quat roll, struct jc_quat *toes)
{
	struct jc_quat foot = leg->turns[JC_LEG_FOOT];
	struct jc_quat back = jc_quat_multiply(
		jc_quat_conjugate(foot), jc_quat_multiply(jc_quat_conjugate(roll), foot));

	*toes = jc_quat_normalize(jc_quat_multiply(back, *toes));
}

/* Bends the leg, and what hangs on it. */
static void bend(const struct jc_contact_feet *feet, int side, struct jc_vec3 goal,
	struct step *step, struct jc_quat rotations[JC_BONE_COUNT])
{
	struct jc_quat exact[JC_LEG_BONES];

	for (int i = 0; i < JC_LEG_BONES; i++) {
		exact[i] = rotations[jc_leg_bones[side][i]];
	}
	jc_contact_leg_bend(&feet->target.legs[side], side, goal, &step->target, rotations);
	if (step->is_rolled && feet->target.has_toes) {
		keep_toes(&step->target, step->roll, &rotations[jc_toes[side]]);
	}
	if (feet->limits.any) {
		jc_contact_limits_keep(&feet->limits, side, jc_leg_bones[side], exact, rotations);
	}
}

/* Puts the foot at its goal, as far as the leg goes. */
static bool place(struct jc_contact_feet *feet, int side, struct jc_vec3 hips_moved,
	struct step *step, struct jc_quat rotations[JC_BONE_COUNT])
{
	struct jc_contact_foot *foot = &feet->feet[side];
	const struct jc_contact_leg *leg = &feet->target.legs[side];
	float weight = fmaxf(step->held[0], step->held[1]);
	struct jc_vec3 goal, reached;

	foot->slide.value = jc_vec3_subtract(
		foot->slide.value, jc_vec3_scale(along_ground(hips_moved), weight));
	step->rise -= fmaxf(step->raised[0], step->raised[1]) * feet->hips.value.y;
	if (!is_changed(foot->slide.value) && step->rise == 0.0f && !step->is_rolled) {
		return false;
	}
	goal = goal_of(foot, step);
	reached = jc_contact_leg_reach(leg, &step->target, goal);
	foot->slide.value =
		jc_vec3_subtract(foot->slide.value, along_ground(jc_vec3_subtract(goal, reached)));
	bend(feet, side, reached, step, rotations);
	return true;
}

/* Flat: a fifth of the instructions was calls of small functions. */
__attribute__((flatten)) bool jc_contact_feet_keep(struct jc_contact_feet *feet,
	const struct jc_pose *pose, double seconds, struct jc_quat rotations[JC_BONE_COUNT],
	struct jc_vec3 *hips_translation)
{
	static const struct jc_vec3 none = { 0.0f, 0.0f, 0.0f };
	struct jc_vec3 source, moved = none;
	struct step steps[JC_SIDES];
	float target_y, standing;
	bool changed = false;

	if (!feet->is_active) {
		return false;
	}
	if (!(seconds > 0.0) || seconds > JC_CONTACTS_PAUSE) {
		jc_contact_feet_reset(feet);
	}
	source = source_hips(feet, pose);
	standing = stands(feet, pose, source.y);
	target_y = feet->target.hips.y + hips_translation->y;
	for (int side = 0; side < JC_SIDES; side++) {
		struct step *step = &steps[side];
		struct jc_contact_foot *foot = &feet->feet[side];

		jc_contact_figure_pose(&feet->source, side, pose->rotations, &step->source);
		jc_contact_figure_pose(&feet->target, side, rotations, &step->target);
		detect(feet, side, source, standing, seconds, foot, step);
		find_levels(feet, side, source.y, step);
		roll(feet, side, step);
		find_rise(feet, side, source.y, target_y, step);
		hold(feet, none, (float)seconds, foot, step);
	}
	if (feet->has_past) {
		moved = shift_hips(feet, steps, (float)seconds);
	}
	feet->has_past = true;
	for (int side = 0; side < JC_SIDES; side++) {
		changed |= place(feet, side, moved, &steps[side], rotations);
	}
	if (is_changed(feet->hips.value)) {
		*hips_translation = jc_vec3_add(*hips_translation, feet->hips.value);
		changed = true;
	}
	return changed;
}
