/* Processor time, so that other programs do not count, and the median over
 * batches: a mean would count every hiccup, a minimum promise what nobody gets. */
#include "stopwatch.h"

#include <stdlib.h>
#include <time.h>

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

double jc_stopwatch_median(
	size_t batches, size_t calls, void (*work)(void *context, size_t call), void *context)
{
	double times[JC_STOPWATCH_BATCHES];

	for (size_t batch = 0; batch < batches; batch++) {
		double start = now_microseconds();

		for (size_t call = 0; call < calls; call++) {
			work(context, call);
		}
		times[batch] = (now_microseconds() - start) / (double)calls;
	}
	qsort(times, batches, sizeof(times[0]), compare);
	return times[batches / 2];
}
