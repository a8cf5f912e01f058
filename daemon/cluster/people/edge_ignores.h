/* At an origin: who ignores whom in a space, as its edges report it. The list of an edge ends when
 * the edge does not repeat it. */
#ifndef JC_EDGE_IGNORES_H
#define JC_EDGE_IGNORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/people/ignores.h"

/* All zeros: empty. */
struct jc_edge_ignores {
	size_t edge_count;
	struct {
		char name[JC_MAX_HOST_ID];
		int64_t expires_ns;
		size_t count;
		struct jc_party_pair *pairs; /* owned */
	} edges[JC_MAX_EDGES];
};

void jc_edge_ignores_finish(struct jc_edge_ignores *ignores);

/* Takes a part of the list of an edge, from the pair of that index on; from 0 it begins a new list.
 * Returns 0; JC_ERROR_INVALID for a part that does not follow the one before; JC_ERROR_LIMIT, also
 * for more pairs than JC_MAX_IGNORES; or JC_ERROR_MEMORY. */
int jc_edge_ignores_take(struct jc_edge_ignores *ignores, const char *edge, size_t from,
	const struct jc_party_pair pairs[], size_t count, int64_t expires_ns);

/* Drops the lists that have expired. Returns whether there were any. */
bool jc_edge_ignores_expire(struct jc_edge_ignores *ignores, int64_t now_ns);

/* All pairs of all edges, some perhaps twice; the caller frees them. NULL: none, or no memory:
 * *out_count is 0 then. */
struct jc_party_pair *jc_edge_ignores_all(const struct jc_edge_ignores *ignores, size_t *out_count);

#endif
