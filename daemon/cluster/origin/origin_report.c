/* The status and the figures of an origin. */
#include "cluster/origin/origin.h"
#include "cluster/origin/origin_private.h"
#include "cluster/report/peers.h"
#include "services.h"
#include "space/spaces.h"

#define SECOND INT64_C(1000000000)

static json_t *pack_served(const struct jc_served_space *served)
{
	const struct jc_exported_space *exported = served->exported;
	uint64_t frames = 0, rejoins = 0;

	jc_exported_space_count(exported, &frames, &rejoins);
	return json_pack("{ss ss sI sI sI sI sI sI}", "space", exported->name, "state", "exported",
		"edges", (json_int_t)exported->interest.edge_count, "watched",
		(json_int_t)exported->fanout->remote_count, "views",
		(json_int_t)exported->view_count, "frames", (json_int_t)frames, "rejoins",
		(json_int_t)rejoins, "refused", (json_int_t)exported->refused);
}

json_t *jc_origin_status(const struct jc_origin *origin)
{
	json_t *list = origin ? json_array() : NULL;

	for (size_t i = 0; origin && i < origin->count; i++) {
		const struct jc_served_space *served = &origin->served[i];
		const struct jc_fanout *fanout =
			jc_spaces_with_id(origin->services->spaces, served->id);

		if (served->exported && served->exported->fanout) {
			json_array_append_new(list, pack_served(served));
		} else if (fanout) {
			json_array_append_new(list,
				json_pack("{ss ss ss*}", "space",
					jc_space_options(fanout->space)->name, "state", "yielded",
					"origin", served->winner[0] ? served->winner : NULL));
		}
	}
	return list;
}

void jc_origin_count(const struct jc_origin *origin, struct jc_origin_counts *out_counts)
{
	*out_counts = (struct jc_origin_counts){
		.frames = origin->frames, .rejoins = origin->rejoins, .refused = origin->refused
	};
	for (size_t i = 0; i < origin->count; i++) {
		const struct jc_exported_space *exported = origin->served[i].exported;
		uint64_t frames, rejoins;

		if (exported) {
			jc_exported_space_count(exported, &frames, &rejoins);
			out_counts->spaces++;
			out_counts->edges += exported->interest.edge_count;
			out_counts->views += exported->view_count;
			out_counts->frames += frames;
			out_counts->rejoins += rejoins;
			out_counts->refused += exported->refused;
		}
	}
}

void jc_origin_name_edges(const struct jc_origin *origin, struct jc_peers *peers)
{
	for (size_t i = 0; i < origin->count; i++) {
		const struct jc_exported_space *exported = origin->served[i].exported;

		for (size_t k = 0; exported && k < exported->interest.edge_count; k++) {
			const struct jc_interested_edge *edge = &exported->interest.edges[k];

			jc_peers_hear(peers, edge->name, JC_ROLE_EDGE,
				edge->expires_ns - JC_MAX_INTEREST_SECONDS * SECOND);
		}
	}
}

void jc_origin_measure(const struct jc_origin *origin, jc_on_figure *on_figure, void *context)
{
	struct jc_origin_counts counts;

	if (!origin) {
		return;
	}
	jc_origin_count(origin, &counts);
	on_figure(context, "origin_spaces", "gauge", "Spaces that this origin serves to edges.",
		(double)counts.spaces);
	on_figure(context, "origin_interested_edges", "gauge",
		"Edges with interest, once for each space.", (double)counts.edges);
	on_figure(context, "origin_exported_views", "gauge", "Views that edges want.",
		(double)counts.views);
	on_figure(context, "origin_frames_total", "counter", "Frames published.",
		(double)counts.frames);
	on_figure(context, "origin_rejoins_total", "counter", "Rejoin bundles made for edges.",
		(double)counts.rejoins);
	on_figure(context, "origin_refused_requests_total", "counter",
		"Requests of edges beyond the limits, which have no answer.",
		(double)counts.refused);
}
