/* The status, the counts and the metrics of an edge. */
#include "cluster/edge/edge.h"
#include "cluster/edge/edge_private.h"
#include "cluster/session/session_link.h"

void jc_edge_add_counts(const struct jc_relayed_space *space, struct jc_edge_counts *counts)
{
	counts->frames += space->views.frames;
	counts->late += space->views.late;
	counts->repeated += space->views.repeated;
	counts->refused += space->refused;
	counts->gaps += space->views.gaps;
	counts->rejoins += space->rejoins;
	for (size_t i = 0; i < space->views.count; i++) {
		counts->gaps += space->views.list[i]->view->gaps;
	}
}

json_t *jc_edge_status(const struct jc_edge *edge)
{
	static const char *const states[] = { "live", "stale", "gone" };
	json_t *list = json_array();

	for (size_t i = 0; i < edge->count; i++) {
		const struct jc_relayed_space *space = edge->spaces[i];
		const struct jc_relayed_views *views = &space->views;

		json_array_append_new(list,
			json_pack("{ss ss sI si sI sI sI sI sI sI}", "space", space->name, "state",
				space->has_state ? states[space->silence] : "waiting", "revision",
				(json_int_t)space->revision, "views", (int)views->count, "ticks",
				(json_int_t)views->ticks, "late", (json_int_t)views->late,
				"repeated", (json_int_t)views->repeated, "early",
				(json_int_t)space->early, "rejoins", (json_int_t)space->rejoins,
				"refused", (json_int_t)space->refused));
	}
	return list;
}

void jc_edge_count(const struct jc_edge *edge, struct jc_edge_counts *out_counts)
{
	*out_counts = edge->ended;
	out_counts->refused += edge->refused;
	for (size_t i = 0; i < edge->count; i++) {
		const struct jc_relayed_space *space = edge->spaces[i];

		jc_edge_add_counts(space, out_counts);
		out_counts->spaces += space->has_state;
		out_counts->views += space->views.count;
	}
}

const struct jc_histogram *jc_edge_added(const struct jc_edge *edge)
{
	return &edge->added;
}

static void measure_sessions(
	const struct jc_session_link *sessions, jc_on_figure *on_figure, void *context)
{
	struct jc_session_link_report report;

	jc_session_link_report(sessions, &report);
	on_figure(context, "edge_sessions", "gauge", "Sessions of clients at origins.",
		(double)report.sessions);
	on_figure(context, "edge_sessions_opened_total", "counter", "Sessions opened.",
		(double)report.opened);
	on_figure(context, "edge_sessions_lost_total", "counter",
		"Sessions that ended before their client left.", (double)report.lost);
	on_figure(context, "edge_session_malformed_messages_total", "counter",
		"Messages of sessions with wrong content.", (double)report.malformed);
	on_figure(context, "edge_bodies_published_again_total", "counter",
		"Bodies of clients that were published again after a session was lost.",
		(double)report.again);
}

void jc_edge_measure(const struct jc_edge *edge, jc_on_figure *on_figure, void *context)
{
	struct jc_edge_counts counts;

	if (!edge) {
		return;
	}
	jc_edge_count(edge, &counts);
	on_figure(context, "edge_spaces", "gauge", "Spaces of origins that this edge serves.",
		(double)counts.spaces);
	on_figure(context, "edge_wanted_views", "gauge", "Views that clients of this edge use.",
		(double)counts.views);
	on_figure(context, "edge_frames_total", "counter", "Frames received from origins.",
		(double)counts.frames);
	on_figure(context, "edge_late_frames_total", "counter",
		"Frames that came after their tick, or before their roster: clients got none of "
		"their packets.",
		(double)counts.late);
	on_figure(context, "edge_repeated_frames_total", "counter",
		"Frames that came again, or in the wrong order.", (double)counts.repeated);
	on_figure(context, "edge_refused_messages_total", "counter",
		"Messages of origins with wrong content.", (double)counts.refused);
	on_figure(context, "edge_stream_gaps_total", "counter",
		"Times that packets of a stream were missing.", (double)counts.gaps);
	on_figure(context, "edge_rejoin_requests_total", "counter",
		"Requests to origins for rejoin packets.", (double)counts.rejoins);
	measure_sessions(edge->sessions, on_figure, context);
}
