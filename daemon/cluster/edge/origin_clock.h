/* The difference between the server time of an origin and that of this edge, from the round trips
 * of clock requests. */
#ifndef JC_ORIGIN_CLOCK_H
#define JC_ORIGIN_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JC_CLOCK_SAMPLES  15                /* one every two seconds */
#define JC_CLOCK_LASTS_US INT64_C(30000000) /* of a sample */

/* All zeros: no sample. */
struct jc_origin_clock {
	size_t count, next;
	struct jc_clock_sample {
		int64_t received_us; /* server time of the edge */
		int64_t round_trip_us;
		int64_t ahead_us; /* how far the edge's server time is ahead of the origin's */
	} samples[JC_CLOCK_SAMPLES];
};

/* A request left at sent_us and its answer came at received_us, both in server time of the edge;
 * origin_us is the origin's server time in the answer. Ignores times that cannot be. */
void jc_origin_clock_add(
	struct jc_origin_clock *clock, int64_t sent_us, int64_t origin_us, int64_t received_us);

/* The difference of the sample with the shortest round trip of the last 30 s, else of the newest
 * sample; at most half its round trip off. False: there is none. */
bool jc_origin_clock_ahead(
	const struct jc_origin_clock *clock, int64_t now_us, int64_t *out_ahead_us);

#endif
