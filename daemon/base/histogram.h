/* A histogram of durations with buckets that widen with the duration, as in HDR histograms: 16
 * for each doubling, so that results are at most 1/16 too large. From 1 microsecond to 67 s.
 * Plain data; adding costs an increment. */
#ifndef JC_HISTOGRAM_H
#define JC_HISTOGRAM_H

#include <stdint.h>

#define JC_HISTOGRAM_SHIFT     4u  /* 16 buckets to a doubling */
#define JC_HISTOGRAM_DOUBLINGS 26u /* durations below 2^26 microseconds are distinguished */
/* The last bucket counts longer durations. */
#define JC_HISTOGRAM_BUCKETS                                                                       \
	(((JC_HISTOGRAM_DOUBLINGS - JC_HISTOGRAM_SHIFT + 1) << JC_HISTOGRAM_SHIFT) + 1)

/* All zeros: empty. */
struct jc_histogram {
	uint64_t counts[JC_HISTOGRAM_BUCKETS]; /* of whole microseconds */
	uint64_t count;
	uint64_t sum_ns;
};

/* A negative duration counts as 0. */
void jc_histogram_add(struct jc_histogram *histogram, int64_t ns);

/* Adds all counts of another histogram. */
void jc_histogram_merge(struct jc_histogram *histogram, const struct jc_histogram *other);

/* The duration that the given share (0 to 1) of the values did not exceed: the end of its bucket,
 * in nanoseconds. 0 if the histogram is empty. */
int64_t jc_histogram_quantile(const struct jc_histogram *histogram, double share);

/* The exact number of values below 2^doublings microseconds, for JC_HISTOGRAM_SHIFT to
 * JC_HISTOGRAM_DOUBLINGS. */
uint64_t jc_histogram_below(const struct jc_histogram *histogram, unsigned doublings);

#endif
