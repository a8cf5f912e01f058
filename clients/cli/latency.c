/* A histogram of equal steps: times of interest lie within a decade or two. */
#include "latency.h"

void jc_latency_add(struct jc_latency *latency, double us)
{
	double step = us > 0.0 ? us / JC_LATENCY_STEP_US : 0.0;

	latency->steps[step < JC_LATENCY_STEPS ? (int)step : JC_LATENCY_STEPS - 1]++;
	latency->count++;
}

double jc_latency_quantile(const struct jc_latency *latency, double share)
{
	uint64_t wanted = (uint64_t)(share * (double)latency->count);
	uint64_t seen = 0;

	if (latency->count == 0) {
		return 0.0;
	}
	for (int i = 0; i < JC_LATENCY_STEPS; i++) {
		seen += latency->steps[i];
		if (seen > wanted || seen == latency->count) {
			return (i + 1) * JC_LATENCY_STEP_US / 1000.0;
		}
	}
	return JC_LATENCY_STEPS * JC_LATENCY_STEP_US / 1000.0;
}
