/* The table of paths, the first that fits counts.
 *
 * Health and figures are for the listener for administration alone. A request on another
 * one cannot show that it comes from this machine: a proxy here that passes on requests of
 * others connects from loopback, and with its defaults may name a loopback host and add no
 * header. */
#include "http/routes.h"

#include <string.h>

#include "base/clock.h"
#include "config/config.h"
#include "http/avatar_routes.h"
#include "http/invitation_routes.h"
#include "http/metrics.h"
#include "http/motion_routes.h"
#include "http/ready.h"
#include "http/skeleton_routes.h"
#include "http/status_json.h"
#include "http/target.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "net/connection.h"
#include "services.h"

static void serve_health(struct jc_exchange *exchange)
{
	jc_exchange_status(exchange, 200, "ok");
}

static void serve_status(struct jc_exchange *exchange)
{
	jc_exchange_answer(exchange, 200, "application/json",
		jc_status_json(
			exchange->services, exchange->connection->server, jc_clock_now_ns()));
}

static void on_cluster_status(void *context, char *text)
{
	jc_exchange_answer(context, 200, "application/json", text);
}

static void serve_cluster_status(struct jc_exchange *exchange)
{
	const struct jc_services *services = exchange->services;

	if (!services->cluster) {
		jc_exchange_status(exchange, 409, "this daemon is neither an origin nor an edge");
	} else if (services->cluster_ops->ask(services->cluster, on_cluster_status, exchange) !=
		   JC_OK) {
		jc_exchange_status(exchange, 503, "too many wait for the status of the cluster");
	}
}

static void serve_metrics(struct jc_exchange *exchange)
{
	jc_exchange_answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8",
		jc_metrics_text(
			exchange->services, exchange->connection->server, jc_clock_now_ns()));
}

static void serve_ready(struct jc_exchange *exchange)
{
	bool ready = false;
	char *text = jc_ready_text(exchange->services, exchange->connection->server, &ready);

	jc_exchange_answer(exchange, ready ? 200 : 503, "text/plain; charset=utf-8", text);
}

static void serve_viewer(struct jc_exchange *exchange)
{
	jc_exchange_file(exchange, exchange->services->config->web_root);
}

static const struct jc_route routes[] = {
	{ "/healthz", JC_ON_EVERY, JC_METHOD_GET, .serve = serve_health },
	{ "/readyz", JC_ON_ADMIN, JC_METHOD_GET, .serve = serve_ready },
	{ "/status", JC_ON_ADMIN, JC_METHOD_GET, .serve = serve_status },
	{ "/status/cluster", JC_ON_ADMIN, JC_METHOD_GET, .serve = serve_cluster_status },
	{ "/metrics", JC_ON_ADMIN, JC_METHOD_GET, .serve = serve_metrics },
	{ "/skeletons", JC_ON_PUBLIC, JC_METHOD_GET, .admit = jc_skeleton_admit,
		.serve = jc_skeleton_serve_list },
	{ "/skeletons/", JC_ON_PUBLIC, JC_METHOD_GET | JC_METHOD_PUT | JC_METHOD_DELETE,
		.body = JC_MAX_UPLOAD_BYTES, .admit = jc_skeleton_admit,
		.serve = jc_skeleton_serve_one },
	{ "/avatars", JC_ON_PUBLIC, JC_METHOD_GET | JC_METHOD_PUT | JC_METHOD_OPTIONS,
		.at_origin = JC_METHOD_PUT, .body = JC_MAX_AVATAR_BYTES, .is_personal = true,
		.admit = jc_avatar_admit_all, .serve = jc_avatar_serve_all },
	{ "/avatars/", JC_ON_PUBLIC, JC_METHOD_GET | JC_METHOD_DELETE | JC_METHOD_OPTIONS,
		.at_origin = JC_METHOD_DELETE, .is_personal = true, .admit = jc_avatar_admit_one,
		.serve = jc_avatar_serve_one },
	{ "/invitations", JC_ON_PUBLIC, JC_METHOD_GET | JC_METHOD_POST,
		.at_origin = JC_METHOD_GET | JC_METHOD_POST, .body = JC_MAX_INVITATION_BYTES,
		.admit = jc_invitation_admit, .serve = jc_invitation_serve },
	{ "/invitations/redeem", JC_ON_PUBLIC, JC_METHOD_POST, .body = JC_MAX_INVITATION_BYTES,
		.admit = jc_invitation_admit_redemption, .serve = jc_invitation_serve_redemption },
	{ "/invitations/", JC_ON_PUBLIC, JC_METHOD_DELETE, .at_origin = JC_METHOD_DELETE,
		.admit = jc_invitation_admit, .serve = jc_invitation_serve_one },
	{ "/motions/", JC_ON_PUBLIC, JC_METHOD_PUT, .at_origin = JC_METHOD_PUT,
		.body = JC_MAX_UPLOAD_BYTES, .admit = jc_motion_admit, .serve = jc_motion_serve },
	{ "/", JC_ON_PUBLIC, JC_METHOD_GET, .serve = serve_viewer },
};

static bool leads_to(struct jc_text target, const char *path)
{
	size_t length = jc_target_path(target).length;
	size_t needed = strlen(path);

	return path[needed - 1] == '/'
		       ? length >= needed && memcmp(target.bytes, path, needed) == 0
		       : length == needed && memcmp(target.bytes, path, needed) == 0;
}

const struct jc_route *jc_route_find(struct jc_text target, enum jc_listener_kind kind)
{
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		if (routes[i].listeners & JC_ON(kind) && leads_to(target, routes[i].path)) {
			return &routes[i];
		}
	}
	return NULL;
}
