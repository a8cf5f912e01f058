/* Times of deliveries, gathered so that any number of them costs the same. */
#ifndef JC_CLI_LATENCY_H
#define JC_CLI_LATENCY_H

#include <stdint.h>

#define JC_LATENCY_STEP_US 50
#define JC_LATENCY_STEPS   20000 /* up to a second; later ones count as that */

struct jc_latency {
	uint64_t count;
	uint32_t steps[JC_LATENCY_STEPS];
};

void jc_latency_add(struct jc_latency *latency, double us); /* below 0 counts as 0 */

/* Milliseconds within which a share (0 to 1) of them lies; 0 without any. */
double jc_latency_quantile(const struct jc_latency *latency, double share);

#endif
