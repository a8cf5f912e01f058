/* Summarises measurements: medians, percentiles and histograms. */
#include "bench/bench_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jointcast/error.h"
#include "jointcast_private/array.h"

static double now_microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1.0e6 + (double)now.tv_nsec / 1.0e3;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

double jc_bench_median(double *values, size_t count)
{
	qsort(values, count, sizeof(values[0]), compare);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2.0;
}

double jc_bench_median_time(
	size_t batches, size_t calls, void (*work)(void *context, size_t call), void *context)
{
	double times[JC_BENCH_BATCHES];

	for (size_t batch = 0; batch < batches; batch++) {
		double start = now_microseconds();

		for (size_t call = 0; call < calls; call++) {
			work(context, call);
		}
		times[batch] = (now_microseconds() - start) / (double)calls;
	}
	return jc_bench_median(times, batches);
}

void jc_bench_latency_add(struct jc_bench_latency *latency, double us)
{
	double step = us > 0.0 ? us / JC_BENCH_LATENCY_STEP_US : 0.0;

	latency->steps[step < JC_BENCH_LATENCY_STEPS ? (int)step : JC_BENCH_LATENCY_STEPS - 1]++;
	latency->count++;
}

double jc_bench_latency_quantile(const struct jc_bench_latency *latency, double share)
{
	uint64_t wanted = (uint64_t)(share * (double)latency->count);
	uint64_t seen = 0;

	if (latency->count == 0) {
		return 0.0;
	}
	for (int i = 0; i < JC_BENCH_LATENCY_STEPS; i++) {
		seen += latency->steps[i];
		if (seen > wanted || seen == latency->count) {
			return (i + 1) * JC_BENCH_LATENCY_STEP_US / 1000.0;
		}
	}
	return JC_BENCH_LATENCY_STEPS * JC_BENCH_LATENCY_STEP_US / 1000.0;
}

static int reserve(struct jc_bench_series *series, size_t more)
{
	return jc_array_grow(&series->values, &series->capacity, series->count + more, SIZE_MAX,
		       sizeof(series->values[0]))
		       ? JC_OK
		       : JC_ERROR_MEMORY;
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

double jc_bench_series_percentile(struct jc_bench_series *series, double share)
{
	size_t rank = (size_t)ceil(share * (double)series->count);

	qsort(series->values, series->count, sizeof(*series->values), compare);
	return series->values[rank > 0 ? rank - 1 : 0];
}
