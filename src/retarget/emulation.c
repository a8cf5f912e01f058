/* Completes a partial body frame: converts its joints to bones, estimates missing bones from the
 * trunk outwards, and writes the result in the axes of the profile.
 *
 * The constants of emulation*.c were chosen with tests/bench/emulation.sh on
 * boxing_toes_extra_line, cmu_12_01_walk and univrm_vrm10viewer_motion of the public BVH files and
 * on the four built-in motions, reduced to 3 and 6 trackers. All other clips were only measured
 * afterwards; the errors stand in tests/RESULTS.md. */
#include "jointcast/emulation.h"
#include "jointcast_private/axes.h"
#include "jointcast_private/slimevr.h"

#include <math.h>
#include <string.h>

#include "emulation_body.h"
#include "jointcast/limits.h"
#include "jointcast/write.h"

#define GAP_NS     1000000000 /* a longer gap discards the previous posture */
#define STEP_MOST  0.1f       /* seconds; longer steps are clamped */
#define UNIT_LEAST 0.5f       /* minimum length of a valid orientation */

enum jc_bone jc_emulated_bone(enum jc_bone left, int side)
{
	return side == 0 ? left : jc_bone_mirror(left);
}

void jc_emulated_find(
	struct jc_emulated *body, enum jc_bone bone, struct jc_vec3 position, struct jc_quat turned)
{
	if (!body->is_found[bone]) {
		body->positions[bone] = position;
		body->turned[bone] = jc_quat_normalize(turned);
		body->is_found[bone] = true;
	}
}

void jc_emulated_carry(struct jc_emulated *body, enum jc_bone bone)
{
	enum jc_bone above = jc_bone_parent(bone);

	jc_emulated_find(body, bone,
		jc_vec3_add(body->positions[above],
			jc_quat_rotate(body->turned[above], body->offsets[bone])),
		body->turned[above]);
}

float jc_emulated_clamp(float value, float least, float most)
{
	return fminf(fmaxf(value, least), most);
}

float jc_emulated_wrap(float radians)
{
	return atan2f(sinf(radians), cosf(radians));
}

struct jc_quat jc_emulated_about(struct jc_vec3 axis, float radians)
{
	return jc_quat_from_axis_angle(axis, radians);
}

/* If the face points down, the top of the head points to the front; if it points up, to the
 * back. */
float jc_emulated_heading(struct jc_quat turned)
{
	struct jc_vec3 front = jc_quat_rotate(turned, jc_front);
	struct jc_vec3 top = jc_quat_rotate(turned, jc_up);
	float x = front.x - top.x * front.y;
	float z = front.z - top.z * front.y;

	return x * x + z * z > 1.0e-12f ? atan2f(x, z) : 0.0f;
}

float jc_emulated_follow(const struct jc_emulated *body, float seconds)
{
	return 1.0f - expf(-body->seconds / seconds);
}

void jc_emulation_restart(struct jc_emulation *emulation)
{
	emulation->has_begun = false;
	emulation->reaching = JC_QUAT_IDENTITY;
	emulation->sizes = emulation->reported;
}

void jc_emulation_init(struct jc_emulation *emulation, enum jc_profile profile,
	const struct jc_body_frame *rest, float height)
{
	memset(emulation, 0, sizeof(*emulation));
	emulation->profile = profile;
	jc_axes_init(&emulation->axes, profile);
	jc_emulation_report(&emulation->reported, rest, height);
	jc_emulation_restart(emulation);
}

static bool is_usable(const struct jc_body_joint *joint)
{
	struct jc_quat q = joint->orientation;
	struct jc_vec3 p = joint->position;
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

	return joint->state != JC_ABSENT && square > UNIT_LEAST * UNIT_LEAST && square < 4.0f &&
	       jc_quat_is_finite(q) && fabsf(p.x) < JC_LIMIT_COORDINATE &&
	       fabsf(p.y) < JC_LIMIT_COORDINATE && fabsf(p.z) < JC_LIMIT_COORDINATE;
}

/* Copies the valid joints of the frame; false if none is left. */
static bool sift(const struct jc_body_frame *frame, struct jc_body_frame *out_sound)
{
	bool any = false;

	*out_sound = *frame;
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		struct jc_body_joint *joint = &out_sound->joints[j];

		if (is_usable(joint)) {
			joint->orientation = jc_quat_normalize(joint->orientation);
			any = true;
		} else {
			joint->state = JC_ABSENT;
		}
	}
	return any;
}

static bool is_whole(const struct jc_body_frame *frame)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (frame->joints[j].state == JC_ABSENT) {
			return false;
		}
	}
	return true;
}

/* Derives the wrist from a palm, because the hand is rigid between them. The palm is at the
 * centre of the metacarpal bone. */
static void take_palm(const struct jc_axes_turn *turns, const struct jc_body_frame *frame,
	enum jc_joint palm, enum jc_bone hand, enum jc_bone middle, struct jc_emulated *body)
{
	if (frame->joints[palm].state == JC_ABSENT || body->is_found[hand]) {
		return;
	}
	jc_emulated_find(body, hand,
		jc_vec3_subtract(frame->joints[palm].position,
			jc_quat_rotate(
				turns[palm].turned, jc_vec3_scale(body->offsets[middle],
							    0.5f * (1.0f + JC_METACARPAL_BASE)))),
		turns[palm].turned);
	body->is_given[hand] = true;
}

static void take_joints(const struct jc_emulation *emulation, const struct jc_body_frame *frame,
	struct jc_emulated *body)
{
	struct jc_axes_turn turns[JC_JOINT_COUNT];

	jc_axes_turns(&emulation->axes, frame, turns);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)j);

		if (bone != JC_BONE_NONE && frame->joints[j].state != JC_ABSENT) {
			jc_emulated_find(body, bone, frame->joints[j].position, turns[j].turned);
			body->is_given[bone] = true;
		}
	}
	take_palm(turns, frame, JC_JOINT_LEFT_HAND_PALM, JC_BONE_LEFT_HAND,
		JC_BONE_LEFT_MIDDLE_PROXIMAL, body);
	take_palm(turns, frame, JC_JOINT_RIGHT_HAND_PALM, JC_BONE_RIGHT_HAND,
		JC_BONE_RIGHT_MIDDLE_PROXIMAL, body);
}

static struct jc_vec3 find_place(const struct jc_body_frame *frame)
{
	static const enum jc_joint anchors[] = { JC_JOINT_HEAD, JC_JOINT_HIPS, JC_JOINT_CHEST };
	int first = 0;

	for (size_t i = 0; i < sizeof(anchors) / sizeof(anchors[0]); i++) {
		if (frame->joints[anchors[i]].state != JC_ABSENT) {
			return frame->joints[anchors[i]].position;
		}
	}
	while (frame->joints[first].state == JC_ABSENT) {
		first++;
	}
	return frame->joints[first].position;
}

/* Whether this frame continues the previous one; sets the time between them. */
static void go_on(
	struct jc_emulation *emulation, const struct jc_body_frame *frame, struct jc_emulated *body)
{
	struct jc_vec3 place = find_place(frame);
	int64_t passed = frame->time_ns - emulation->time_ns;

	if (emulation->has_begun &&
		(frame->time_ns <= emulation->time_ns || passed <= 0 || passed > GAP_NS ||
			jc_vec3_length(jc_vec3_subtract(place, emulation->place)) >
				JC_EMULATION_TELEPORT)) {
		emulation->has_begun = false;
	}
	body->seconds = emulation->has_begun ? fminf((float)passed * 1.0e-9f, STEP_MOST) : 0.0f;
	emulation->time_ns = frame->time_ns;
	emulation->place = place;
}

static void write_joints(const struct jc_emulation *emulation, const struct jc_emulated *body,
	struct jc_body_frame *frame)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		struct jc_body_joint *joint = &frame->joints[j];
		enum jc_bone bone = jc_joint_bone((enum jc_joint)j);

		if (bone != JC_BONE_NONE && joint->state == JC_ABSENT) {
			joint->position = body->positions[bone];
			joint->orientation = jc_quat_normalize(jc_quat_multiply(body->turned[bone],
				jc_joint_t_pose(emulation->profile, (enum jc_joint)j)));
			joint->state = JC_ESTIMATED;
		}
	}
	jc_body_frame_fill_between(emulation->profile, frame);
}

bool jc_emulation_complete(struct jc_emulation *emulation, struct jc_body_frame *frame)
{
	struct jc_emulated body = { 0 };
	struct jc_body_frame sound;

	if (!sift(frame, &sound)) {
		return false;
	}
	go_on(emulation, &sound, &body);
	jc_emulation_learn(&emulation->sizes, &sound, body.seconds);
	if (is_whole(&sound)) {
		emulation->has_begun = false;
		return false;
	}
	jc_emulation_measure(&emulation->sizes, &body);
	take_joints(emulation, &sound, &body);
	jc_emulate_trunk(emulation, &body);
	jc_emulate_arms(emulation, &body);
	jc_emulate_legs(emulation, &body);
	jc_emulate_hands(&body);
	emulation->has_begun = true;
	write_joints(emulation, &body, &sound);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		if (frame->joints[j].state == JC_ABSENT) {
			frame->joints[j] = sound.joints[j];
		}
	}
	return true;
}

/* Horizontal offset of a reported T-pose from the origin. */
static struct jc_vec3 find_shift(
	const struct jc_body_frame *reported, const struct jc_emulated *body)
{
	static const enum jc_joint anchors[] = { JC_JOINT_HIPS, JC_JOINT_HEAD, JC_JOINT_CHEST };

	for (size_t i = 0; reported && i < sizeof(anchors) / sizeof(anchors[0]); i++) {
		if (reported->joints[anchors[i]].state != JC_ABSENT) {
			return jc_vec3_subtract(reported->joints[anchors[i]].position,
				body->positions[jc_joint_bone(anchors[i])]);
		}
	}
	return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
}

/* Lays out the T-pose from the hips outwards, with the balls of the feet at their height above
 * the floor. */
static void stand_in_t_pose(struct jc_emulated *body)
{
	float sole = jc_bone_rest_position(JC_BONE_LEFT_TOES).y * body->size;
	float lift;

	body->turned[JC_BONE_HIPS] = JC_QUAT_IDENTITY;
	body->is_found[JC_BONE_HIPS] = true;
	for (int b = JC_BONE_HIPS + 1; b < JC_BONE_COUNT; b++) {
		jc_emulated_carry(body, (enum jc_bone)b);
	}
	lift = sole - body->positions[JC_BONE_LEFT_TOES].y;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		body->positions[b].y += lift;
	}
}

void jc_emulation_rest(const struct jc_emulation *emulation, const struct jc_body_frame *reported,
	struct jc_body_frame *out_rest)
{
	struct jc_body_frame rest = { .confidence = 1.0f };
	struct jc_emulated body = { 0 };
	struct jc_vec3 shift;

	jc_emulation_measure(&emulation->sizes, &body);
	stand_in_t_pose(&body);
	shift = find_shift(reported, &body);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		body.positions[b] = jc_vec3_add(body.positions[b], shift);
	}
	if (reported) {
		rest = *reported;
	}
	write_joints(emulation, &body, &rest);
	*out_rest = rest;
}

/* The state of one call of jc_emulation_complete. */
struct completion {
	struct jc_slimevr slimevr;
	struct jc_emulation emulation;
	bool has_estimated;
};

static void complete(void *context, struct jc_body_frame *frame)
{
	struct completion *completion = context;

	jc_slimevr_arrange(&completion->slimevr, completion->emulation.profile, frame);
	if (jc_emulation_complete(&completion->emulation, frame)) {
		completion->has_estimated = true;
	}
}

int jc_emulation_complete_motion(struct jc_motion *motion, float height)
{
	struct completion completion = { .has_estimated = false };
	const struct jc_body_frame *reported = jc_motion_rest(motion);
	struct jc_body_frame rest;
	int error;

	if (jc_motion_info(motion)->kind != JC_MOTION_BODY_FRAMES) {
		return JC_OK;
	}
	jc_emulation_init(&completion.emulation, jc_motion_profile(motion), reported, height);
	error = jc_motion_change_frames(motion, complete, &completion);
	if (!error && completion.has_estimated) {
		jc_emulation_rest(&completion.emulation, reported, &rest);
		jc_motion_set_rest(motion, &rest);
	}
	return error;
}
