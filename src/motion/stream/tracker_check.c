/* The constants leave room for what people do: they bend, sit, lie down and turn their heads. */
#include "jointcast_private/apps/tracker_check.h"

#include <math.h>

#include "jointcast/transform.h"

#define BUILTIN_HEIGHT 1.75f
#define SMOOTH_S       1.0f /* time constant of headings, longer than a step */
#define REACH_S        5.0f /* in which the longest reach of a leg is forgotten */

#define SPAN_LEAST  0.45f /* metres from one end of a body to the other */
#define SPAN_MOST   2.6f
#define SPAN_HEIGHT 1.15f /* of the height: arms are level at a calibration */
#define LYING       1.8f  /* a body as long as that share of its height lies */
#define LONG        1.2f  /* of a length of the body, as a share of the expected one */
#define SHORT       0.75f
#define REACH_LONG  1.15f
#define REACH_SHORT 0.85f
#define SUNK        0.15f /* metres of an ankle below its height when standing */
#define UPRIGHT     0.8f  /* from hips to head, as a share of the length, and more: standing */
#define TILTED      0.5f  /* cosine of the angle from a vertical trunk */
#define TURNED      0.61f /* 35 degrees */
#define FAR_TURNED  1.05f /* 60 degrees */
#define DRIFTED     1.75f /* 100 degrees: players turn the trunk over feet that stand */
#define FRONT_LEAST 0.5f  /* horizontal share of a front */
#define LEFT_LEAST  0.1f  /* metres from right to left joints */

static bool is_there(const struct jc_body_frame *body, enum jc_joint joint)
{
	return body->joints[joint].state != JC_ABSENT;
}

/* The extent of all places along each axis. */
static size_t find_span(const struct jc_tracker_frame *frame, struct jc_vec3 *out_span)
{
	struct jc_vec3 least = { INFINITY, INFINITY, INFINITY };
	struct jc_vec3 most = { -INFINITY, -INFINITY, -INFINITY };
	size_t count = 0;

	for (size_t i = 0; i < JC_JOINT_COUNT + frame->loose_count; i++) {
		bool is_joint = i < JC_JOINT_COUNT;
		struct jc_vec3 p = is_joint ? frame->body->joints[i].position
					    : frame->loose[i - JC_JOINT_COUNT];

		if (is_joint && !is_there(frame->body, (enum jc_joint)i)) {
			continue;
		}
		least = (struct jc_vec3){ fminf(least.x, p.x), fminf(least.y, p.y),
			fminf(least.z, p.z) };
		most = (struct jc_vec3){ fmaxf(most.x, p.x), fmaxf(most.y, p.y),
			fmaxf(most.z, p.z) };
		count++;
	}
	*out_span = jc_vec3_subtract(most, least);
	return count;
}

/* Before a calibration nothing is known but that the trackers are on a person, who stands to be
 * calibrated. */
static void look_at_span(const struct jc_tracker_frame *frame, bool signs[JC_STREAM_FAULT_COUNT])
{
	struct jc_vec3 span;

	if (find_span(frame, &span) < 3) {
		return;
	}
	float level = fmaxf(span.x, span.z);
	float longest = fmaxf(level, span.y);
	float most = frame->height > 0.0f ? SPAN_HEIGHT * frame->height : SPAN_MOST;

	signs[JC_STREAM_SCALE] = longest > most || longest < SPAN_LEAST;
	signs[JC_STREAM_AXES] = level > LYING * span.y;
}

/* Two joints whose distance changes little, and those that a leg joins. */
struct length {
	enum jc_joint from, to;
};

static const struct length rigid[] = {
	{ JC_JOINT_HIPS, JC_JOINT_HEAD },
	{ JC_JOINT_HIPS, JC_JOINT_CHEST },
	{ JC_JOINT_CHEST, JC_JOINT_HEAD },
	{ JC_JOINT_HIPS, JC_JOINT_LEFT_LOWER_LEG },
	{ JC_JOINT_HIPS, JC_JOINT_RIGHT_LOWER_LEG },
	{ JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_LEFT_FOOT_ANKLE },
	{ JC_JOINT_RIGHT_LOWER_LEG, JC_JOINT_RIGHT_FOOT_ANKLE },
};

static const struct length legs[] = {
	{ JC_JOINT_HIPS, JC_JOINT_LEFT_FOOT_ANKLE },
	{ JC_JOINT_HIPS, JC_JOINT_RIGHT_FOOT_ANKLE },
};

/* A length as a share of the built-in figure's, in the size of the person; 0: a joint is absent. */
static float measure(const struct jc_tracker_frame *frame, const struct length *length)
{
	const struct jc_body_joint *joints = frame->body->joints;
	float wanted =
		jc_vec3_length(jc_vec3_subtract(jc_bone_rest_position(jc_joint_bone(length->from)),
			jc_bone_rest_position(jc_joint_bone(length->to))));

	if (!is_there(frame->body, length->from) || !is_there(frame->body, length->to)) {
		return 0.0f;
	}
	return jc_vec3_length(jc_vec3_subtract(
		       joints[length->from].position, joints[length->to].position)) *
	       BUILTIN_HEIGHT / (wanted * frame->height);
}

/* All lengths wrong in the same way: the scale. Some wrong and another one right: a drift. */
static void look_at_lengths(struct jc_tracker_check *check, const struct jc_tracker_frame *frame,
	float dt, bool signs[JC_STREAM_FAULT_COUNT])
{
	int count = 0, too_long = 0, too_short = 0, right = 0;
	float reach = 0.0f;

	for (size_t i = 0; i < sizeof(rigid) / sizeof(rigid[0]); i++) {
		float share = measure(frame, &rigid[i]);

		count += share > 0.0f;
		too_long += share > LONG;
		too_short += share > 0.0f && share < SHORT;
		right += share >= 0.5f * (1.0f + SHORT) && share <= 0.5f * (1.0f + LONG);
	}
	for (size_t i = 0; i < sizeof(legs) / sizeof(legs[0]); i++) {
		reach = fmaxf(reach, measure(frame, &legs[i]));
	}
	check->reach = fmaxf(reach, check->reach * (1.0f - dt / REACH_S));

	bool all_long = count > 0 && too_long == count && (count > 1 || check->reach > REACH_LONG);
	bool all_short = count > 0 && too_short == count && check->reach < REACH_SHORT;

	signs[JC_STREAM_SCALE] = all_long || all_short;
	bool strays =
		!all_long && (too_long > 0 || reach > REACH_LONG) && (right > 0 || count == 1);
	float floor = jc_bone_rest_position(JC_BONE_LEFT_FOOT).y * frame->height / BUILTIN_HEIGHT;
	bool sinks = false;

	for (size_t i = 0; i < sizeof(legs) / sizeof(legs[0]); i++) {
		sinks = sinks || (is_there(frame->body, legs[i].to) &&
					 frame->body->joints[legs[i].to].position.y < floor - SUNK);
	}
	signs[JC_STREAM_DRIFTS] = strays || (sinks && !signs[JC_STREAM_SCALE]);
}

static struct jc_quat turn_of(const struct jc_tracker_frame *frame, enum jc_joint joint)
{
	return jc_quat_multiply(frame->body->joints[joint].orientation,
		jc_quat_conjugate(jc_joint_t_pose(frame->profile, joint)));
}

static float heading_of(struct jc_vec3 front)
{
	return atan2f(front.x, front.z);
}

static float wrap(float angle)
{
	return remainderf(angle, 2.0f * (float)M_PI);
}

static struct jc_vec3 smooth(struct jc_vec3 old, struct jc_vec3 new, float dt, bool is_begun)
{
	return is_begun ? jc_vec3_lerp(old, new, fminf(dt / SMOOTH_S, 1.0f)) : new;
}

/* From right to left joints, along the floor. */
static struct jc_vec3 find_left(const struct jc_body_frame *body)
{
	struct jc_vec3 left = { 0.0f, 0.0f, 0.0f };

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		enum jc_joint joint = (enum jc_joint)i;
		enum jc_joint other = jc_joint_mirror(joint);

		if (joint < other && is_there(body, joint) && is_there(body, other)) {
			left = jc_vec3_add(left, jc_vec3_subtract(body->joints[joint].position,
							 body->joints[other].position));
		}
	}
	left.y = 0.0f;
	return left;
}

/* Smooths the fronts of all joints; returns the sum of those of trunk and head. */
static struct jc_vec3 find_fronts(
	struct jc_tracker_check *check, const struct jc_tracker_frame *frame, float dt)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		if (!is_there(frame->body, (enum jc_joint)i)) {
			continue;
		}
		struct jc_vec3 front = jc_quat_rotate(
			turn_of(frame, (enum jc_joint)i), (struct jc_vec3){ 0.0f, 0.0f, 1.0f });

		front.y = 0.0f;
		check->fronts[i] = smooth(check->fronts[i], front, dt, check->is_begun);
		if (i == JC_JOINT_HIPS || i == JC_JOINT_CHEST || i == JC_JOINT_HEAD) {
			sum = jc_vec3_add(sum, front);
		}
	}
	return sum;
}

/* Whether the heading of a tracker is far from that of the rest of the body. Heads and arms turn
 * far. */
static bool has_stray(const struct jc_tracker_check *check, const struct jc_tracker_frame *frame)
{
	static const enum jc_joint steady[] = { JC_JOINT_HIPS, JC_JOINT_CHEST,
		JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_RIGHT_LOWER_LEG, JC_JOINT_LEFT_FOOT_ANKLE,
		JC_JOINT_RIGHT_FOOT_ANKLE };
	int count = 0, stray = 0;

	for (size_t i = 0; i < sizeof(steady) / sizeof(steady[0]); i++) {
		struct jc_vec3 front = check->fronts[steady[i]];

		if (is_there(frame->body, steady[i]) && jc_vec3_length(front) >= FRONT_LEAST) {
			count++;
			stray +=
				fabsf(wrap(heading_of(front) - heading_of(check->front))) > DRIFTED;
		}
	}
	return stray > 0 && 2 * stray < count + 1;
}

/* Compares the heading of places with that of rotations, both since the first frame. */
static void look_at_headings(struct jc_tracker_check *check, const struct jc_tracker_frame *frame,
	float dt, bool signs[JC_STREAM_FAULT_COUNT])
{
	struct jc_vec3 left = find_left(frame->body);
	struct jc_vec3 front = find_fronts(check, frame, dt);

	if (jc_vec3_length(left) < LEFT_LEAST || jc_vec3_length(front) < FRONT_LEAST) {
		return;
	}
	check->left = smooth(check->left, left, dt, check->is_begun);
	check->front = smooth(check->front, front, dt, check->is_begun);
	if (!check->is_begun) {
		check->is_begun = true;
		check->heading = heading_of(front);
	}
	float placed = wrap(atan2f(-check->left.z, check->left.x) - check->heading);
	float turned = wrap(heading_of(check->front) - check->heading);
	float apart = fabsf(wrap(placed - turned)), mirrored = fabsf(wrap(placed + turned));

	signs[JC_STREAM_MIRRORED] =
		fabsf(turned) > TURNED && mirrored < TURNED && apart > 1.5f * TURNED;
	signs[JC_STREAM_AXES] |= fabsf(placed) > FAR_TURNED && fabsf(turned) < 0.5f * TURNED;
	signs[JC_STREAM_DRIFTS] |= apart < FAR_TURNED && has_stray(check, frame);
}

/* The trunk of a person whose head is over the hips is upright. */
static void look_at_trunk(const struct jc_tracker_frame *frame, bool signs[JC_STREAM_FAULT_COUNT])
{
	const enum jc_joint trunk[] = { JC_JOINT_HIPS, JC_JOINT_CHEST, JC_JOINT_HEAD };
	const struct jc_body_joint *joints = frame->body->joints;
	float up = 0.0f, count = 0.0f;
	bool stands = measure(frame, &rigid[0]) > 0.0f;

	if (stands) {
		struct jc_vec3 way = jc_vec3_subtract(
			joints[JC_JOINT_HEAD].position, joints[JC_JOINT_HIPS].position);

		stands = way.y > UPRIGHT * jc_vec3_length(way);
	}
	for (size_t i = 0; stands && i < sizeof(trunk) / sizeof(trunk[0]); i++) {
		if (is_there(frame->body, trunk[i])) {
			up += jc_quat_rotate(
				turn_of(frame, trunk[i]), (struct jc_vec3){ 0.0f, 1.0f, 0.0f })
				      .y;
			count += 1.0f;
		}
	}
	signs[JC_STREAM_AXES] |= count > 0.0f && up < TILTED * count;
}

/* Left joints that a person has named are to the left of the head's front. */
static void look_at_sides(const struct jc_tracker_frame *frame, bool signs[JC_STREAM_FAULT_COUNT])
{
	struct jc_vec3 left = find_left(frame->body);

	if (!frame->is_named || !is_there(frame->body, JC_JOINT_HEAD) ||
		jc_vec3_length(left) < LEFT_LEAST) {
		return;
	}
	struct jc_vec3 side =
		jc_quat_rotate(turn_of(frame, JC_JOINT_HEAD), (struct jc_vec3){ 1.0f, 0.0f, 0.0f });

	signs[JC_STREAM_MIRRORED] = jc_vec3_dot(side, left) < -0.5f * jc_vec3_length(left);
}

enum jc_stream_fault jc_tracker_check_put(
	struct jc_tracker_check *check, const struct jc_tracker_frame *frame)
{
	bool signs[JC_STREAM_FAULT_COUNT] = { false };
	float dt = jc_stream_check_step(&check->stream, frame->body->time_ns);

	signs[JC_STREAM_DELAYED] = frame->delay_ns > JC_STREAM_DELAY_NS;
	if (frame->is_calibrated) {
		look_at_lengths(check, frame, dt, signs);
		look_at_trunk(frame, signs);
		look_at_headings(check, frame, dt, signs);
	} else {
		look_at_span(frame, signs);
		look_at_sides(frame, signs);
	}
	for (int fault = 0; fault < JC_STREAM_FAULT_COUNT; fault++) {
		jc_stream_check_weigh(
			&check->stream, 0, (enum jc_stream_fault)fault, signs[fault], dt);
	}
	return jc_stream_check_fault(&check->stream);
}

void jc_tracker_check_restart(struct jc_tracker_check *check)
{
	*check = (struct jc_tracker_check){ .stream = { .time_ns = check->stream.time_ns } };
}
