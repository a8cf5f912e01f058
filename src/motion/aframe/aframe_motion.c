/* Reads A-Frame recordings of head and controllers as motions of body frames: the head joint from
 * the camera, the wrists from the controllers. Other joints are absent; emulation completes them.
 */
#include <math.h>
#include <string.h>

#include "aframe_hands.h"
#include "aframe_recording.h"
#include "jointcast/transform.h"
#include "jointcast_private/take.h"
#include "motion_private.h"

/* Seconds between two poses of a device, past which it was not tracked. */
#define GAP 0.5

/* Oculus Touch points 0.8 down for 1 ahead of its own -Z (A-Frame's laser-controls). */
#define TOUCH_TILT 0.6747409f /* atan(0.8) */
#define QUARTER    1.5707963f

struct track {
	const struct jc_aframe_device *device; /* NULL: none */
	size_t at;                             /* the last pose at or before the time */
};

static struct jc_device_pose pose_of(const struct jc_aframe_pose *pose)
{
	return (struct jc_device_pose){ pose->position, jc_aframe_hands_rotation(pose->degrees) };
}

/* Times must not decrease from call to call. False where the device was not tracked. */
static bool sample(struct track *track, double t, struct jc_device_pose *out_pose)
{
	const struct jc_aframe_device *device = track->device;
	const struct jc_aframe_pose *pose;
	struct jc_device_pose next;
	float share;

	if (!device || t < device->poses[0].t) {
		return false;
	}
	while (track->at + 1 < device->count && device->poses[track->at + 1].t <= t) {
		track->at++;
	}
	pose = &device->poses[track->at];
	*out_pose = pose_of(pose);
	if (t <= pose->t) {
		return true;
	}
	if (track->at + 1 == device->count || pose[1].t - pose->t > GAP) {
		return false;
	}
	next = pose_of(&pose[1]);
	share = (float)((t - pose->t) / (pose[1].t - pose->t));
	out_pose->position = jc_vec3_lerp(out_pose->position, next.position, share);
	out_pose->orientation = jc_quat_slerp(out_pose->orientation, next.orientation, share);
	return true;
}

/* The wrist of a hand. */
static struct jc_body_joint place_hand(
	const struct jc_aframe_body *body, enum jc_hand hand, struct jc_device_pose pose)
{
	enum jc_aframe_kind kind = body->hands[hand]->kind;
	struct jc_quat back = jc_quat_from_axis_angle(
		(struct jc_vec3){ 0.0f, 0.0f, 1.0f }, hand == JC_HAND_LEFT ? -QUARTER : QUARTER);
	struct jc_quat tilt =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, -TOUCH_TILT);

	if (kind == JC_AFRAME_GRIP) {
		return jc_device_place_grip(hand, pose);
	}
	if (body->is_turned) {
		pose.orientation = jc_quat_multiply(pose.orientation, back);
	}
	if (kind == JC_AFRAME_TOUCH) {
		pose.orientation = jc_quat_multiply(pose.orientation, tilt);
	}
	return jc_device_place_aim(hand, pose);
}

static void place_body(const struct jc_aframe_body *body, struct track *head,
	struct track hands[JC_HANDS], double t, struct jc_body_frame *out_frame)
{
	static const enum jc_joint wrists[JC_HANDS] = { JC_JOINT_LEFT_HAND_WRIST,
		JC_JOINT_RIGHT_HAND_WRIST };
	struct jc_device_pose pose;

	*out_frame = (struct jc_body_frame){ .confidence = 1.0f };
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		out_frame->joints[j].orientation = JC_QUAT_IDENTITY;
	}
	if (sample(head, t, &pose) && jc_device_place_is_valid(pose)) {
		out_frame->joints[JC_JOINT_HEAD] = jc_device_place_head(pose);
	}
	for (int hand = 0; hand < JC_HANDS; hand++) {
		if (sample(&hands[hand], t, &pose) && jc_device_place_is_valid(pose)) {
			out_frame->joints[wrists[hand]] =
				place_hand(body, (enum jc_hand)hand, pose);
		}
	}
}

/* The device whose times are those of the frames: the camera, else the one with more poses. */
static const struct jc_aframe_device *clock_of(const struct jc_aframe_body *body)
{
	const struct jc_aframe_device *left = body->hands[JC_HAND_LEFT];
	const struct jc_aframe_device *right = body->hands[JC_HAND_RIGHT];

	if (body->camera || !right) {
		return body->camera ? body->camera : left;
	}
	return left && left->count > right->count ? left : right;
}

static int add_frames(struct jc_take *take, const struct jc_aframe_body *body)
{
	const struct jc_aframe_device *clock = clock_of(body);
	struct track head = { .device = body->camera };
	struct track hands[JC_HANDS] = { { .device = body->hands[JC_HAND_LEFT] },
		{ .device = body->hands[JC_HAND_RIGHT] } };
	int error = JC_OK;

	for (size_t i = 0; !error && i < clock->count; i++) {
		double t = clock->poses[i].t;
		struct jc_body_frame frame;

		place_body(body, &head, hands, t, &frame);
		error = jc_take_add_body_frame(take, t, &frame, NULL);
	}
	return error;
}

static int make_motion(const struct jc_aframe_body *body, struct jc_motion **out_motion,
	struct jc_diagnostic *diagnostic)
{
	static const struct jc_take_plan plan = {
		.kind = JC_MOTION_BODY_FRAMES,
		.format = "a-frame",
		.name = "",
		.profile = JC_PROFILE_WEBXR_SPEC,
	};
	struct jc_take *take = NULL;
	int error;

	if (!clock_of(body)) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"an A-Frame recording of neither a camera nor a hand");
	}
	error = jc_take_create(&plan, &take);
	error = error ? error : add_frames(take, body);
	error = error ? error : jc_take_finish(take, out_motion);
	if (error) {
		jc_take_destroy(take);
		return jc_diagnose(diagnostic, error, NULL,
			error == JC_ERROR_LIMIT ? "too many frames" : "out of memory");
	}
	return JC_OK;
}

static int read_file(const struct jc_motion_file *file, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_aframe_recording recording;
	struct jc_aframe_body body;
	int error =
		jc_aframe_recording_read(file->bytes, file->length, &recording, lint, diagnostic);

	if (!error) {
		jc_aframe_hands_find(&recording, &body, lint);
		error = make_motion(&body, out_motion, diagnostic);
	}
	jc_aframe_recording_finish(&recording);
	return error;
}

static bool holds(const char *text, const char *end, const char *word)
{
	return memmem(text, (size_t)(end - text), word, strlen(word)) != NULL;
}

/* The header of a body-frame file, a JSON text of its own, has no poses. */
static bool accepts(const struct jc_motion_file *file)
{
	return *file->text == '{' && holds(file->text, file->end, "\"poses\"") &&
	       !holds(file->text, file->end, "\"body-frames\"");
}

const struct jc_motion_reader jc_aframe_motion_reader = {
	.holds_one_motion = true, .accepts = accepts, .read = read_file
};
