/* Tests the list of a folder of recordings. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jointcast/recording.h"
#include "replay/replay_folder.h"
#include "unit_test.h"

struct scene {
	char path[64];
	struct jc_replay_folder folder;
	struct jc_diagnostic diagnostic;
};

static int setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	strcpy(scene->path, "/tmp/jointcast-folder-XXXXXX");
	assert_non_null(mkdtemp(scene->path));
	*state = scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;
	char command[128];

	jc_replay_folder_finish(&scene->folder);
	snprintf(command, sizeof(command), "rm -rf '%s'", scene->path);
	assert_int_equal(system(command), 0);
	free(scene);
	return 0;
}

static void name_file(const struct scene *scene, const char *name, char out_path[512])
{
	snprintf(out_path, 512, "%s/%s", scene->path, name);
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	return fwrite(bytes, 1, length, context) == length ? JC_OK : JC_ERROR_SPACE;
}

/* A recording of that space, so many seconds long, written at that time. */
static void put(const struct scene *scene, const char *name, const char *space, int64_t seconds,
	int64_t changed_s)
{
	struct jc_recording_options options = {
		.library = "tests", .space = space, .epoch = "1", .tick_hz = 60
	};
	const struct timespec times[2] = { { .tv_sec = changed_s }, { .tv_sec = changed_s } };
	const struct jc_recorded_body body = {
		.id = 1, .name = "Ada", .recorded = JC_RECORDED_ANONYMOUS, .skeleton = ""
	};
	static const uint8_t bytes[18] = { 0x41 };
	const struct jc_recorded_capture capture = { 1, bytes, sizeof(bytes) };
	struct jc_recording_writer *writer;
	struct jc_mcap_sink sink = { write_bytes, NULL };
	char path[512];

	name_file(scene, name, path);
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	sink.context = file;
	assert_int_equal(jc_recording_create(&options, 0, &sink, &writer), JC_OK);
	assert_int_equal(jc_recording_write_roster(writer, 0, 1, &body, 1), JC_OK);
	assert_int_equal(jc_recording_write_captures(writer, 0, 1, &capture, 1), JC_OK);
	assert_int_equal(
		jc_recording_write_event(writer, seconds * 1000000, "marker", "the end", 0, 0),
		JC_OK);
	assert_int_equal(jc_recording_end(writer), JC_OK);
	jc_recording_destroy(writer);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void look(struct scene *scene)
{
	jc_replay_folder_finish(&scene->folder);
	assert_int_equal(
		jc_replay_folder_read(scene->path, &scene->folder, &scene->diagnostic), JC_OK);
}

static void lists_recordings_newest_first_with_space_and_length(void **state)
{
	struct scene *scene = *state;
	const struct jc_replay_entry *entries;
	struct stat status;
	char path[512];

	put(scene, "old.mcap", "attic", 7, 1000);
	put(scene, "new.mcap", "lobby", 3, 3000);
	put(scene, "\xc3\xa9t\xc3\xa9 2026.mcap", "lobby", 5, 2000);
	look(scene);
	entries = scene->folder.entries;
	assert_int_equal(scene->folder.count, 3);
	assert_string_equal(entries[0].name, "new.mcap");
	assert_string_equal(entries[0].space, "lobby");
	assert_true(entries[0].seconds == 3.0);
	assert_int_equal(entries[0].changed_s, 3000);
	name_file(scene, "new.mcap", path);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(entries[0].bytes, status.st_size);
	assert_string_equal(entries[1].name, "\xc3\xa9t\xc3\xa9 2026.mcap");
	assert_string_equal(entries[2].name, "old.mcap");
	assert_string_equal(entries[2].space, "attic");
	assert_true(entries[2].seconds == 7.0);
}

static void omits_files_that_are_not_recordings(void **state)
{
	struct scene *scene = *state;
	char path[512], link[512];
	FILE *file;

	put(scene, "good.mcap", "lobby", 1, 1);
	put(scene, "writing.mcap.part", "lobby", 1, 2);
	put(scene, ".hidden.mcap", "lobby", 1, 3);
	put(scene, "torn.mcap", "lobby", 1, 4);
	name_file(scene, "torn.mcap", path);
	assert_int_equal(truncate(path, 100), 0);
	name_file(scene, "text.mcap", path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs("a text", file) >= 0);
	assert_int_equal(fclose(file), 0);
	name_file(scene, "folder.mcap", path);
	assert_int_equal(mkdir(path, 0700), 0);
	name_file(scene, "pipe.mcap", path);
	assert_int_equal(mkfifo(path, 0600), 0);
	name_file(scene, "good.mcap", path);
	name_file(scene, "link.mcap", link);
	assert_int_equal(symlink(path, link), 0);
	look(scene);
	assert_int_equal(scene->folder.count, 1);
	assert_string_equal(scene->folder.entries[0].name, "good.mcap");
}

static void opens_regular_files_only(void **state)
{
	struct scene *scene = *state;
	struct jc_replay_file *file;
	char path[512], link[512];

	put(scene, "good.mcap", "lobby", 1, 1);
	assert_int_equal(
		jc_replay_folder_open(scene->path, "good.mcap", &file, &scene->diagnostic), JC_OK);
	assert_string_equal(jc_replay_file_name(file), "good.mcap");
	jc_replay_file_close(file);
	name_file(scene, "good.mcap", path);
	name_file(scene, "link.mcap", link);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(jc_replay_folder_open(scene->path, "link.mcap", &file, &scene->diagnostic),
		JC_ERROR_ABSENT);
	assert_string_equal(scene->diagnostic.what, "is a symbolic link");
	name_file(scene, "pipe.mcap", path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(jc_replay_folder_open(scene->path, "pipe.mcap", &file, &scene->diagnostic),
		JC_ERROR_INVALID);
	assert_string_equal(scene->diagnostic.what, "is not a regular file");
}

static void lists_only_the_newest_of_too_many_recordings(void **state)
{
	struct scene *scene = *state;
	char name[64];

	for (int i = 0; i < (int)JC_MAX_REPLAY_ENTRIES + 20; i++) {
		snprintf(name, sizeof(name), "%d.mcap", i);
		put(scene, name, "lobby", 1, 1000 + (i * 7919) % 5000);
	}
	look(scene);
	assert_int_equal(scene->folder.count, JC_MAX_REPLAY_ENTRIES);
	for (size_t i = 1; i < scene->folder.count; i++) {
		assert_true(scene->folder.entries[i - 1].changed_s >=
			    scene->folder.entries[i].changed_s);
	}
	put(scene, "last.mcap", "lobby", 1, 9000);
	look(scene);
	assert_string_equal(scene->folder.entries[0].name, "last.mcap");
}

static void empty_folder_lists_nothing_and_missing_folder_is_an_error(void **state)
{
	struct scene *scene = *state;

	look(scene);
	assert_int_equal(scene->folder.count, 0);
	assert_int_equal(
		jc_replay_folder_read("/nowhere/at/all", &scene->folder, &scene->diagnostic),
		JC_ERROR_ABSENT);
	assert_string_equal(scene->diagnostic.what,
		"the folder of recordings cannot be read: No such file or directory");
}

static void rejects_names_that_leave_the_folder(void **)
{
	static const char *const good[] = { "a.mcap", "x y.mcap", "\xc3\xa9.mcap", "a..mcap" };
	static const char *const bad[] = { "", ".mcap", "a", "a.mcap.part", "../a.mcap", "b/a.mcap",
		".a.mcap", "/a.mcap", "a.MCAP" };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(jc_replay_is_name(good[i]));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(jc_replay_is_name(bad[i]));
	}
	assert_false(jc_replay_is_name(NULL));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(lists_recordings_newest_first_with_space_and_length),
		TEST(omits_files_that_are_not_recordings),
		TEST(opens_regular_files_only),
		TEST(lists_only_the_newest_of_too_many_recordings),
		TEST(empty_folder_lists_nothing_and_missing_folder_is_an_error),
		TEST(rejects_names_that_leave_the_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
