/* Lists are short, and change rarely. */
#include "cluster/people/edge_ignores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

void jc_edge_ignores_finish(struct jc_edge_ignores *ignores)
{
	for (size_t i = 0; i < ignores->edge_count; i++) {
		free(ignores->edges[i].pairs);
	}
	ignores->edge_count = 0;
}

static size_t sum(const struct jc_edge_ignores *ignores)
{
	size_t count = 0;

	for (size_t i = 0; i < ignores->edge_count; i++) {
		count += ignores->edges[i].count;
	}
	return count;
}

static size_t index_of(const struct jc_edge_ignores *ignores, const char *edge)
{
	size_t i = 0;

	while (i < ignores->edge_count && strcmp(ignores->edges[i].name, edge) != 0) {
		i++;
	}
	return i;
}

int jc_edge_ignores_take(struct jc_edge_ignores *ignores, const char *edge, size_t from,
	const struct jc_party_pair pairs[], size_t count, int64_t expires_ns)
{
	size_t at = index_of(ignores, edge);
	size_t had = at < ignores->edge_count ? ignores->edges[at].count : 0;
	struct jc_party_pair *list;

	if (from != 0 && from != had) {
		return JC_ERROR_INVALID;
	}
	if (at == JC_MAX_EDGES || sum(ignores) - had + from + count > JC_MAX_IGNORES) {
		return JC_ERROR_LIMIT;
	}
	list = realloc(at < ignores->edge_count ? ignores->edges[at].pairs : NULL,
		(from + count + 1) * sizeof(*list));
	if (!list) {
		return JC_ERROR_MEMORY;
	}
	if (at == ignores->edge_count) {
		ignores->edge_count++;
		snprintf(ignores->edges[at].name, sizeof(ignores->edges[at].name), "%s", edge);
	}
	if (count > 0) {
		memcpy(list + from, pairs, count * sizeof(*list));
	}
	ignores->edges[at].pairs = list;
	ignores->edges[at].count = from + count;
	ignores->edges[at].expires_ns = expires_ns;
	return JC_OK;
}

bool jc_edge_ignores_expire(struct jc_edge_ignores *ignores, int64_t now_ns)
{
	bool found = false;

	for (size_t i = ignores->edge_count; i-- > 0;) {
		if (ignores->edges[i].expires_ns <= now_ns) {
			free(ignores->edges[i].pairs);
			ignores->edges[i] = ignores->edges[--ignores->edge_count];
			found = true;
		}
	}
	return found;
}

struct jc_party_pair *jc_edge_ignores_all(const struct jc_edge_ignores *ignores, size_t *out_count)
{
	size_t count = sum(ignores), at = 0;
	struct jc_party_pair *pairs = count > 0 ? calloc(count, sizeof(*pairs)) : NULL;

	for (size_t i = 0; pairs && i < ignores->edge_count; i++) {
		memcpy(pairs + at, ignores->edges[i].pairs,
			ignores->edges[i].count * sizeof(*pairs));
		at += ignores->edges[i].count;
	}
	*out_count = at;
	return pairs;
}
