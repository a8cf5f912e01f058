/* Compares a histogram with the sorted values. */
#include <stdlib.h>

#include "base/histogram.h"
#include "unit_test.h"

#define US INT64_C(1000)

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void empty_histogram_has_zero_quantiles(void **)
{
	struct jc_histogram histogram = { 0 };

	assert_true(jc_histogram_quantile(&histogram, 0.99) == 0);
	assert_true(jc_histogram_below(&histogram, 10) == 0);
}

static void quantiles_are_at_most_a_sixteenth_too_large(void **)
{
	static int64_t values[20001];
	static const double shares[] = { 0.0, 0.01, 0.5, 0.9, 0.99, 0.999, 1.0 };
	struct jc_histogram histogram = { 0 };
	const size_t count = sizeof(values) / sizeof(values[0]);
	uint64_t seed = 7;

	for (size_t i = 0; i < count; i++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		/* Evenly over the orders of magnitude, up to 2^36 ns, which is 68 s. */
		values[i] = (int64_t)((seed >> 20 | UINT64_C(1) << 43) >> (8 + (seed & 31)));
		jc_histogram_add(&histogram, values[i]);
	}
	qsort(values, count, sizeof(values[0]), compare);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		size_t rank = (size_t)(shares[i] * (double)count + 0.999999);
		int64_t exact = values[rank > 0 ? rank - 1 : 0];
		int64_t told = jc_histogram_quantile(&histogram, shares[i]);

		/* Up to 16 microseconds the bucket is one microsecond. */
		assert_true(told > exact);
		assert_true(told <= exact + exact / 16 + US);
	}
}

static void counts_below_a_power_of_two_are_exact(void **)
{
	struct jc_histogram histogram = { 0 };

	for (unsigned k = 4; k <= 26; k++) {
		jc_histogram_add(&histogram, (INT64_C(1) << k) * US - 1);
		jc_histogram_add(&histogram, (INT64_C(1) << k) * US);
	}
	for (unsigned k = 4; k <= 26; k++) {
		assert_true(jc_histogram_below(&histogram, k) == 2 * (k - 4) + 1);
	}
	assert_true(histogram.count == 46);
}

static void clamps_times_outside_the_range(void **)
{
	struct jc_histogram histogram = { 0 };

	jc_histogram_add(&histogram, -5);
	jc_histogram_add(&histogram, INT64_MAX);
	assert_true(jc_histogram_quantile(&histogram, 0.5) == US);
	assert_true(jc_histogram_quantile(&histogram, 1.0) > 67 * 1000000 * US);
	assert_true(jc_histogram_below(&histogram, 26) == 1);
	assert_true(histogram.sum_ns == INT64_MAX);
}

static void merge_adds_counts_of_both_histograms(void **)
{
	struct jc_histogram both = { 0 };
	struct jc_histogram other = { 0 };

	jc_histogram_add(&both, 20 * US);
	jc_histogram_add(&other, 200 * US);
	jc_histogram_add(&other, 2000 * US);
	jc_histogram_merge(&both, &other);
	assert_true(both.count == 3);
	assert_true(both.sum_ns == 2220 * US);
	assert_true(jc_histogram_below(&both, 8) == 2); /* 256 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_histogram_has_zero_quantiles),
		cmocka_unit_test(quantiles_are_at_most_a_sixteenth_too_large),
		cmocka_unit_test(counts_below_a_power_of_two_are_exact),
		cmocka_unit_test(merge_adds_counts_of_both_histograms),
		cmocka_unit_test(clamps_times_outside_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
