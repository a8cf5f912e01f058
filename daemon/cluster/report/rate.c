/* A ring of values. */
#include "cluster/report/rate.h"

void jc_rate_add(struct jc_rate *rate, uint64_t value, int64_t now_ns)
{
	size_t last = (rate->next + JC_RATE_SAMPLES - 1) % JC_RATE_SAMPLES;

	if (rate->count > 0 && value < rate->samples[last].value) {
		rate->count = 0;
	}
	rate->samples[rate->next].at_ns = now_ns;
	rate->samples[rate->next].value = value;
	rate->next = (rate->next + 1) % JC_RATE_SAMPLES;
	rate->count += rate->count < JC_RATE_SAMPLES;
}

uint64_t jc_rate_per_second(const struct jc_rate *rate)
{
	size_t newest = (rate->next + JC_RATE_SAMPLES - 1) % JC_RATE_SAMPLES;
	size_t oldest = (rate->next + JC_RATE_SAMPLES - rate->count) % JC_RATE_SAMPLES;
	int64_t spent_ns = rate->samples[newest].at_ns - rate->samples[oldest].at_ns;

	if (rate->count < 2 || spent_ns <= 0) {
		return 0;
	}
	return (uint64_t)((double)(rate->samples[newest].value - rate->samples[oldest].value) *
				  1e9 / (double)spent_ns +
			  0.5);
}
