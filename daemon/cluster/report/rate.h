/* The rate of a counter over the last seconds, from its values once a second. Plain data. */
#ifndef JC_RATE_H
#define JC_RATE_H

#include <stddef.h>
#include <stdint.h>

#define JC_RATE_SAMPLES 6u /* over five seconds, where one is added each second */

/* All zeros: no value. */
struct jc_rate {
	size_t count, next;
	struct {
		int64_t at_ns;
		uint64_t value;
	} samples[JC_RATE_SAMPLES];
};

/* Times rise. A smaller value than the last one begins anew. */
void jc_rate_add(struct jc_rate *rate, uint64_t value, int64_t now_ns);

/* Rounded; 0 with fewer than two values. */
uint64_t jc_rate_per_second(const struct jc_rate *rate);

#endif
