/* A hand that touches is moved to where the source's is, seen from what it touches. The weight of a
 * pair falls smoothly to zero with the distance in the source, so that other arms stay exact. */
#include "contact_hands.h"

#include <math.h>

#include "jointcast/contacts.h"
#include "jointcast/transform.h"

#define TINY 1.0e-6f

enum side { LEFT, RIGHT, SIDE_COUNT };

static const enum jc_bone shoulders[SIDE_COUNT] = { JC_BONE_LEFT_UPPER_ARM,
	JC_BONE_RIGHT_UPPER_ARM };
static const enum jc_bone elbows[SIDE_COUNT] = { JC_BONE_LEFT_LOWER_ARM, JC_BONE_RIGHT_LOWER_ARM };
static const enum jc_bone wrists[SIDE_COUNT] = { JC_BONE_LEFT_HAND, JC_BONE_RIGHT_HAND };
static const enum jc_bone arm_bones[JC_SIDES][JC_LEG_BONES] = {
	{ JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_HAND },
	{ JC_BONE_RIGHT_UPPER_ARM, JC_BONE_RIGHT_LOWER_ARM, JC_BONE_RIGHT_HAND },
};
static const enum jc_bone hip_joints[SIDE_COUNT] = { JC_BONE_LEFT_UPPER_LEG,
	JC_BONE_RIGHT_UPPER_LEG };
static const enum jc_bone knees[SIDE_COUNT] = { JC_BONE_LEFT_LOWER_LEG, JC_BONE_RIGHT_LOWER_LEG };

/* Distances in heights of the head joint: a pair has its whole weight below `near`, none beyond
 * `far`. A wrist is about 0.1 from what its palm touches. */
struct range {
	float near, far;
};
static const struct range hand_range = { 0.13f, 0.35f };
static const struct range joined = { 0.07f, 0.11f };
static const struct range head_range = { 0.15f, 0.35f };
static const struct range thigh_range = { 0.09f, 0.16f };
static const struct range hips_range = { 0.10f, 0.16f };
static const struct range floor_range = { 0.08f, 0.25f };
/* A body that lies is left alone: heights of its hips, in those of the T-pose. */
static const struct range lying = { 0.30f, 0.15f };
/* Hanging hands are beside the hips: no contact. Shares of the thigh, and heights over the hips. */
static const struct range thigh_share = { 0.45f, 0.20f };
static const struct range hips_level = { 0.015f, -0.02f };

/* Swinging arms pass hips and thighs: a hand touches them when it is slow, head heights a second,
 * and then in about 0.2 s. It lets go within the last range. */
static const struct range slow = { 0.35f, 1.0f };
static const float pace = 20.0f; /* of the weight, 1/s */
static const struct range let_go = { 0.18f, 0.35f };

/* Head heights a second. A faster hand was lost by its tracker or found again; the other hand then
 * goes where it goes without it in about 0.2 s. */
static const float torn = 4.0f;

/* Shares of the length of an arm: it gets straight or folded gradually from here on. */
static const float straight = 0.97f;
static const float folded = 0.30f;

void jc_contact_hands_init(struct jc_contact_hands *hands, const struct jc_contact_t_pose *source,
	const struct jc_contact_t_pose *target)
{
	jc_contact_body_init(&hands->source, source);
	jc_contact_body_init(&hands->target, target);
	jc_contact_limits_init(&hands->limits, target->skeleton, arm_bones);
	hands->scale =
		hands->source.height > 0.0f ? hands->target.height / hands->source.height : 1.0f;
	hands->is_active = !jc_contact_body_is_like(&hands->source, &hands->target, hands->scale);
}

/* 1 at `near` and before, 0 at `far` and beyond, with speed and acceleration zero at both. */
static float fade(float value, struct range range)
{
	float x = (value - range.far) / (range.near - range.far);

	x = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
	return x * x * x * (10.0f - x * (15.0f - 6.0f * x));
}

/* Correction of one wrist: the sum of weighted ways, and the chance that no contact is intended. */
struct pull {
	struct jc_vec3 sum;
	float weights, none;
};

/* The nearest contact wins: the whole weight counts a hundred times as much as half of it. */
static void add_pull(struct pull *pull, struct jc_vec3 way, float weight)
{
	float share = weight / (1.01f - weight);

	pull->sum = jc_vec3_add(pull->sum, jc_vec3_scale(way, share));
	pull->weights += share;
	pull->none *= 1.0f - weight;
}

/* The state of one step. */
struct step {
	struct jc_contact_hands *hands;
	float seconds;             /* since the step before; 0: none */
	float left;                /* what a spring keeps of its way in these seconds */
	struct jc_quat *rotations; /* of the target */
	struct jc_vec3 hips_translation;
	bool has_target; /* the target is posed: only if a hand touches */
	struct jc_contact_posed *source, *target;
	bool can_move[SIDE_COUNT];        /* the figure has the arm */
	struct jc_vec3 goals[SIDE_COUNT]; /* where the weight is above 0 */
	float weights[SIDE_COUNT];
	struct jc_vec3 together[SIDE_COUNT]; /* the part of the way because of the other hand */
	bool is_moved[SIDE_COUNT];
};

static const struct jc_vec3 *target_joints(struct step *step)
{
	if (!step->has_target) {
		jc_contact_body_pose_target(&step->hands->target, step->rotations,
			step->hips_translation, step->target);
		step->has_target = true;
	}
	return step->target->joints;
}

/* The way to where the wrist would be as far from `to` as that of the source is from `from`. */
static struct jc_vec3 way_from(
	const struct step *step, enum side side, struct jc_vec3 from, struct jc_vec3 to)
{
	struct jc_vec3 offset = jc_vec3_subtract(step->source->joints[wrists[side]], from);

	return jc_vec3_subtract(jc_vec3_add(to, jc_vec3_scale(offset, step->hands->scale)),
		step->target->joints[wrists[side]]);
}

static bool both_have(const struct step *step, enum jc_bone bone)
{
	return jc_contact_body_has(&step->hands->source, bone) &&
	       jc_contact_body_has(&step->hands->target, bone);
}

static float distance(struct jc_vec3 a, struct jc_vec3 b)
{
	return jc_vec3_length(jc_vec3_subtract(a, b));
}

static void near_head(struct step *step, enum side side, struct pull *pull)
{
	struct jc_vec3 head, hand = step->source->joints[wrists[side]];
	float weight;

	if (!both_have(step, JC_BONE_HEAD)) {
		return;
	}
	head = step->source->joints[JC_BONE_HEAD];
	weight = fade(distance(hand, head) / step->hands->source.height, head_range);
	if (weight > 0.0f) {
		add_pull(pull, way_from(step, side, head, target_joints(step)[JC_BONE_HEAD]),
			weight);
	}
}

/* Brings a weight nearer to its goal, critically damped. */
static void approach(const struct step *step, float goal, float *weight, float *rate)
{
	float away = *weight - goal, start = *rate + pace * away;

	*weight = goal + (away + start * step->seconds) * step->left;
	*rate = (*rate - pace * start * step->seconds) * step->left;
}

/* The weight of a touch that has to be slow: it follows `near` times slowness like a damped spring.
 * offset: from the middle of what is touched; distance: from its nearest point. In head heights. */
static float settle(const struct step *step, struct jc_contact_touch *touch, struct jc_vec3 offset,
	float near, float distance)
{
	float seconds = step->seconds, goal = near;
	struct jc_vec3 past = touch->past;

	touch->past = offset;
	if (near <= 0.0f && touch->weight == 0.0f && touch->rate == 0.0f) {
		return 0.0f;
	}
	if (seconds <= 0.0f) {
		touch->weight = goal;
		touch->rate = 0.0f;
	} else {
		goal *= fade(jc_vec3_length(jc_vec3_subtract(offset, past)) / seconds, slow);
		approach(step, goal, &touch->weight, &touch->rate);
	}
	if (goal <= 0.0f && touch->weight < 1e-3f) {
		touch->weight = touch->rate = 0.0f;
	}
	return fminf(fmaxf(touch->weight, 0.0f), 1.0f) * fade(distance, let_go);
}

static struct jc_vec3 hips_middle(const struct jc_contact_posed *posed)
{
	return jc_vec3_lerp(
		posed->joints[hip_joints[LEFT]], posed->joints[hip_joints[RIGHT]], 0.5f);
}

static void near_hips(struct step *step, enum side side, struct pull *pull)
{
	struct jc_vec3 hips = hips_middle(step->source);
	struct jc_vec3 offset =
		jc_vec3_scale(jc_vec3_subtract(step->source->joints[wrists[side]], hips),
			1.0f / step->hands->source.height);
	struct jc_vec3 up = jc_quat_rotate(
		step->source->turns[JC_BONE_HIPS], (struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	float distance = jc_vec3_length(offset);
	float near = fade(distance, hips_range) * fade(jc_vec3_dot(offset, up), hips_level);
	float weight =
		settle(step, &step->hands->touches[side][JC_CONTACT_HIPS], offset, near, distance);

	if (weight > 0.0f) {
		target_joints(step);
		add_pull(pull, way_from(step, side, hips, hips_middle(step->target)), weight);
	}
}

/* `leg` is that of the thigh; the point of the figure has the same share of its thigh. */
static void near_thigh(struct step *step, enum side side, enum side leg, struct pull *pull)
{
	const struct jc_vec3 *from = step->source->joints, *to;
	struct jc_vec3 thigh = jc_vec3_subtract(from[knees[leg]], from[hip_joints[leg]]);
	struct jc_vec3 offset = jc_vec3_subtract(from[wrists[side]], from[hip_joints[leg]]);
	float unit = 1.0f / step->hands->source.height;
	float share = jc_vec3_dot(offset, thigh) / fmaxf(jc_vec3_dot(thigh, thigh), TINY);
	struct jc_vec3 nearest;
	float far, near, weight;

	share = fminf(fmaxf(share, 0.0f), 1.0f);
	nearest = jc_vec3_lerp(from[hip_joints[leg]], from[knees[leg]], share);
	far = distance(from[wrists[side]], nearest) * unit;
	near = fade(far, thigh_range) * fade(share, thigh_share);
	offset = jc_vec3_subtract(offset, jc_vec3_scale(thigh, 0.5f));
	weight = settle(step, &step->hands->touches[side][JC_CONTACT_THIGHS + leg],
		jc_vec3_scale(offset, unit), near, far);
	if (weight > 0.0f) {
		to = target_joints(step);
		add_pull(pull,
			way_from(step, side, nearest,
				jc_vec3_lerp(to[hip_joints[leg]], to[knees[leg]], share)),
			weight);
	}
}

static void near_floor(struct step *step, enum side side, struct pull *pull)
{
	float level = step->source->joints[wrists[side]].y;
	float weight =
		fade(level / step->hands->source.height, floor_range) *
		fade(step->source->joints[JC_BONE_HIPS].y / step->hands->source.hips_height, lying);
	float rise;

	if (weight > 0.0f) {
		rise = level * step->hands->scale - target_joints(step)[wrists[side]].y;
		add_pull(pull, (struct jc_vec3){ 0.0f, rise, 0.0f }, weight);
	}
}

/* Where a wrist goes because of head, hips, thighs and floor. */
static void pull_to_body(struct step *step, enum side side)
{
	struct pull pull = { .none = 1.0f };

	near_head(step, side, &pull);
	if (both_have(step, hip_joints[LEFT]) && both_have(step, hip_joints[RIGHT])) {
		near_hips(step, side, &pull);
		for (enum side leg = LEFT; leg < SIDE_COUNT; leg++) {
			if (both_have(step, knees[leg])) {
				near_thigh(step, side, leg, &pull);
			}
		}
	}
	near_floor(step, side, &pull);
	step->weights[side] = 1.0f - pull.none;
	if (step->weights[side] > 0.0f) {
		step->goals[side] = jc_vec3_add(target_joints(step)[wrists[side]],
			jc_vec3_scale(pull.sum, step->weights[side] / pull.weights));
	}
}

/* Length of an arm between folded and straight, approached gradually at both ends. */
static float ease(float length, float whole)
{
	float most = straight * whole, least = folded * whole;
	float room = whole - most;

	if (length > most) {
		return whole - room * expf((most - length) / room);
	}
	room = least - 0.5f * least;
	return length < least ? least - room + room * expf((length - least) / room) : length;
}

static float arm_length(const struct step *step, enum side side)
{
	const struct jc_contact_body *target = &step->hands->target;

	return jc_vec3_length(target->ways[elbows[side]]) +
	       jc_vec3_length(target->ways[wrists[side]]);
}

/* The place nearest to `goal` that the arm reaches. Without weight that is where the wrist is,
 * straight arm or not. */
static struct jc_vec3 reach(
	const struct step *step, enum side side, struct jc_vec3 goal, float weight)
{
	struct jc_vec3 root = step->target->joints[shoulders[side]];
	struct jc_vec3 line = jc_vec3_subtract(goal, root);
	float whole = arm_length(step, side);
	float before = distance(step->target->joints[wrists[side]], root);
	float wanted = jc_vec3_length(line);
	float length = ease(wanted, whole) + (1.0f - weight) * (before - ease(before, whole));

	return wanted > TINY ? jc_vec3_add(root, jc_vec3_scale(line, length / wanted)) : goal;
}

static struct jc_vec3 goal_of(struct step *step, enum side side)
{
	return step->weights[side] > 0.0f ? step->goals[side] : target_joints(step)[wrists[side]];
}

/* Hands that are near each other meet half way; one that touches something else stays there. Both
 * stay, as on two knees, unless they touch each other. */
static void pull_together(struct step *step)
{
	struct jc_vec3 between = jc_vec3_subtract(
		step->source->joints[wrists[LEFT]], step->source->joints[wrists[RIGHT]]);
	float apart = jc_vec3_length(between) / step->hands->source.height;
	float bound = step->weights[LEFT] * step->weights[RIGHT] * (1.0f - fade(apart, joined));
	float weight = fade(apart, hand_range) * (1.0f - bound);
	struct jc_vec3 before[SIDE_COUNT], reached[SIDE_COUNT], missing;
	float loose[SIDE_COUNT], share;

	if (weight <= 0.0f) {
		return;
	}
	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		step->goals[side] = before[side] = goal_of(step, side);
	}
	between = jc_vec3_scale(between, step->hands->scale);
	for (int pass = 0; pass < 2; pass++) {
		for (enum side side = LEFT; side < SIDE_COUNT; side++) {
			loose[side] = 1.01f - step->weights[side];
			reached[side] = step->goals[side];
			if (pass > 0) {
				reached[side] = reach(step, side, step->goals[side], weight);
			}
		}
		missing = jc_vec3_scale(
			jc_vec3_subtract(between, jc_vec3_subtract(reached[LEFT], reached[RIGHT])),
			weight);
		share = loose[LEFT] / (loose[LEFT] + loose[RIGHT]);
		step->goals[LEFT] = jc_vec3_add(reached[LEFT], jc_vec3_scale(missing, share));
		step->goals[RIGHT] =
			jc_vec3_add(reached[RIGHT], jc_vec3_scale(missing, share - 1.0f));
	}
	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		step->together[side] = jc_vec3_subtract(step->goals[side], before[side]);
		step->weights[side] = 1.0f - (1.0f - step->weights[side]) * (1.0f - weight);
	}
}

static bool is_torn(const struct step *step, enum side side, struct jc_vec3 wrist)
{
	return distance(wrist, step->hands->hands[side].wrist) >
	       torn * step->hands->source.height * step->seconds;
}

/* Where the other hand is lost or back at once, this one keeps its way to it and ends it
 * gradually. */
static void outlast(struct step *step)
{
	bool are_torn[SIDE_COUNT];

	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		struct jc_vec3 wrist = jc_vec3_subtract(
			step->source->joints[wrists[side]], step->source->joints[JC_BONE_HIPS]);

		are_torn[side] = is_torn(step, side, wrist);
		step->hands->hands[side].wrist = wrist;
	}
	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		struct jc_contact_hand *hand = &step->hands->hands[side];
		struct jc_vec3 way = step->together[side], late;

		if (are_torn[RIGHT - side] && !are_torn[side]) {
			hand->late = jc_vec3_subtract(hand->way, way);
			hand->weight = 1.0f;
			hand->rate = 0.0f;
		} else {
			approach(step, 0.0f, &hand->weight, &hand->rate);
		}
		if (step->seconds <= 0.0f || hand->weight < 1e-3f) {
			hand->weight = hand->rate = 0.0f;
		}
		late = jc_vec3_scale(hand->late, hand->weight);
		hand->way = jc_vec3_add(way, late);
		step->is_moved[side] = step->can_move[side] &&
				       (step->weights[side] > 0.0f || jc_vec3_length(late) > 0.0f);
		if (step->is_moved[side]) {
			step->goals[side] = jc_vec3_add(goal_of(step, side), late);
		}
	}
}

/* The side to which the elbow is, seen from the line of the arm. A straight arm bends as elbows
 * do: forward in the T-pose. Without weight it is where it is. */
static struct jc_vec3 elbow_side(const struct step *step, enum side side, struct jc_vec3 axis)
{
	const struct jc_vec3 *joints = step->target->joints;
	struct jc_vec3 bent = jc_vec3_subtract(joints[elbows[side]], joints[shoulders[side]]);
	struct jc_vec3 back = jc_quat_rotate(
		step->target->turns[shoulders[side]], (struct jc_vec3){ 0.0f, 0.0f, -1.0f });
	float little = 0.02f * arm_length(step, side) * step->weights[side];
	struct jc_vec3 pole = jc_vec3_add(bent, jc_vec3_scale(back, little));

	pole = jc_vec3_subtract(pole, jc_vec3_scale(axis, jc_vec3_dot(pole, axis)));
	return jc_vec3_normalize(pole);
}

/* Turns the arm so that its wrist is at `goal`: as a whole, then at shoulder and elbow in its own
 * plane. The hand keeps its orientation. */
static void bend(struct step *step, enum side side, struct jc_vec3 goal,
	struct jc_quat rotations[JC_BONE_COUNT])
{
	struct jc_contact_posed *posed = step->target;
	enum jc_bone upper = shoulders[side], lower = elbows[side], hand = wrists[side];
	float a = jc_vec3_length(step->hands->target.ways[lower]);
	float b = jc_vec3_length(step->hands->target.ways[hand]);
	struct jc_vec3 root = posed->joints[upper];
	struct jc_vec3 before = jc_vec3_subtract(posed->joints[hand], root);
	struct jc_vec3 line = jc_vec3_subtract(goal, root);
	float length = fminf(fmaxf(jc_vec3_length(line), fabsf(a - b) + TINY), a + b);
	struct jc_vec3 pole = elbow_side(step, side, jc_vec3_normalize(before));
	struct jc_quat whole = jc_quat_between(before, line, pole);
	struct jc_vec3 axis = jc_vec3_normalize(line);
	float along = (a * a - b * b + length * length) / fmaxf(2.0f * length, TINY);
	float aside = sqrtf(fmaxf(a * a - along * along, 0.0f));
	struct jc_vec3 elbow, arm;
	struct jc_quat turn;

	pole = jc_quat_rotate(whole, pole);
	elbow = jc_vec3_add(jc_vec3_scale(axis, along), jc_vec3_scale(pole, aside));
	arm = jc_quat_rotate(whole, jc_vec3_subtract(posed->joints[lower], posed->joints[upper]));
	turn = jc_quat_multiply(jc_quat_between(arm, elbow, pole), whole);
	posed->turns[upper] = jc_quat_normalize(jc_quat_multiply(turn, posed->turns[upper]));
	arm = jc_quat_rotate(whole, jc_vec3_subtract(posed->joints[hand], posed->joints[lower]));
	turn = jc_quat_multiply(
		jc_quat_between(arm, jc_vec3_subtract(jc_vec3_scale(axis, length), elbow), pole),
		whole);
	posed->turns[lower] = jc_quat_normalize(jc_quat_multiply(turn, posed->turns[lower]));
	if (step->hands->target.above[upper] >= 0) {
		rotations[upper] = jc_quat_multiply(
			jc_quat_conjugate(posed->turns[step->hands->target.above[upper]]),
			posed->turns[upper]);
	} else {
		rotations[upper] = posed->turns[upper];
	}
	rotations[lower] =
		jc_quat_multiply(jc_quat_conjugate(posed->turns[upper]), posed->turns[lower]);
	rotations[hand] =
		jc_quat_multiply(jc_quat_conjugate(posed->turns[lower]), posed->turns[hand]);
}

/* Upper arm, lower arm and hand, each on the other. */
static bool has_arm(const struct jc_contact_body *body, enum side side)
{
	return jc_contact_body_has(body, JC_BONE_HIPS) &&
	       jc_contact_body_has(body, shoulders[side]) &&
	       jc_contact_body_has(body, elbows[side]) && jc_contact_body_has(body, wrists[side]) &&
	       body->above[elbows[side]] == (int)shoulders[side] &&
	       body->above[wrists[side]] == (int)elbows[side];
}

void jc_contact_hands_reset(struct jc_contact_hands *hands)
{
	hands->has_past = false;
}

/* Flat: a fifth of the instructions was calls of small functions. */
__attribute__((flatten)) bool jc_contact_hands_keep(struct jc_contact_hands *hands,
	const struct jc_pose *pose, double seconds, struct jc_quat rotations[JC_BONE_COUNT],
	struct jc_vec3 hips_translation)
{
	struct jc_contact_posed source, target;
	struct step step = { .hands = hands,
		.rotations = rotations,
		.hips_translation = hips_translation,
		.source = &source,
		.target = &target };
	bool has_changed = false;

	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		step.can_move[side] =
			has_arm(&hands->source, side) && has_arm(&hands->target, side);
	}
	if (!hands->is_active || (!step.can_move[LEFT] && !step.can_move[RIGHT])) {
		return false;
	}
	if (hands->has_past && seconds > 0.0 && seconds <= JC_CONTACTS_PAUSE) {
		step.seconds = (float)seconds;
		step.left = expf(-pace * step.seconds);
	}
	hands->has_past = true;
	jc_contact_body_pose_source(&hands->source, pose, &source);
	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		if (step.can_move[side]) {
			pull_to_body(&step, side);
		}
	}
	if (step.can_move[LEFT] && step.can_move[RIGHT]) {
		pull_together(&step);
	}
	outlast(&step);
	for (enum side side = LEFT; side < SIDE_COUNT; side++) {
		if (step.is_moved[side]) {
			const enum jc_bone *arm = arm_bones[side];
			const struct jc_quat exact[] = { rotations[arm[0]], rotations[arm[1]],
				rotations[arm[2]] };

			bend(&step, side, reach(&step, side, step.goals[side], step.weights[side]),
				rotations);
			jc_contact_limits_keep(&hands->limits, (int)side, arm, exact, rotations);
			has_changed = true;
		}
	}
	return has_changed;
}
