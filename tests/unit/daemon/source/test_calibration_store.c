/* Tests calibrations on disk: writing, reading, undoing, and damage. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jointcast/transform.h"
#include "source/calibration_store.h"
#include "unit_test.h"

static int setup(void **state)
{
	static char folder[64];

	strcpy(folder, "/tmp/jointcast-calibration-XXXXXX");
	*state = mkdtemp(folder);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r '%s'", (const char *)*state);
	return system(command);
}

static const struct jc_tracker_roles no_trackers;

static struct jc_calibration make(float height)
{
	struct jc_calibration calibration = {
		.profile = JC_PROFILE_PICO, .pose = JC_CALIBRATION_I, .height = height
	};

	calibration.mounts[JC_JOINT_HIPS] = (struct jc_calibration_mount){ .is_set = true,
		.rotation = { 0.5f, -0.5f, 0.5f, 0.5f },
		.translation = { 0.125f, -0.0625f, 0.25f } };
	calibration.mounts[JC_JOINT_RIGHT_FOOT_ANKLE] =
		(struct jc_calibration_mount){ .is_set = true, .rotation = JC_QUAT_IDENTITY };
	return calibration;
}

static struct jc_calibration_record load(const char *folder, const char *name)
{
	struct jc_calibration_record record;
	struct jc_diagnostic diagnostic = { 0 };

	if (jc_calibration_store_load(folder, name, &record, &diagnostic) != JC_OK)
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	return record;
}

static void assert_calibration(const struct jc_calibration *is, float height)
{
	struct jc_calibration wanted = make(height);

	assert_int_equal(is->profile, JC_PROFILE_PICO);
	assert_int_equal(is->pose, JC_CALIBRATION_I);
	assert_true(is->height == height);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		assert_int_equal(is->mounts[joint].is_set, wanted.mounts[joint].is_set);
		if (wanted.mounts[joint].is_set) {
			assert_true(jc_quat_angle(is->mounts[joint].rotation,
					    wanted.mounts[joint].rotation) < 1e-6f);
			assert_true(is->mounts[joint].translation.x ==
				    wanted.mounts[joint].translation.x);
		}
	}
}

static void saved_calibration_reads_back_the_same(void **state)
{
	struct jc_calibration_record record = { 0 };
	struct jc_calibration first = make(1.5f);
	struct jc_calibration second = make(1.75f);

	assert_false(load(*state, "Ada").has_current);
	jc_calibration_record_push(&record, &first, &no_trackers);
	assert_int_equal(jc_calibration_store_save(*state, "Ada", &record, NULL), JC_OK);
	struct jc_calibration_record read = load(*state, "Ada");

	assert_true(read.has_current && read.has_before && read.before_is_none);
	assert_calibration(&read.current, 1.5f);
	jc_calibration_record_push(&read, &second, &no_trackers);
	assert_int_equal(jc_calibration_store_save(*state, "Ada", &read, NULL), JC_OK);
	read = load(*state, "Ada");
	assert_calibration(&read.current, 1.75f);
	assert_true(read.has_before && !read.before_is_none);
	assert_calibration(&read.before, 1.5f);
	assert_false(load(*state, "Bob").has_current);
}

static void each_calibration_is_undone_once(void **state)
{
	struct jc_calibration_record record = { 0 };
	struct jc_calibration first = make(1.5f);
	struct jc_calibration second = make(1.75f);

	assert_false(jc_calibration_record_undo(&record));
	jc_calibration_record_push(&record, &first, &no_trackers);
	assert_true(jc_calibration_record_undo(&record));
	assert_false(record.has_current);
	assert_false(jc_calibration_record_undo(&record));
	jc_calibration_record_push(&record, &first, &no_trackers);
	jc_calibration_record_push(&record, &second, &no_trackers);
	assert_true(jc_calibration_record_undo(&record));
	assert_calibration(&record.current, 1.5f);
	assert_int_equal(jc_calibration_store_save(*state, "Ada", &record, NULL), JC_OK);
	record = load(*state, "Ada");
	assert_true(record.has_current && !record.has_before);
}

static void files_of_any_name_stay_in_the_folder(void **state)
{
	static const char *const names[] = { "../../etc/passwd", ".", "a/b", "\xc3\xa9t\xc3\xa9",
		"con %2F", "%" };
	struct jc_calibration_record record = { 0 };
	struct jc_calibration calibration = make(1.5f);
	char folder[128];
	size_t count = 0;

	jc_calibration_record_push(&record, &calibration, &no_trackers);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(jc_calibration_store_save(*state, names[i], &record, NULL), JC_OK);
		assert_true(load(*state, names[i]).has_current);
	}
	snprintf(folder, sizeof(folder), "%s/calibration", (const char *)*state);
	DIR *listing = opendir(folder);

	assert_non_null(listing);
	for (struct dirent *entry; (entry = readdir(listing));)
		count += entry->d_name[0] != '.';
	closedir(listing);
	assert_int_equal(count, sizeof(names) / sizeof(names[0]));
}

#define HEAD "{\"jointcast\":\"calibration\",\"current\":{\"profile\":\"pico\",\"pose\":\"t\","

static void rejects_damaged_files(void **state)
{
	static const char *const damaged[] = { "", "{", "[]", "{}", "{\"jointcast\":\"motion\"}",
		"{\"jointcast\":\"calibration\",\"version\":2}",
		"{\"jointcast\":\"calibration\",\"version\":-1}",
		"{\"jointcast\":\"calibration\",\"current\":1}",
		"{\"jointcast\":\"calibration\",\"current\":{}}", HEAD "\"height\":1.7}}",
		HEAD "\"joints\":{}}}", HEAD "\"height\":9,\"joints\":{}}}",
		HEAD "\"height\":1.7,\"joints\":[]}}",
		HEAD "\"height\":1.7,\"joints\":{\"tail\":{\"rotation\":[0,0,0,1]}}}}",
		HEAD "\"height\":1.7,\"joints\":{\"hips\":1}}}",
		HEAD "\"height\":1.7,\"joints\":{\"hips\":{\"rotation\":[0,0,0]}}}}",
		HEAD "\"height\":1.7,\"joints\":{\"hips\":{\"rotation\":[0,0,0,2]}}}}",
		HEAD "\"height\":1.7,\"joints\":{\"hips\":{\"translation\":[0,0,0]}}}}",
		HEAD "\"height\":1.7,\"joints\":{\"hips\":{\"rotation\":[0,0,0,1],"
		     "\"translation\":[0,2,0]}}}}" };
	char path[128];

	snprintf(path, sizeof(path), "%s/calibration", (const char *)*state);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/Ada.json");
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		struct jc_calibration_record record;
		struct jc_diagnostic diagnostic = { 0 };
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		fputs(damaged[i], file);
		fclose(file);
		if (jc_calibration_store_load(*state, "Ada", &record, &diagnostic) == JC_OK)
			fail_msg("'%s' was taken", damaged[i]);
		assert_true(diagnostic.what[0] != '\0');
	}
}

#define MADE(height, more)                                                                         \
	"{\"profile\":\"pico\",\"pose\":\"t\",\"height\":" height ",\"joints\":{\"hips\":{"        \
	"\"rotation\":[0.6,0,0,0.8],\"translation\":[0,0.1,0]" more "}}" more "}"

static void assert_note(const char *text, const char *place, bool is_expected)
{
	const char *from = strstr(text, place);
	const char *end = from ? strstr(from, "\n }") : NULL;

	assert_non_null(end);
	const char *note = strstr(from, "\"note\": \"new\"");

	assert_int_equal(note && note < end, is_expected);
}

static void members_of_a_newer_version_stay_with_their_calibration(void **state)
{
	struct jc_calibration third = make(1.5f);
	char path[128];
	char text[4096] = "";

	snprintf(path, sizeof(path), "%s/calibration", (const char *)*state);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/Ada.json");
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("{\"jointcast\":\"calibration\",\"version\":1,\"room\":[1],\"current\":" MADE(
		      "1.7", ",\"note\":\"new\"") ",\"before\":" MADE("1.6", "") "}",
		file);
	fclose(file);
	struct jc_calibration_record record = load(*state, "Ada");

	/* What was current is then the one before. */
	jc_calibration_record_push(&record, &third, &no_trackers);
	assert_int_equal(jc_calibration_store_save(*state, "Ada", &record, NULL), JC_OK);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	assert_note(text, "\"current\"", false);
	assert_note(text, "\"before\"", true);
	assert_non_null(strstr(text, "\"room\""));
	assert_non_null(strstr(text, "\"version\": 1"));
	record = load(*state, "Ada");
	assert_calibration(&record.current, 1.5f);
	assert_true(record.before.height == 1.7f);
}

static void members_of_a_higher_version_do_not_stay(void **)
{
	static const char *const earlier[] = {
		"{\"jointcast\":\"calibration\",\"version\":2,\"room\":[1],\"before\":" MADE(
			"1.5", ",\"note\":\"new\"") "}",
		"{\"jointcast\":\"sanctions\",\"version\":1,\"room\":[1]}",
		"[\"room\"]",
		"room",
	};
	struct jc_calibration_record record = { 0 };
	struct jc_calibration calibration = make(1.5f);

	jc_calibration_record_push(&record, &calibration, &no_trackers);
	char *expected = jc_calibration_record_format(&record, NULL, 0);

	assert_non_null(expected);
	for (size_t i = 0; i < sizeof(earlier) / sizeof(earlier[0]); i++) {
		char *text = jc_calibration_record_format(&record, earlier[i], strlen(earlier[i]));

		assert_string_equal(text, expected);
		free(text);
	}
	free(expected);
}

static void roles_of_trackers_are_stored_and_undone_with_their_calibration(void **state)
{
	struct jc_calibration_record record = { 0 };
	struct jc_calibration calibration = make(1.5f);
	struct jc_tracker_roles feet = { 0 };
	struct jc_tracker_roles waist = { 0 };

	assert_true(jc_tracker_roles_add(&feet, "LHR-1", jc_tracker_role_find("left_foot")));
	assert_true(jc_tracker_roles_add(&feet, "LHR-2", jc_tracker_role_find("right_foot")));
	assert_true(jc_tracker_roles_add(&waist, "LHR-1", jc_tracker_role_find("waist")));
	jc_calibration_record_push(&record, &calibration, &feet);
	calibration.height = 1.6f;
	jc_calibration_record_push(&record, &calibration, &waist);
	assert_int_equal(jc_calibration_store_save(*state, "Ada", &record, NULL), JC_OK);
	record = load(*state, "Ada");
	assert_true(jc_tracker_roles_equal(&record.trackers, &waist));
	assert_true(jc_tracker_roles_equal(&record.trackers_before, &feet));
	assert_true(jc_calibration_record_undo(&record));
	assert_int_equal(jc_calibration_store_save(*state, "Ada", &record, NULL), JC_OK);
	record = load(*state, "Ada");
	assert_true(jc_tracker_roles_equal(&record.trackers, &feet));
	assert_int_equal(record.trackers_before.count, 0);
}

static void rejects_roles_that_no_calibration_has(void **)
{
	static const char *const wrong[] = {
		"[]", "{\"LHR-1\":\"tail\"}", "{\"LHR-1\":1}", "{\"\":\"waist\"}",
		"{\"a\":\"waist\",\"b\":\"waist\"}", "{\"a\":\"left_foot\",\"b\":\"left_ankle\"}",
		"{\"0123456789012345678901234567890123456789012345678901234567890123\":\"waist\"}"
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct jc_calibration_record record;
		struct jc_diagnostic diagnostic = { 0 };
		char text[1024];
		int length = snprintf(text, sizeof(text),
			"{\"jointcast\":\"calibration\",\"current\":{\"profile\":\"meta\",\"pose\":"
			"\"t\",\"height\":1.7,\"joints\":{},\"trackers\":%s}}",
			wrong[i]);

		assert_int_equal(
			jc_calibration_record_read(text, (size_t)length, &record, &diagnostic),
			JC_ERROR_INVALID);
		assert_string_equal(diagnostic.where, "current.trackers");
	}
}

static void reports_a_missing_folder(void **)
{
	struct jc_calibration_record record = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_calibration calibration = make(1.5f);

	jc_calibration_record_push(&record, &calibration, &no_trackers);
	assert_int_equal(jc_calibration_store_save("/nonexistent", "Ada", &record, &diagnostic),
		JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "/nonexistent/calibration");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(saved_calibration_reads_back_the_same),
		TEST(each_calibration_is_undone_once),
		TEST(files_of_any_name_stay_in_the_folder),
		TEST(rejects_damaged_files),
		TEST(members_of_a_newer_version_stay_with_their_calibration),
		TEST(members_of_a_higher_version_do_not_stay),
		TEST(roles_of_trackers_are_stored_and_undone_with_their_calibration),
		TEST(rejects_roles_that_no_calibration_has),
		TEST(reports_a_missing_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
