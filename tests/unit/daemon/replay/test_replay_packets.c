/* A recording that has the packets that were made while it was made is the judge of its
 * replay: the same streams, wanted in the same ticks, are the same to the last byte. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "jointcast/humanoid.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "nobody.h"
#include "replay/replay.h"
#include "source/publisher_source.h"
#include "tape.h"
#include "unit_test.h"

#define TICKS   60
#define BEGIN   6000
#define SECONDS 6
#define END     (BEGIN + SECONDS * TICKS)
#define ENTERS  (BEGIN + 2 * TICKS)
#define LEAVES  (BEGIN + 5 * TICKS)
#define KINDS   5
#define STREAMS 64

/* The level of detail of each body, and the second from which it applies. */
static const struct jc_stream_spec wishes[KINDS] = {
	{ .chains = true, .precision = JC_PRECISION_FINE, .rate = 1, .sections = JC_STREAM_ALL },
	{ .chains = true, .precision = JC_PRECISION_COARSE, .rate = 4, .sections = JC_STREAM_ALL },
	{ .chains = false, .rate = 1, .sections = JC_STREAM_ALL },
	/* For subscribers of which the space limits the precision. */
	{ .chains = true,
		.precision = JC_PRECISION_COARSE,
		.finest = JC_PRECISION_COARSE,
		.rate = 1,
		.sections = JC_STREAM_ALL },
	{ .chains = false,
		.precision = JC_PRECISION_COARSE,
		.finest = JC_PRECISION_COARSE,
		.rate = 1,
		.sections = JC_STREAM_ALL },
};
static const int wanted_from[KINDS] = { 0, 1, 3, 2, 1 };

/* A distribution that requests streams by a rule of the test. */
struct audience {
	struct jc_distribution distribution;
	struct jc_space *space; /* owned */
	struct jc_skeleton_table skeleton_table;
	struct jc_body_stream *body_streams[JC_MAX_BODIES][KINDS];
};

static void live_plan(struct jc_distribution *distribution, uint32_t tick)
{
	struct audience *audience = (struct audience *)distribution;

	for (size_t i = 0; i < jc_space_body_count(audience->space); i++) {
		const struct jc_body *body = jc_space_body(audience->space, i);
		struct jc_body_stream **body_streams = audience->body_streams[body->slot];

		for (int k = 0; k < KINDS; k++) {
			if (tick < BEGIN + (uint32_t)(wanted_from[k] * TICKS)) {
				continue;
			}
			if (!body_streams[k]) {
				body_streams[k] = jc_space_acquire(
					audience->space, body, body->asset, &wishes[k], true);
			}
			/* Stops requesting now and then, and returns by a rejoin. */
			if (jc_body_stream_is_due(body_streams[k], tick) && tick % 90 >= 10) {
				jc_body_stream_want(
					body_streams[k], tick % 90 < 14 || tick % 37 == 0);
			}
		}
	}
}

static void let_go(struct audience *audience, size_t slot)
{
	for (int k = 0; k < KINDS; k++) {
		if (audience->body_streams[slot][k]) {
			jc_space_release(audience->body_streams[slot][k]);
			audience->body_streams[slot][k] = NULL;
		}
	}
}

static void live_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	(void)id;
	let_go((struct audience *)distribution, slot);
}

static const struct jc_distribution_ops live_ops = { .plan = live_plan,
	.cast = nobody_tick,
	.body_entered = nobody_enters,
	.body_left = live_left,
	.roster_due = nobody_due,
	.announce = nobody_hears };

static void open_audience(struct audience *audience, const struct jc_distribution_ops *ops)
{
	struct jc_diagnostic diagnostic;
	struct jc_space_options options = {
		.name = "lobby", .id = 1, .hz = TICKS, .distribution = &audience->distribution
	};

	*audience = (struct audience){ .distribution.ops = ops };
	assert_int_equal(jc_skeleton_table_init(&audience->skeleton_table, &diagnostic), JC_OK);
	assert_int_equal(jc_space_create(&options, &audience->space), JC_OK);
}

static void close_audience(struct audience *audience)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		let_go(audience, slot);
	}
	jc_space_destroy(audience->space);
	jc_skeleton_table_finish(&audience->skeleton_table);
}

static int64_t tick_ns(uint32_t tick)
{
	return jc_tick_time_ns(0, TICKS, tick);
}

static int capture_pose(const struct jc_motion *motion, uint32_t tick, uint8_t *out_bytes)
{
	struct jc_capture capture = { .time_us = tick_ns(tick) / 1000 - 2900 - 13 * (tick % 90),
		.cut = tick == BEGIN + 4 * TICKS };
	struct jc_pose pose;

	jc_motion_pose(motion, (double)(tick - BEGIN) / TICKS, &pose);
	return jc_pose_encode(&capture, &pose, out_bytes, JC_CAPTURE_BYTES);
}

/* Head and wrists; a wrist is lost for a while. */
static int capture_frame(uint32_t tick, uint8_t *out_bytes)
{
	static const enum jc_joint joints[] = { JC_JOINT_HEAD, JC_JOINT_LEFT_HAND_WRIST,
		JC_JOINT_RIGHT_HAND_WRIST };
	static const float places[] = { 0.0f, 0.3f, -0.3f };
	struct jc_capture capture = { .time_us = tick_ns(tick) / 1000 - 900 };
	struct jc_body_frame frame = { .confidence = 1.0f };
	float t = (float)(tick - BEGIN) / TICKS;

	for (int i = 0; i < 3; i++) {
		struct jc_body_joint *joint = &frame.joints[joints[i]];

		joint->position = (struct jc_vec3){ places[i] + 0.05f * t,
			i == 0 ? 1.6f : 1.0f + 0.1f * t, 0.02f * t };
		joint->orientation = JC_QUAT_IDENTITY;
		joint->state = i == 2 && tick % (2 * TICKS) > TICKS ? JC_ABSENT : JC_TRACKED;
	}
	return jc_body_frame_encode(&capture, &frame, out_bytes, JC_CAPTURE_BYTES);
}

static struct jc_source *publish(
	struct audience *live, const char *name, enum jc_capture_kind kind, bool agrees)
{
	struct jc_publisher_options options = { .kind = kind,
		.profile = JC_PROFILE_WEBXR_SPEC,
		.height = kind == JC_CAPTURE_POSE ? 0.0f : 1.7f,
		.smooth = kind != JC_CAPTURE_POSE,
		.may_record = agrees,
		.may_record_raw = agrees };
	struct jc_source *source;

	assert_int_equal(jc_publisher_source_create(&options, &source), JC_OK);
	assert_int_equal(
		jc_space_add(live->space, name, live->skeleton_table.humanoid, source), JC_OK);
	return source;
}

static void put(struct jc_source *source, uint32_t tick, const uint8_t *bytes, int length)
{
	assert_int_equal(
		jc_publisher_source_put(source, bytes, (size_t)length, tick_ns(tick)), JC_OK);
}

/* A walker, a person tracked from 2 to 5 s, and a person without consent; the recording begins
 * before they enter. */
static void run_live(struct tape *tape, const struct jc_motion *motion)
{
	struct audience live;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_source *tracked = NULL;

	open_audience(&live, &live_ops);
	tape_begin(tape, live.space, true);
	struct jc_source *walker = publish(&live, "walker", JC_CAPTURE_POSE, true);
	struct jc_source *shy = publish(&live, "shy", JC_CAPTURE_POSE, false);

	for (uint32_t tick = BEGIN; tick < END; tick++) {
		if (tick == ENTERS) {
			tracked = publish(&live, "tracked", JC_CAPTURE_BODY_FRAME, true);
		} else if (tick == LEAVES) {
			jc_space_remove(live.space, 3);
			tracked = NULL;
		}
		int length = capture_pose(motion, tick, bytes);

		put(walker, tick, bytes, length);
		put(shy, tick, bytes, length);
		if (tracked) {
			put(tracked, tick, bytes, capture_frame(tick, bytes));
		}
		jc_space_tick(live.space, tick);
		tape_turn(tape);
	}
	tape_end(tape);
	close_audience(&live);
}

/* The recorded packets. */
struct kept {
	uint8_t *file; /* owned: all of it */
	size_t length;
	struct jc_recorded_stream streams[STREAMS]; /* by number; all wear humanoid, whole */
	bool is_known[STREAMS];
	size_t message_count;
	struct {
		uint32_t tick;
		uint8_t *bytes; /* owned */
		size_t length;
	} messages[SECONDS * TICKS];
};

static int read_at(void *context, uint64_t offset, void *bytes, size_t length)
{
	const struct kept *kept = context;

	if (offset > kept->length || length > kept->length - offset) {
		return JC_ERROR_READ;
	}
	memcpy(bytes, kept->file + offset, length);
	return JC_OK;
}

static enum jc_precision read_precision(const json_t *stream, const char *key)
{
	const char *name = json_string_value(json_object_get(stream, key));

	return name && strcmp(name, "coarse") == 0 ? JC_PRECISION_COARSE : JC_PRECISION_FINE;
}

static void keep_streams(struct kept *kept, const struct jc_mcap_message *message)
{
	json_t *root = json_loadb((const char *)message->data.bytes, message->data.length, 0, NULL);
	size_t i;
	json_t *stream;

	json_array_foreach(json_object_get(root, "streams"), i, stream)
	{
		size_t number = (size_t)json_integer_value(json_object_get(stream, "stream"));

		assert_true(number < STREAMS);
		kept->is_known[number] = true;
		kept->streams[number] = (struct jc_recorded_stream){
			.number = (uint32_t)number,
			.body = (uint32_t)json_integer_value(json_object_get(stream, "body")),
			.chains = json_integer_value(json_object_get(stream, "coding")) == 2,
			.precision = read_precision(stream, "precision"),
			.finest = read_precision(stream, "finest"),
			.rate = (uint32_t)json_integer_value(json_object_get(stream, "rate")),
			.since = (uint32_t)json_integer_value(json_object_get(stream, "since")),
		};
	}
	json_decref(root);
}

static void keep_packets(struct kept *kept, const struct jc_mcap_message *message)
{
	struct jc_packets packets;

	assert_true(kept->message_count < SECONDS * TICKS);
	assert_true(jc_packets_begin(message->data.bytes, message->data.length, &packets));
	kept->messages[kept->message_count].tick = packets.tick;
	kept->messages[kept->message_count].length = message->data.length;
	kept->messages[kept->message_count].bytes = malloc(message->data.length);
	assert_non_null(kept->messages[kept->message_count].bytes);
	memcpy(kept->messages[kept->message_count++].bytes, message->data.bytes,
		message->data.length);
}

static void read_kept(const char *path, struct kept *kept)
{
	FILE *file = fopen(path, "rb");
	struct jc_mcap_input input = { read_at, kept, 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_index *index;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_message message;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	input.size = kept->length = (size_t)ftell(file);
	rewind(file);
	kept->file = malloc(kept->length);
	assert_int_equal(fread(kept->file, 1, kept->length, file), kept->length);
	fclose(file);
	assert_int_equal(jc_mcap_index_read(&input, &index, &diagnostic), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(&input, index, &JC_MCAP_EVERYTHING, &cursor), JC_OK);
	while (jc_mcap_cursor_next(cursor, &message, &diagnostic) == JC_OK) {
		struct jc_mcap_slice topic =
			jc_mcap_index_channel(index, message.channel_id)->topic;

		if (topic.length == 14 && memcmp(topic.bytes, "/lobby/streams", 14) == 0) {
			keep_streams(kept, &message);
		} else if (topic.length == 14 && memcmp(topic.bytes, "/lobby/packets", 14) == 0) {
			keep_packets(kept, &message);
		}
	}
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
}

/* Requests the recorded streams at their ticks. */
struct judge {
	struct audience audience;
	struct kept *kept;
	size_t next; /* message */
	struct jc_body_stream *body_streams[STREAMS];
	size_t packets, rejoins, bytes;
};

/* False where there is none of that tick. */
static bool begin_packets(const struct judge *judge, uint32_t tick, struct jc_packets *out_packets)
{
	const struct kept *kept = judge->kept;

	return judge->next < kept->message_count && kept->messages[judge->next].tick == tick &&
	       jc_packets_begin(kept->messages[judge->next].bytes,
		       kept->messages[judge->next].length, out_packets);
}

static void judge_plan(struct jc_distribution *distribution, uint32_t tick)
{
	struct judge *judge = (struct judge *)distribution;
	struct jc_recorded_packet packet;
	struct jc_packets packets;

	if (!begin_packets(judge, tick, &packets)) {
		return;
	}
	while (jc_packets_next(&packets, &packet)) {
		const struct jc_recorded_stream *stream = &judge->kept->streams[packet.stream];
		const struct jc_body *body = jc_space_find(judge->audience.space, stream->body);
		struct jc_body_stream **body_stream = &judge->body_streams[packet.stream];
		struct jc_stream_spec spec = { .chains = stream->chains,
			/* Rounded packets of coding 1 have the precision of the limit. */
			.precision = stream->chains ? stream->precision : stream->finest,
			.finest = stream->finest,
			.rate = (uint8_t)(stream->chains ? stream->rate : 1),
			.sections = JC_STREAM_ALL };

		assert_true(judge->kept->is_known[packet.stream]);
		assert_non_null(body);
		if (!*body_stream) {
			assert_int_equal(stream->since, tick);
			*body_stream = jc_space_acquire(
				judge->audience.space, body, body->asset, &spec, true);
		}
		jc_body_stream_want(*body_stream, packet.rejoins);
	}
}

static void judge_cast(struct jc_distribution *distribution, uint32_t tick)
{
	struct judge *judge = (struct judge *)distribution;
	struct jc_recorded_packet packet;
	struct jc_packets packets;

	if (!begin_packets(judge, tick, &packets)) {
		return;
	}
	while (jc_packets_next(&packets, &packet)) {
		const struct jc_body_stream *body_stream = judge->body_streams[packet.stream];

		assert_int_equal(body_stream->common.length, packet.length);
		assert_memory_equal(body_stream->common.bytes, packet.bytes, packet.length);
		assert_int_equal(
			packet.rejoins ? body_stream->rejoin.length : 0, packet.rejoin_length);
		assert_memory_equal(body_stream->rejoin.bytes, packet.rejoin, packet.rejoin_length);
		judge->packets += packet.length > 0;
		judge->rejoins += packet.rejoin_length > 0;
		judge->bytes += packet.length + packet.rejoin_length;
	}
	judge->next++;
}

static void judge_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	struct judge *judge = (struct judge *)distribution;

	(void)slot;
	for (size_t i = 0; i < STREAMS; i++) {
		if (judge->body_streams[i] && judge->kept->streams[i].body == id) {
			jc_space_release(judge->body_streams[i]);
			judge->body_streams[i] = NULL;
		}
	}
}

static const struct jc_distribution_ops judge_ops = { .plan = judge_plan,
	.cast = judge_cast,
	.body_entered = nobody_enters,
	.body_left = judge_left,
	.roster_due = nobody_due,
	.announce = nobody_hears };

static void replay_under(struct judge *judge, const char *path)
{
	static const struct jc_body_names names;
	const struct jc_replay_options options = {
		.names = &names, .until = JC_LIMIT_BODY_TIME, .speed = 1.0
	};
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_replay_file *file;
	struct jc_replay *replay;

	open_audience(&judge->audience, &judge_ops);
	assert_int_equal(jc_replay_file_open(path, &file, &diagnostic), JC_OK);
	assert_int_equal(jc_replay_create(&options, file, judge->audience.space,
				 &judge->audience.skeleton_table, NULL, &replay, &diagnostic),
		JC_OK);
	for (uint32_t tick = BEGIN; tick < END; tick++) {
		if (tick == ENTERS) {
			/* Takes the id of the body that was not recorded. */
			publish(&judge->audience, "shy", JC_CAPTURE_POSE, false);
		}
		jc_space_tick(judge->audience.space, tick);
	}
	for (size_t i = 0; i < STREAMS; i++) {
		if (judge->body_streams[i]) {
			jc_space_release(judge->body_streams[i]);
		}
	}
	close_audience(&judge->audience);
}

static void replay_gives_the_packets_of_a_stored_recording(void **)
{
	struct tape tape;
	struct kept *kept = calloc(1, sizeof(*kept));
	struct judge *judge = calloc(1, sizeof(*judge));
	struct jc_motion *motion;

	assert_true(kept && judge);
	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	run_live(&tape, motion);
	read_kept(tape.path, kept);
	judge->kept = kept;
	replay_under(judge, tape.path);
	/* All messages were compared: two bodies in three kinds of streams, and none of the
	 * person without consent. */
	assert_int_equal(judge->next, kept->message_count);
	assert_true(judge->packets > 600);
	assert_true(judge->rejoins > 40);
	assert_true(judge->bytes > 20000);
	for (size_t i = 0; i < STREAMS; i++) {
		assert_int_not_equal(kept->streams[i].body, 2);
	}
	tape_remove(&tape);
	for (size_t i = 0; i < kept->message_count; i++) {
		free(kept->messages[i].bytes);
	}
	free(kept->file);
	free(kept);
	free(judge);
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replay_gives_the_packets_of_a_stored_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
