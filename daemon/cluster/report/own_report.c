/* Adds up what the parts of the process count. */
#include "cluster/report/own_report.h"

#include <stdio.h>

#include "base/histogram.h"
#include "cluster/cluster.h"
#include "cluster/edge/edge.h"
#include "cluster/origin/origin.h"
#include "cluster/report/peers.h"
#include "net/server.h"
#include "services.h"
#include "space/fanout.h"
#include "space/spaces.h"

#define SECONDS(ns) ((double)(ns)*1e-9)

void jc_own_report_sample(struct jc_own_report *own, int64_t now_ns)
{
	const struct jc_traffic *traffic = &own->server->traffic;
	struct jc_nats_report nats;

	jc_nats_link_report(own->context->link, &nats);
	jc_rate_add(&own->messages, traffic->sent_messages + nats.messages_out, now_ns);
	jc_rate_add(&own->bytes, traffic->sent_bytes + nats.bytes_out, now_ns);
	if (own->origin) {
		jc_origin_name_edges(own->origin, own->context->peers);
	}
}

static void fill_origin(
	const struct jc_own_report *own, int64_t now_ns, struct jc_process_report *out_report)
{
	const struct jc_peers *peers = own->context->peers;
	struct jc_origin_counts counts;

	jc_origin_count(own->origin, &counts);
	out_report->spaces = counts.spaces;
	out_report->views = counts.views;
	out_report->frames = counts.frames;
	out_report->rejoins = counts.rejoins;
	for (size_t i = 0; i < peers->count && out_report->edge_count < JC_MAX_EDGES; i++) {
		const struct jc_cluster_peer *peer = &peers->list[i];
		int64_t silent_ns = now_ns - peer->heard_ns;

		if (peer->role == JC_ROLE_EDGE && !peer->has_left && silent_ns < JC_PEER_LASTS_NS) {
			struct jc_heard_process *heard =
				&out_report->edges[out_report->edge_count++];

			snprintf(heard->name, sizeof(heard->name), "%s", peer->name);
			heard->heard_s = silent_ns > 0 ? SECONDS(silent_ns) : 0.0;
		}
	}
}

static void fill_edge(const struct jc_edge *edge, struct jc_process_report *out_report)
{
	const struct jc_histogram *added = jc_edge_added(edge);
	struct jc_edge_counts counts;

	jc_edge_count(edge, &counts);
	out_report->spaces = counts.spaces;
	out_report->views = counts.views;
	out_report->frames = counts.frames;
	out_report->late = counts.late;
	out_report->rejoins = counts.rejoins;
	out_report->has_added = added->count > 0;
	out_report->added_p50_s = SECONDS(jc_histogram_quantile(added, 0.50));
	out_report->added_p99_s = SECONDS(jc_histogram_quantile(added, 0.99));
}

void jc_own_report_fill(
	const struct jc_own_report *own, int64_t now_ns, struct jc_process_report *out_report)
{
	const struct jc_cluster_context *context = own->context;
	const struct jc_spaces *spaces = context->services->spaces;
	struct jc_nats_report nats;

	jc_nats_link_report(context->link, &nats);
	*out_report = (struct jc_process_report){
		.role = own->role,
		.is_connected = nats.state == JC_NATS_CONNECTED,
		.is_draining = own->server->draining || own->server->stopping,
		.uptime_s = SECONDS(now_ns - spaces->clock.epoch_ns),
		.reconnects = nats.connections > 0 ? nats.connections - 1 : 0,
		.clients = own->server->connection_count,
		.messages_per_second = jc_rate_per_second(&own->messages),
		.bytes_per_second = jc_rate_per_second(&own->bytes),
		.dropped = nats.dropped_frames + nats.dropped_others,
	};
	snprintf(out_report->name, sizeof(out_report->name), "%s", context->name);
	snprintf(out_report->incarnation, sizeof(out_report->incarnation), "%s",
		context->incarnation);
	snprintf(
		out_report->version, sizeof(out_report->version), "%s", context->services->version);
	for (size_t i = 0; i < spaces->count; i++) {
		out_report->dropped += spaces->fanouts[i]->skipped;
	}
	if (own->edge) {
		fill_edge(own->edge, out_report);
	} else if (own->origin) {
		fill_origin(own, now_ns, out_report);
	}
}
