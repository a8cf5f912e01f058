/* Clocks mapped, age judged, the pace of looks. */
#include "source/openxr/xr_times.h"
#include "unit_test.h"

#define MS INT64_C(1000000)
#define S  INT64_C(1000000000)

static void xr_time_has_the_same_age_on_both_clocks(void **)
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
static void maps_times_of_another_epoch(void **)
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

static void unchanged_time_becomes_stale(void **)
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

static void time_that_is_old_at_first_is_stale_at_once(void **)
{
	struct jc_xr_freshness freshness = { 0 };
	int64_t captured;

	assert_true(take(&freshness, 10 * S, 59 * S, &captured));
}

static void unchanged_future_time_becomes_stale(void **)
{
	struct jc_xr_freshness freshness = { 0 };
	int64_t captured;

	assert_false(take(&freshness, 10 * S, 9000 * S, &captured));
	assert_int_equal(captured, 10 * S);
	assert_true(take(&freshness, 11 * S, 9000 * S, &captured));
}

static void missing_time_means_now(void **)
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

static void polls_a_moving_body_at_its_update_rate(void **)
{
	struct jc_xr_pace pace = { 0 };
	int64_t now_ns = 5 * S;

	assert_int_equal(pace_after(&pace, &now_ns, 3, 90), JC_XR_FAST_NS);
	assert_int_equal(pace_after(&pace, &now_ns, 3, 60), JC_XR_SLOW_NS);
	assert_int_equal(pace_after(&pace, &now_ns, 3, 30), JC_XR_SLOW_NS);
	assert_int_equal(pace_after(&pace, &now_ns, 3, 72), JC_XR_FAST_NS);
}

static void polls_rarely_when_no_body_is_tracked(void **)
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
		cmocka_unit_test(xr_time_has_the_same_age_on_both_clocks),
		cmocka_unit_test(maps_times_of_another_epoch),
		cmocka_unit_test(unchanged_time_becomes_stale),
		cmocka_unit_test(time_that_is_old_at_first_is_stale_at_once),
		cmocka_unit_test(unchanged_future_time_becomes_stale),
		cmocka_unit_test(missing_time_means_now),
		cmocka_unit_test(polls_a_moving_body_at_its_update_rate),
		cmocka_unit_test(polls_rarely_when_no_body_is_tracked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
