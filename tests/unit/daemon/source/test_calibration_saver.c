/* Tests saving calibrations on the thread pool: in order, also after their askers have ended. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/calibration_saver.h"
#include "unit_test.h"

static struct {
	uv_loop_t loop;
	struct jc_log log;
	char folder[64];
	struct jc_calibration_saver *saver;
	unsigned told; /* times */
	struct jc_calibration_saved last;
} fixture;

static void on_saved(const struct jc_calibration_saved *saved)
{
	fixture.told++;
	fixture.last = *saved;
}

static void open_saver(const char *state)
{
	const struct jc_calibration_saver_options options = {
		.loop = &fixture.loop, .log = &fixture.log, .state = state, .on_saved = on_saved
	};

	assert_int_equal(jc_calibration_saver_create(&options, &fixture.saver), JC_OK);
}

static int setup(void **)
{
	fixture.told = 0;
	strcpy(fixture.folder, "/tmp/jointcast-saver-XXXXXX");
	jc_log_init(&fixture.log, open("/dev/null", O_WRONLY | O_CLOEXEC), NULL);
	return mkdtemp(fixture.folder) ? uv_loop_init(&fixture.loop) : -1;
}

static int teardown(void **)
{
	char command[128];

	jc_calibration_saver_destroy(fixture.saver);
	close(fixture.log.fd);
	snprintf(command, sizeof(command), "rm -r '%s'", fixture.folder);
	return uv_loop_close(&fixture.loop) || system(command);
}

static void save(const char *name, float height, uint32_t body, void *asker)
{
	struct jc_calibration_record record = { .has_current = true };
	const struct jc_calibration_saved saved = {
		.asker = asker, .space = "lobby", .body = body, .state = "done"
	};

	record.current.height = height;
	jc_calibration_saver_save(fixture.saver, name, &record, &saved);
}

static float kept(const char *name)
{
	struct jc_calibration_record record;

	assert_int_equal(jc_calibration_store_load(fixture.folder, name, &record, NULL), JC_OK);
	return record.current.height;
}

static void later_calibration_of_a_body_replaces_the_earlier(void **)
{
	open_saver(fixture.folder);
	for (unsigned i = 0; i < 20; i++) {
		save("Ada", 1.5f + (float)i * 0.0625f, i, &fixture);
	}
	assert_int_equal(fixture.told, 0); /* the loop did not wait for the disk */
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture.told, 20);
	assert_int_equal(fixture.last.body, 19);
	assert_string_equal(fixture.last.space, "lobby");
	assert_string_equal(fixture.last.state, "done");
	assert_true(fixture.last.stored);
	assert_true(kept("Ada") == 1.5f + 19 * 0.0625f);
}

static void saves_without_answer_for_a_client_that_left(void **)
{
	int other;

	open_saver(fixture.folder);
	save("Ada", 1.5f, 1, &fixture);
	save("Bea", 1.75f, 2, &other);
	save("Cid", 2.0f, 3, &fixture);
	jc_calibration_saver_forget(fixture.saver, &fixture);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture.told, 1);
	assert_int_equal(fixture.last.body, 2);
	assert_true(kept("Ada") == 1.5f);
	assert_true(kept("Cid") == 2.0f);
}

static void saves_nothing_without_a_directory(void **)
{
	open_saver(NULL);
	save("Ada", 1.5f, 7, &fixture);
	assert_int_equal(fixture.told, 1);
	assert_int_equal(fixture.last.body, 7);
	assert_false(fixture.last.stored);
}

static void reports_a_failed_write(void **)
{
	open_saver("/nonexistent");
	save("Ada", 1.5f, 7, &fixture);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture.told, 1);
	assert_false(fixture.last.stored);
}

static void rejects_requests_beyond_the_queue_at_once(void **)
{
	open_saver(fixture.folder);
	for (unsigned i = 0; i < 33; i++) {
		save("Ada", 1.5f, i, &fixture);
	}
	assert_int_equal(fixture.told, 1);
	assert_int_equal(fixture.last.body, 32);
	assert_false(fixture.last.stored);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	assert_int_equal(fixture.told, 33);
	assert_true(fixture.last.stored);
}

#define WITH_SAVER(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SAVER(later_calibration_of_a_body_replaces_the_earlier),
		WITH_SAVER(saves_without_answer_for_a_client_that_left),
		WITH_SAVER(saves_nothing_without_a_directory),
		WITH_SAVER(reports_a_failed_write),
		WITH_SAVER(rejects_requests_beyond_the_queue_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
