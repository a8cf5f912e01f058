/* Recordings read back: who is in them from the rosters, how they moved from the
 * captures. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/json.h"
#include "jointcast/limits.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/recording.h"
#include "jointcast/take.h"
#include "mcap_bytes.h"
#include "recording_roster.h"
#include "recording_topics.h"

struct body {
	struct jc_recorded_body body;
	uint16_t captures;     /* channel */
	const char **channels; /* owned; the names are the roster's */
};

struct jc_recording {
	const struct jc_mcap_input *input;
	struct jc_mcap_index *index;
	json_t *rosters; /* owned: array of all that were read, for what bodies borrow */
	size_t body_count;
	struct body *bodies; /* owned */
};

static bool is_topic(const struct jc_recording *recording, const struct jc_mcap_channel *channel,
	enum jc_recording_topic topic)
{
	const struct jc_recording_topic_info *info = &jc_recording_topics[topic];
	const struct jc_mcap_schema *schema =
		jc_mcap_index_schema(recording->index, channel->schema_id);

	return schema && jc_mcap_equal(schema->name, jc_mcap_text(info->schema)) &&
	       jc_mcap_equal(channel->message_encoding, jc_mcap_text(info->message_encoding));
}

/* "/SPACE/" of a topic. */
static struct jc_mcap_slice space_of(const struct jc_mcap_channel *channel)
{
	const char *topic = channel->topic.bytes;
	size_t length = channel->topic.length;

	while (length > 0 && topic[length - 1] != '/') {
		length--;
	}
	return (struct jc_mcap_slice){ topic, length };
}

/* The captures that belong to a roster: of the same space. */
static const struct jc_mcap_channel *find_captures(
	const struct jc_recording *recording, const struct jc_mcap_channel *roster)
{
	for (size_t i = 0; i < recording->index->channel_count; i++) {
		const struct jc_mcap_channel *channel = &recording->index->channels[i];

		if (is_topic(recording, channel, JC_TOPIC_CAPTURES) &&
			jc_mcap_equal(space_of(channel), space_of(roster))) {
			return channel;
		}
	}
	return NULL;
}

static struct body *find_body(const struct jc_recording *recording, uint16_t captures, uint32_t id)
{
	for (size_t i = 0; i < recording->body_count; i++) {
		struct body *body = &recording->bodies[i];

		if (body->captures == captures && body->body.id == id) {
			return body;
		}
	}
	return NULL;
}

static int add_body(
	struct jc_recording *recording, const struct body *body, struct jc_diagnostic *diagnostic)
{
	struct body *bodies;

	if (recording->body_count == JC_LIMIT_RECORDED_BODIES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %u bodies",
			JC_LIMIT_RECORDED_BODIES);
	}
	bodies = reallocarray(
		recording->bodies, recording->body_count + 1, sizeof(*recording->bodies));
	if (!bodies) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	recording->bodies = bodies;
	bodies[recording->body_count++] = *body;
	return JC_OK;
}

/* Bodies whose motion is recorded and that were not seen before. */
static int read_roster(struct jc_recording *recording, uint16_t captures, const json_t *root,
	struct jc_diagnostic *diagnostic)
{
	const json_t *array = NULL;
	int error = jc_json_read_array(
		root, "bodies", NULL, JC_LIMIT_RECORDED_BODIES, &array, diagnostic);

	for (size_t i = 0; i < json_array_size(array) && !error; i++) {
		struct jc_json_place outer = { NULL, "bodies", 0 };
		struct jc_json_place place = { &outer, NULL, i };
		struct body body = { .captures = captures };

		error = jc_recorded_body_parse(
			json_array_get(array, i), &place, &body.body, &body.channels, diagnostic);
		if (!error && body.body.recorded != JC_RECORDED_NOTHING &&
			!find_body(recording, captures, body.body.id)) {
			error = add_body(recording, &body, diagnostic);
			body.channels = error ? body.channels : NULL;
		}
		free(body.channels);
	}
	return error;
}

static int read_roster_message(struct jc_recording *recording,
	const struct jc_mcap_message *message, struct jc_diagnostic *diagnostic)
{
	const struct jc_mcap_channel *channel =
		jc_mcap_index_channel(recording->index, message->channel_id);
	const struct jc_mcap_channel *captures = find_captures(recording, channel);
	size_t before;
	json_t *root;
	int error;

	if (!captures) {
		return JC_OK;
	}
	error = jc_json_parse(message->data.bytes, message->data.length, &root, diagnostic);
	if (error) {
		return error;
	}
	before = recording->body_count;
	error = read_roster(recording, captures->id, root, diagnostic);
	/* Kept as long as a body borrows from it. */
	if (recording->body_count == before) {
		json_decref(root);
	} else if (json_array_append_new(recording->rosters, root) != 0) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	return error;
}

/* Channels of a topic, in any space; how many. */
static size_t list_channels(
	const struct jc_recording *recording, enum jc_recording_topic topic, uint16_t *out_ids)
{
	size_t count = 0;

	for (size_t i = 0; i < recording->index->channel_count; i++) {
		const struct jc_mcap_channel *channel = &recording->index->channels[i];

		if (is_topic(recording, channel, topic) && count < JC_LIMIT_RECORDED_SPACES) {
			out_ids[count++] = channel->id;
		}
	}
	return count;
}

static int read_rosters(struct jc_recording *recording, struct jc_diagnostic *diagnostic)
{
	uint16_t channels[JC_LIMIT_RECORDED_SPACES];
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	int error;

	range.channels = channels;
	range.channel_count = list_channels(recording, JC_TOPIC_ROSTER, channels);
	if (range.channel_count == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"an MCAP file, but no recording of jointcast: profile '%.*s'",
			(int)(recording->index->profile.length < 40
					? recording->index->profile.length
					: 40),
			(const char *)recording->index->profile.bytes);
	}
	error = jc_mcap_cursor_create(recording->input, recording->index, &range, &cursor);
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	while ((error = jc_mcap_cursor_next(cursor, &message, diagnostic)) == JC_OK) {
		error = read_roster_message(recording, &message, diagnostic);
		if (error) {
			break;
		}
	}
	jc_mcap_cursor_destroy(cursor);
	return error == JC_ERROR_ABSENT ? JC_OK : error;
}

int jc_recording_open(const struct jc_mcap_input *input, struct jc_recording **out_recording,
	struct jc_diagnostic *diagnostic)
{
	struct jc_recording *recording = calloc(1, sizeof(*recording));
	int error;

	if (!recording) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	recording->input = input;
	recording->rosters = json_array();
	error = recording->rosters
			? jc_mcap_index_read(input, &recording->index, diagnostic)
			: jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	error = error ? error : read_rosters(recording, diagnostic);
	if (error) {
		jc_recording_close(recording);
		return error;
	}
	*out_recording = recording;
	return JC_OK;
}

void jc_recording_close(struct jc_recording *recording)
{
	if (!recording) {
		return;
	}
	for (size_t i = 0; i < recording->body_count; i++) {
		free(recording->bodies[i].channels);
	}
	free(recording->bodies);
	json_decref(recording->rosters);
	jc_mcap_index_destroy(recording->index);
	free(recording);
}

size_t jc_recording_body_count(const struct jc_recording *recording)
{
	return recording->body_count;
}

const struct jc_recorded_body *jc_recording_body(const struct jc_recording *recording, size_t index)
{
	return &recording->bodies[index].body;
}

/* A body's captures on their way into a motion. */
struct gathering {
	const struct body *body;
	struct jc_take *take; /* made with the first capture that is no rest */
	struct jc_capture capture;
	struct jc_body_frame frame, rest;
	bool has_rest;
	struct jc_pose pose;
	uint64_t refused; /* that are damaged or of another kind */
	uint64_t rests;   /* that came too late to be used */
};

static int create_take(struct gathering *gathering)
{
	const struct jc_recorded_body *body = &gathering->body->body;
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

static int add_capture(struct gathering *gathering, const uint8_t *bytes, size_t length)
{
	bool is_pose = gathering->body->body.kind == JC_CAPTURE_POSE;
	struct jc_capture *capture = &gathering->capture;
	int status = is_pose ? jc_pose_decode(bytes, length, capture, &gathering->pose)
			     : jc_body_frame_decode(bytes, length, capture, &gathering->frame);
	const float *values;
	double t;

	if (status < 0) {
		gathering->refused++;
		return JC_OK;
	}
	if (capture->is_rest) {
		gathering->rests += gathering->take != NULL;
		if (!gathering->take) {
			gathering->rest = gathering->frame;
			gathering->has_rest = true;
		}
		return JC_OK;
	}
	status = gathering->take ? JC_OK : create_take(gathering);
	if (status) {
		return status;
	}
	t = (double)capture->time_us * 1e-6;
	values = capture->value_count == jc_take_value_count(gathering->take) ? capture->values
									      : NULL;
	return is_pose ? jc_take_add_pose(gathering->take, t, &gathering->pose, values)
		       : jc_take_add_body_frame(gathering->take, t, &gathering->frame, values);
}

/* What one message has of the body. */
static int add_message(struct gathering *gathering, struct jc_mcap_slice data)
{
	struct jc_mcap_take take = jc_mcap_take_begin(data);
	int error = JC_OK;

	if (jc_mcap_take_number(&take, 1) != JC_CAPTURES_VERSION) {
		gathering->refused++;
		return JC_OK;
	}
	jc_mcap_take_number(&take, 4);
	while (!error && !take.failed && take.at < take.end) {
		uint32_t id = (uint32_t)jc_mcap_take_number(&take, 4);
		struct jc_mcap_slice capture =
			jc_mcap_take_slice(&take, jc_mcap_take_number(&take, 2));

		if (!take.failed && id == gathering->body->body.id) {
			error = add_capture(gathering, capture.bytes, capture.length);
		}
	}
	gathering->refused += take.failed;
	return error;
}

static int gather(const struct jc_recording *recording, struct gathering *gathering,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_range range = { 0, UINT64_MAX, &gathering->body->captures, 1 };
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	int error = jc_mcap_cursor_create(recording->input, recording->index, &range, &cursor);

	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	while ((error = jc_mcap_cursor_next(cursor, &message, diagnostic)) == JC_OK) {
		error = add_message(gathering, message.data);
		if (error) {
			jc_diagnose(diagnostic, error, NULL,
				error == JC_ERROR_LIMIT ? "more than %u captures of one body"
							: "out of memory",
				JC_LIMIT_BODY_FRAMES);
			break;
		}
	}
	jc_mcap_cursor_destroy(cursor);
	return error == JC_ERROR_ABSENT ? JC_OK : error;
}

static void report(const struct gathering *gathering, struct jc_lint *lint)
{
	if (gathering->refused > 0) {
		jc_lint_add(lint, JC_WARNING, "captures-refused",
			"%" PRIu64 " captures are damaged and left out", gathering->refused);
	}
	if (gathering->rests > 0) {
		jc_lint_add(lint, JC_NOTE, "rest-changed",
			"the source told its T-pose again; the first is used throughout");
	}
}

int jc_recording_read_body(const struct jc_recording *recording, size_t index,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct gathering *gathering;
	int error;

	if (index >= recording->body_count) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no motion %zu, %zu bodies are recorded", index,
			recording->body_count);
	}
	gathering = calloc(1, sizeof(*gathering));
	if (!gathering) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	gathering->body = &recording->bodies[index];
	error = gather(recording, gathering, diagnostic);
	if (!error && !gathering->take) {
		error = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"nothing of body '%.80s' was recorded", gathering->body->body.name);
	}
	if (!error) {
		error = jc_take_finish(gathering->take, out_motion);
	}
	if (error) {
		jc_take_destroy(gathering->take);
	} else {
		report(gathering, lint);
	}
	free(gathering);
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
