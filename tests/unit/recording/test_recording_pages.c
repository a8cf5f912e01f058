/* Tests random access to recordings: pages in any order, rosters, markers and skeletons at once,
 * damage skipped and reported. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../mcap/memory_sink.h"
#include "jointcast/recording_reader.h"
#include "unit_test.h"

#define EPOCH_UNIX_NS UINT64_C(1700000000000000000)
#define HZ            50
#define SECONDS       20
#define TICK_US       (1000000 / HZ)

static const struct jc_recorded_body one = {
	.id = 1,
	.name = "one",
	.recorded = JC_RECORDED_RAW,
	.kind = JC_CAPTURE_POSE,
};

static struct jc_recorded_body body(uint32_t id, const char *name, const char *skeleton)
{
	struct jc_recorded_body made = one;

	made.id = id;
	made.name = name;
	made.skeleton = skeleton;
	return made;
}

/* Bytes that contain body and tick; they are not read as a capture here. */
static void write_tick(struct jc_recording_writer *writer, uint32_t tick, size_t bodies)
{
	uint8_t bytes[2][4];
	struct jc_recorded_capture captures[2];

	for (size_t i = 0; i < bodies; i++) {
		memcpy(bytes[i], &tick, sizeof(tick));
		bytes[i][3] = (uint8_t)i;
		captures[i] = (struct jc_recorded_capture){ (uint32_t)i + 1, bytes[i], 4 };
	}
	assert_int_equal(jc_recording_write_captures(
				 writer, (int64_t)tick * TICK_US, tick, captures, bodies),
		JC_OK);
}

/* Twenty seconds; the second body is there from 5 s to 15 s, a marker at 7.3 s. */
static void make(struct memory_sink *file, const struct jc_skeleton *skeleton)
{
	struct jc_recording_options options = { .library = "tests",
		.space = "attic",
		.epoch = "5f1c9a7e",
		.tick_hz = HZ,
		.part = 2,
		.epoch_unix_ns = EPOCH_UNIX_NS };
	struct jc_recorded_body bodies[2] = { body(1, "one", ""),
		body(2, "two", jc_skeleton_hash(skeleton)) };
	struct jc_mcap_sink sink = memory_sink(file);
	struct jc_recording_writer *writer;

	*file = (struct memory_sink){ 0 };
	assert_int_equal(jc_recording_create(&options, 0, &sink, &writer), JC_OK);
	for (uint32_t tick = 0; tick < SECONDS * HZ; tick++) {
		int64_t t = (int64_t)tick * TICK_US;
		bool two = tick >= 5 * HZ && tick < 15 * HZ;

		if (tick == 5 * HZ) {
			assert_int_equal(jc_recording_write_skeleton(writer, t, skeleton), JC_OK);
		}
		/* Twice the same in a row: once at 0, once at 3 s. */
		if (tick % (5 * HZ) == 0 || tick == 3 * HZ) {
			assert_int_equal(
				jc_recording_write_roster(writer, t, tick, bodies, two ? 2 : 1),
				JC_OK);
		}
		write_tick(writer, tick, two ? 2 : 1);
		if (t == 7300000) {
			assert_int_equal(
				jc_recording_write_event(writer, t, "marker", "a bow", 0, 0),
				JC_OK);
		}
	}
	assert_int_equal(jc_recording_end(writer), JC_OK);
	jc_recording_destroy(writer);
}

struct fixture {
	struct jc_skeleton *skeleton;
	struct memory_sink file;
	struct jc_mcap_slice slice;
	struct jc_mcap_input input;
	struct jc_recording *recording;
};

static void open_fixture(struct fixture *fixture)
{
	struct jc_diagnostic diagnostic = { 0 };

	fixture->slice = (struct jc_mcap_slice){ fixture->file.bytes, fixture->file.length };
	fixture->input = jc_mcap_input_memory(&fixture->slice);
	if (jc_recording_open(&fixture->input, &fixture->recording, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
}

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	assert_int_equal(jc_skeleton_create_builtin(&fixture->skeleton), JC_OK);
	make(&fixture->file, fixture->skeleton);
	open_fixture(fixture);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_recording_close(fixture->recording);
	jc_skeleton_destroy(fixture->skeleton);
	free(fixture->file.bytes);
	free(fixture);
	return 0;
}

static void session_has_space_epoch_and_tick_rate(void **state)
{
	const struct fixture *fixture = *state;
	const struct jc_recording_session *session = jc_recording_session(fixture->recording);

	assert_string_equal(session->space, "attic");
	assert_string_equal(session->epoch, "5f1c9a7e");
	assert_int_equal(session->tick_hz, HZ);
	assert_int_equal(session->part, 2);
	assert_true(session->epoch_unix_ns == EPOCH_UNIX_NS);
	assert_int_equal(session->from_us, 0);
	assert_int_equal(session->until_us, (SECONDS * HZ - 1) * TICK_US);
	assert_int_equal(session->damage_count, 0);
}

static void repeated_rosters_share_their_bodies(void **state)
{
	const struct jc_recording *recording = ((const struct fixture *)*state)->recording;
	const int64_t seconds[] = { 0, 3, 5, 10, 15 };
	const size_t counts[] = { 1, 1, 2, 2, 1 };
	const bool repeats[] = { false, true, false, true, false };

	assert_int_equal(jc_recording_roster_count(recording), 5);
	for (size_t i = 0; i < 5; i++) {
		const struct jc_recorded_roster *roster = jc_recording_roster(recording, i);

		assert_int_equal(roster->time_us, seconds[i] * 1000000);
		assert_int_equal(roster->body_count, counts[i]);
		assert_int_equal(roster->is_repeated, repeats[i]);
		assert_string_equal(roster->bodies[0].name, "one");
		if (repeats[i]) {
			assert_ptr_equal(
				roster->bodies, jc_recording_roster(recording, i - 1)->bodies);
		}
	}
	assert_int_equal(jc_recording_body_count(recording), 2);
	assert_string_equal(jc_recording_body(recording, 1)->name, "two");
}

static void reads_markers_and_skeletons(void **state)
{
	const struct fixture *fixture = *state;
	const char *hash = jc_recording_body(fixture->recording, 1)->skeleton;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton;

	assert_int_equal(jc_recording_event_count(fixture->recording), 1);
	assert_int_equal(jc_recording_event(fixture->recording, 0)->time_us, 7300000);
	assert_string_equal(jc_recording_event(fixture->recording, 0)->text, "a bow");
	assert_int_equal(
		jc_recording_read_skeleton(fixture->recording, hash, &skeleton, NULL), JC_OK);
	assert_string_equal(jc_skeleton_hash(skeleton), hash);
	jc_skeleton_destroy(skeleton);
	assert_int_equal(
		jc_recording_read_skeleton(fixture->recording, "0123", &skeleton, &diagnostic),
		JC_ERROR_ABSENT);
}

/* Checks that a page's messages are those of its ticks; returns the tick after. */
static uint32_t check_page(const struct jc_recording *recording, size_t index, uint32_t tick)
{
	struct jc_recording_page *page;

	assert_int_equal(jc_recording_read_page(recording, index, &page), JC_OK);
	assert_int_equal(page->error, JC_OK);
	for (size_t i = 0; i < page->message_count; i++, tick++) {
		const struct jc_recorded_message *message = &page->messages[i];
		struct jc_recorded_capture capture;
		struct jc_captures captures;
		uint32_t count = 0;

		assert_true(jc_captures_begin(message->bytes, message->length, &captures));
		assert_int_equal(captures.tick, tick);
		assert_int_equal(message->time_us, (int64_t)tick * TICK_US);
		while (jc_captures_next(&captures, &capture)) {
			assert_int_equal(capture.body, ++count);
			assert_int_equal(capture.bytes[0], tick & 0xff);
		}
		assert_ptr_equal(captures.at, captures.end);
		assert_int_equal(count, tick >= 5 * HZ && tick < 15 * HZ ? 2 : 1);
	}
	jc_recording_page_destroy(page);
	return tick;
}

static void pages_contain_every_tick_once(void **state)
{
	const struct fixture *fixture = *state;
	size_t count = jc_recording_page_count(fixture->recording);
	uint32_t tick = 0;

	/* A second each, by the writer's chunks. */
	assert_in_range(count, SECONDS - 1, SECONDS + 1);
	for (size_t i = 0; i < count; i++) {
		tick = check_page(fixture->recording, i, tick);
	}
	assert_int_equal(tick, SECONDS * HZ);
}

static void finds_the_page_of_a_time(void **state)
{
	const struct jc_recording *recording = ((const struct fixture *)*state)->recording;
	size_t last = jc_recording_page_count(recording) - 1;

	for (int64_t t = 0; t < SECONDS * INT64_C(1000000); t += 333333) {
		size_t page = jc_recording_page_at(recording, t);

		assert_true(jc_recording_page_from(recording, page) <= t);
		assert_true(page == last || jc_recording_page_from(recording, page + 1) > t);
	}
	assert_int_equal(jc_recording_page_at(recording, -1), 0);
	assert_int_equal(jc_recording_page_at(recording, INT64_MAX), last);
}

/* Turns a bit in the middle of the chunk that holds an instant. */
static void damage_chunk(struct fixture *fixture, size_t page)
{
	size_t chunks = 0;

	for (size_t at = 8; at + 9 < fixture->file.length;) {
		uint64_t length;

		memcpy(&length, fixture->file.bytes + at + 1, sizeof(length));
		if (fixture->file.bytes[at] == JC_MCAP_CHUNK && chunks++ == page) {
			fixture->file.bytes[at + 9 + length / 2] ^= 0x10;
			return;
		}
		at += 9 + (size_t)length;
	}
	fail_msg("no such chunk");
}

static void damaged_chunk_loses_its_page_and_is_reported(void **state)
{
	struct fixture *fixture = *state;
	struct jc_recording_page *page;
	struct jc_recorded_motion motions[2];

	jc_recording_close(fixture->recording);
	damage_chunk(fixture, 10);
	open_fixture(fixture);
	assert_int_equal(jc_recording_read_page(fixture->recording, 10, &page), JC_OK);
	assert_int_equal(page->error, JC_ERROR_INVALID);
	assert_int_equal(page->message_count, 0);
	assert_true(page->problem.what[0] != '\0');
	jc_recording_page_destroy(page);
	for (size_t i = 9; i <= 11; i += 2) {
		assert_int_equal(jc_recording_read_page(fixture->recording, i, &page), JC_OK);
		assert_int_equal(page->error, JC_OK);
		assert_true(page->message_count > 0);
		jc_recording_page_destroy(page);
	}
	/* None of the bytes are captures, so no body has a motion, and each reports an error. */
	assert_int_equal(jc_recording_read_bodies(fixture->recording, 2, motions, NULL), JC_OK);
	assert_int_equal(motions[0].error, JC_ERROR_INVALID);
	assert_int_equal(motions[1].error, JC_ERROR_INVALID);
}

static void next_roster_is_readable_after_a_damaged_one(void **state)
{
	struct fixture *fixture = *state;

	jc_recording_close(fixture->recording);
	damage_chunk(fixture, 5);
	open_fixture(fixture);
	assert_int_equal(jc_recording_session(fixture->recording)->damage_count, 1);
	assert_int_equal(jc_recording_roster(fixture->recording, 2)->time_us, 10000000);
}

static void streams_name_their_virtual_transforms_and_limit(void **)
{
	const uint8_t indices[] = { 3, 17, 255 };
	const struct jc_recorded_stream streams[] = {
		{ .number = 1,
			.skeleton = "aa",
			.chains = true,
			.rate = 1,
			.sections = JC_STREAM_SECTION(JC_SECTION_VIRTUALS),
			.virtuals = indices,
			.virtual_count = 3,
			.precision = JC_PRECISION_COARSE,
			.finest = JC_PRECISION_STANDARD },
		{ .number = 2, .skeleton = "aa", .chains = false },
	};
	char *text;

	assert_int_equal(jc_recording_format_streams(0, streams, 2, &text), JC_OK);
	json_t *root = json_loads(text, 0, NULL);
	const json_t *list = json_object_get(root, "streams");
	const json_t *virtuals = json_object_get(json_array_get(list, 0), "virtual");

	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(json_array_size(virtuals), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(json_integer_value(json_array_get(virtuals, i)), indices[i]);
	}
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(list, 0), "finest")), "standard");
	assert_null(json_object_get(json_array_get(list, 1), "virtual"));
	assert_null(json_object_get(json_array_get(list, 1), "finest"));
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			session_has_space_epoch_and_tick_rate, setup, teardown),
		cmocka_unit_test_setup_teardown(
			repeated_rosters_share_their_bodies, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_markers_and_skeletons, setup, teardown),
		cmocka_unit_test_setup_teardown(pages_contain_every_tick_once, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_the_page_of_a_time, setup, teardown),
		cmocka_unit_test_setup_teardown(
			damaged_chunk_loses_its_page_and_is_reported, setup, teardown),
		cmocka_unit_test_setup_teardown(
			next_roster_is_readable_after_a_damaged_one, setup, teardown),
		cmocka_unit_test(streams_name_their_virtual_transforms_and_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
