/* A recording comes back as it was: the same bodies at the same times, and to the last
 * byte the same packets as when its captures came in live. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ticker.h"
#include "jointcast/humanoid.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "nobody.h"
#include "replay/replay.h"
#include "source/publisher_source.h"
#include "unit_test.h"

#define TICKS    60
#define SECONDS  8
#define BEGIN    (TICKS * 100) /* the recording begins with that tick */
#define ENTERS   (BEGIN + 2 * TICKS)
#define LEAVES   (BEGIN + 5 * TICKS)
#define WALKER   1
#define TRACKED  2
#define EPOCH_NS UINT64_C(1700000000000000000)

/* A distribution half that stores the encoded packets. */
struct collector {
	struct jc_distribution distribution;
	struct jc_space *space; /* owned */
	struct jc_skeleton_table skeleton_table;
	struct jc_body_stream *body_streams[JC_MAX_BODIES];
	uint8_t *bytes; /* owned: tick, id, length and packet, one after another */
	size_t length;
	size_t packets, cuts, joined, left;
};

static const struct jc_stream_spec spec = {
	.chains = true, .precision = JC_PRECISION_FINE, .rate = 1, .sections = JC_STREAM_ALL
};

static void plan(struct jc_distribution *distribution, uint32_t tick)
{
	struct collector *collector = (struct collector *)distribution;

	(void)tick;
	for (size_t i = 0; i < jc_space_body_count(collector->space); i++) {
		const struct jc_body *body = jc_space_body(collector->space, i);
		struct jc_body_stream **body_stream = &collector->body_streams[body->slot];

		if (!*body_stream) {
			*body_stream =
				jc_space_acquire(collector->space, body, body->asset, &spec, true);
		}
		jc_body_stream_want(*body_stream, false);
	}
}

static void keep(struct collector *collector, const void *bytes, size_t length)
{
	collector->bytes = realloc(collector->bytes, collector->length + length);
	assert_non_null(collector->bytes);
	memcpy(collector->bytes + collector->length, bytes, length);
	collector->length += length;
}

static void cast(struct jc_distribution *distribution, uint32_t tick)
{
	struct collector *collector = (struct collector *)distribution;

	for (size_t i = 0; i < jc_space_body_count(collector->space); i++) {
		const struct jc_body *body = jc_space_body(collector->space, i);
		const struct jc_body_stream *body_stream = collector->body_streams[body->slot];

		if (body_stream->is_fresh && body_stream->common.length > 0) {
			keep(collector, &tick, sizeof(tick));
			keep(collector, &body->id, sizeof(body->id));
			keep(collector, body_stream->common.bytes, body_stream->common.length);
			collector->packets++;
			collector->cuts += body_stream->common.cut;
		}
	}
}

static void body_entered(struct jc_distribution *distribution, const struct jc_body *body)
{
	(void)body;
	((struct collector *)distribution)->joined++;
}

static void body_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	struct collector *collector = (struct collector *)distribution;

	(void)id;
	if (collector->body_streams[slot]) {
		jc_space_release(collector->body_streams[slot]);
		collector->body_streams[slot] = NULL;
	}
	collector->left++;
}

static const struct jc_distribution_ops collector_ops = {
	.plan = plan,
	.cast = cast,
	.body_entered = body_entered,
	.body_left = body_left,
	.roster_due = nobody_due,
	.announce = nobody_hears,
};

static void open_collector(struct collector *collector)
{
	struct jc_diagnostic diagnostic;
	struct jc_space_options options = {
		.name = "lobby", .id = 1, .hz = TICKS, .distribution = &collector->distribution
	};

	*collector = (struct collector){ .distribution.ops = &collector_ops };
	assert_int_equal(jc_skeleton_table_init(&collector->skeleton_table, &diagnostic), JC_OK);
	assert_int_equal(jc_space_create(&options, &collector->space), JC_OK);
}

static void close_collector(struct collector *collector)
{
	for (size_t i = 0; i < JC_MAX_BODIES; i++) {
		if (collector->body_streams[i]) {
			jc_space_release(collector->body_streams[i]);
		}
	}
	jc_space_destroy(collector->space);
	jc_skeleton_table_finish(&collector->skeleton_table);
	free(collector->bytes);
}

static int64_t tick_us(uint32_t tick)
{
	return jc_tick_time_ns(0, TICKS, tick) / 1000;
}

/* Nominal time 0 of ticks is server time 0. */
static void run_ticks(struct collector *collector, uint32_t from, uint32_t until)
{
	for (uint32_t tick = from; tick < until; tick++) {
		jc_space_tick(collector->space, tick);
	}
}

/* The walker's capture before a tick: a slightly earlier pose. */
static int capture_pose(const struct jc_motion *motion, uint32_t tick, uint8_t *out_bytes)
{
	struct jc_capture capture = { .time_us = tick_us(tick) - 3100 - 17 * (tick % 90) };
	struct jc_pose pose;

	jc_motion_pose(motion, (double)(tick - BEGIN) / TICKS, &pose);
	return jc_pose_encode(&capture, &pose, out_bytes, JC_CAPTURE_BYTES);
}

/* Of the tracked one: head and wrists, with a wrist that is lost for a while. */
static int capture_frame(uint32_t tick, uint8_t *out_bytes)
{
	static const enum jc_joint joints[] = { JC_JOINT_HEAD, JC_JOINT_LEFT_HAND_WRIST,
		JC_JOINT_RIGHT_HAND_WRIST };
	static const float places[] = { 0.0f, 0.3f, -0.3f };
	struct jc_capture capture = { .time_us = tick_us(tick) - 900 };
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

static const struct jc_placement walker_place = { { 1.5f, 0.0f, -2.0f }, 0.5f };
static const struct jc_placement tracked_place = { { -1.0f, 0.0f, 0.0f }, 0.0f };

static int write_file(void *context, const void *bytes, size_t length)
{
	return fwrite(bytes, 1, length, context) == length ? JC_OK : JC_ERROR_SPACE;
}

static void write_tick(struct jc_recording_writer *writer, const struct jc_motion *motion,
	uint32_t tick, bool tracked)
{
	static uint8_t bytes[2][JC_CAPTURE_BYTES];
	struct jc_recorded_capture captures[2] = { { WALKER, bytes[0], 0 },
		{ TRACKED, bytes[1], 0 } };

	captures[0].length = (size_t)capture_pose(motion, tick, bytes[0]);
	captures[1].length = (size_t)capture_frame(tick, bytes[1]);
	assert_int_equal(
		jc_recording_write_captures(writer, tick_us(tick), tick, captures, tracked ? 2 : 1),
		JC_OK);
}

/* Eight seconds of the walker, with the tracked one from 2 to 5 s and a marker at 4 s. */
static void make_recording(const char *path, const struct jc_motion *motion)
{
	json_t *meta = json_pack("{ss sf}", "team", "red", "size", 1.5);
	json_t *bad = json_pack("{s[]}", "no list", "");
	struct jc_recorded_body bodies[] = { { .id = WALKER,
						     .name = "walker",
						     .meta = meta,
						     .recorded = JC_RECORDED_RAW,
						     .kind = JC_CAPTURE_POSE,
						     .skeleton = "",
						     .placement = walker_place,
						     .seat_height = 0.4f },
		{ .id = TRACKED,
			.name = "tracked",
			.display = "Trudy",
			.meta = bad,
			.recorded = JC_RECORDED_RAW,
			.kind = JC_CAPTURE_BODY_FRAME,
			.profile = JC_PROFILE_WEBXR_SPEC,
			.height = 1.7f,
			.smooth = JC_ONE_EURO_DEFAULTS,
			.skeleton = "",
			.placement = tracked_place },
		{ .id = 9, .name = "shy", .skeleton = "" } };
	FILE *file = fopen(path, "wb");
	struct jc_mcap_sink sink = { write_file, file };
	struct jc_recording_options options = { .library = "tests",
		.space = "lobby",
		.epoch = "1",
		.tick_hz = TICKS,
		.epoch_unix_ns = EPOCH_NS };
	struct jc_recording_writer *writer;

	assert_non_null(file);
	assert_int_equal(jc_recording_create(&options, tick_us(BEGIN), &sink, &writer), JC_OK);
	for (uint32_t tick = BEGIN; tick < BEGIN + SECONDS * TICKS; tick++) {
		bool tracked = tick >= ENTERS && tick < LEAVES;

		if (tick == BEGIN || tick == ENTERS || tick == LEAVES) {
			size_t count = tick == BEGIN ? 1 : tracked ? 3 : 1;

			bodies[0].display = tracked ? "Walter" : "not\na name";
			bodies[0].meta = tick == LEAVES ? NULL : meta;
			assert_int_equal(jc_recording_write_roster(
						 writer, tick_us(tick), tick, bodies, count),
				JC_OK);
		}
		if (tick == BEGIN + 4 * TICKS) {
			assert_int_equal(jc_recording_write_event(
						 writer, tick_us(tick), "marker", "a bow", 0, 0),
				JC_OK);
		}
		write_tick(writer, motion, tick, tracked);
	}
	assert_int_equal(jc_recording_end(writer), JC_OK);
	jc_recording_destroy(writer);
	assert_int_equal(fclose(file), 0);
	json_decref(meta);
	json_decref(bad);
}

/* The bytes of the live daemon: publishers send the same captures. */
static struct jc_source *publish(struct collector *collector, const char *name, uint32_t id,
	enum jc_capture_kind kind, const struct jc_placement *placement, float seat)
{
	struct jc_publisher_options options = { .kind = kind,
		.profile = JC_PROFILE_WEBXR_SPEC,
		.height = kind == JC_CAPTURE_POSE ? 0.0f : 1.7f,
		.smooth = kind != JC_CAPTURE_POSE };
	struct jc_entry entry = { .name = name,
		.asset = collector->skeleton_table.humanoid,
		.placement = placement,
		.seat_height = seat };
	uint32_t entered;

	assert_int_equal(jc_publisher_source_create(&options, &entry.source), JC_OK);
	assert_int_equal(jc_space_enter(collector->space, &entry, &entered), JC_OK);
	assert_int_equal(entered, id);
	return entry.source;
}

static void run_live(struct collector *live, const struct jc_motion *motion)
{
	struct jc_source *walker =
		publish(live, "walker", WALKER, JC_CAPTURE_POSE, &walker_place, 0.4f);
	struct jc_source *tracked = NULL;
	uint8_t bytes[JC_CAPTURE_BYTES];

	for (uint32_t tick = BEGIN; tick < BEGIN + SECONDS * TICKS; tick++) {
		int64_t now_ns = jc_tick_time_ns(0, TICKS, tick);

		if (tick == ENTERS) {
			tracked = publish(live, "tracked", TRACKED, JC_CAPTURE_BODY_FRAME,
				&tracked_place, 0.0f);
		} else if (tick == LEAVES) {
			jc_space_remove(live->space, TRACKED);
			tracked = NULL;
		}
		assert_int_equal(jc_publisher_source_put(walker, bytes,
					 (size_t)capture_pose(motion, tick, bytes), now_ns),
			JC_OK);
		if (tracked) {
			assert_int_equal(jc_publisher_source_put(tracked, bytes,
						 (size_t)capture_frame(tick, bytes), now_ns),
				JC_OK);
		}
		run_ticks(live, tick, tick + 1);
	}
}

struct fixture {
	char path[64];
	struct jc_motion *motion;
	struct collector collector;
	struct jc_replays replays;
	struct jc_replay *replay;
	int changes;
};

static void on_change(void *context, const struct jc_replay *replay, enum jc_replay_change change)
{
	struct fixture *fixture = context;

	(void)replay;
	(void)change;
	fixture->changes++;
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	strcpy(fixture->path, "/tmp/jointcast-replay-XXXXXX");
	int fd = mkstemp(fixture->path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(jc_motion_create_demo("walk", &fixture->motion, NULL), JC_OK);
	make_recording(fixture->path, fixture->motion);
	fixture->replays.on_change = on_change;
	fixture->replays.context = fixture;
	open_collector(&fixture->collector);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	close_collector(&fixture->collector);
	jc_motion_destroy(fixture->motion);
	unlink(fixture->path);
	free(fixture);
	return 0;
}

static struct jc_replay_options options_of(void)
{
	static const struct jc_body_names names;

	return (struct jc_replay_options){ .names = &names, .until = 1e9, .speed = 1.0 };
}

static void open_replay(struct fixture *fixture, const struct jc_replay_options *options)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_replay_file *file;

	if (jc_replay_file_open(fixture->path, &file, &diagnostic) != JC_OK ||
		jc_replay_create(options, file, fixture->collector.space,
			&fixture->collector.skeleton_table, &fixture->replays, &fixture->replay,
			&diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
}

static void begin(struct fixture *fixture)
{
	struct jc_replay_options options = options_of();

	open_replay(fixture, &options);
}

static struct jc_replay_state state_of(const struct fixture *fixture)
{
	struct jc_replay_state state;

	jc_replay_state(fixture->replay, &state);
	return state;
}

static const struct jc_body *body_of(const struct fixture *fixture, const char *name)
{
	const struct jc_space *space = fixture->collector.space;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (!body->leaving && strcmp(body->name, name) == 0) {
			return body;
		}
	}
	return NULL;
}

static void replay_gives_the_packets_of_the_live_space(void **state)
{
	struct fixture *fixture = *state;
	struct collector live;

	begin(fixture);
	run_ticks(&fixture->collector, BEGIN, BEGIN + SECONDS * TICKS);
	open_collector(&live);
	run_live(&live, fixture->motion);
	assert_true(live.packets > SECONDS * TICKS);
	assert_int_equal(fixture->collector.packets, live.packets);
	assert_int_equal(fixture->collector.length, live.length);
	assert_memory_equal(fixture->collector.bytes, live.bytes, live.length);
	close_collector(&live);
}

static void two_replays_give_the_same_bytes(void **state)
{
	struct fixture *fixture = *state;
	struct fixture again = *fixture;

	begin(fixture);
	run_ticks(&fixture->collector, BEGIN, BEGIN + SECONDS * TICKS);
	open_collector(&again.collector);
	again.replays.count = 0;
	begin(&again);
	run_ticks(&again.collector, BEGIN, BEGIN + SECONDS * TICKS);
	assert_true(fixture->collector.length > 1000);
	assert_int_equal(again.collector.length, fixture->collector.length);
	assert_memory_equal(
		again.collector.bytes, fixture->collector.bytes, again.collector.length);
	close_collector(&again.collector);
}

static void bodies_join_and_leave_at_recorded_times(void **state)
{
	struct fixture *fixture = *state;

	begin(fixture);
	run_ticks(&fixture->collector, BEGIN, ENTERS);
	assert_non_null(body_of(fixture, "walker"));
	assert_null(body_of(fixture, "tracked"));
	assert_int_equal(body_of(fixture, "walker")->id, WALKER);
	assert_true(body_of(fixture, "walker")->placement.position.x == 1.5f);
	assert_true(body_of(fixture, "walker")->seat_height == 0.4f);
	run_ticks(&fixture->collector, ENTERS, ENTERS + 1);
	assert_non_null(body_of(fixture, "tracked"));
	/* A body without consent is in no replay. */
	assert_null(body_of(fixture, "shy"));
	run_ticks(&fixture->collector, ENTERS + 1, LEAVES + 1);
	assert_null(body_of(fixture, "tracked"));
	assert_int_equal(fixture->collector.joined, 2);
	assert_int_equal(fixture->collector.left, 1);
}

static void descriptions_of_bodies_are_the_recorded_ones(void **state)
{
	struct fixture *fixture = *state;
	const char *about = "{\"team\":\"red\",\"size\":1.5}";
	struct jc_replay_options options = options_of();

	open_replay(fixture, &options);
	run_ticks(&fixture->collector, BEGIN, ENTERS);
	assert_string_equal(body_of(fixture, "walker")->about, about);
	/* An invalid body of a roster is not shown. */
	assert_string_equal(body_of(fixture, "walker")->display, "");
	run_ticks(&fixture->collector, ENTERS, ENTERS + 1);
	assert_string_equal(body_of(fixture, "walker")->display, "Walter");
	assert_string_equal(body_of(fixture, "walker")->about, about);
	assert_string_equal(body_of(fixture, "tracked")->display, "Trudy");
	assert_string_equal(body_of(fixture, "tracked")->about, "{}");
	run_ticks(&fixture->collector, ENTERS + 1, LEAVES + 1);
	assert_string_equal(body_of(fixture, "walker")->display, "");
	assert_string_equal(body_of(fixture, "walker")->about, "{}");
	jc_replay_seek(fixture->replay, 3.0);
	run_ticks(&fixture->collector, LEAVES + 1, LEAVES + 3);
	assert_string_equal(body_of(fixture, "walker")->display, "Walter");
	assert_string_equal(body_of(fixture, "walker")->about, about);
}

static void replay_ends_at_the_end_of_the_recording(void **state)
{
	struct fixture *fixture = *state;

	begin(fixture);
	run_ticks(&fixture->collector, BEGIN, BEGIN + (SECONDS + 2) * TICKS);
	assert_true(state_of(fixture).has_ended);
	assert_float_equal(state_of(fixture).time, 7.98333f, 1e-4);
	assert_false(body_of(fixture, "walker")->live);
	jc_replay_pause(fixture->replay, false);
	run_ticks(
		&fixture->collector, BEGIN + (SECONDS + 2) * TICKS, BEGIN + (SECONDS + 3) * TICKS);
	assert_float_equal(state_of(fixture).time, 1.0, 0.05);
	assert_true(body_of(fixture, "walker")->live);
}

static void paused_replay_sends_no_new_poses(void **state)
{
	struct fixture *fixture = *state;
	size_t packets;

	begin(fixture);
	run_ticks(&fixture->collector, BEGIN, BEGIN + TICKS);
	jc_replay_pause(fixture->replay, true);
	run_ticks(&fixture->collector, BEGIN + TICKS, BEGIN + 2 * TICKS);
	packets = fixture->collector.packets;
	run_ticks(&fixture->collector, BEGIN + 2 * TICKS, BEGIN + 12 * TICKS);
	assert_true(state_of(fixture).is_paused);
	assert_float_equal(state_of(fixture).time, 1.0, 0.05);
	/* Two signs of life a second. */
	assert_in_range(fixture->collector.packets - packets, 15, 25);
	assert_true(body_of(fixture, "walker")->live);
}

static void speed_scales_the_time_of_the_replay(void **state)
{
	struct fixture *fixture = *state;
	struct jc_replay_options options = options_of();

	options.speed = 0.25;
	open_replay(fixture, &options);
	run_ticks(&fixture->collector, BEGIN, BEGIN + 4 * TICKS);
	assert_float_equal(state_of(fixture).time, 1.0, 0.01);
	jc_replay_set_speed(fixture->replay, 4.0);
	run_ticks(&fixture->collector, BEGIN + 4 * TICKS, BEGIN + 5 * TICKS);
	assert_float_equal(state_of(fixture).time, 5.0, 0.02);
	/* A slow replay stays live: its poses are not held as lost. */
	assert_true(body_of(fixture, "walker")->live);
}

static void seek_is_a_cut_and_shows_the_bodies_of_that_time(void **state)
{
	struct fixture *fixture = *state;
	size_t cuts;

	begin(fixture);
	run_ticks(&fixture->collector, BEGIN, BEGIN + TICKS);
	cuts = fixture->collector.cuts;
	jc_replay_seek(fixture->replay, 3.0);
	run_ticks(&fixture->collector, BEGIN + TICKS, BEGIN + TICKS + 2);
	assert_non_null(body_of(fixture, "tracked"));
	assert_true(body_of(fixture, "tracked")->live);
	assert_float_equal(state_of(fixture).time, 3.0, 0.05);
	assert_true(fixture->collector.cuts > cuts);
	jc_replay_seek(fixture->replay, 0.5);
	run_ticks(&fixture->collector, BEGIN + TICKS + 2, BEGIN + TICKS + 4);
	assert_null(body_of(fixture, "tracked"));
	assert_float_equal(state_of(fixture).time, 0.5, 0.05);
	assert_true(body_of(fixture, "walker")->live);
	/* The walker keeps its id. */
	assert_int_equal(body_of(fixture, "walker")->id, WALKER);
}

static void looped_range_repeats(void **state)
{
	struct fixture *fixture = *state;
	struct jc_replay_options options = options_of();

	options.loop = true;
	options.from = 3.0;
	options.until = 4.0;
	open_replay(fixture, &options);
	run_ticks(&fixture->collector, BEGIN, BEGIN + TICKS / 2);
	assert_float_equal(state_of(fixture).time, 3.5, 0.05);
	run_ticks(&fixture->collector, BEGIN + TICKS / 2, BEGIN + 10 * TICKS);
	assert_true(state_of(fixture).time >= 3.0 && state_of(fixture).time <= 4.0);
	assert_false(state_of(fixture).has_ended);
	assert_int_equal(fixture->collector.joined, 2);
	assert_int_equal(fixture->collector.left, 0);
	assert_true(fixture->changes >= 9);
	assert_false(jc_replay_set_range(fixture->replay, 4.0, 3.0));
}

static void renames_bodies_that_join_existing_ones(void **state)
{
	struct fixture *fixture = *state;
	struct jc_body_names names = {
		.prefix = "then-", .rename_count = 1, .renames = { { "tracked", "Ada" } }
	};
	struct jc_replay_options options = options_of();
	struct jc_replay *second;

	options.names = &names;
	open_replay(fixture, &options);
	second = fixture->replay;
	names.prefix[0] = '\0';
	open_replay(fixture, &options);
	run_ticks(&fixture->collector, BEGIN, ENTERS + 2);
	assert_non_null(body_of(fixture, "then-walker"));
	assert_non_null(body_of(fixture, "walker"));
	assert_non_null(body_of(fixture, "Ada"));
	/* A renamed body does not get the recorded display name. */
	assert_string_equal(body_of(fixture, "Ada")->display, "");
	assert_string_equal(body_of(fixture, "walker")->display, "Walter");
	/* The display names distinguish the bodies. */
	assert_string_equal(body_of(fixture, "then-walker")->display, "then-Walter");
	assert_int_equal(jc_space_body_count(fixture->collector.space), 4);
	assert_int_equal(fixture->replays.count, 2);
	assert_ptr_equal(jc_replays_find(&fixture->replays, 1), second);
	jc_replay_end(second);
	run_ticks(&fixture->collector, ENTERS + 2, ENTERS + 3);
	assert_int_equal(jc_space_body_count(fixture->collector.space), 2);
	assert_null(body_of(fixture, "then-walker"));
	assert_int_equal(fixture->replays.count, 1);
}

static void markers_have_time_and_text(void **state)
{
	struct fixture *fixture = *state;

	begin(fixture);
	assert_float_equal(jc_replay_duration(fixture->replay), 7.98333f, 1e-4);
	assert_int_equal(jc_replay_marker_count(fixture->replay), 1);
	assert_float_equal(jc_replay_marker(fixture->replay, 0).time, 4.0, 1e-3);
	assert_string_equal(jc_replay_marker(fixture->replay, 0).text, "a bow");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(replay_gives_the_packets_of_the_live_space),
		TEST(two_replays_give_the_same_bytes),
		TEST(bodies_join_and_leave_at_recorded_times),
		TEST(descriptions_of_bodies_are_the_recorded_ones),
		TEST(replay_ends_at_the_end_of_the_recording),
		TEST(paused_replay_sends_no_new_poses),
		TEST(speed_scales_the_time_of_the_replay),
		TEST(seek_is_a_cut_and_shows_the_bodies_of_that_time),
		TEST(looped_range_repeats),
		TEST(renames_bodies_that_join_existing_ones),
		TEST(markers_have_time_and_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
