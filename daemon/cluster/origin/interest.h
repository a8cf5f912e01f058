/* The views of one space that edges want. Interest expires: an edge that ends without a word costs
 * its origin nothing after a few seconds. Pure data. */
#ifndef JC_INTEREST_H
#define JC_INTEREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/subjects.h"
#include "maxima.h"
#include "space/stream_spec.h"

struct jc_wanted_view {
	struct jc_stream_spec spec;
	char token[JC_VIEW_TOKEN];
};

struct jc_interested_edge {
	char name[JC_MAX_HOST_ID];
	int64_t expires_ns;
	unsigned watched; /* its clients in the space */
	size_t view_count;
	/* The most important ones first. */
	struct jc_wanted_view views[JC_MAX_EXPORTED_VIEWS];
};

/* All zeros: no edge is interested. */
struct jc_interest {
	size_t edge_count;
	struct jc_interested_edge *edges; /* owned */
	size_t capacity;
};

void jc_interest_finish(struct jc_interest *interest);

/* Sets the complete list of an edge until expires_ns; a list without views ends its interest.
 * Returns 0, JC_ERROR_LIMIT for too many edges or JC_ERROR_MEMORY. After an error the earlier list
 * holds. */
int jc_interest_set(struct jc_interest *interest, const struct jc_interested_edge *edge);

/* Ends the interest of edges whose time has come. Returns whether there were any. */
bool jc_interest_expire(struct jc_interest *interest, int64_t now_ns);

/* The views to export, each once: the first one of each edge, then the second ones, up to
 * JC_MAX_EXPORTED_VIEWS. So no edge takes the place of all others. Of the first ones, and so on,
 * those come first from which an edge encodes what is left out; there is one for each permission,
 * so that no edge is without motion. Returns their number. */
size_t jc_interest_views(const struct jc_interest *interest,
	const struct jc_wanted_view *out_views[JC_MAX_EXPORTED_VIEWS]);

/* The clients of all interested edges; of each at least one, and at most `most`. */
size_t jc_interest_watched(const struct jc_interest *interest, size_t most);

#endif
