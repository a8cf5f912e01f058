/* Writes the messages of a recording: JSON for rare changes, binary captures for each tick. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing.h"
#include "jointcast/limits.h"
#include "jointcast/recording_reader.h"
#include "jointcast_private/mcap_bytes.h"
#include "topics.h"

struct jc_recording_writer {
	struct jc_mcap_writer *mcap;
	uint64_t epoch_unix_ns;
	char *space; /* owned */
	uint32_t sequences[JC_TOPIC_COUNT];
	bool defined[JC_TOPIC_COUNT];
	struct jc_mcap_buffer message, drawn;
	struct jc_drawing *drawing; /* owned; NULL: nothing for other programs to draw */
};

/* Topics are defined when they are first used. */
static int define(struct jc_recording_writer *writer, enum jc_recording_topic topic)
{
	const struct jc_recording_topic_info *info = &jc_recording_topics[topic];
	char name[JC_LIMIT_NAME_BYTES + 64];
	struct jc_mcap_schema schema = {
		.id = (uint16_t)(topic + 1),
		.name = jc_mcap_text(info->schema),
		.encoding = jc_mcap_text(info->schema_encoding),
		.data = jc_mcap_text(info->text),
	};
	struct jc_mcap_channel channel = {
		.id = (uint16_t)(topic + 1),
		.schema_id = (uint16_t)(topic + 1),
		.message_encoding = jc_mcap_text(info->message_encoding),
	};
	int error;

	if (writer->defined[topic]) {
		return JC_OK;
	}
	snprintf(name, sizeof(name), "/%s/%s", writer->space, info->name);
	channel.topic = jc_mcap_text(name);
	error = jc_mcap_write_schema(writer->mcap, &schema);
	error = error ? error : jc_mcap_write_channel(writer->mcap, &channel);
	writer->defined[topic] = error == JC_OK;
	return error;
}

static int write_message(struct jc_recording_writer *writer, enum jc_recording_topic topic,
	int64_t time_us, const void *bytes, size_t length)
{
	uint64_t t = writer->epoch_unix_ns + (uint64_t)time_us * 1000;
	struct jc_mcap_message message = {
		.channel_id = (uint16_t)(topic + 1),
		.sequence = writer->sequences[topic],
		.log_time = t,
		.publish_time = t,
		.data = { bytes, length },
	};
	int error = define(writer, topic);

	error = error ? error : jc_mcap_write_message(writer->mcap, &message);
	writer->sequences[topic] += error == JC_OK;
	return error;
}

/* Steals the object; NULL: out of memory. */
static int format_json(json_t *object, char **out_text)
{
	char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

	json_decref(object);
	if (!text) {
		return JC_ERROR_MEMORY;
	}
	*out_text = text;
	return JC_OK;
}

/* Writes a message of the drawing, if one is due. */
static int draw(struct jc_recording_writer *writer, enum jc_recording_topic topic, int64_t time_us,
	int (*pack)(struct jc_drawing *drawing, uint64_t unix_ns, struct jc_mcap_buffer *buffer))
{
	uint64_t unix_ns = writer->epoch_unix_ns + (uint64_t)time_us * 1000;
	struct jc_mcap_buffer *drawn = &writer->drawn;
	int error;

	jc_mcap_buffer_clear(drawn);
	error = pack(writer->drawing, unix_ns, drawn);
	return error || drawn->length == 0
		       ? error
		       : write_message(writer, topic, time_us, drawn->bytes, drawn->length);
}

int jc_recording_write(struct jc_recording_writer *writer, enum jc_recording_topic topic,
	int64_t time_us, const void *bytes, size_t length)
{
	int error = write_message(writer, topic, time_us, bytes, length);

	if (error || !writer->drawing) {
		return error;
	}
	if (topic == JC_TOPIC_ROSTER) {
		error = jc_drawing_take_roster(writer->drawing, bytes, length);
	} else if (topic == JC_TOPIC_CAPTURES) {
		error = jc_drawing_take_captures(writer->drawing, bytes, length);
	} else {
		return JC_OK;
	}
	error = error ? error
		      : draw(writer, JC_TOPIC_TRANSFORMS, time_us, jc_drawing_pack_transforms);
	return error ? error : draw(writer, JC_TOPIC_SCENE, time_us, jc_drawing_pack_entities);
}

/* Writes a text, if it was formatted without error, and frees it. */
static int write_text(struct jc_recording_writer *writer, enum jc_recording_topic topic,
	int64_t time_us, int error, char *text)
{
	if (error) {
		return error;
	}
	error = jc_recording_write(writer, topic, time_us, text, strlen(text));
	free(text);
	return error;
}

static int write_session(struct jc_recording_writer *writer,
	const struct jc_recording_options *options, int64_t time_us)
{
	char epoch[24];
	char *text = NULL;
	int error;

	snprintf(epoch, sizeof(epoch), "%" PRIu64, options->epoch_unix_ns);
	error = format_json(
		json_pack("{sisssssssisisssI}", "version", JC_RECORDING_VERSION, "library",
			options->library, "space", options->space, "epoch", options->epoch,
			"tickHz", (int)options->tick_hz, "part", (int)options->part, "epochUnixNs",
			epoch, "time", (json_int_t)time_us),
		&text);
	return write_text(writer, JC_TOPIC_SESSION, time_us, error, text);
}

int jc_recording_create(const struct jc_recording_options *options, int64_t time_us,
	const struct jc_mcap_sink *sink, struct jc_recording_writer **out_writer)
{
	struct jc_mcap_writer_options mcap = {
		.profile = JC_RECORDING_PROFILE,
		.library = options->library,
		.parts = JC_MCAP_ALL_PARTS,
		.compression = JC_MCAP_ZSTD,
		.level = options->level,
		.chunk_bytes = JC_RECORDING_CHUNK_BYTES,
		.chunk_ns = JC_RECORDING_CHUNK_NS,
	};
	struct jc_recording_writer *writer = calloc(1, sizeof(*writer));
	int error = JC_ERROR_MEMORY;

	if (!writer) {
		return JC_ERROR_MEMORY;
	}
	writer->epoch_unix_ns = options->epoch_unix_ns;
	writer->message.maximum = writer->drawn.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
	writer->space = strndup(options->space, JC_LIMIT_NAME_BYTES - 1);
	if (!writer->space) {
		goto error;
	}
	if (options->scene) {
		error = jc_drawing_create(writer->space, &writer->drawing);
		if (error) {
			goto error;
		}
	}
	error = jc_mcap_writer_create(&mcap, sink, &writer->mcap);
	error = error ? error : write_session(writer, options, time_us);
	if (error) {
		goto error;
	}
	*out_writer = writer;
	return JC_OK;
error:
	jc_recording_destroy(writer);
	return error;
}

void jc_recording_destroy(struct jc_recording_writer *writer)
{
	if (!writer) {
		return;
	}
	jc_mcap_writer_destroy(writer->mcap);
	jc_mcap_buffer_finish(&writer->message);
	jc_mcap_buffer_finish(&writer->drawn);
	jc_drawing_destroy(writer->drawing);
	free(writer->space);
	free(writer);
}

int jc_recording_format_skeleton(
	int64_t time_us, const struct jc_skeleton *skeleton, char **out_text)
{
	char *text;
	json_t *descriptor;
	int error = jc_skeleton_write_descriptor(skeleton, &text);

	if (error) {
		return error;
	}
	descriptor = json_loads(text, 0, NULL);
	free(text);
	if (!descriptor) {
		return JC_ERROR_MEMORY;
	}
	return format_json(json_pack("{sIssso}", "time", (json_int_t)time_us, "hash",
				   jc_skeleton_hash(skeleton), "descriptor", descriptor),
		out_text);
}

int jc_recording_write_skeleton(
	struct jc_recording_writer *writer, int64_t time_us, const struct jc_skeleton *skeleton)
{
	char *text = NULL;
	int error = jc_recording_format_skeleton(time_us, skeleton, &text);

	return write_text(writer, JC_TOPIC_SKELETON, time_us, error, text);
}

static const char *recorded_name(enum jc_recorded recorded)
{
	static const char *const names[] = { "nothing", "anonymous", "raw" };

	return names[recorded];
}

static json_t *pack_channels(const struct jc_recorded_body *body)
{
	json_t *channels = json_array();

	for (size_t i = 0; i < body->channel_count; i++) {
		json_array_append_new(channels, json_string(body->channels[i]));
	}
	return channels;
}

static json_t *pack_body(const struct jc_recorded_body *body)
{
	const struct jc_vec3 *p = &body->placement.position;
	bool frames = body->kind == JC_CAPTURE_BODY_FRAME;
	json_t *object;

	if (body->recorded == JC_RECORDED_NOTHING) {
		return json_pack("{sI ss ss}", "id", (json_int_t)body->id, "name", body->name,
			"recorded", recorded_name(body->recorded));
	}
	object = json_pack("{sIsssssss{s[fff]sf}}", "id", (json_int_t)body->id, "name", body->name,
		"recorded", recorded_name(body->recorded), "kind", frames ? "body-frames" : "poses",
		"placement", "position", (double)p->x, (double)p->y, (double)p->z, "yaw",
		(double)body->placement.yaw);

	if (!object) {
		return NULL;
	}
	if (body->display && body->display[0]) {
		json_object_set_new(object, "display", json_string(body->display));
	}
	if (body->meta) {
		json_object_set(object, "meta", (json_t *)body->meta);
	}
	if (frames) {
		json_object_set_new(object, "profile", json_string(jc_profile_name(body->profile)));
	}
	if (frames && body->height > 0.0f) {
		json_object_set_new(object, "height", json_real((double)body->height));
	}
	if (body->smooth.min_cutoff > 0.0f) {
		json_object_set_new(object, "smooth",
			json_pack("{sf sf}", "minCutoff", (double)body->smooth.min_cutoff, "beta",
				(double)body->smooth.beta));
	}
	if (body->is_direct) {
		json_object_set_new(object, "direct", json_true());
	}
	if (body->calibration) {
		json_object_set(object, "calibration", (json_t *)body->calibration);
	}
	if (body->skeleton[0]) {
		json_object_set_new(object, "skeleton", json_string(body->skeleton));
	}
	if (body->channel_count > 0) {
		json_object_set_new(object, "channels", pack_channels(body));
	}
	if (body->seat_height > 0.0f) {
		json_object_set_new(
			object, "seat", json_pack("{sf}", "height", (double)body->seat_height));
	}
	return object;
}

int jc_recording_format_roster(int64_t time_us, uint64_t revision,
	const struct jc_recorded_body *bodies, size_t body_count, char **out_text)
{
	json_t *array = json_array();

	for (size_t i = 0; i < body_count; i++) {
		json_t *body = pack_body(&bodies[i]);

		if (!body || json_array_append_new(array, body) != 0) {
			json_decref(array);
			return JC_ERROR_MEMORY;
		}
	}
	return format_json(json_pack("{sIsIso}", "time", (json_int_t)time_us, "revision",
				   (json_int_t)revision, "bodies", array),
		out_text);
}

int jc_recording_write_roster(struct jc_recording_writer *writer, int64_t time_us,
	uint64_t revision, const struct jc_recorded_body *bodies, size_t body_count)
{
	char *text = NULL;
	int error = jc_recording_format_roster(time_us, revision, bodies, body_count, &text);

	return write_text(writer, JC_TOPIC_ROSTER, time_us, error, text);
}

int jc_recording_format_clock(int64_t time_us, uint64_t unix_ns, char **out_text)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, unix_ns);
	return format_json(
		json_pack("{sIss}", "time", (json_int_t)time_us, "unixNs", text), out_text);
}

int jc_recording_write_clock(struct jc_recording_writer *writer, int64_t time_us, uint64_t unix_ns)
{
	char *text = NULL;
	int error = jc_recording_format_clock(time_us, unix_ns, &text);

	return write_text(writer, JC_TOPIC_CLOCK, time_us, error, text);
}

int jc_recording_format_event(int64_t time_us, const char *event, const char *text, uint32_t body,
	uint64_t count, char **out_text)
{
	json_t *object =
		json_pack("{sIssss}", "time", (json_int_t)time_us, "event", event, "text", text);

	if (object && body > 0) {
		json_object_set_new(object, "body", json_integer((json_int_t)body));
	}
	if (object && count > 0) {
		json_object_set_new(object, "count", json_integer((json_int_t)count));
	}
	return format_json(object, out_text);
}

int jc_recording_write_event(struct jc_recording_writer *writer, int64_t time_us, const char *event,
	const char *text, uint32_t body, uint64_t count)
{
	char *json = NULL;
	int error = jc_recording_format_event(time_us, event, text, body, count, &json);

	return write_text(writer, JC_TOPIC_EVENT, time_us, error, json);
}

static void put(uint8_t **at, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		*(*at)++ = (uint8_t)(value >> (8 * i));
	}
}

static size_t captures_length(const struct jc_recorded_capture *captures, size_t count)
{
	size_t length = JC_CAPTURES_HEAD_BYTES;

	for (size_t i = 0; i < count; i++) {
		length += JC_CAPTURES_ITEM_BYTES + captures[i].length;
	}
	return length;
}

int jc_recording_format_captures(uint32_t tick, const struct jc_recorded_capture *captures,
	size_t count, uint8_t *out_bytes, size_t capacity)
{
	uint8_t *at = out_bytes;

	if (captures_length(captures, count) > capacity) {
		return JC_ERROR_SPACE;
	}
	put(&at, JC_CAPTURES_VERSION, 1);
	put(&at, tick, 4);
	for (size_t i = 0; i < count; i++) {
		if (captures[i].length > JC_CAPTURE_BYTES) {
			return JC_ERROR_LIMIT;
		}
		put(&at, captures[i].body, 4);
		put(&at, captures[i].length, 2);
		memcpy(at, captures[i].bytes, captures[i].length);
		at += captures[i].length;
	}
	return (int)(at - out_bytes);
}

int jc_recording_write_captures(struct jc_recording_writer *writer, int64_t time_us, uint32_t tick,
	const struct jc_recorded_capture *captures, size_t count)
{
	struct jc_mcap_buffer *message = &writer->message;
	int length;

	jc_mcap_buffer_clear(message);
	if (!jc_mcap_buffer_extend(message, captures_length(captures, count))) {
		return message->error;
	}
	length = jc_recording_format_captures(
		tick, captures, count, message->bytes, message->length);
	if (length < 0) {
		return length;
	}
	return jc_recording_write(
		writer, JC_TOPIC_CAPTURES, time_us, message->bytes, (size_t)length);
}

int jc_recording_flush(struct jc_recording_writer *writer)
{
	return jc_mcap_writer_flush(writer->mcap);
}

int jc_recording_end(struct jc_recording_writer *writer)
{
	return jc_mcap_writer_end(writer->mcap);
}
