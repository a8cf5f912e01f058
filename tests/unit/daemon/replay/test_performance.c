/* Tests that recordings preserve a motion: a BVH file is played in a space, recorded, replayed,
 * recorded again and written as BVH; every bone has its original rotation within 0.02 degrees.
 * Public files are read from JOINTCAST_DATA, or from ../shared/data beside the project. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "jointcast/recording_reader.h"
#include "jointcast/write.h"
#include "nobody.h"
#include "reference.h"
#include "replay/replay.h"
#include "source/motion_source.h"
#include "tape.h"
#include "unit_test.h"

#define TICKS    60
#define BEGIN    600 /* the first tick */
#define FRAMES   600 /* at most */
#define DEGREES  0.02
#define MOVED_BY 5.0 /* degrees, of some bone: else there is nothing to lose */

struct house {
	struct jc_distribution distribution;
	struct jc_space *space;
	struct jc_skeleton_table skeleton_table;
	struct tape tape;
};

static void open_house(struct house *house)
{
	struct jc_diagnostic diagnostic;
	struct jc_space_options options = {
		.name = "lobby", .id = 1, .hz = TICKS, .distribution = &house->distribution
	};

	*house = (struct house){ .distribution.ops = &nobody };
	assert_int_equal(jc_skeleton_table_init(&house->skeleton_table, &diagnostic), JC_OK);
	assert_int_equal(jc_space_create(&options, &house->space), JC_OK);
	tape_begin(&house->tape, house->space, false);
}

static void run(struct house *house, size_t frames)
{
	for (uint32_t tick = BEGIN; tick < BEGIN + frames; tick++) {
		jc_space_tick(house->space, tick);
		tape_turn(&house->tape);
	}
	tape_end(&house->tape);
}

static void close_house(struct house *house)
{
	jc_space_destroy(house->space);
	jc_skeleton_table_finish(&house->skeleton_table);
}

static void perform(struct house *house, struct jc_motion *motion, size_t frames)
{
	const struct jc_motion_source_options options = {
		.speed = 1.0, .start_ns = jc_tick_time_ns(0, TICKS, BEGIN), .recorded = true
	};
	struct jc_source *source;

	open_house(house);
	assert_int_equal(jc_motion_source_create(motion, &options, &source), JC_OK);
	assert_int_equal(
		jc_space_add(house->space, "performer", house->skeleton_table.humanoid, source),
		JC_OK);
	run(house, frames);
}

static void perform_again(struct house *house, const char *path, size_t frames)
{
	static const struct jc_body_names names;
	const struct jc_replay_options options = {
		.names = &names, .until = JC_LIMIT_BODY_TIME, .speed = 1.0
	};
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_replay_file *file;
	struct jc_replay *replay;

	open_house(house);
	assert_int_equal(jc_replay_file_open(path, &file, &diagnostic), JC_OK);
	assert_int_equal(jc_replay_create(&options, file, house->space, &house->skeleton_table,
				 NULL, &replay, &diagnostic),
		JC_OK);
	run(house, frames);
}

static char *read_file(const char *path, size_t *out_length)
{
	FILE *file = fopen(path, "rb");
	char *bytes;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*out_length = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*out_length + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *out_length, file), *out_length);
	fclose(file);
	return bytes;
}

static void clip_pose(void *context, size_t index, struct jc_pose *out_pose)
{
	jc_motion_pose(context, (double)index / TICKS, out_pose);
}

static void write_bvh(struct jc_motion *motion, const struct jc_skeleton *skeleton, size_t frames,
	struct jc_written *out_file)
{
	struct jc_clip clip = { .motion = motion,
		.skeleton = skeleton,
		.frame_count = frames,
		.frame_seconds = 1.0 / TICKS,
		.pose = clip_pose,
		.context = motion };
	struct jc_diagnostic diagnostic;
	struct jc_lint lint = { 0 };

	assert_int_equal(jc_write_bvh(&clip, out_file, &lint, &diagnostic), JC_OK);
}

/* The greatest difference of a bone that the original has; *out_moved: how far one of
 * these turns from where it began. */
static double compare(const struct jc_motion *original, const struct jc_motion *back, size_t frames,
	double *out_moved)
{
	double step = jc_motion_info(back)->duration / (double)(frames - 1);
	struct jc_pose first, was, is;
	double worst = 0.0;

	*out_moved = 0.0;
	jc_motion_pose(original, 0.0, &first);
	for (size_t i = 0; i < frames; i++) {
		jc_motion_pose(original, (double)i / TICKS, &was);
		jc_motion_pose(back, (double)i * step, &is);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			if (was.states[bone] == JC_ABSENT) {
				continue;
			}
			worst = fmax(
				worst, degrees_between(was.rotations[bone], is.rotations[bone]));
			*out_moved = fmax(*out_moved,
				degrees_between(was.rotations[bone], first.rotations[bone]));
		}
	}
	return worst;
}

/* Returns the angle by which some bone turned, NaN if the file is not a motion. */
static double check(const char *name, const char *bytes, size_t length)
{
	struct jc_motion *original, *played, *again, *back;
	struct jc_diagnostic diagnostic = { 0 };
	struct house live, replayed;
	struct jc_written bvh;
	double moved;

	if (jc_motion_read(bytes, length, 0, NULL, &original, NULL, &diagnostic) != JC_OK) {
		return NAN;
	}
	size_t frames = (size_t)floor(jc_motion_info(original)->duration * TICKS) + 1;

	frames = frames > FRAMES ? FRAMES : frames;
	if (frames < 2) {
		jc_motion_destroy(original);
		return NAN;
	}
	assert_int_equal(jc_motion_read(bytes, length, 0, NULL, &played, NULL, &diagnostic), JC_OK);
	perform(&live, played, frames);
	perform_again(&replayed, live.tape.path, frames);
	char *tape = read_file(replayed.tape.path, &length);

	assert_int_equal(
		jc_recording_read_motion(tape, length, 0, NULL, &again, NULL, &diagnostic), JC_OK);
	assert_float_equal(jc_motion_info(again)->duration, (double)(frames - 1) / TICKS, 0.001);
	write_bvh(again, live.skeleton_table.humanoid->skeleton, frames, &bvh);
	assert_int_equal(
		jc_motion_read(bvh.bytes, bvh.length, 0, NULL, &back, NULL, &diagnostic), JC_OK);
	double worst = compare(original, back, frames, &moved);

	print_message("%s: %zu frames, %.4f degrees at most\n", name, frames, worst);
	assert_true(worst < DEGREES);
	free(tape);
	free(bvh.bytes);
	jc_motion_destroy(back);
	jc_motion_destroy(again);
	jc_motion_destroy(original);
	tape_remove(&live.tape);
	tape_remove(&replayed.tape);
	close_house(&live);
	close_house(&replayed);
	return moved;
}

static void recording_restores_a_demo_motion(void **)
{
	const char *const *name = jc_motion_demo_names();
	struct jc_skeleton_table skeleton_table;
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_skeleton_table_init(&skeleton_table, &diagnostic), JC_OK);
	for (; *name; name++) {
		struct jc_motion *motion;
		struct jc_written bvh;

		assert_int_equal(jc_motion_create_demo(*name, &motion, &diagnostic), JC_OK);
		write_bvh(motion, skeleton_table.humanoid->skeleton, 5 * TICKS, &bvh);
		/* Even who stands about breathes. */
		assert_true(check(*name, bvh.bytes, bvh.length) > 0.5);
		free(bvh.bytes);
		jc_motion_destroy(motion);
	}
	jc_skeleton_table_finish(&skeleton_table);
}

static void recording_restores_public_motions(void **)
{
	const char *data = getenv("JOINTCAST_DATA");
	char pattern[4096];
	size_t count = 0;
	size_t moving = 0;
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/bvh/*.bvh", data ? data : JC_DATA_FOLDER);
	if (glob(pattern, 0, NULL, &files) != 0) {
		print_message("no motions of others here: set JOINTCAST_DATA\n");
		skip();
	}
	for (size_t i = 0; i < files.gl_pathc; i++) {
		size_t length;
		char *bytes = read_file(files.gl_pathv[i], &length);
		double moved = check(strrchr(files.gl_pathv[i], '/') + 1, bytes, length);

		count += moved >= 0.0;
		moving += moved > MOVED_BY;
		free(bytes);
	}
	globfree(&files);
	assert_true(count >= 8 && moving >= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recording_restores_a_demo_motion),
		cmocka_unit_test(recording_restores_public_motions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
