/* Tests the file of sanctions: waits end when it is written, and a disk that fails for a while
 * loses nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "moderation/moderation.h"
#include "moderation/sanction_file.h"
#include "unit_test.h"

#define HOUR_MS 3600000u
#define MOST    (JC_MAX_MODERATION_REQUESTS_WAITING + 1)

struct waiter {
	struct jc_state_wait wait;
	unsigned ended; /* how often */
	unsigned turn;  /* of all ended waits, from 1 */
	bool is_stored;
};

static struct {
	uv_loop_t loop;
	struct jc_log log;
	char folder[64], state[80], path[112];
	struct jc_moderation *moderation;
	unsigned ended, errors, notes; /* waits, and log lines */
	char error[256];               /* the last of them */
	struct waiter waiters[MOST];
} fixture;

static bool on_line(enum jc_log_level level, const char *text, const struct jc_log_about *about)
{
	(void)about;
	if (level == JC_LOG_ERROR) {
		fixture.errors++;
		snprintf(fixture.error, sizeof(fixture.error), "%s", text);
	} else {
		fixture.notes++;
	}
	return true;
}

static int setup(void **)
{
	memset(&fixture, 0, sizeof(fixture));
	strcpy(fixture.folder, "/tmp/jointcast-moderation-XXXXXX");
	if (!mkdtemp(fixture.folder)) {
		return -1;
	}
	snprintf(fixture.state, sizeof(fixture.state), "%s/state", fixture.folder);
	snprintf(fixture.path, sizeof(fixture.path), "%s/sanctions.json", fixture.state);
	jc_log_init(&fixture.log, -1, NULL);
	fixture.log.send = on_line;
	return uv_loop_init(&fixture.loop);
}

static int teardown(void **)
{
	char command[128];

	jc_moderation_destroy(fixture.moderation);
	snprintf(command, sizeof(command), "rm -r '%s'", fixture.folder);
	return uv_loop_close(&fixture.loop) || system(command);
}

static void open_moderation(const char *state, uint64_t retry_ms)
{
	const struct jc_moderation_options options = {
		.loop = &fixture.loop, .log = &fixture.log, .state = state, .retry_ms = retry_ms
	};
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_moderation_create(&options, &fixture.moderation, &diagnostic), JC_OK);
}

/* A file in place of the state directory: not even root can write into it. */
static void break_disk(void)
{
	FILE *file = fopen(fixture.state, "w");

	assert_non_null(file);
	fclose(file);
}

static void mend_disk(void)
{
	assert_int_equal(unlink(fixture.state), 0);
}

static void ban(const char *who)
{
	struct jc_sanction sanction = { .kind = JC_SANCTION_BAN, .until_s = INT64_MAX };

	strcpy(sanction.space, "lobby");
	strcpy(sanction.by, "subject mia");
	snprintf(sanction.who, sizeof(sanction.who), "%s", who);
	assert_int_equal(
		jc_sanctions_put(jc_moderation_sanctions(fixture.moderation), &sanction), JC_OK);
	jc_moderation_save(fixture.moderation);
}

static void on_done(struct jc_state_wait *wait, bool is_stored)
{
	struct waiter *waiter = (struct waiter *)wait;

	waiter->ended++;
	waiter->turn = ++fixture.ended;
	waiter->is_stored = is_stored;
}

static struct waiter *await(size_t i)
{
	fixture.waiters[i].wait = (struct jc_state_wait){ .asker = i + 1, .done = on_done };
	jc_moderation_await(fixture.moderation, &fixture.waiters[i].wait);
	return &fixture.waiters[i];
}

/* The number of sanctions that the next run reads from the file. */
static size_t count_kept(void)
{
	struct jc_sanctions sanctions = { 0 };
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_sanction_file_read(fixture.path, &sanctions, &diagnostic), JC_OK);

	size_t count = sanctions.count;

	jc_sanctions_finish(&sanctions);
	return count;
}

static void run_until_ended(unsigned count)
{
	while (fixture.ended < count) {
		uv_run(&fixture.loop, UV_RUN_ONCE);
	}
}

static void stop(void)
{
	jc_moderation_stop(fixture.moderation);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
}

static void wait_ends_when_the_file_has_its_sanction(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	ban("subject eve");
	const struct waiter *first = await(0);

	assert_int_equal(first->ended, 0);
	assert_true(jc_moderation_is_awaited(fixture.moderation, 1));
	assert_false(jc_moderation_is_awaited(fixture.moderation, 2));
	run_until_ended(1);
	assert_true(first->is_stored);
	assert_false(jc_moderation_is_awaited(fixture.moderation, 1));
	assert_int_equal(count_kept(), 1);
	stop();
	assert_int_equal(first->ended, 1);
	assert_int_equal(fixture.errors + fixture.notes, 0);
}

static void changes_during_a_write_share_the_next_write(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	for (size_t i = 0; i < 5; i++) {
		char who[32];

		snprintf(who, sizeof(who), "subject %zu", i);
		ban(who);
		await(i);
	}
	run_until_ended(1);
	assert_int_equal(fixture.ended, 1); /* the write began with the first sanction only */
	run_until_ended(2);
	assert_int_equal(fixture.ended, 5);
	assert_int_equal(count_kept(), 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(fixture.waiters[i].turn, i + 1);
		assert_true(fixture.waiters[i].is_stored);
	}
	stop();
}

static void failed_write_is_reported_and_repeated_until_it_succeeds(void **)
{
	open_moderation(fixture.state, 1);
	break_disk();
	ban("subject eve");
	const struct waiter *first = await(0);

	run_until_ended(1);
	assert_false(first->is_stored);
	assert_non_null(jc_moderation_problem(fixture.moderation));
	assert_int_equal(fixture.errors, 1);
	/* Failed tries too: the timer fires and each write ends. */
	for (int i = 0; i < 10; i++) {
		uv_run(&fixture.loop, UV_RUN_ONCE);
	}
	assert_non_null(jc_moderation_problem(fixture.moderation));
	mend_disk();
	while (jc_moderation_problem(fixture.moderation)) {
		uv_run(&fixture.loop, UV_RUN_ONCE);
	}
	assert_int_equal(count_kept(), 1);
	assert_int_equal(fixture.errors, 1);
	assert_int_equal(fixture.notes, 1);
	assert_int_equal(first->ended, 1);
	stop();
}

static void another_sanction_is_written_before_the_next_try(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	break_disk();
	ban("subject eve");
	await(0);
	run_until_ended(1);
	mend_disk();
	ban("subject bob");
	const struct waiter *second = await(1);

	run_until_ended(2);
	assert_true(second->is_stored);
	assert_null(jc_moderation_problem(fixture.moderation));
	assert_int_equal(count_kept(), 2);
	stop();
}

static void stop_tries_once_more(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	break_disk();
	ban("subject eve");
	await(0);
	run_until_ended(1);
	mend_disk();
	stop();
	assert_int_equal(count_kept(), 1);
	assert_int_equal(fixture.errors, 1);
	assert_int_equal(fixture.notes, 1);
}

static void logs_sanctions_lost_at_the_end(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	break_disk();
	ban("subject eve");
	await(0);
	run_until_ended(1);
	assert_int_equal(fixture.errors, 1);
	stop();
	assert_int_equal(fixture.errors, 2);
	assert_non_null(strstr(fixture.error, "the newest sanctions are lost"));
}

static void writes_a_change_made_during_the_last_write(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	ban("subject eve");
	ban("subject bob");
	stop();
	assert_int_equal(count_kept(), 2);
}

static void too_many_waits_end_as_not_stored(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	ban("subject eve");
	for (size_t i = 0; i < JC_MAX_MODERATION_REQUESTS_WAITING; i++) {
		await(i);
	}
	assert_int_equal(fixture.ended, 0);
	await(JC_MAX_MODERATION_REQUESTS_WAITING);
	assert_int_equal(fixture.ended, JC_MAX_MODERATION_REQUESTS_WAITING + 1);
	for (size_t i = 0; i <= JC_MAX_MODERATION_REQUESTS_WAITING; i++) {
		assert_int_equal(fixture.waiters[i].turn, i + 1);
		assert_false(fixture.waiters[i].is_stored);
	}
	stop();
	assert_int_equal(fixture.ended, JC_MAX_MODERATION_REQUESTS_WAITING + 1);
	assert_int_equal(count_kept(), 1);
}

static bool is_writing(void)
{
	return fixture.loop.active_reqs.count > 0;
}

static void delays_a_change_until_the_pause_after_a_write_ends(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	ban("subject eve");
	assert_true(is_writing());
	await(0);
	run_until_ended(1);
	ban("subject bob");
	const struct waiter *second = await(1);

	assert_false(is_writing());
	run_until_ended(2);
	assert_true(second->is_stored);
	assert_int_equal(count_kept(), 2);
	stop();
}

static void stop_does_not_wait_for_the_pause(void **)
{
	open_moderation(fixture.state, HOUR_MS);
	ban("subject eve");
	await(0);
	run_until_ended(1);
	ban("subject bob");
	await(1);
	jc_moderation_stop(fixture.moderation);
	assert_true(is_writing());
	run_until_ended(2);
	assert_int_equal(count_kept(), 2);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
}

static void without_a_directory_there_is_no_file_and_no_error(void **)
{
	open_moderation(NULL, HOUR_MS);
	assert_false(jc_moderation_has_file(fixture.moderation));
	ban("subject eve");
	assert_null(jc_moderation_problem(fixture.moderation));
	stop();
	assert_int_equal(fixture.errors, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(wait_ends_when_the_file_has_its_sanction),
		CASE(changes_during_a_write_share_the_next_write),
		CASE(failed_write_is_reported_and_repeated_until_it_succeeds),
		CASE(another_sanction_is_written_before_the_next_try),
		CASE(stop_tries_once_more),
		CASE(logs_sanctions_lost_at_the_end),
		CASE(writes_a_change_made_during_the_last_write),
		CASE(too_many_waits_end_as_not_stored),
		CASE(delays_a_change_until_the_pause_after_a_write_ends),
		CASE(stop_does_not_wait_for_the_pause),
		CASE(without_a_directory_there_is_no_file_and_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
