/* All values are kept: a percentile of everything cannot be had from those of
 * the parts. */
#include "bench_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

#define FIRST_CAPACITY 1024

static int reserve(struct jc_bench_series *series, size_t more)
{
	size_t capacity = series->capacity ? series->capacity : FIRST_CAPACITY;
	double *values;

	while (capacity < series->count + more) {
		capacity *= 2;
	}
	if (capacity == series->capacity) {
		return JC_OK;
	}
	values = realloc(series->values, capacity * sizeof(*values));
	if (!values) {
		return JC_ERROR_MEMORY;
	}
	series->values = values;
	series->capacity = capacity;
	return JC_OK;
}

int jc_bench_series_add(struct jc_bench_series *series, double value)
{
	int error = reserve(series, 1);

	if (!error) {
		series->values[series->count++] = value;
	}
	return error;
}

int jc_bench_series_append(struct jc_bench_series *series, const struct jc_bench_series *more)
{
	int error = reserve(series, more->count);

	if (!error && more->count > 0) {
		memcpy(series->values + series->count, more->values,
			more->count * sizeof(*more->values));
		series->count += more->count;
	}
	return error;
}

void jc_bench_series_finish(struct jc_bench_series *series)
{
	free(series->values);
	*series = (struct jc_bench_series){ 0 };
}

double jc_bench_series_mean(const struct jc_bench_series *series)
{
	double sum = 0.0;

	for (size_t i = 0; i < series->count; i++) {
		sum += series->values[i];
	}
	return sum / (double)series->count;
}

double jc_bench_series_max(const struct jc_bench_series *series)
{
	double most = series->values[0];

	for (size_t i = 1; i < series->count; i++) {
		most = fmax(most, series->values[i]);
	}
	return most;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

double jc_bench_series_percentile(struct jc_bench_series *series, double share)
{
	size_t rank = (size_t)ceil(share * (double)series->count);

	qsort(series->values, series->count, sizeof(*series->values), compare);
	return series->values[rank > 0 ? rank - 1 : 0];
}
