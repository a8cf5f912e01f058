/* Reads bodies of a recording as motions, all requested ones in one pass. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/take.h"
#include "reader.h"

/* The captures of a body during their conversion into a motion. */
struct gathering {
	const struct jc_recording_body *body;
	size_t index;         /* in the recording */
	struct jc_take *take; /* created with the first capture that is not a T-pose */
	struct jc_body_frame rest;
	bool has_rest;
	int error;        /* error that ended the conversion */
	uint64_t refused; /* captures that are damaged */
	uint64_t others;  /* captures of another kind, after a change of consent */
	uint64_t rests;   /* captures later than a newer one */
};

/* State of one pass over the file. */
struct pass {
	const struct jc_recording *recording;
	size_t count;
	struct gathering *gatherings; /* owned; by group and id */
	uint64_t damages;             /* messages and chunks */
	struct jc_capture capture;
	struct jc_body_frame frame;
	struct jc_pose pose;
};

static int create_take(struct gathering *gathering)
{
	const struct jc_recorded_body *body = gathering->body->body;
	struct jc_take_plan plan = {
		.kind = body->kind == JC_CAPTURE_POSE ? JC_MOTION_POSES : JC_MOTION_BODY_FRAMES,
		.format = "recording",
		.name = body->name,
		.profile = body->profile,
		.rest = gathering->has_rest ? &gathering->rest : NULL,
		.channel_count = body->channel_count,
		.channel_names = body->channels,
	};

	return jc_take_create(&plan, &gathering->take);
}

/* Fills in channels that a capture does not have yet: zeros, and gaze ahead. */
static void fill_values(const struct jc_recorded_body *body, struct jc_capture *capture)
{
	size_t at = 0;

	for (size_t i = 0; i < body->channel_count; i++) {
		size_t count = strcmp(body->channels[i], "lookAt") == 0 ? 4 : 1;

		for (size_t k = 0; k < count && at >= capture->value_count; k++) {
			capture->values[at + k] = k == 3 ? 1.0f : 0.0f;
		}
		at += count;
	}
}

static int add_capture(
	struct pass *pass, struct gathering *gathering, const struct jc_recorded_capture *recorded)
{
	bool is_pose = gathering->body->body->kind == JC_CAPTURE_POSE;
	struct jc_capture *capture = &pass->capture;
	int status;
	const float *values;
	size_t value_count;
	double t;

	if (recorded->length > 0 &&
		recorded->bytes[0] == (is_pose ? JC_CAPTURE_BODY_FRAME : JC_CAPTURE_POSE)) {
		gathering->others++;
		return JC_OK;
	}
	status = is_pose ? jc_pose_decode(recorded->bytes, recorded->length, capture, &pass->pose)
			 : jc_body_frame_decode(
				   recorded->bytes, recorded->length, capture, &pass->frame);
	if (status < 0) {
		gathering->refused++;
		return JC_OK;
	}
	if (capture->is_rest) {
		gathering->rests += gathering->take != NULL;
		if (!gathering->take) {
			gathering->rest = pass->frame;
			gathering->has_rest = true;
		}
		return JC_OK;
	}
	status = gathering->take ? JC_OK : create_take(gathering);
	if (status) {
		return status;
	}
	t = (double)capture->time_us * 1e-6;
	value_count = jc_take_value_count(gathering->take);
	values = value_count > 0 && capture->value_count <= value_count ? capture->values : NULL;
	if (values) {
		fill_values(gathering->body->body, capture);
	}
	return is_pose ? jc_take_add_pose(gathering->take, t, &pass->pose, values)
		       : jc_take_add_body_frame(gathering->take, t, &pass->frame, values);
}

static int compare(const void *a, const void *b)
{
	const struct jc_recording_body *p = ((const struct gathering *)a)->body;
	const struct jc_recording_body *q = ((const struct gathering *)b)->body;

	if (p->group != q->group) {
		return p->group < q->group ? -1 : 1;
	}
	return p->body->id < q->body->id ? -1 : p->body->id > q->body->id;
}

static struct gathering *find(struct pass *pass, uint16_t group, uint32_t id)
{
	struct jc_recorded_body body = { .id = id };
	struct jc_recording_body wanted = { &body, group };
	struct gathering key = { .body = &wanted };

	return bsearch(&key, pass->gatherings, pass->count, sizeof(key), compare);
}

/* Takes the captures of the requested bodies from one message. */
static void add_message(struct pass *pass, uint16_t group, const struct jc_mcap_message *message)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;

	if (!jc_captures_begin(message->data.bytes, message->data.length, &captures)) {
		pass->damages++;
		return;
	}
	while (jc_captures_next(&captures, &capture)) {
		struct gathering *gathering = find(pass, group, capture.body);

		if (gathering && !gathering->error) {
			gathering->error = add_capture(pass, gathering, &capture);
		}
	}
	pass->damages += captures.at != captures.end;
}

static int read_all(struct pass *pass, struct jc_mcap_cursor *cursor)
{
	struct jc_mcap_message message;

	for (;;) {
		int error = jc_mcap_cursor_next(cursor, &message, NULL);

		if (!error) {
			add_message(pass,
				(uint16_t)jc_recording_group_of(
					pass->recording, message.channel_id),
				&message);
		} else if (error == JC_ERROR_ABSENT) {
			return JC_OK;
		} else if (error == JC_ERROR_MEMORY) {
			return error;
		} else {
			/* The cursor continues with the next chunk. */
			pass->damages++;
		}
	}
}

static int run(struct pass *pass, struct jc_diagnostic *diagnostic)
{
	const struct jc_recording *recording = pass->recording;
	uint16_t channels[JC_LIMIT_RECORDED_SPACES];
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_cursor *cursor;
	int error;

	qsort(pass->gatherings, pass->count, sizeof(*pass->gatherings), compare);
	for (size_t i = 0; i < pass->count; i++) {
		uint16_t channel = recording->groups[pass->gatherings[i].body->group].captures;

		if (range.channel_count == 0 || channels[range.channel_count - 1] != channel) {
			channels[range.channel_count++] = channel;
		}
	}
	range.channels = channels;
	error = jc_mcap_cursor_create(recording->input, recording->index, &range, &cursor);
	if (!error) {
		error = read_all(pass, cursor);
		jc_mcap_cursor_destroy(cursor);
	}
	return error ? jc_diagnose(diagnostic, error, NULL, "out of memory") : JC_OK;
}

static void report(const struct pass *pass, const struct gathering *gathering, struct jc_lint *lint)
{
	bool is_pose = gathering->body->body->kind == JC_CAPTURE_POSE;

	if (pass->damages > 0) {
		jc_lint_add(lint, JC_WARNING, "chunks-damaged",
			"%" PRIu64 " part%s of the recording damaged, left out", pass->damages,
			pass->damages == 1 ? "" : "s");
	}
	if (gathering->refused > 0) {
		jc_lint_add(lint, JC_WARNING, "captures-refused",
			"%" PRIu64 " captures are damaged and left out", gathering->refused);
	}
	if (gathering->others > 0) {
		jc_lint_add(lint, JC_WARNING, "captures-of-another-kind",
			"recorded as %s at first; %" PRIu64 " captures as %s are left out",
			is_pose ? "poses" : "body frames", gathering->others,
			is_pose ? "body frames" : "poses");
	}
	if (gathering->rests > 0) {
		jc_lint_add(lint, JC_NOTE, "rest-changed",
			"the source sent another T-pose; the first one is used");
	}
}

/* The motion of a body, or the reason for its absence. */
static int finish(const struct pass *pass, struct gathering *gathering,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	if (gathering->error) {
		return jc_diagnose(diagnostic, gathering->error, NULL,
			gathering->error == JC_ERROR_LIMIT ? "more than %u captures of one body"
							   : "out of memory",
			JC_LIMIT_BODY_FRAMES);
	}
	if (!gathering->take) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"nothing of body '%.80s' was recorded", gathering->body->body->name);
	}
	jc_take_finish(gathering->take, out_motion);
	gathering->take = NULL;
	report(pass, gathering, lint);
	return JC_OK;
}

static int begin(struct pass *pass, const struct jc_recording *recording, size_t first,
	size_t count, struct jc_diagnostic *diagnostic)
{
	*pass = (struct pass){ .recording = recording, .count = count };
	pass->gatherings = calloc(count ? count : 1, sizeof(*pass->gatherings));
	if (!pass->gatherings) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		pass->gatherings[i].body = &recording->bodies[first + i];
		pass->gatherings[i].index = first + i;
	}
	return count > 0 ? run(pass, diagnostic) : JC_OK;
}

static void end(struct pass *pass)
{
	for (size_t i = 0; pass->gatherings && i < pass->count; i++) {
		jc_take_destroy(pass->gatherings[i].take);
	}
	free(pass->gatherings);
	free(pass);
}

int jc_recording_read_body(const struct jc_recording *recording, size_t index,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct pass *pass;
	int error;

	error = jc_recording_expect_bodies(recording, diagnostic);
	if (error) {
		return error;
	}
	if (index >= recording->body_count) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no motion %zu, %zu bodies are recorded", index,
			recording->body_count);
	}
	pass = malloc(sizeof(*pass));
	if (!pass) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = begin(pass, recording, index, 1, diagnostic);
	error = error ? error : finish(pass, &pass->gatherings[0], out_motion, lint, diagnostic);
	end(pass);
	return error;
}

int jc_recording_read_bodies(const struct jc_recording *recording, size_t count,
	struct jc_recorded_motion *out_motions, struct jc_diagnostic *diagnostic)
{
	struct pass *pass = malloc(sizeof(*pass));
	int error;

	if (!pass) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = begin(pass, recording, 0, count, diagnostic);
	for (size_t i = 0; i < count && !error; i++) {
		struct gathering *gathering = &pass->gatherings[i];
		struct jc_recorded_motion *motion = &out_motions[gathering->index];

		*motion = (struct jc_recorded_motion){ 0 };
		motion->error =
			finish(pass, gathering, &motion->motion, &motion->lint, &motion->fault);
	}
	end(pass);
	return error;
}

int jc_recording_read_motion(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_slice slice = { bytes, length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_recording *recording;
	int error;

	if (!jc_mcap_is(bytes, length)) {
		return jc_motion_read(bytes, length, index, resolver, out_motion, lint, diagnostic);
	}
	error = jc_recording_open(&input, &recording, diagnostic);
	if (error) {
		return error;
	}
	error = jc_recording_read_body(recording, index, out_motion, lint, diagnostic);
	jc_recording_close(recording);
	return error;
}
