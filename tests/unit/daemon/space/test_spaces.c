/* Tests several spaces with different rates, on times of the test. */
#include <stdio.h>
#include <stdlib.h>

#include "base/ticker.h"
#include "space/spaces.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

struct fixture {
	struct jc_spaces spaces;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(jc_spaces_init(&fixture->spaces, &diagnostic), JC_OK);
	/* The times of the tests are all in the past: nothing ticks before its time. */
	fixture->spaces.start_ns -= 1000 * SECOND;
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_spaces_finish(&fixture->spaces);
	free(fixture);
	return 0;
}

static struct jc_fanout *open_space(struct fixture *fixture, const char *name)
{
	struct jc_fanout *fanout;

	assert_int_equal(jc_spaces_open(&fixture->spaces, name, &fanout), JC_OK);
	fanout->next_tick = 10;
	return fanout;
}

static void counts_and_skips_missed_ticks(void **state)
{
	struct fixture *fixture = *state;
	struct jc_spaces *spaces = &fixture->spaces;
	struct jc_fanout *lobby = open_space(fixture, "lobby");
	const uint32_t first = 10;
	int64_t start = spaces->start_ns;

	/* Opened long before the first tick: nothing is missed yet. */
	jc_spaces_tick(spaces, jc_tick_time_ns(start, 60, first + 50));
	assert_int_equal(lobby->next_tick, first + 51);
	assert_int_equal(lobby->missed, 0);
	jc_spaces_tick(spaces, jc_tick_time_ns(start, 60, first + 51));
	assert_int_equal(lobby->missed, 0);
	jc_spaces_tick(spaces, jc_tick_time_ns(start, 60, first + 56) + 3000);
	assert_int_equal(lobby->missed, 4); /* 52, 53, 54, 55 */
	assert_int_equal(spaces->missed, 4);
	assert_int_equal(lobby->next_tick, first + 57);
	/* Too early. */
	jc_spaces_tick(spaces, jc_tick_time_ns(start, 60, first + 57) - 1);
	assert_int_equal(lobby->next_tick, first + 57);
}

static void finds_a_space_by_name_and_numbers_it_once(void **state)
{
	struct fixture *fixture = *state;
	struct jc_fanout *lobby = open_space(fixture, "lobby");
	struct jc_fanout *stage = open_space(fixture, "stage");

	assert_ptr_equal(open_space(fixture, "lobby"), lobby);
	assert_ptr_equal(jc_spaces_find(&fixture->spaces, "stage"), stage);
	assert_null(jc_spaces_find(&fixture->spaces, "attic"));
	assert_int_equal(jc_space_options(lobby->space)->id, 1);
	assert_int_equal(jc_space_options(stage->space)->id, 2);
}

static void ticks_every_space_at_its_own_rate(void **state)
{
	static const unsigned rates[] = { 10, 30, 60, 90, 120 };
	struct fixture *fixture = *state;
	struct jc_spaces *spaces = &fixture->spaces;
	struct jc_space_policy policy = spaces->policy.space;
	struct jc_fanout *fanouts[5];
	uint32_t ticks[5] = { 0 };
	char name[16];

	for (int i = 0; i < 5; i++) {
		policy.hz = rates[i];
		snprintf(name, sizeof(name), "at-%u", rates[i]);
		assert_int_equal(jc_spaces_configure(spaces, name, &policy, &fanouts[i]), JC_OK);
		fanouts[i]->next_tick = 0;
	}
	/* One second from tick time to tick time: the number of ticks equals the rate, none
	 * missed. */
	for (;;) {
		int64_t due_ns = jc_spaces_due_ns(spaces);

		if (due_ns >= spaces->start_ns + SECOND)
			break;
		jc_spaces_tick(spaces, due_ns);
		for (int i = 0; i < 5; i++) {
			ticks[i] += fanouts[i]->next_tick != ticks[i];
			assert_true(jc_tick_time_ns(spaces->start_ns, rates[i],
					    fanouts[i]->next_tick) > due_ns);
		}
	}
	for (int i = 0; i < 5; i++) {
		assert_int_equal(ticks[i], rates[i]);
		assert_int_equal(fanouts[i]->missed, 0);
	}
	assert_int_equal(spaces->missed, 0);
}

static void empty_space_of_a_client_closes_and_reopens_with_a_new_epoch(void **state)
{
	struct fixture *fixture = *state;
	struct jc_spaces *spaces = &fixture->spaces;
	struct jc_fanout *lobby = open_space(fixture, "lobby");
	struct jc_fanout *attic;
	uint64_t epoch;

	spaces->policy.linger_s = 5;
	assert_int_equal(jc_spaces_open_for(spaces, "attic", "subject ada", &attic), JC_OK);
	epoch = jc_space_options(attic->space)->epoch;
	assert_int_equal(jc_space_options(attic->space)->id, 2);
	jc_spaces_sweep(spaces, 100 * SECOND);
	attic->view_count = 1;
	jc_spaces_sweep(spaces, 104 * SECOND);
	attic->view_count = 0;
	jc_spaces_sweep(spaces, 106 * SECOND);
	jc_spaces_sweep(spaces, 111 * SECOND - 1);
	assert_ptr_equal(jc_spaces_find(spaces, "attic"), attic);
	jc_spaces_sweep(spaces, 111 * SECOND);
	assert_null(jc_spaces_find(spaces, "attic"));
	assert_ptr_equal(jc_spaces_find(spaces, "lobby"), lobby);
	assert_int_equal(jc_spaces_open_for(spaces, "attic", "subject ada", &attic), JC_OK);
	assert_int_equal(jc_space_options(attic->space)->id, 3);
	assert_true(jc_space_options(attic->space)->epoch >= epoch);
}

static void limits_spaces_per_client(void **state)
{
	struct fixture *fixture = *state;
	struct jc_spaces *spaces = &fixture->spaces;
	struct jc_fanout *fanout;

	spaces->policy.most = 3;
	spaces->policy.most_of_one = 2;
	open_space(fixture, "lobby");
	assert_int_equal(jc_spaces_open_for(spaces, "a", "subject ada", &fanout), JC_OK);
	assert_int_equal(jc_spaces_open_for(spaces, "b", "subject ada", &fanout), JC_OK);
	assert_int_equal(jc_spaces_open_for(spaces, "c", "subject ada", &fanout), JC_ERROR_LIMIT);
	assert_int_equal(jc_spaces_open_for(spaces, "c", "subject bob", &fanout), JC_OK);
	assert_int_equal(jc_spaces_open_for(spaces, "d", "subject bob", &fanout), JC_ERROR_LIMIT);
	/* Configured spaces are not counted. */
	open_space(fixture, "e");
}

static void changed_policy_applies_at_once_except_the_rate(void **state)
{
	struct fixture *fixture = *state;
	struct jc_spaces *spaces = &fixture->spaces;
	struct jc_fanout *stage = open_space(fixture, "stage");
	struct jc_spaces_policy policy = spaces->policy;
	struct jc_fanout *fanout;

	policy.space.hz = 30;
	policy.space.bodies = 3;
	policy.linger_s = 1;
	jc_spaces_reset(spaces, &policy);
	assert_int_equal(jc_space_options(stage->space)->hz, 60);
	assert_int_equal(stage->policy.hz, 60);
	assert_int_equal(jc_space_options(stage->space)->bodies, 3);
	jc_spaces_sweep(spaces, 10 * SECOND);
	assert_int_equal(jc_spaces_configure(spaces, "stage", &policy.space, &fanout), JC_OK);
	assert_ptr_equal(fanout, stage);
	jc_spaces_sweep(spaces, 20 * SECOND);
	assert_int_equal(spaces->count, 1);
	/* The configuration no longer contains the space. */
	jc_spaces_reset(spaces, &policy);
	jc_spaces_sweep(spaces, 30 * SECOND);
	jc_spaces_sweep(spaces, 31 * SECOND);
	assert_int_equal(spaces->count, 0);
}

static void limits_the_number_of_spaces(void **state)
{
	struct fixture *fixture = *state;
	struct jc_fanout *fanout;
	char name[16];

	for (unsigned i = 0; i < JC_MAX_SPACES; i++) {
		snprintf(name, sizeof(name), "room-%u", i);
		open_space(fixture, name);
	}
	assert_int_equal(jc_spaces_open(&fixture->spaces, "one-more", &fanout), JC_ERROR_LIMIT);
	open_space(fixture, "room-7");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_and_skips_missed_ticks),
		TEST(finds_a_space_by_name_and_numbers_it_once),
		TEST(ticks_every_space_at_its_own_rate),
		TEST(empty_space_of_a_client_closes_and_reopens_with_a_new_epoch),
		TEST(limits_spaces_per_client),
		TEST(changed_policy_applies_at_once_except_the_rate),
		TEST(limits_the_number_of_spaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
