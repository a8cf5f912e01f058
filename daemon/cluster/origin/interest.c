/* A table of edges; the number of views is small. */
#include "cluster/origin/interest.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast_private/array.h"

void jc_interest_finish(struct jc_interest *interest)
{
	free(interest->edges);
	*interest = (struct jc_interest){ 0 };
}

static size_t find(const struct jc_interest *interest, const char *name)
{
	size_t i = 0;

	while (i < interest->edge_count && strcmp(interest->edges[i].name, name) != 0) {
		i++;
	}
	return i;
}

static void drop(struct jc_interest *interest, size_t at)
{
	interest->edge_count--;
	memmove(&interest->edges[at], &interest->edges[at + 1],
		(interest->edge_count - at) * sizeof(interest->edges[0]));
}

int jc_interest_set(struct jc_interest *interest, const struct jc_interested_edge *edge)
{
	size_t at = find(interest, edge->name);

	if (edge->view_count == 0) {
		if (at < interest->edge_count) {
			drop(interest, at);
		}
		return JC_OK;
	}
	if (at == interest->edge_count) {
		if (at == JC_MAX_EDGES) {
			return JC_ERROR_LIMIT;
		}
		if (!jc_array_grow(&interest->edges, &interest->capacity, at + 1, JC_MAX_EDGES,
			    sizeof(interest->edges[0]))) {
			return JC_ERROR_MEMORY;
		}
		interest->edge_count++;
	}
	interest->edges[at] = *edge;
	return JC_OK;
}

bool jc_interest_expire(struct jc_interest *interest, int64_t now_ns)
{
	size_t before = interest->edge_count;

	for (size_t i = interest->edge_count; i-- > 0;) {
		if (interest->edges[i].expires_ns <= now_ns) {
			drop(interest, i);
		}
	}
	return interest->edge_count < before;
}

static bool lists(const struct jc_wanted_view *const views[], size_t count, const char *token)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(views[i]->token, token) == 0) {
			return true;
		}
	}
	return false;
}

/* Appends the views of that rank, either those from which others can be encoded or the rest. */
static size_t append(const struct jc_interest *interest, size_t rank, bool sources, size_t count,
	const struct jc_wanted_view *out_views[JC_MAX_EXPORTED_VIEWS])
{
	for (size_t i = 0; i < interest->edge_count; i++) {
		const struct jc_interested_edge *edge = &interest->edges[i];
		const struct jc_wanted_view *view = &edge->views[rank];

		if (count < JC_MAX_EXPORTED_VIEWS && rank < edge->view_count &&
			jc_stream_spec_is_source(&view->spec) == sources &&
			!lists(out_views, count, view->token)) {
			out_views[count++] = view;
		}
	}
	return count;
}

size_t jc_interest_views(const struct jc_interest *interest,
	const struct jc_wanted_view *out_views[JC_MAX_EXPORTED_VIEWS])
{
	size_t count = 0;

	for (size_t rank = 0; rank < JC_MAX_EXPORTED_VIEWS; rank++) {
		count = append(interest, rank, true, count, out_views);
		count = append(interest, rank, false, count, out_views);
	}
	return count;
}

size_t jc_interest_watched(const struct jc_interest *interest, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < interest->edge_count; i++) {
		size_t watched = interest->edges[i].watched;

		watched = watched < most ? watched : most;
		count += watched > 0 ? watched : 1;
	}
	return count;
}
