/* Tests the arithmetic of ticks, and a ticker on a real loop. */
#include "base/clock.h"
#include "base/ticker.h"
#include "unit_test.h"

static void tick_is_due_at_the_floor_of_its_microsecond(void **)
{
	/* floor(10^6 / 60) = 16666, floor(2 * 10^6 / 60) = 33333, 3 * … = 50000 */
	assert_true(jc_tick_time_ns(7, 60, 0) == 7);
	assert_true(jc_tick_time_ns(7, 60, 1) == 7 + 16666000);
	assert_true(jc_tick_time_ns(7, 60, 2) == 7 + 33333000);
	assert_true(jc_tick_time_ns(7, 60, 3) == 7 + 50000000);
	/* The last tick with a number, after 2.27 years. */
	assert_true(jc_tick_time_ns(0, 60, UINT32_MAX) == INT64_C(71582788250000) * 1000);
}

static void finds_the_newest_tick_that_is_due(void **)
{
	static const uint32_t rates[] = { 1, 30, 60, 72, 90, 120 };
	static const uint32_t ticks[] = { 0, 1, 2, 3, 59, 60, 61, 12345678, 4000000000u };

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
	int count, closed;
	int64_t due_ns[20], called_ns[20];
};

static void on_closed(void *context)
{
	((struct record *)context)->closed++;
}

/* Each 5 ms after the one before, except the sixth, which is in the past. */
static int64_t on_due(void *context, int64_t now_ns)
{
	struct record *record = context;

	record->called_ns[record->count] = now_ns;
	if (++record->count == 20) {
		jc_ticker_close(&record->ticker, on_closed);
		return 0;
	}
	record->due_ns[record->count] = record->count == 5 ? now_ns - 1 : now_ns + 5000000;
	return record->due_ns[record->count];
}

static void ticker_is_never_early_and_calls_for_each_time(void **)
{
	uv_loop_t loop;
	struct record record = { .due_ns = { jc_clock_now_ns() - 1000 } };

	assert_int_equal(uv_loop_init(&loop), 0);
	assert_int_equal(
		jc_ticker_start(&record.ticker, &loop, record.due_ns[0], on_due, &record), 0);
	uv_run(&loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&loop), 0);
	assert_int_equal(record.closed, 1);
	assert_int_equal(record.count, 20);
	for (int i = 0; i < 20; i++)
		assert_true(record.called_ns[i] >= record.due_ns[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tick_is_due_at_the_floor_of_its_microsecond),
		cmocka_unit_test(finds_the_newest_tick_that_is_due),
		cmocka_unit_test(ticker_is_never_early_and_calls_for_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
