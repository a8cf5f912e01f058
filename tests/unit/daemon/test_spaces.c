/* Several spaces, each at a rate of its own, on times that the test makes up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "space/spaces.h"

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

static void what_was_missed_is_counted_and_left_out(void **state)
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

static void a_space_is_found_by_its_name_and_numbered_once(void **state)
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

static void there_are_only_so_many_spaces(void **state)
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
		TEST(what_was_missed_is_counted_and_left_out),
		TEST(a_space_is_found_by_its_name_and_numbered_once),
		TEST(there_are_only_so_many_spaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
