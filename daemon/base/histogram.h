/* How long things took, counted in buckets that widen with the time, as HDR
 * histograms do: 16 to each doubling, so that what is read back is at most 1/16 too
 * large. From a microsecond to 67 s. Plain data; adding costs an increment. */
#ifndef JC_HISTOGRAM_H
#define JC_HISTOGRAM_H

#include <stdint.h>

#define JC_HISTOGRAM_SHIFT     4u  /* 16 buckets to a doubling */
#define JC_HISTOGRAM_DOUBLINGS 26u /* microseconds below 2^26 are told apart */
/* The last one has what took longer. */
#define JC_HISTOGRAM_BUCKETS                                                                       \
	(((JC_HISTOGRAM_DOUBLINGS - JC_HISTOGRAM_SHIFT + 1) << JC_HISTOGRAM_SHIFT) + 1)

/* All zeros is an empty one. */
struct jc_histogram {
	uint64_t counts[JC_HISTOGRAM_BUCKETS]; /* of whole microseconds */
	uint64_t count;
	uint64_t sum_ns;
};

/* Less than nothing counts as nothing. */
void jc_histogram_add(struct jc_histogram *histogram, int64_t ns);

/* Adds all that the other one has. */
void jc_histogram_merge(struct jc_histogram *histogram, const struct jc_histogram *other);

/* What `share`, 0 to 1, of what was added did not exceed: the end of the bucket in
 * which that falls, nanoseconds. 0 when nothing was added. */
int64_t jc_histogram_quantile(const struct jc_histogram *histogram, double share);

/* How much of what was added was less than 2^doublings microseconds: exact. From
 * JC_HISTOGRAM_SHIFT up to JC_HISTOGRAM_DOUBLINGS. */
uint64_t jc_histogram_below(const struct jc_histogram *histogram, unsigned doublings);

#endif
