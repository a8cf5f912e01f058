/* Processor time per call, measured so that a hiccup of the machine does not count. */
#ifndef JC_CLI_STOPWATCH_H
#define JC_CLI_STOPWATCH_H

#include <stddef.h>

#define JC_STOPWATCH_BATCHES 101

/* Calls work(context, 0…calls-1) in each of `batches` (1 to
 * JC_STOPWATCH_BATCHES) and returns the median batch's microseconds a call. */
double jc_stopwatch_median(
	size_t batches, size_t calls, void (*work)(void *context, size_t call), void *context);

#endif
