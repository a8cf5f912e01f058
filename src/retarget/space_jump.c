/* Compares the joints of two frames. The limits were checked against motion capture: see
 * tests/RESULTS.md. */
#include "jointcast_private/space_jump.h"

#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define WAY        0.12f   /* metres that noise may move a body between two frames */
#define TURN       0.3f    /* radians, the same */
#define PUSH       100.0f  /* acceleration of a body, metres per square second */
#define SPIN       80.0f   /* the same about +Y, radians per square second */
#define STEP_LEAST 0.0333f /* seconds; arrival times of frames jitter */
/* How far joints may move and turn against each other: metres and radians, and their speeds. */
#define SPREAD       0.05f
#define SPREAD_SPEED 3.0f
#define TWIST        0.15f
#define TWIST_SPEED  6.0f
#define SHARE        0.25f /* of the jump, in addition */

/* Changes of the joints that are in both frames. */
struct change {
	int count;
	int steady; /* those whose previous velocity is known */
	float seconds;
	float late;                   /* seconds that the previous frame may have come late */
	struct jc_vec3 before, after; /* centres */
	struct jc_vec3 way, velocity; /* displacement and previous velocity, means of `steady` */
	float sine, cosine;           /* sums of the turns about +Y */
	float yaw;
};

/* Whether a joint counts: fingers would outnumber the body. */
static bool is_counted(int joint)
{
	return joint < JC_JOINT_LEFT_HAND_PALM || joint > JC_JOINT_RIGHT_HAND_LITTLE_TIP ||
	       joint == JC_JOINT_LEFT_HAND_WRIST || joint == JC_JOINT_RIGHT_HAND_WRIST;
}

static bool is_usable(const struct jc_body_frame *frame, int j)
{
	const struct jc_body_joint *joint = &frame->joints[j];
	struct jc_quat q = joint->orientation;
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

	return joint->state != JC_ABSENT && is_counted(j) && jc_vec3_is_finite(joint->position) &&
	       jc_quat_is_finite(q) && fabsf(square - 1.0f) <= 2.0f * JC_LIMIT_UNIT_ERROR;
}

/* Rotation of a joint between the frames, in the space. */
static struct jc_quat turn_between(
	const struct jc_space_joint *last, const struct jc_body_joint *joint)
{
	return jc_quat_normalize(
		jc_quat_multiply(joint->orientation, jc_quat_conjugate(last->orientation)));
}

static void compare(const struct jc_space_jump *state, const struct jc_body_frame *frame,
	struct change *out_change)
{
	int64_t passed_ns = frame->time_ns - state->time_ns;
	struct change change = {
		.seconds = (float)passed_ns * 1.0e-9f,
		.late = fmaxf((float)(state->burst_ns - passed_ns) * 1.0e-9f, 0.0f),
	};

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_space_joint *last = &state->joints[j];
		const struct jc_body_joint *joint = &frame->joints[j];

		if (!last->is_known || !is_usable(frame, j)) {
			continue;
		}
		struct jc_quat turn = turn_between(last, joint);
		struct jc_vec3 way = jc_vec3_subtract(joint->position, last->position);
		float yaw = 2.0f * atan2f(turn.y, turn.w);

		change.count++;
		change.before = jc_vec3_add(change.before, last->position);
		change.after = jc_vec3_add(change.after, joint->position);
		if (last->has_velocity) {
			change.steady++;
			change.way = jc_vec3_add(change.way, way);
			change.velocity = jc_vec3_add(change.velocity, last->velocity);
		}
		change.sine += sinf(yaw);
		change.cosine += cosf(yaw);
	}
	float share = 1.0f / fmaxf((float)change.count, 1.0f);
	float steady_share = 1.0f / fmaxf((float)change.steady, 1.0f);

	change.before = jc_vec3_scale(change.before, share);
	change.after = jc_vec3_scale(change.after, share);
	change.way = jc_vec3_scale(change.way, steady_share);
	change.velocity = jc_vec3_scale(change.velocity, steady_share);
	change.yaw = change.count > 0 ? atan2f(change.sine, change.cosine) : 0.0f;
	*out_change = change;
}

/* Whether one rotation about +Y and one displacement explain all joints. */
static bool is_rigid(const struct jc_space_jump *state, const struct jc_body_frame *frame,
	const struct change *change)
{
	struct jc_quat yaw =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, change->yaw);
	float ways = 0.0f, turns = 0.0f;
	float jump = jc_vec3_length(jc_vec3_subtract(change->after, change->before));

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_space_joint *last = &state->joints[j];
		const struct jc_body_joint *joint = &frame->joints[j];

		if (!last->is_known || !is_usable(frame, j)) {
			continue;
		}
		struct jc_vec3 wanted = jc_vec3_add(change->after,
			jc_quat_rotate(yaw, jc_vec3_subtract(last->position, change->before)));
		struct jc_vec3 off = jc_vec3_subtract(joint->position, wanted);
		float turn = jc_quat_angle(yaw, turn_between(last, joint));

		ways += jc_vec3_dot(off, off);
		turns += turn * turn;
	}
	return sqrtf(ways / (float)change->count) <=
		       SPREAD + SPREAD_SPEED * change->seconds + SHARE * jump &&
	       sqrtf(turns / (float)change->count) <=
		       TWIST + TWIST_SPEED * change->seconds + SHARE * fabsf(change->yaw);
}

/* How far the change is from a movement at the previous velocity. If the previous frame came late,
 * the movement may have taken longer than the difference of the times of the frames. */
static float surprise(const struct change *change, struct jc_vec3 way, struct jc_vec3 velocity)
{
	float square = jc_vec3_dot(velocity, velocity);
	float seconds = square > 0.0f ? jc_vec3_dot(way, velocity) / square : 0.0f;

	seconds = fminf(fmaxf(seconds, change->seconds), change->seconds + change->late);
	return jc_vec3_length(jc_vec3_subtract(way, jc_vec3_scale(velocity, seconds)));
}

static bool is_jump(const struct jc_space_jump *state, const struct jc_body_frame *frame,
	const struct change *change)
{
	float step = fmaxf(change->seconds, STEP_LEAST);
	float way = WAY + PUSH * step * step;
	float turn = TURN + SPIN * step * step;
	struct jc_vec3 yaw = { 0.0f, change->yaw, 0.0f };
	struct jc_vec3 yaw_speed = { 0.0f, state->yaw_speed, 0.0f };
	bool is_far = surprise(change, change->way, change->velocity) > way &&
		      jc_vec3_length(jc_vec3_subtract(change->after, change->before)) > way;
	bool is_turned = change->count > 1 && fabsf(change->yaw) > turn &&
			 surprise(change, yaw, yaw_speed) > turn; /* heads turn fast */

	return change->steady > 0 && (is_far || is_turned) && is_rigid(state, frame, change);
}

/* Whether the change is that of a frame that follows a late one too soon: its speeds are too
 * high. */
static bool is_hasty(const struct change *change)
{
	return change->steady > 0 && change->seconds < fminf(change->late, STEP_LEAST);
}

/* As long as a frame came after the one before, so long may frames that waited behind it follow. */
static int64_t burst_after(const struct jc_space_jump *state, int64_t time_ns)
{
	int64_t passed_ns = time_ns - state->time_ns;
	int64_t rest_ns = state->burst_ns - passed_ns;

	if (!state->has_begun || passed_ns <= 0 || passed_ns > JC_LIMIT_HOLD_NS) {
		return 0;
	}
	return rest_ns > passed_ns ? rest_ns : passed_ns;
}

/* Remembers the frame; `change` leads to it, NULL if the velocities are not known. */
static void remember(
	struct jc_space_jump *state, const struct jc_body_frame *frame, const struct change *change)
{
	bool any = false;

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		struct jc_space_joint *last = &state->joints[j];
		const struct jc_body_joint *joint = &frame->joints[j];
		struct jc_space_joint next = { .is_known = is_usable(frame, j) };

		if (next.is_known) {
			any = true;
			next.position = joint->position;
			next.orientation = jc_quat_normalize(joint->orientation);
			next.has_velocity = change && last->is_known;
			if (next.has_velocity && is_hasty(change) && last->has_velocity) {
				next.velocity = last->velocity;
			} else if (next.has_velocity) {
				next.velocity = jc_vec3_scale(
					jc_vec3_subtract(next.position, last->position),
					1.0f / change->seconds);
			}
		}
		*last = next;
	}
	if (!change || !is_hasty(change)) {
		state->yaw_speed = change ? change->yaw / change->seconds : 0.0f;
	}
	state->burst_ns = burst_after(state, frame->time_ns);
	state->has_begun = any;
	state->is_still = false;
	state->time_ns = frame->time_ns;
}

static bool is_same_joint(const struct jc_space_joint *last, const struct jc_body_joint *joint)
{
	struct jc_vec3 p = last->position, now = joint->position;
	struct jc_quat q = last->orientation, turned = jc_quat_normalize(joint->orientation);

	return p.x == now.x && p.y == now.y && p.z == now.z && q.x == turned.x && q.y == turned.y &&
	       q.z == turned.z && q.w == turned.w;
}

/* Whether the frame repeats the previous one. */
static bool is_repeated(const struct jc_space_jump *state, const struct jc_body_frame *frame)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_space_joint *last = &state->joints[j];

		if (last->is_known != is_usable(frame, j) ||
			(last->is_known && !is_same_joint(last, &frame->joints[j]))) {
			return false;
		}
	}
	return true;
}

bool jc_space_jump_find(struct jc_space_jump *state, const struct jc_body_frame *frame)
{
	int64_t passed_ns = frame->time_ns - state->time_ns;
	bool is_found = false;
	struct change change;

	if (!state->has_begun || passed_ns <= 0) {
		remember(state, frame, NULL);
	} else if (is_repeated(state, frame)) {
		/* Either the source stalls, or the body stands still, which takes longer. */
		if (passed_ns > JC_LIMIT_HOLD_NS || state->is_still) {
			change = (struct change){ .seconds = 1.0f };
			remember(state, frame, &change);
			state->is_still = true;
		}
	} else if (passed_ns > JC_LIMIT_HOLD_NS) {
		remember(state, frame, NULL);
	} else {
		compare(state, frame, &change);
		is_found = change.count > 0 && is_jump(state, frame, &change);
		remember(state, frame, is_found ? NULL : &change);
	}
	return is_found;
}

/* The joints of the body's bones in a pose of the built-in figure. Any axes do for orientations:
 * only their changes count. */
static void stand(const struct jc_pose *pose, struct jc_body_frame *out_frame)
{
	struct jc_vec3 hips = jc_bone_rest_position(JC_BONE_HIPS);
	float height = hips.y - jc_bone_rest_position(JC_BONE_LEFT_TOES).y;
	struct jc_vec3 positions[JC_SECTION_BODY_COUNT];
	struct jc_quat turned[JC_SECTION_BODY_COUNT];

	positions[JC_BONE_HIPS] = jc_vec3_add(hips, jc_vec3_scale(pose->hips_translation, height));
	turned[JC_BONE_HIPS] = pose->rotations[JC_BONE_HIPS];
	for (int b = JC_BONE_HIPS + 1; b < JC_SECTION_BODY_COUNT; b++) {
		enum jc_bone above = jc_bone_parent((enum jc_bone)b);
		struct jc_vec3 offset = jc_vec3_subtract(
			jc_bone_rest_position((enum jc_bone)b), jc_bone_rest_position(above));

		positions[b] = jc_vec3_add(positions[above], jc_quat_rotate(turned[above], offset));
		turned[b] = jc_quat_multiply(turned[above], pose->rotations[b]);
	}
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		int bone = (int)jc_joint_bone((enum jc_joint)j);

		if (bone >= JC_SECTION_BODY_FIRST && bone < JC_SECTION_BODY_COUNT) {
			out_frame->joints[j] = (struct jc_body_joint){ .position = positions[bone],
				.orientation = jc_quat_normalize(turned[bone]),
				.state = pose->states[bone] };
		}
	}
}

bool jc_space_jump_find_pose(
	struct jc_space_jump *state, const struct jc_pose *pose, int64_t time_ns)
{
	struct jc_body_frame frame = { .time_ns = time_ns };

	if (pose->states[JC_BONE_HIPS] != JC_ABSENT) {
		stand(pose, &frame);
	}
	return jc_space_jump_find(state, &frame);
}
