/* A table of edges. An entry that was not used for as long as its buckets take to fill is as good
 * as a new one, so another edge may have it. */
#include "cluster/origin/edge_rates.h"

#include <stdio.h>
#include <string.h>

#define FILLED_NS INT64_C(2000000000) /* token_bucket.h */

struct jc_edge_rate *jc_edge_rates_find(
	struct jc_edge_rates *rates, const char *edge, int64_t now_ns)
{
	struct jc_edge_rate *rate = NULL;

	for (size_t i = 0; i < rates->count; i++) {
		struct jc_edge_rate *at = &rates->list[i];

		if (strcmp(at->name, edge) == 0) {
			at->used_ns = now_ns;
			return at;
		}
		if (now_ns - at->used_ns >= FILLED_NS) {
			rate = at;
		}
	}
	if (!rate && rates->count < JC_MAX_EDGES) {
		rate = &rates->list[rates->count++];
	}
	if (rate) {
		*rate = (struct jc_edge_rate){ .used_ns = now_ns };
		snprintf(rate->name, sizeof(rate->name), "%s", edge);
		jc_token_bucket_init(&rate->requests, now_ns);
		jc_token_bucket_init(&rate->states, now_ns);
	}
	return rate;
}
