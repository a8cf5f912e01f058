/* How long a jump in an hour takes: from the wish to where every body stands, on the loop
 * that replays, pages read by its pool.
 *
 * usage: seek [FILE.mcap], which is made, four bodies at 60 Hz, where it is not there */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ticker.h"
#include "jointcast/motion.h"
#include "nobody.h"
#include "replay/replay_cursor.h"

#define TICKS   60
#define SECONDS 3600
#define BODIES  4
#define JUMPS   1000

static void die(const char *what, const char *why)
{
	fprintf(stderr, "seek: %s: %s\n", what, why);
	exit(1);
}

static int write_file(void *context, const void *bytes, size_t length)
{
	return fwrite(bytes, 1, length, context) == length ? JC_OK : JC_ERROR_SPACE;
}

/* The capture of a body at a tick: its own part of the walk. */
static size_t capture(const struct jc_motion *motion, unsigned body, uint32_t tick, uint8_t *bytes)
{
	double duration = jc_motion_info(motion)->duration;
	double t = (double)tick / TICKS + 0.37 * body;
	struct jc_capture at = { .time_us = jc_tick_time_ns(0, TICKS, tick) / 1000 };
	struct jc_pose pose;

	jc_motion_pose(motion, t - duration * (double)(uint64_t)(t / duration), &pose);
	return (size_t)jc_pose_encode(&at, &pose, bytes, JC_CAPTURE_BYTES);
}

static void write_hour(struct jc_recording_writer *writer, const struct jc_motion *motion)
{
	static const char *const names[BODIES] = { "one", "two", "three", "four" };
	static uint8_t bytes[BODIES][JC_CAPTURE_BYTES];
	struct jc_recorded_body bodies[BODIES];
	struct jc_recorded_capture captures[BODIES];

	for (unsigned i = 0; i < BODIES; i++) {
		bodies[i] = (struct jc_recorded_body){ .id = i + 1,
			.name = names[i],
			.recorded = JC_RECORDED_RAW,
			.kind = JC_CAPTURE_POSE,
			.skeleton = "",
			.placement.position.x = (float)i };
	}
	jc_recording_write_roster(writer, 0, 1, bodies, BODIES);
	for (uint32_t tick = 0; tick < SECONDS * TICKS; tick++) {
		for (unsigned i = 0; i < BODIES; i++) {
			captures[i] = (struct jc_recorded_capture){ i + 1, bytes[i],
				capture(motion, i, tick, bytes[i]) };
		}
		jc_recording_write_captures(
			writer, jc_tick_time_ns(0, TICKS, tick) / 1000, tick, captures, BODIES);
	}
}

static void make_hour(const char *path)
{
	struct jc_recording_options options = {
		.library = "seek", .space = "lobby", .epoch = "1", .tick_hz = TICKS
	};
	FILE *file = fopen(path, "wb");
	struct jc_mcap_sink sink = { write_file, file };
	struct jc_recording_writer *writer;
	struct jc_motion *motion;

	if (!file || jc_motion_create_demo("walk", &motion, NULL) != JC_OK ||
		jc_recording_create(&options, 0, &sink, &writer) != JC_OK) {
		die(path, strerror(errno));
	}
	write_hour(writer, motion);
	if (jc_recording_end(writer) != JC_OK || fclose(file) != 0) {
		die(path, strerror(errno));
	}
	jc_recording_destroy(writer);
	jc_motion_destroy(motion);
}

static double jump(struct jc_replay_cursor *reel, uv_loop_t *loop, int64_t target_us)
{
	int64_t begun_ns = jc_clock_now_ns();

	while (!jc_replay_cursor_settle(reel, target_us)) {
		uv_run(loop, UV_RUN_ONCE);
	}
	return (double)(jc_clock_now_ns() - begun_ns) * 1e-6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* cold: the system has forgotten the file before each jump. */
static void measure(struct jc_replay_cursor *reel, uv_loop_t *loop, const char *path, bool cold)
{
	static double spent[JUMPS];
	uint64_t seed = 2026;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < JUMPS; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		if (cold) {
			posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		}
		spent[i] = jump(reel, loop, (int64_t)((seed >> 16) % (SECONDS * 1000000ull)));
	}
	close(fd);
	qsort(spent, JUMPS, sizeof(spent[0]), compare);
	printf("%s: %u jumps, median %.2f ms, p99 %.2f ms, most %.2f ms\n",
		cold ? "from the disk" : "from memory", JUMPS, spent[JUMPS / 2],
		spent[JUMPS * 99 / 100], spent[JUMPS - 1]);
}

static void run(const char *path)
{
	static const struct jc_body_names names;
	struct jc_distribution distribution = { .ops = &nobody };
	struct jc_space_options options = {
		.name = "lobby", .id = 1, .hz = TICKS, .distribution = &distribution
	};
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton_table skeleton_table;
	struct jc_replay_cursor reel = { .cast = { .names = &names,
						 .skeleton_table = &skeleton_table } };
	uv_loop_t loop;
	int64_t begun_ns = jc_clock_now_ns();

	uv_loop_init(&loop);
	if (jc_replay_file_open(path, &reel.file, &diagnostic) != JC_OK ||
		jc_skeleton_table_init(&skeleton_table, &diagnostic) != JC_OK ||
		jc_space_create(&options, &reel.cast.space) != JC_OK) {
		die(path, diagnostic.what);
	}
	printf("open: %.2f ms\n", (double)(jc_clock_now_ns() - begun_ns) * 1e-6);
	reel.recording = jc_replay_file_recording(reel.file);
	jc_replay_file_attach(reel.file, &loop, NULL);
	measure(&reel, &loop, path, true);
	measure(&reel, &loop, path, false);
	jc_replay_roster_clear(&reel.cast);
	jc_replay_file_close(reel.file);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	jc_space_destroy(reel.cast.space);
	jc_skeleton_table_finish(&skeleton_table);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "hour.mcap";

	if (argc > 2) {
		fprintf(stderr, "usage: seek [FILE.mcap]\n");
		return 2;
	}
	if (access(path, R_OK) != 0) {
		make_hour(path);
	}
	run(path);
	return 0;
}
