/* How often each edge may make requests: a flood of one takes nothing from the others. Pure data.
 */
#ifndef JC_EDGE_RATES_H
#define JC_EDGE_RATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/token_bucket.h"
#include "maxima.h"

struct jc_edge_rate {
	char name[JC_MAX_HOST_ID];
	int64_t used_ns;
	struct jc_token_bucket requests, states;
};

/* All zeros: no edge has made a request. */
struct jc_edge_rates {
	size_t count;
	struct jc_edge_rate list[JC_MAX_EDGES];
};

/* The rates of an edge that makes a request now. NULL: too many others made some lately. */
struct jc_edge_rate *jc_edge_rates_find(
	struct jc_edge_rates *rates, const char *edge, int64_t now_ns);

#endif
