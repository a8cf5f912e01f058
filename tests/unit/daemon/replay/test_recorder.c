/* A recorder loses nothing that it does not tell of: where one file ends and the next
 * begins, where a disk is full and where it is slow. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ticker.h"
#include "harvest.h"
#include "nobody.h"
#include "record/recorder.h"
#include "source/publisher_source.h"
#include "unit_test.h"

/* A disk that can be full or slow: a slow one blocks the writer until it is released. */
struct disk {
	bool is_full;
	unsigned syncs;
	uv_sem_t *released; /* NULL: it is fast */
};

static int64_t disk_write(void *context, int descriptor, const void *bytes, size_t length)
{
	struct disk *disk = context;

	if (disk->released) {
		uv_sem_wait(disk->released);
		uv_sem_post(disk->released);
	}
	if (disk->is_full) {
		errno = ENOSPC;
		return -1;
	}
	return write(descriptor, bytes, length);
}

static int disk_sync(void *context, int descriptor)
{
	(void)descriptor;
	((struct disk *)context)->syncs++;
	return 0;
}

struct rig {
	struct jc_distribution distribution;
	struct jc_skeleton_table skeleton_table;
	struct jc_space *space;
	struct jc_clock clock;
	struct jc_log log;
	uv_loop_t loop;
	struct disk disk;
	struct jc_recorder *recorder;
	bool has_ended;
	struct jc_recorder_state last; /* as it ended */
	char folder[64];
	int null; /* that the log goes to */
};

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	struct jc_diagnostic diagnostic;
	struct jc_space_options options = { .name = "lobby", .id = 1, .hz = TICKS };

	assert_non_null(rig);
	rig->distribution.ops = &nobody;
	options.distribution = &rig->distribution;
	rig->clock.wall_us = EPOCH;
	rig->null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	jc_log_init(&rig->log, rig->null, NULL);
	strcpy(rig->folder, "/tmp/jointcast-recorder-XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	assert_int_equal(jc_skeleton_table_init(&rig->skeleton_table, &diagnostic), JC_OK);
	assert_int_equal(jc_space_create(&options, &rig->space), JC_OK);
	assert_int_equal(uv_loop_init(&rig->loop), 0);
	*state = rig;
	return 0;
}

static void on_ended(void *context, struct jc_recorder *recorder)
{
	struct rig *rig = context;

	rig->has_ended = true;
	jc_recorder_report(recorder, &rig->last);
	rig->last.name = rig->last.path = NULL;
	jc_recorder_destroy(recorder);
}

static int teardown(void **state)
{
	struct rig *rig = *state;
	char pattern[96];
	glob_t found;

	assert_int_equal(uv_loop_close(&rig->loop), 0);
	jc_space_destroy(rig->space);
	jc_skeleton_table_finish(&rig->skeleton_table);
	snprintf(pattern, sizeof(pattern), "%s/*", rig->folder);
	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			unlink(found.gl_pathv[i]);
		}
		globfree(&found);
	}
	assert_int_equal(rmdir(rig->folder), 0);
	close(rig->null);
	free(rig);
	return 0;
}

static void begin(struct rig *rig, struct jc_record_settings *settings)
{
	const struct jc_record_disk disk = { disk_write, disk_sync, &rig->disk };
	struct jc_recorder_options options = { .settings = settings,
		.name = "lobby",
		.space = rig->space,
		.loop = &rig->loop,
		.clock = &rig->clock,
		.log = &rig->log,
		.disk = &disk,
		.on_ended = on_ended,
		.context = rig };

	snprintf(settings->folder, sizeof(settings->folder), "%s", rig->folder);
	assert_int_equal(jc_recorder_create(&options, &rig->recorder), JC_OK);
}

static void end(struct rig *rig)
{
	jc_recorder_stop(rig->recorder);
	uv_run(&rig->loop, UV_RUN_DEFAULT);
	assert_true(rig->has_ended);
}

static struct jc_source *publish(struct rig *rig, enum jc_capture_kind kind, size_t channel_count,
	const char *const *channels)
{
	struct jc_publisher_options options = { .kind = kind,
		.profile = JC_PROFILE_WEBXR_SPEC,
		.height = kind == JC_CAPTURE_POSE ? 0.0f : 1.7f,
		.channel_count = channel_count,
		.channels = channels,
		.may_record = true,
		.may_record_raw = true };
	struct jc_source *source;

	assert_int_equal(jc_publisher_source_create(&options, &source), JC_OK);
	assert_int_equal(
		jc_space_add(rig->space, "n", rig->skeleton_table.humanoid, source), JC_OK);
	return source;
}

static int64_t tick_ns(uint32_t tick)
{
	return jc_tick_time_ns(0, TICKS, tick);
}

static void put_pose(struct jc_source *source, uint32_t tick)
{
	struct jc_capture capture = { .time_us = tick_ns(tick) / 1000 - 2000 };
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_pose pose;
	int length;

	jc_pose_init(&pose);
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	pose.hips_translation.x = (float)(tick % 100) * 0.01f;
	length = jc_pose_encode(&capture, &pose, bytes, sizeof(bytes));
	assert_true(length > 0);
	assert_int_equal(
		jc_publisher_source_put(source, bytes, (size_t)length, tick_ns(tick)), JC_OK);
}

static void put_frame(struct jc_source *source, uint32_t tick, bool is_rest)
{
	struct jc_capture capture = { .time_us = is_rest ? 0 : tick_ns(tick) / 1000 - 1000,
		.is_rest = is_rest };
	struct jc_body_frame frame = { .confidence = 1.0f };
	struct jc_body_joint *head = &frame.joints[JC_JOINT_HEAD];
	uint8_t bytes[JC_CAPTURE_BYTES];
	int length;

	head->state = JC_TRACKED;
	head->orientation.w = 1.0f;
	head->position.y = 1.6f;
	length = jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes));
	assert_true(length > 0);
	assert_int_equal(
		jc_publisher_source_put(source, bytes, (size_t)length, tick_ns(tick)), JC_OK);
}

/* Every job is done before the next tick. */
static void run(struct rig *rig, struct jc_source *walker, uint32_t from, uint32_t until)
{
	for (uint32_t tick = from; tick < until; tick++) {
		put_pose(walker, tick);
		jc_space_tick(rig->space, tick);
		uv_run(&rig->loop, UV_RUN_DEFAULT);
	}
}

/* By time, by size, and by both. */
static void loses_no_tick_between_files(void **state)
{
	struct rig *rig = *state;
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walker = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	struct jc_source *tracked = publish(rig, JC_CAPTURE_BODY_FRAME, 0, NULL);
	struct harvest harvest;

	settings.raw = true;
	settings.split_s = 2;
	settings.split_bytes = 24000;
	put_frame(tracked, BEGIN, true);
	begin(rig, &settings);
	for (uint32_t tick = BEGIN; tick < END; tick++) {
		put_frame(tracked, tick, false);
		run(rig, walker, tick, tick + 1);
	}
	end(rig);
	harvest_reap(rig->folder, &harvest);
	assert_true(harvest.files >= SECONDS / 2);
	harvest_check_parts(&harvest);
	for (size_t i = 0; i < END - BEGIN; i++) {
		assert_int_equal(harvest.captures[i], 2);
	}
	for (size_t i = 0; i < harvest.files; i++) {
		assert_true(harvest.rests[i] > 0);
	}
	assert_int_equal(rig->last.captures, 2 * (END - BEGIN) + 1); /* with the T-pose */
	assert_int_equal(rig->last.dropped, 0);
}

/* With bodies that stay, and others that stay for a tick. */
static void expect_files(struct rig *rig, size_t residents, size_t visitors, size_t files)
{
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walker = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	struct harvest harvest;

	begin(rig, &settings);
	for (uint32_t tick = BEGIN; tick < END; tick++) {
		while (jc_space_body_count(rig->space) < residents + visitors) {
			publish(rig, JC_CAPTURE_POSE, 0, NULL);
		}
		jc_space_describe(rig->space, 1, tick % 2 ? "odd" : "even", NULL);
		run(rig, walker, tick, tick + 1);
		for (size_t i = 0; i < visitors; i++) {
			jc_space_remove(rig->space, jc_space_body(rig->space, residents + i)->id);
		}
		jc_space_let_leavers_go(rig->space);
	}
	end(rig);
	harvest_reap(rig->folder, &harvest);
	assert_int_equal(harvest.files, files);
	assert_int_equal(harvest_sum(&harvest), END - BEGIN);
}

static void no_file_has_more_bodies_than_readers_accept(void **state)
{
	expect_files(*state, 1, 3, 3 * (END - BEGIN) / JC_LIMIT_RECORDED_BODIES + 1);
}

static void no_file_has_more_rosters_than_readers_accept(void **state)
{
	expect_files(*state, JC_MAX_BODIES, 0, 2); /* 78000 of 65536 entries */
}

static void counts_and_reports_writes_refused_by_a_full_disk(void **state)
{
	struct rig *rig = *state;
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walker = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	struct jc_recorder_state told;
	struct harvest harvest;
	char pattern[96];
	glob_t found;

	begin(rig, &settings);
	run(rig, walker, BEGIN, BEGIN + TICKS);
	rig->disk.is_full = true;
	run(rig, walker, BEGIN + TICKS, BEGIN + 2 * TICKS);
	jc_recorder_report(rig->recorder, &told);
	assert_true(told.is_failing);
	assert_true(told.dropped > 0);
	run(rig, walker, BEGIN + 2 * TICKS, BEGIN + 3 * TICKS);
	rig->disk.is_full = false;
	run(rig, walker, BEGIN + 3 * TICKS, END);
	jc_recorder_report(rig->recorder, &told);
	assert_false(told.is_failing);
	end(rig);
	harvest_reap(rig->folder, &harvest);
	/* The incomplete file waits for repair; an empty one was removed. */
	snprintf(pattern, sizeof(pattern), "%s/*.mcap.part", rig->folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	globfree(&found);
	assert_int_equal(harvest.files, 1);
	assert_int_equal(harvest.dropped, rig->last.dropped);
	/* Nothing of the last second before it is lost beyond what had not been flushed. */
	assert_in_range(
		harvest.dropped, 2 * TICKS, END - BEGIN - TICKS / 2 - harvest_sum(&harvest));
	assert_in_range(harvest_sum(&harvest) + harvest.dropped, END - BEGIN - TICKS, END - BEGIN);
	assert_int_equal(harvest.captures[END - BEGIN - 1], 1);
}

static void mark(struct rig *rig, size_t length)
{
	char *label = malloc(length + 1);

	assert_non_null(label);
	memset(label, 'x', length);
	label[length] = '\0';
	jc_recorder_mark(rig->recorder, label, tick_ns(BEGIN));
	free(label);
}

static void slow_disk_drops_captures_and_no_ticks(void **state)
{
	struct rig *rig = *state;
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walkers[JC_MAX_BODIES];
	struct jc_recorder_state told = { .dropped = 0 };
	struct harvest harvest;
	uint64_t put = 1;
	uv_sem_t released;
	uint32_t tick = BEGIN;

	for (size_t i = 0; i < JC_MAX_BODIES; i++) {
		walkers[i] = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	}
	assert_int_equal(uv_sem_init(&released, 0), 0);
	rig->disk.released = &released;
	begin(rig, &settings);
	/* The writer waits for the disk with what it has taken. */
	put_pose(walkers[0], tick);
	for (; tick < BEGIN + 2 * TICKS; tick++) {
		jc_space_tick(rig->space, tick);
		uv_run(&rig->loop, UV_RUN_NOWAIT);
	}
	/* Markers fill most of the backlog: captures alone would take half a minute. */
	for (int i = 0; i < 63; i++) {
		mark(rig, JC_MAX_RECORD_BACKLOG / 64);
	}
	/* Each tick brings as much as may come between two, until too much waits. */
	for (; tick < END && told.dropped == 0; tick++) {
		struct jc_capture capture = { .time_us = 0 };
		uint8_t bytes[JC_CAPTURE_BYTES];
		struct jc_pose pose;

		jc_pose_init(&pose);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			pose.states[bone] = JC_TRACKED;
		}
		for (int64_t k = 0; k < JC_MAX_INTAKE_CAPTURES; k++) {
			capture.time_us = tick_ns(tick) / 1000 - 2000 + k;
			int length = jc_pose_encode(&capture, &pose, bytes, sizeof(bytes));

			for (size_t i = 0; i < JC_MAX_BODIES; i++) {
				jc_publisher_source_put(
					walkers[i], bytes, (size_t)length, tick_ns(tick));
				put++;
			}
		}
		jc_space_tick(rig->space, tick);
		uv_run(&rig->loop, UV_RUN_NOWAIT);
		jc_recorder_report(rig->recorder, &told);
	}
	assert_true(told.dropped > 0);
	uv_sem_post(&released);
	/* The messages after it are complete again. */
	uv_run(&rig->loop, UV_RUN_DEFAULT);
	put_pose(walkers[0], tick + TICKS);
	jc_space_tick(rig->space, tick + TICKS);
	put++;
	end(rig);
	uv_sem_destroy(&released);
	harvest_reap(rig->folder, &harvest);
	assert_int_equal(harvest.dropped, rig->last.dropped);
	assert_int_equal(harvest_sum(&harvest) + harvest.dropped, put);
	assert_int_equal(harvest.captures[tick + TICKS - BEGIN], 1);
}

static unsigned count_syncs(struct rig *rig, enum jc_record_sync sync)
{
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walker = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	struct harvest harvest;

	settings.sync = sync;
	settings.split_s = 4;
	begin(rig, &settings);
	run(rig, walker, BEGIN, END);
	end(rig);
	harvest_reap(rig->folder, &harvest);
	assert_int_equal(harvest.files, SECONDS / 4);
	return rig->disk.syncs;
}

static void syncs_the_file_every_second(void **state)
{
	/* And once for each file that ends. */
	assert_in_range(count_syncs(*state, JC_RECORD_SYNC_SECOND), SECONDS - 1, SECONDS + 5);
}

static void syncs_only_at_the_end_of_a_file_if_configured(void **state)
{
	assert_int_equal(count_syncs(*state, JC_RECORD_SYNC_CLOSE), SECONDS / 4);
}

static void never_syncs_if_configured(void **state)
{
	assert_int_equal(count_syncs(*state, JC_RECORD_SYNC_NEVER), 0);
}

static void counts_a_marker_that_the_backlog_refuses(void **state)
{
	struct rig *rig = *state;
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_recorder_state recorded;

	begin(rig, &settings);
	mark(rig, JC_MAX_RECORD_BACKLOG + 1);
	jc_recorder_report(rig->recorder, &recorded);
	assert_int_equal(recorded.dropped, 1);
	end(rig);
	assert_int_equal(rig->last.dropped, 1);
}

static void marker_has_its_own_time(void **state)
{
	struct rig *rig = *state;
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walker = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	struct harvest harvest;

	begin(rig, &settings);
	run(rig, walker, BEGIN, BEGIN + TICKS);
	jc_recorder_mark(rig->recorder, "now", tick_ns(BEGIN + TICKS) - 5000000);
	run(rig, walker, BEGIN + TICKS, BEGIN + 2 * TICKS);
	end(rig);
	harvest_reap(rig->folder, &harvest);
	assert_int_equal(harvest.markers, 1);
	assert_int_equal(harvest.marker_us, tick_ns(BEGIN + TICKS) / 1000 - 5000);
}

/* Foxglove finds bodies in every part. */
static void every_file_contains_transforms_and_scene(void **state)
{
	struct rig *rig = *state;
	struct jc_record_settings settings = JC_RECORD_DEFAULTS;
	struct jc_source *walker = publish(rig, JC_CAPTURE_POSE, 0, NULL);
	char pattern[96];
	glob_t found;

	settings.split_s = 1;
	begin(rig, &settings);
	run(rig, walker, BEGIN, BEGIN + 3 * TICKS);
	end(rig);
	snprintf(pattern, sizeof(pattern), "%s/*.mcap", rig->folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 3);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct jc_diagnostic diagnostic;
		struct jc_mcap_index *index;
		struct harvest_file opened;
		size_t found_topics = 0;

		harvest_open(&opened, found.gl_pathv[i]);
		assert_int_equal(jc_mcap_index_read(&opened.input, &index, &diagnostic), JC_OK);
		for (size_t k = 0; k < index->channel_count; k++) {
			const struct jc_mcap_slice *topic = &index->channels[k].topic;

			found_topics += jc_mcap_equal(*topic, jc_mcap_text("/lobby/transforms"));
			found_topics += jc_mcap_equal(*topic, jc_mcap_text("/lobby/scene"));
		}
		assert_int_equal(found_topics, 2);
		jc_mcap_index_destroy(index);
		harvest_close(&opened);
	}
	globfree(&found);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(loses_no_tick_between_files),
		TEST(no_file_has_more_bodies_than_readers_accept),
		TEST(no_file_has_more_rosters_than_readers_accept),
		TEST(counts_and_reports_writes_refused_by_a_full_disk),
		TEST(slow_disk_drops_captures_and_no_ticks),
		TEST(syncs_the_file_every_second),
		TEST(syncs_only_at_the_end_of_a_file_if_configured),
		TEST(never_syncs_if_configured),
		TEST(marker_has_its_own_time),
		TEST(counts_a_marker_that_the_backlog_refuses),
		TEST(every_file_contains_transforms_and_scene),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
