/* Statistics of the benchmarks: series of values, a latency histogram, medians, and the median time
 * of a function. */
#ifndef JC_CLI_BENCH_STATISTICS_H
#define JC_CLI_BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

struct jc_bench_series {
	size_t count;
	size_t capacity;
	double *values; /* owned */
};

/* Starts as { 0 }. JC_OK or JC_ERROR_MEMORY. */
int jc_bench_series_add(struct jc_bench_series *series, double value);
int jc_bench_series_append(struct jc_bench_series *series, const struct jc_bench_series *more);
void jc_bench_series_finish(struct jc_bench_series *series);

/* These need at least one value. */
double jc_bench_series_mean(const struct jc_bench_series *series);
double jc_bench_series_max(const struct jc_bench_series *series);

/* The smallest value that a share (0 to 1) of all values do not exceed. Sorts the values. */
double jc_bench_series_percentile(struct jc_bench_series *series, double share);

#define JC_BENCH_LATENCY_STEP_US 50
#define JC_BENCH_LATENCY_STEPS                                                                     \
	20000 /* up to one second; longer times are counted in the last step */

struct jc_bench_latency {
	uint64_t count;
	uint32_t steps[JC_BENCH_LATENCY_STEPS];
};

void jc_bench_latency_add(
	struct jc_bench_latency *latency, double us); /* negative times count as 0 */

/* The time in milliseconds that a share (0 to 1) of the times do not exceed; 0 without times. */
double jc_bench_latency_quantile(const struct jc_bench_latency *latency, double share);

/* Sorts the values, at least one. The median of an even count is the mean of the two middle
 * values. */
double jc_bench_median(double *values, size_t count);

#define JC_BENCH_BATCHES 101

/* Calls work(context, 0…calls-1) in each of `batches`, 1 to JC_BENCH_BATCHES, and returns the
 * microseconds of processor time per call in the median batch. */
double jc_bench_median_time(
	size_t batches, size_t calls, void (*work)(void *context, size_t call), void *context);

#endif
