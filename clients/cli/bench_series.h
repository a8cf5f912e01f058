/* Numbers gathered over the frames of a motion, and over those of several. */
#ifndef JC_CLI_BENCH_SERIES_H
#define JC_CLI_BENCH_SERIES_H

#include <stddef.h>

struct jc_bench_series {
	size_t count;
	size_t capacity;
	double *values; /* owned */
};

/* Starts as { 0 }. JC_OK or JC_ERROR_MEMORY. */
int jc_bench_series_add(struct jc_bench_series *series, double value);
int jc_bench_series_append(struct jc_bench_series *series, const struct jc_bench_series *more);
void jc_bench_series_finish(struct jc_bench_series *series);

/* Of at least one value. */
double jc_bench_series_mean(const struct jc_bench_series *series);
double jc_bench_series_max(const struct jc_bench_series *series);

/* The smallest value that `share` of all values do not exceed. Sorts them. */
double jc_bench_series_percentile(struct jc_bench_series *series, double share);

#endif
