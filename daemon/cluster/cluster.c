/* Holds the link to NATS and the part for the role. */
#include "cluster/cluster.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "base/clock.h"
#include "cluster/edge/edge.h"
#include "cluster/guest/guest_passes.h"
#include "cluster/link_report.h"
#include "cluster/origin/origin.h"
#include "cluster/report/own_report.h"
#include "cluster/report/status_round.h"
#include "cluster/session/session_host.h"
#include "config/config.h"
#include "services.h"
#include "space/fanout.h"

#define SWEEP_MS 250

struct jc_cluster {
	struct jc_cluster_context context;
	bool is_edge;
	struct jc_origin *origin; /* owned; NULL: an edge, or not started */
	struct jc_edge *edge;     /* owned; NULL: an origin, or not started */
	uv_timer_t sweeper;       /* of the sessions */
	int64_t connected_ns;     /* when the connection to NATS was made, last */
	struct jc_peers peers;
	struct jc_own_report own;
	struct jc_status_round *round; /* owned; NULL: not started */
};

static struct jc_nats_options options_of(const struct jc_config_cluster *config)
{
	return (struct jc_nats_options){ .servers = config->nats,
		.credentials = config->credentials,
		.ca = config->ca,
		.certificate = config->certificate,
		.key = config->key };
}

int jc_cluster_check(const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	struct jc_nats_options options = options_of(&config->cluster);

	options.name = "check";
	return config->cluster.nats ? jc_nats_link_check(&options, diagnostic) : JC_OK;
}

/* Each change of the connection, for the part of the role. */
static void on_state(void *context, enum jc_nats_state state)
{
	struct jc_cluster *cluster = context;

	if (state == JC_NATS_CONNECTED) {
		cluster->connected_ns = jc_clock_now_ns();
		jc_origin_connected(cluster->origin);
		jc_edge_connected(cluster->edge);
	}
}

static void on_unheard(void *context, const char *subject)
{
	jc_edge_unheard(((const struct jc_cluster *)context)->edge, subject);
}

int jc_cluster_create(const struct jc_services *services, struct jc_control *control,
	struct jc_cluster **out_cluster, struct jc_diagnostic *diagnostic)
{
	const struct jc_config_cluster *config = &services->config->cluster;
	struct jc_cluster *cluster;
	uint64_t random[2];

	*out_cluster = NULL;
	if (!config->nats) {
		return JC_OK;
	}
	cluster = calloc(1, sizeof(*cluster));
	if (!cluster) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (uv_random(NULL, NULL, random, sizeof(random), 0, NULL) != 0) {
		free(cluster);
		return jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	}
	cluster->is_edge = jc_config_is_edge(services->config);
	cluster->context.services = services;
	cluster->context.peers = &cluster->peers;
	cluster->context.control = control;
	snprintf(cluster->context.incarnation, sizeof(cluster->context.incarnation), "%016" PRIx64,
		random[0]);
	if (config->name) {
		snprintf(cluster->context.name, sizeof(cluster->context.name), "%s", config->name);
	} else {
		snprintf(cluster->context.name, sizeof(cluster->context.name), "%s-%012" PRIx64,
			config->role, random[1] >> 16);
	}
	*out_cluster = cluster;
	return JC_OK;
}

static bool exports(void *context, const struct jc_fanout *fanout)
{
	const struct jc_cluster *cluster = context;

	return jc_origin_serves(cluster->origin, jc_space_options(fanout->space)->id);
}

static void on_sweep(uv_timer_t *sweeper)
{
	struct jc_cluster *cluster = sweeper->data;

	if (cluster->context.sessions) {
		jc_session_host_sweep(cluster->context.sessions, jc_clock_now_ns());
	}
}

static int begin_origin(struct jc_cluster *cluster, struct jc_server *server)
{
	const struct jc_services *services = cluster->context.services;
	const struct jc_session_host_options options = { .log = services->log,
		.link = cluster->context.link,
		.server = server,
		.spaces = services->spaces,
		.exports = exports,
		.context = cluster };
	int status = jc_origin_create(
		&cluster->context, services->config->cluster.is_standby, &cluster->origin);

	if (status != JC_OK) {
		return status;
	}
	uv_timer_init(services->loop, &cluster->sweeper);
	cluster->sweeper.data = cluster;
	uv_timer_start(&cluster->sweeper, on_sweep, SWEEP_MS, SWEEP_MS);
	return jc_session_host_create(&options, &cluster->context.sessions);
}

static void report(void *context, struct jc_process_report *out_report)
{
	jc_own_report_fill(
		&((const struct jc_cluster *)context)->own, jc_clock_now_ns(), out_report);
}

static void sample(void *context)
{
	jc_own_report_sample(&((struct jc_cluster *)context)->own, jc_clock_now_ns());
}

static int begin_round(struct jc_cluster *cluster, const struct jc_server *server)
{
	const struct jc_services *services = cluster->context.services;
	const struct jc_status_round_options options = { .loop = services->loop,
		.link = cluster->context.link,
		.peers = &cluster->peers,
		.report = report,
		.sample = sample,
		.context = cluster };

	cluster->own = (struct jc_own_report){ .context = &cluster->context,
		.role = cluster->is_edge                       ? JC_ROLE_EDGE
			: services->config->cluster.is_standby ? JC_ROLE_STANDBY
							       : JC_ROLE_ORIGIN,
		.server = server,
		.origin = cluster->origin,
		.edge = cluster->edge };
	return jc_status_round_create(&options, &cluster->round);
}

int jc_cluster_start(
	struct jc_cluster *cluster, struct jc_server *server, struct jc_diagnostic *diagnostic)
{
	if (!cluster) {
		return JC_OK;
	}
	const struct jc_services *services = cluster->context.services;
	struct jc_nats_options options = options_of(&services->config->cluster);
	int status;

	options.loop = services->loop;
	options.log = services->log;
	options.name = cluster->context.name;
	options.on_state = on_state;
	options.on_unheard = on_unheard;
	options.context = cluster;
	status = jc_nats_link_create(&options, &cluster->context.link, diagnostic);
	if (status != JC_OK) {
		return status;
	}
	status = cluster->is_edge ? jc_edge_create(&cluster->context, &cluster->edge)
				  : begin_origin(cluster, server);
	if (status == JC_OK) {
		status = begin_round(cluster, server);
	}
	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "cannot serve: out of memory");
	}
	jc_log_write(services->log, JC_LOG_INFO, "%s '%s' over NATS",
		cluster->is_edge ? "edge" : "origin", cluster->context.name);
	return JC_OK;
}

void jc_cluster_leave(struct jc_cluster *cluster)
{
	if (!cluster || !cluster->context.link) {
		return;
	}
	jc_status_round_leave(cluster->round);
	jc_session_host_destroy(cluster->context.sessions);
	cluster->context.sessions = NULL;
	jc_origin_leave(cluster->origin);
}

static void on_link_closed(void *context)
{
	((struct jc_cluster *)context)->context.link = NULL;
}

void jc_cluster_stop(struct jc_cluster *cluster)
{
	if (!cluster || !cluster->context.link) {
		return;
	}
	jc_status_round_destroy(cluster->round);
	cluster->round = NULL;
	jc_edge_destroy(cluster->edge);
	cluster->edge = NULL;
	if (cluster->origin) {
		uv_close((uv_handle_t *)&cluster->sweeper, NULL);
	}
	jc_session_host_destroy(cluster->context.sessions);
	cluster->context.sessions = NULL;
	jc_origin_destroy(cluster->origin);
	cluster->origin = NULL;
	jc_nats_link_close(cluster->context.link, on_link_closed, cluster);
}

void jc_cluster_destroy(struct jc_cluster *cluster)
{
	free(cluster);
}

/* The parts of the roles add their figures here. */

static json_t *status(const struct jc_cluster *cluster)
{
	return json_pack("{ss ss ss so* so*}", "role", cluster->is_edge ? "edge" : "origin", "name",
		cluster->context.name, "incarnation", cluster->context.incarnation, "nats",
		cluster->context.link ? jc_link_report_json(cluster->context.link) : NULL, "spaces",
		cluster->edge ? jc_edge_status(cluster->edge) : jc_origin_status(cluster->origin));
}

static int ask(struct jc_cluster *cluster, jc_on_text *on_answer, void *context)
{
	return cluster->round ? jc_status_round_ask(cluster->round, on_answer, context)
			      : JC_ERROR_ABSENT;
}

static void measure_sessions(
	const struct jc_session_host *sessions, jc_on_figure *on_figure, void *context)
{
	struct jc_session_host_report report;

	jc_session_host_report(sessions, &report);
	on_figure(context, "origin_sessions", "gauge", "Sessions of clients of edges.",
		(double)report.sessions);
	on_figure(context, "origin_session_edges", "gauge", "Edges that open sessions.",
		(double)report.edges);
	on_figure(context, "origin_sessions_opened_total", "counter", "Sessions opened.",
		(double)report.opened);
	on_figure(context, "origin_sessions_refused_total", "counter",
		"Sessions beyond the limits, which were refused.", (double)report.refused);
	on_figure(context, "origin_session_malformed_messages_total", "counter",
		"Messages of sessions with wrong content.", (double)report.malformed);
}

static void measure(const struct jc_cluster *cluster, jc_on_figure *on_figure, void *context)
{
	if (cluster->context.link) {
		jc_link_report_measure(cluster->context.link, on_figure, context);
		jc_origin_measure(cluster->origin, on_figure, context);
		jc_edge_measure(cluster->edge, on_figure, context);
	}
	if (cluster->context.sessions) {
		measure_sessions(cluster->context.sessions, on_figure, context);
	}
}

static const struct jc_histogram *added(const struct jc_cluster *cluster)
{
	return cluster->edge ? jc_edge_added(cluster->edge) : NULL;
}

static bool problem(const struct jc_cluster *cluster, char *out_line, size_t size)
{
	if (!cluster->context.link) {
		snprintf(out_line, size, "NATS: not started");
		return true;
	}
	return jc_link_report_problem(cluster->context.link, out_line, size);
}

/* Origins announce only to those that are connected. */
static bool is_learning(const struct jc_cluster *cluster)
{
	const struct jc_nats_link *link = cluster->context.link;

	return cluster->is_edge && (!link || jc_nats_link_state(link) != JC_NATS_CONNECTED ||
					   jc_clock_now_ns() - cluster->connected_ns <
						   JC_MAX_LEARNING_SECONDS * INT64_C(1000000000));
}

static int redeem(struct jc_cluster *cluster, const struct jc_redemption *redemption,
	jc_on_redeemed *on_redeemed, void *context)
{
	return cluster->edge ? jc_edge_redeem(cluster->edge, redemption, on_redeemed, context)
			     : JC_ERROR_ABSENT;
}

static int avatar(struct jc_cluster *cluster, const char *space, const char *hash, uint64_t bytes,
	jc_on_avatar *on_avatar, void *context)
{
	return cluster->edge ? jc_edge_avatar(cluster->edge, space, hash, bytes, on_avatar, context)
			     : JC_ERROR_ABSENT;
}

/* Without the edge, before the start and after the end, no guest is known. */
static bool accept_guest(
	void *context, const struct jc_keyring *keyring, const struct jc_grant *grant)
{
	const struct jc_cluster *cluster = context;

	(void)keyring;
	return cluster->edge && jc_guest_passes_accept(jc_edge_guests(cluster->edge), grant);
}

static const struct jc_keyring *guest_keyring(void *context, const char *id)
{
	const struct jc_cluster *cluster = context;

	return cluster->edge ? jc_guest_passes_keyring(jc_edge_guests(cluster->edge), id) : NULL;
}

const struct jc_auth_invitations_ops jc_cluster_guest_ops = { .accept = accept_guest,
	.keyring = guest_keyring };

const struct jc_cluster_ops jc_cluster_ops = { .status = status,
	.ask = ask,
	.redeem = redeem,
	.avatar = avatar,
	.measure = measure,
	.added = added,
	.is_learning = is_learning,
	.problem = problem };
