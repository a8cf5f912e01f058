/* Processes captures when they arrive, so that a tick only copies a pose. */
#include "source/capture_intake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/array.h"
#include "jointcast_private/continuity.h"
#include "jointcast_private/device_place.h"
#include "jointcast_private/space_jump.h"
#include "maxima.h"
#include "source/capture_values.h"
#include "source/tracked_body.h"

struct jc_capture_intake {
	struct jc_capture_form form;
	unsigned revision;
	int64_t epoch_ns;
	struct jc_tracked_body *tracked; /* owned; for body frames */
	struct jc_continuity continuity; /* for poses, like the next members */
	struct jc_space_jump jump;
	struct jc_one_euro smooth;
	struct jc_pose pose; /* the newest pose of direct captures */
	bool is_cut;         /* a jump since the last sample */

	bool has_begun;
	int64_t time_us; /* of the newest capture */
	bool cut;        /* the next capture is a cut */
	uint64_t frames, refused;
	struct jc_capture_values values;

	bool is_sampled; /* the captures below were part of a sample */
	size_t count;
	size_t ends[JC_MAX_INTAKE_CAPTURES]; /* end of each capture in `bytes` */
	uint8_t *bytes;                      /* owned */
	size_t capacity;
	uint8_t *rest; /* owned */
	size_t rest_length;

	struct jc_capture capture; /* the capture in progress */
};

int jc_capture_intake_create(
	const struct jc_capture_form *form, int64_t epoch_ns, struct jc_capture_intake **out_intake)
{
	struct jc_capture_intake *intake = calloc(1, sizeof(*intake));

	if (!intake) {
		return JC_ERROR_MEMORY;
	}
	if (form->kind == JC_CAPTURE_BODY_FRAME) {
		const struct jc_tracked_body_options body = {
			.profile = form->profile, .smooth = form->smooth, .height = form->height
		};

		if (jc_tracked_body_create(&body, &intake->tracked) != JC_OK) {
			free(intake);
			return JC_ERROR_MEMORY;
		}
	}
	intake->form = *form;
	intake->form.channel_count = 0;
	intake->form.channels = (const char *const *)intake->values.names;
	intake->epoch_ns = epoch_ns;
	intake->smooth.options = form->smooth;
	jc_pose_init(&intake->pose);
	*out_intake = intake;
	return JC_OK;
}

void jc_capture_intake_destroy(struct jc_capture_intake *intake)
{
	if (!intake) {
		return;
	}
	jc_capture_values_finish(&intake->values);
	jc_tracked_body_destroy(intake->tracked);
	free(intake->bytes);
	free(intake->rest);
	free(intake);
}

/* New channels change the form. */
static void note_channels(struct jc_capture_intake *intake)
{
	intake->revision += (unsigned)(intake->values.channel_count - intake->form.channel_count);
	intake->form.channel_count = intake->values.channel_count;
}

int jc_capture_intake_add_channel(
	struct jc_capture_intake *intake, struct jc_source *source, const char *name)
{
	int status = jc_capture_values_add(&intake->values, source, name);

	note_channels(intake);
	return status;
}

size_t jc_capture_intake_own_channels(const struct jc_capture_intake *intake)
{
	return intake->values.own_count;
}

int jc_capture_intake_lend(struct jc_capture_intake *intake, struct jc_source *source,
	const struct jc_capture_loan *loan, int64_t now_ns)
{
	int status = jc_capture_values_lend(&intake->values, source, loan, now_ns);

	note_channels(intake);
	return status;
}

static size_t stored_bytes(const struct jc_capture_intake *intake)
{
	return intake->count > 0 ? intake->ends[intake->count - 1] : 0;
}

/* Returns room for one more capture, or NULL. */
static uint8_t *make_room(struct jc_capture_intake *intake)
{
	if (intake->is_sampled) {
		intake->is_sampled = false;
		intake->count = 0;
	}
	size_t used = stored_bytes(intake);

	if (intake->count == JC_MAX_INTAKE_CAPTURES) {
		return NULL;
	}
	if (!jc_array_grow(
		    &intake->bytes, &intake->capacity, used + JC_CAPTURE_BYTES, SIZE_MAX, 1)) {
		return NULL;
	}
	return intake->bytes + used;
}

static void store(
	struct jc_capture_intake *intake, uint8_t *room, const uint8_t *bytes, size_t length)
{
	size_t used = stored_bytes(intake);

	memcpy(room, bytes, length);
	intake->ends[intake->count++] = used + length;
}

static void restart(struct jc_capture_intake *intake)
{
	intake->is_cut = true;
	intake->smooth.has_begun = false;
	jc_continuity_restart(&intake->continuity);
	if (intake->tracked) {
		jc_tracked_body_restart(intake->tracked);
	}
}

static bool has_joints(const struct jc_body_frame *frame)
{
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		if (frame->joints[joint].state != JC_ABSENT) {
			return true;
		}
	}
	return false;
}

/* Whether the capture repeats the current T-pose. */
static bool holds(const struct jc_capture_intake *intake, const struct jc_body_frame *rest,
	const uint8_t *bytes, size_t length)
{
	return has_joints(rest)
		       ? length == intake->rest_length && memcmp(bytes, intake->rest, length) == 0
		       : intake->rest_length == 0;
}

static void take_rest(struct jc_capture_intake *intake, const struct jc_body_frame *frame,
	const uint8_t *bytes, size_t length)
{
	bool is_there = has_joints(frame);
	uint8_t *rest = is_there ? realloc(intake->rest, length) : NULL;

	if (rest) {
		memcpy(rest, bytes, length);
		intake->rest = rest;
	}
	intake->rest_length = rest ? length : 0;
	intake->revision++;
	jc_tracked_body_set_profile(intake->tracked, intake->form.profile, is_there ? frame : NULL);
}

static void take_pose(struct jc_capture_intake *intake, struct jc_pose *pose, int64_t time_ns)
{
	uint64_t present = jc_continuity_present(pose);

	if (present == 0) {
		return;
	}
	if (!intake->form.is_direct && jc_space_jump_find_pose(&intake->jump, pose, time_ns)) {
		restart(intake);
	}
	jc_one_euro_filter(&intake->smooth, pose, time_ns);
	if (intake->form.is_direct) {
		intake->pose = *pose;
	} else {
		jc_continuity_put(&intake->continuity, pose, present, time_ns);
	}
}

/* Adjusts the time of the capture in progress. Returns false for a capture to ignore. */
static bool begin(struct jc_capture_intake *intake, int64_t earliest_us, int64_t latest_us)
{
	struct jc_capture *capture = &intake->capture;

	capture->time_us = capture->time_us > latest_us ? latest_us : capture->time_us;
	capture->time_us = capture->time_us < earliest_us ? earliest_us : capture->time_us;
	capture->time_us = capture->time_us < 0 ? 0 : capture->time_us;
	intake->cut = intake->cut || capture->cut;
	if (intake->has_begun && capture->time_us <= intake->time_us) {
		return false;
	}
	capture->cut = intake->cut;
	return true;
}

static void take(
	struct jc_capture_intake *intake, struct jc_body_frame *frame, struct jc_pose *pose)
{
	const struct jc_capture *capture = &intake->capture;
	int64_t time_ns = intake->epoch_ns + capture->time_us * 1000;

	intake->has_begun = true;
	intake->time_us = capture->time_us;
	intake->cut = false;
	intake->frames++;
	if (capture->cut) {
		restart(intake);
	}
	jc_capture_values_take(&intake->values, capture);
	if (!intake->tracked) {
		take_pose(intake, pose, time_ns);
	} else if (has_joints(frame)) {
		frame->time_ns = time_ns;
		jc_tracked_body_put(intake->tracked, frame);
	}
}

static int decode(struct jc_capture_intake *intake, const uint8_t *bytes, size_t length,
	struct jc_body_frame *out_frame, struct jc_pose *out_pose)
{
	struct jc_capture *capture = &intake->capture;
	int status = intake->tracked ? jc_body_frame_decode(bytes, length, capture, out_frame)
				     : jc_pose_decode(bytes, length, capture, out_pose);

	if (status < 0) {
		return status;
	}
	return capture->value_count > 0 && capture->value_count != intake->values.count
		       ? JC_ERROR_INVALID
		       : JC_OK;
}

int jc_capture_intake_put(struct jc_capture_intake *intake, const uint8_t *bytes, size_t length,
	int64_t earliest_us, int64_t latest_us)
{
	struct jc_body_frame frame;
	struct jc_pose pose;
	int status = decode(intake, bytes, length, &frame, &pose);
	uint8_t *room;

	if (status != JC_OK) {
		intake->refused++;
		return status;
	}
	if (intake->capture.is_rest ? holds(intake, &frame, bytes, length)
				    : !begin(intake, earliest_us, latest_us)) {
		return JC_OK;
	}
	room = make_room(intake);
	if (!room) {
		intake->refused++;
		return JC_OK;
	}
	store(intake, room, bytes, length);
	if (intake->capture.is_rest) {
		take_rest(intake, &frame, bytes, length);
		return JC_OK;
	}
	jc_capture_stamp(room, intake->capture.time_us, intake->capture.cut);
	take(intake, &frame, &pose);
	return JC_OK;
}

static int64_t server_us(const struct jc_capture_intake *intake, int64_t time_ns)
{
	int64_t time_us = (time_ns - intake->epoch_ns) / 1000;

	return time_us > 0 ? time_us : 0;
}

/* Whether a capture can carry the joint; normalises the orientation. */
static bool make_valid(struct jc_body_joint *joint)
{
	const struct jc_device_pose pose = { joint->position, joint->orientation };

	if (!jc_device_place_is_valid(pose)) {
		return false;
	}
	joint->orientation = jc_quat_normalize(joint->orientation);
	return true;
}

static int put_frame(struct jc_capture_intake *intake, const struct jc_body_frame *frame,
	const float *values, bool is_rest)
{
	struct jc_capture capture = { .is_rest = is_rest,
		.time_us = is_rest ? 0 : server_us(intake, frame->time_ns) };
	struct jc_body_frame valid = *frame;
	uint8_t bytes[JC_CAPTURE_BYTES];

	if (!is_rest) {
		jc_capture_values_fill(&intake->values, values, frame->time_ns, &capture);
	}
	valid.confidence = frame->confidence >= 0.0f ? fminf(frame->confidence, 1.0f) : 0.0f;
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		struct jc_body_joint *joint = &valid.joints[i];

		if (joint->state != JC_ABSENT && !make_valid(joint)) {
			joint->position = (struct jc_vec3){ JC_LIMIT_JOINT_DISTANCE,
				JC_LIMIT_JOINT_DISTANCE, JC_LIMIT_JOINT_DISTANCE };
			joint->orientation = JC_QUAT_IDENTITY;
		}
	}
	int length = jc_body_frame_encode(&capture, &valid, bytes, sizeof(bytes));

	return length < 0 ? length
			  : jc_capture_intake_put(
				    intake, bytes, (size_t)length, 0, JC_CAPTURE_TIME_MAX);
}

int jc_capture_intake_put_frame(
	struct jc_capture_intake *intake, const struct jc_body_frame *frame, const float *values)
{
	return put_frame(intake, frame, values, false);
}

int jc_capture_intake_put_pose(struct jc_capture_intake *intake, const struct jc_pose *pose,
	int64_t time_ns, bool cut, const float *values)
{
	struct jc_capture capture = { .time_us = server_us(intake, time_ns), .cut = cut };
	uint8_t bytes[JC_CAPTURE_BYTES];

	jc_capture_values_fill(&intake->values, values, time_ns, &capture);
	int length = jc_pose_encode(&capture, pose, bytes, sizeof(bytes));

	if (length < 0) {
		intake->refused++;
		return length;
	}
	return jc_capture_intake_put(intake, bytes, (size_t)length, 0, JC_CAPTURE_TIME_MAX);
}

void jc_capture_intake_set_profile(
	struct jc_capture_intake *intake, enum jc_profile profile, const struct jc_body_frame *rest)
{
	struct jc_body_frame none = { .time_ns = 0 };

	if (profile != intake->form.profile) {
		intake->form.profile = profile;
		intake->rest_length = 0;
		intake->revision++;
		jc_tracked_body_set_profile(intake->tracked, profile, NULL);
	}
	put_frame(intake, rest ? rest : &none, NULL, true);
}

void jc_capture_intake_restart(struct jc_capture_intake *intake)
{
	intake->cut = true;
}

void jc_capture_intake_reset(struct jc_capture_intake *intake)
{
	intake->cut = true;
	intake->continuity = (struct jc_continuity){ .has_begun = false };
	intake->jump = (struct jc_space_jump){ .has_begun = false };
	intake->smooth = (struct jc_one_euro){ .options = intake->form.smooth };
	if (intake->tracked) {
		jc_tracked_body_reset(intake->tracked);
	}
}

void jc_capture_intake_sample(
	struct jc_capture_intake *intake, int64_t now_ns, struct jc_source_sample *out_sample)
{
	int64_t time_ns = intake->epoch_ns + intake->time_us * 1000;

	intake->count = intake->is_sampled ? 0 : intake->count;
	intake->is_sampled = true;
	if (intake->tracked) {
		jc_tracked_body_sample(intake->tracked, now_ns, out_sample);
	} else if (intake->form.is_direct) {
		*out_sample = (struct jc_source_sample){
			.pose = intake->pose,
			.capture_ns = intake->has_begun ? time_ns : now_ns,
			.cut = intake->is_cut,
			.live = intake->has_begun && now_ns - time_ns < JC_CONTINUITY_SILENCE_NS,
		};
		intake->is_cut = false;
	} else {
		struct jc_continuity_sample shown;

		jc_continuity_sample(&intake->continuity, now_ns, &shown);
		*out_sample = (struct jc_source_sample){ .pose = shown.pose,
			.capture_ns = shown.time_ns,
			.cut = shown.cut,
			.live = shown.live,
			.held = shown.held };
	}
	memcpy(out_sample->values, intake->values.newest, sizeof(out_sample->values));
}

size_t jc_capture_intake_count(const struct jc_capture_intake *intake)
{
	return intake->count;
}

void jc_capture_intake_capture(const struct jc_capture_intake *intake, size_t index,
	const uint8_t **out_bytes, size_t *out_length)
{
	size_t begin = index > 0 ? intake->ends[index - 1] : 0;

	*out_bytes = intake->bytes + begin;
	*out_length = intake->ends[index] - begin;
}

const struct jc_capture_form *jc_capture_form(const struct jc_capture_intake *intake)
{
	return &intake->form;
}

unsigned jc_capture_intake_revision(const struct jc_capture_intake *intake)
{
	return intake->revision +
	       (intake->tracked ? jc_tracked_body_calibrations(intake->tracked) : 0);
}

size_t jc_capture_intake_rest(const struct jc_capture_intake *intake, const uint8_t **out_bytes)
{
	*out_bytes = intake->rest;
	return intake->rest_length;
}

struct jc_tracked_body *jc_capture_intake_tracked(const struct jc_capture_intake *intake)
{
	return intake->tracked;
}

bool jc_capture_intake_has_begun(const struct jc_capture_intake *intake)
{
	return intake->has_begun;
}

void jc_capture_intake_report(
	const struct jc_capture_intake *intake, struct jc_source_status *out_status)
{
	if (intake->tracked) {
		jc_tracked_body_count(intake->tracked, out_status);
	}
	out_status->frames = intake->frames;
	out_status->refused = intake->refused;
}
