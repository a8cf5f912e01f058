/* Clocks mapped, age judged, the pace of looks. */
#include "source/openxr/xr_times.h"
#include "unit_test.h"

#define MS INT64_C(1000000)
#define S  INT64_C(1000000000)

static void an_xr_time_is_as_old_on_both_clocks(void **)
{
	const struct jc_xr_clock clock = { .now_ns = 100 * S, .xr = 7 * S };

	assert_int_equal(jc_xr_clock_map(&clock, 7 * S), 100 * S);
	assert_int_equal(jc_xr_clock_map(&clock, 7 * S - 20 * MS), 100 * S - 20 * MS);
	/* Nothing is captured in the future. */
	assert_int_equal(jc_xr_clock_map(&clock, 7 * S + 1), 100 * S);
	assert_int_equal(jc_xr_clock_map(&clock, INT64_MAX), 100 * S);
	/* Never before time 0, for any number. */
	assert_int_equal(jc_xr_clock_map(&clock, -94 * S), 0);
	assert_int_equal(jc_xr_clock_map(&clock, INT64_MIN), 0);
}

/* A runtime that restarts counts from elsewhere. */
static void another_epoch_maps_as_well(void **)
{
	const struct jc_xr_clock before = { .now_ns = 100 * S, .xr = 2000 * S };
	const struct jc_xr_clock after = { .now_ns = 103 * S, .xr = 1 * S };

	assert_int_equal(jc_xr_clock_map(&before, 2000 * S - 5 * MS), 100 * S - 5 * MS);
	assert_int_equal(jc_xr_clock_map(&after, 1 * S - 5 * MS), 103 * S - 5 * MS);
}

static bool take(struct jc_xr_freshness *freshness, int64_t now_ns, int64_t xr, int64_t *out_ns)
{
	const struct jc_xr_clock clock = { .now_ns = now_ns, .xr = now_ns + 50 * S };
	bool stale;

	*out_ns = jc_xr_freshness_take(freshness, &clock, xr, 500 * MS, &stale);
	return stale;
}

static void a_time_that_stands_still_gets_stale(void **)
{
	struct jc_xr_freshness freshness = { 0 };
	int64_t captured;

	assert_false(take(&freshness, 10 * S, 60 * S, &captured));
	assert_int_equal(captured, 10 * S);
	assert_false(take(&freshness, 10 * S + 500 * MS, 60 * S, &captured));
	assert_true(take(&freshness, 10 * S + 501 * MS, 60 * S, &captured));
	assert_int_equal(captured, 10 * S);
	/* It goes on. */
	assert_false(take(&freshness, 11 * S, 61 * S - 10 * MS, &captured));
	assert_int_equal(captured, 11 * S - 10 * MS);
}

static void a_time_that_was_old_from_the_beginning_is_stale_at_once(void **)
{
	struct jc_xr_freshness freshness = { 0 };
	int64_t captured;

	assert_true(take(&freshness, 10 * S, 59 * S, &captured));
}

static void a_future_that_stands_still_gets_stale_as_well(void **)
{
	struct jc_xr_freshness freshness = { 0 };
	int64_t captured;

	assert_false(take(&freshness, 10 * S, 9000 * S, &captured));
	assert_int_equal(captured, 10 * S);
	assert_true(take(&freshness, 11 * S, 9000 * S, &captured));
}

static void who_tells_no_time_tells_of_now(void **)
{
	struct jc_xr_freshness freshness = { 0 };
	int64_t captured;

	for (int i = 0; i < 5; i++) {
		assert_false(take(&freshness, (10 + i) * S, -i, &captured));
		assert_int_equal(captured, (10 + i) * S);
	}
}

/* Looks for so many seconds at what gives hz new frames; the last pace. */
static int64_t pace_after(struct jc_xr_pace *pace, int64_t *now_ns, int seconds, int hz)
{
	int64_t end_ns = *now_ns + seconds * S;
	int64_t step_ns = JC_XR_FAST_NS;
	int64_t seen = *now_ns * hz / S;

	while (*now_ns < end_ns) {
		int64_t frame = *now_ns * hz / S;

		step_ns = jc_xr_pace_next(pace, *now_ns, true, true, frame != seen);
		seen = frame;
		*now_ns += step_ns;
	}
	return step_ns;
}

static void who_moves_is_looked_at_as_often_as_there_is_news(void **)
{
	struct jc_xr_pace pace = { 0 };
	int64_t now_ns = 5 * S;

	assert_int_equal(pace_after(&pace, &now_ns, 3, 90), JC_XR_FAST_NS);
	assert_int_equal(pace_after(&pace, &now_ns, 3, 60), JC_XR_SLOW_NS);
	assert_int_equal(pace_after(&pace, &now_ns, 3, 30), JC_XR_SLOW_NS);
	assert_int_equal(pace_after(&pace, &now_ns, 3, 72), JC_XR_FAST_NS);
}

static void nobody_is_looked_at_seldom(void **)
{
	struct jc_xr_pace pace = { 0 };
	int64_t now_ns = 5 * S;

	pace_after(&pace, &now_ns, 2, 90);
	/* A tracker that is lost for a short time stays open. */
	assert_true(jc_xr_pace_next(&pace, now_ns, true, false, false) <= JC_XR_SLOW_NS);
	assert_int_equal(jc_xr_pace_next(&pace, now_ns + 2 * S, true, false, false), JC_XR_IDLE_NS);
	assert_int_equal(jc_xr_pace_next(&pace, now_ns + 3 * S, false, false, false), JC_XR_OFF_NS);
	/* 4 to 10 Hz idle, 72 to 90 Hz else. */
	assert_true(JC_XR_IDLE_NS == S / 10 && JC_XR_OFF_NS == S / 4);
	assert_int_equal(S / JC_XR_FAST_NS, 90);
	assert_in_range(JC_XR_SLOW_NS, S / 72, S / 72 + 1);
	assert_int_equal(jc_xr_pace_next(&pace, now_ns + 4 * S, true, true, true), JC_XR_FAST_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_xr_time_is_as_old_on_both_clocks),
		cmocka_unit_test(another_epoch_maps_as_well),
		cmocka_unit_test(a_time_that_stands_still_gets_stale),
		cmocka_unit_test(a_time_that_was_old_from_the_beginning_is_stale_at_once),
		cmocka_unit_test(a_future_that_stands_still_gets_stale_as_well),
		cmocka_unit_test(who_tells_no_time_tells_of_now),
		cmocka_unit_test(who_moves_is_looked_at_as_often_as_there_is_news),
		cmocka_unit_test(nobody_is_looked_at_seldom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
