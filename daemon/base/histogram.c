/* Counts durations. Each microsecond below 16 has its own bucket; above, the four bits after the
 * highest one select one of 16 buckets. */
#include "base/histogram.h"

#include <assert.h>

static unsigned find_bucket(uint64_t us)
{
	if (us >> JC_HISTOGRAM_DOUBLINGS) {
		return JC_HISTOGRAM_BUCKETS - 1;
	}
	if (us >> JC_HISTOGRAM_SHIFT == 0) {
		return (unsigned)us;
	}
	unsigned above = 63u - (unsigned)__builtin_clzll(us) - JC_HISTOGRAM_SHIFT;

	return (above << JC_HISTOGRAM_SHIFT) + (unsigned)(us >> above);
}

/* The first microsecond after a bucket. */
static uint64_t find_end(unsigned bucket)
{
	unsigned above = bucket >> JC_HISTOGRAM_SHIFT;

	if (above == 0) {
		return bucket + 1;
	}
	above--;
	return (uint64_t)(bucket - (above << JC_HISTOGRAM_SHIFT) + 1) << above;
}

void jc_histogram_add(struct jc_histogram *histogram, int64_t ns)
{
	uint64_t spent = ns > 0 ? (uint64_t)ns : 0;

	histogram->counts[find_bucket(spent / 1000)]++;
	histogram->count++;
	histogram->sum_ns += spent;
}

void jc_histogram_merge(struct jc_histogram *histogram, const struct jc_histogram *other)
{
	for (unsigned bucket = 0; bucket < JC_HISTOGRAM_BUCKETS; bucket++) {
		histogram->counts[bucket] += other->counts[bucket];
	}
	histogram->count += other->count;
	histogram->sum_ns += other->sum_ns;
}

int64_t jc_histogram_quantile(const struct jc_histogram *histogram, double share)
{
	double wanted = share * (double)histogram->count;
	uint64_t seen = 0;

	for (unsigned bucket = 0; bucket < JC_HISTOGRAM_BUCKETS; bucket++) {
		seen += histogram->counts[bucket];
		if (seen > 0 && (double)seen >= wanted) {
			return (int64_t)(find_end(bucket) * 1000);
		}
	}
	return 0;
}

uint64_t jc_histogram_below(const struct jc_histogram *histogram, unsigned doublings)
{
	uint64_t seen = 0;

	assert(doublings >= JC_HISTOGRAM_SHIFT && doublings <= JC_HISTOGRAM_DOUBLINGS);
	unsigned end = find_bucket(UINT64_C(1) << doublings);

	for (unsigned bucket = 0; bucket < end; bucket++) {
		seen += histogram->counts[bucket];
	}
	return seen;
}
