/* The arithmetic of ticks, and a ticker on a real loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/ticker.h"

static void a_tick_is_due_at_the_floor_of_its_microsecond(void **state)
{
	(void)state;
	/* floor(10^6 / 60) = 16666, floor(2 * 10^6 / 60) = 33333, 3 * … = 50000 */
	assert_true(jc_tick_time_ns(7, 60, 0) == 7);
	assert_true(jc_tick_time_ns(7, 60, 1) == 7 + 16666000);
	assert_true(jc_tick_time_ns(7, 60, 2) == 7 + 33333000);
	assert_true(jc_tick_time_ns(7, 60, 3) == 7 + 50000000);
	/* The last tick that has a number, 2.27 years on. */
	assert_true(jc_tick_time_ns(0, 60, UINT32_MAX) == INT64_C(71582788250000) * 1000);
}

static void the_newest_tick_is_the_one_that_is_due(void **state)
{
	static const uint32_t rates[] = { 1, 30, 60, 72, 90, 120 };
	static const uint32_t ticks[] = { 0, 1, 2, 3, 59, 60, 61, 12345678, 4000000000u };

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		for (size_t t = 0; t < sizeof(ticks) / sizeof(ticks[0]); t++) {
			int64_t due = jc_tick_time_ns(1000, rates[r], ticks[t]);
			assert_int_equal(jc_tick_at(1000, rates[r], due), ticks[t]);
			assert_int_equal(jc_tick_at(1000, rates[r], due + 999), ticks[t]);
			if (ticks[t] > 0)
				assert_int_equal(jc_tick_at(1000, rates[r], due - 1), ticks[t] - 1);
		}
	}
}

struct record {
	struct jc_ticker ticker;
	uint32_t count, last;
	int closed;
};

static void on_closed(void *context)
{
	((struct record *)context)->closed++;
}

static void ignore_closed(void *context)
{
	(void)context;
}

static void on_tick(void *context, uint32_t tick, int64_t now_ns)
{
	struct record *record = context;

	assert_true(record->count == 0 || tick > record->last);
	assert_true(now_ns >= jc_tick_time_ns(record->ticker.start_ns, 200, tick));
	record->last = tick;
	if (++record->count == 20)
		jc_ticker_close(&record->ticker, on_closed);
}

static void ticks_come_in_order_and_never_early(void **state)
{
	uv_loop_t loop;
	struct record record = { 0 };
	int64_t start = jc_clock_now_ns() - INT64_C(1000000000);

	(void)state;
	assert_int_equal(uv_loop_init(&loop), 0);
	assert_int_equal(jc_ticker_start(&record.ticker, &loop, 200, start, on_tick, &record), 0);
	uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&loop), 0);
	assert_int_equal(record.closed, 1);
	assert_int_equal(record.count, 20);
	assert_true(record.last >= 200 + 20); /* numbered from a start in the past */
}

struct slow {
	struct jc_ticker ticker;
	uint32_t ticks[3];
	int count;
};

static void sleep_once(void *context, uint32_t tick, int64_t now_ns)
{
	struct slow *slow = context;

	slow->ticks[slow->count++] = tick;
	if (slow->count == 1) {
		while (jc_clock_now_ns() < now_ns + 55000000)
			;
	}
	if (slow->count == 3)
		jc_ticker_close(&slow->ticker, ignore_closed);
}

static void missed_ticks_are_counted_not_made_up_for(void **state)
{
	uv_loop_t loop;
	struct slow slow = { 0 };

	(void)state;
	assert_int_equal(uv_loop_init(&loop), 0);
	assert_int_equal(
		jc_ticker_start(&slow.ticker, &loop, 100, jc_clock_now_ns(), sleep_once, &slow), 0);
	uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&loop), 0);
	/* 55 ms late at 100 Hz: at least four ticks passed in between. */
	assert_true(slow.ticks[1] >= slow.ticks[0] + 5);
	assert_true(slow.ticker.missed >= 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tick_is_due_at_the_floor_of_its_microsecond),
		cmocka_unit_test(the_newest_tick_is_the_one_that_is_due),
		cmocka_unit_test(ticks_come_in_order_and_never_early),
		cmocka_unit_test(missed_ticks_are_counted_not_made_up_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
