/* The steps of a connection that carries HTTP, as net/connection.c calls them. */
#include "http/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "config/config.h"
#include "http/exchange.h"
#include "http/forwarded.h"
#include "http/handshake.h"
#include "http/routes.h"
#include "maxima.h"
#include "net/connection.h"
#include "net/server.h"
#include "net/socket.h"
#include "services.h"
#include "tls/certificate.h"

#define REFUSED_TEXT 256 /* bytes of an origin or a host in the log, with the NUL */

static const struct jc_services *services_of(const struct jc_connection *connection)
{
	return connection->server->options.http->services;
}

static void upgrade(struct jc_connection *connection, const struct jc_request *request)
{
	uint8_t answer[JC_HANDSHAKE_BYTES];
	size_t length = jc_handshake_write(request, (char *)answer);

	if (length == 0 || jc_connection_begin_session(connection) != JC_OK) {
		jc_http_connection_refuse(connection, 503, "out of memory");
		return;
	}
	jc_http_connection_destroy(connection);
	jc_connection_write(connection, answer, length);
}

/* The request is complete. */
static void serve(struct jc_connection *connection)
{
	struct jc_exchange *exchange = connection->http->exchange;

	jc_http_connection_release_body(connection);
	jc_http_connection_enter(connection, JC_HTTP_ANSWER, JC_MAX_ANSWER_SECONDS);
	exchange->is_served = true;
	exchange->route->serve(exchange);
}

static void take_body(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	struct jc_exchange *exchange = connection->http->exchange;

	if (length > exchange->request.length - exchange->body_length) {
		jc_exchange_status(exchange, 400, "bytes follow the body");
	} else if (!jc_http_connection_keep_body(connection, length)) {
		jc_exchange_status(exchange, 503, "too many bodies at a time");
	} else if (!jc_exchange_add(exchange, bytes, length)) {
		jc_exchange_status(exchange, 503, "out of memory");
	} else if (exchange->body_length == exchange->request.length) {
		serve(connection);
	}
}

/* Returns 200, or the status that refuses the request. */
static int admit(struct jc_exchange *exchange, const char **out_reason)
{
	const struct jc_route *route = exchange->route;

	if (route->at_origin & jc_request_method(&exchange->request) &&
		jc_config_is_edge(exchange->services->config)) {
		*out_reason = "this is an edge: ask the origin of the space";
		return 421;
	}
	return route->admit ? route->admit(exchange, out_reason) : 200;
}

/* The request was accepted for its route. */
static void begin_exchange(struct jc_connection *connection, const struct jc_route *route,
	const char *head, size_t length, const uint8_t *rest, size_t rest_length)
{
	uint8_t go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	const struct jc_http *http = connection->server->options.http;
	struct jc_exchange *exchange = jc_exchange_create(connection, route, head, length);
	const char *reason = NULL;

	if (!exchange) {
		jc_http_connection_refuse(connection, 503, "out of memory");
		return;
	}
	connection->http->exchange = exchange;

	int status = admit(exchange, &reason);

	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else if (exchange->request.length == 0) {
		serve(connection);
	} else if (exchange->request.length > JC_MAX_BODIES_BYTES - http->body_bytes) {
		jc_exchange_status(exchange, 503, "too many bodies at a time");
	} else {
		jc_http_connection_enter(connection, JC_HTTP_BODY, JC_MAX_BODY_SECONDS);
		if (exchange->request.expects_continue && rest_length == 0) {
			jc_connection_write(connection, go_on, sizeof(go_on) - 1);
		}
		if (rest_length > 0) {
			take_body(connection, rest, rest_length);
		}
	}
}

/* Whether the named host cannot be another site's name that was made to lead here (DNS
 * rebinding): the request came over a Unix socket, or the certificate has the name. */
static bool is_ours(const struct jc_connection *connection, const struct jc_request *request)
{
	struct jc_text host = jc_request_host(request);
	char name[256];

	if (connection->peer.sa.sa_family == AF_UNIX) {
		return true;
	}
	if (connection->kind != JC_LISTENER_TLS || host.length == 0 ||
		host.length >= sizeof(name)) {
		return false;
	}
	bool is_ipv6 = host.length > 2 && host.bytes[0] == '[';

	snprintf(name, sizeof(name), "%.*s", (int)host.length - 2 * is_ipv6, host.bytes + is_ipv6);
	return jc_certificate_names(connection->server->sockets.certificate, name);
}

static bool has_keys(const struct jc_connection *connection)
{
	return !jc_auth_policy_is_open(services_of(connection)->auth_policy);
}

/* Whether only clients of this machine reach the listener, and need no token. A daemon without keys
 * listens on loopback only, but a proxy or the service manager may hand over other connections. */
static bool takes_local_pages(const struct jc_connection *connection)
{
	return !has_keys(connection) && connection->kind != JC_LISTENER_PROXY &&
	       connection->kind != JC_LISTENER_ADMIN && !connection->is_handed_over;
}

static void find_policy(const struct jc_connection *connection, const struct jc_request *request,
	const struct jc_route *route, struct jc_request_policy *policy)
{
	const struct jc_config *config = services_of(connection)->config;

	*policy = (struct jc_request_policy){ .host_count = config->hosts.count,
		.hosts = (const char *const *)config->hosts.texts,
		.origin_count = config->origins.count,
		.origins = (const char *const *)config->origins.texts,
		.any_host = is_ours(connection, request),
		.has_keys = has_keys(connection),
		.local_pages = takes_local_pages(connection),
		.is_personal = route && route->is_personal,
		.methods = route ? route->methods : 0,
		.body = route ? route->body : 0 };
}

/* A refused text of a request, and the key of the configuration that admits it. */
struct refused {
	struct jc_text text;
	const char *key;    /* of the section `server` */
	const char *what;   /* "a page of origin" */
	const char *remedy; /* "jointcastd.conf admits it with" */
};

/* Logs a refusal with the line of the configuration that prevents it. The line is for people to
 * copy: a text that could change its meaning gets none. Browsers write hosts in lower case. A text
 * with capitals is not logged: it may be a token in the wrong place, in base64. */
static void log_refusal(const struct jc_log *log, const struct refused *refused)
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.:/[]";
	char text[REFUSED_TEXT];
	char key[sizeof("server.origins")];

	snprintf(text, sizeof(text), "%.*s", (int)refused->text.length, refused->text.bytes);
	snprintf(key, sizeof(key), "server.%s", refused->key);
	if (text[strcspn(text, capitals)]) {
		jc_log_write(log, JC_LOG_WARNING, "refused %s (not logged: it has capital letters)",
			refused->what);
	} else if (refused->text.length < sizeof(text) && text[0] &&
		   text[strspn(text, plain)] == '\0' &&
		   jc_config_check_value(key, text, NULL) == JC_OK) {
		jc_log_write(log, JC_LOG_WARNING, "refused %s '%s'; %s: server { %s = {\"%s\"} }",
			refused->what, text, refused->remedy, refused->key, text);
	} else {
		jc_log_write(log, JC_LOG_WARNING, "refused %s '%s'", refused->what, text);
	}
}

/* Whether a page asks why its WebSocket was refused: a browser gives the page no reason. A page of
 * any origin may read that its origin is the reason. */
static bool asks_reason(const struct jc_request *request)
{
	return jc_text_is(request->target, "/healthz") && !request->upgrade.bytes &&
	       jc_request_method(request) == JC_METHOD_GET;
}

/* Whether a WebSocket of the page would be accepted: another reason made it fail. */
static bool may_watch(const struct jc_request *request, const struct jc_request_policy *policy)
{
	struct jc_request handshake = *request;

	handshake.upgrade = (struct jc_text){ "websocket", strlen("websocket") };
	return jc_request_is_local_page(&handshake, policy);
}

/* Counts and logs a request that was refused for its host or its origin. */
static void note_refusal(struct jc_connection *connection, const struct jc_request *request,
	const struct jc_request_policy *policy)
{
	struct jc_traffic *traffic = &connection->server->traffic;
	const struct jc_log *log = services_of(connection)->log;

	if (!request->host.bytes) {
		return;
	}
	if (!jc_request_host_is_served(request, policy)) {
		traffic->refused_hosts++;
		log_refusal(log,
			&(struct refused){ jc_request_host(request), "hosts", "a request for host",
				"if a proxy serves that name, jointcastd.conf admits it "
				"with" });
	} else if (!jc_request_origin_may_connect(request, policy)) {
		if (asks_reason(request)) { /* the WebSocket was counted */
			connection->http->response.for_any_page = !may_watch(request, policy);
			return;
		}
		traffic->refused_origins++;
		log_refusal(log, &(struct refused){ request->origin, "origins", "a page of origin",
					 "jointcastd.conf admits it with" });
	}
}

/* False without memory. */
static bool note_page(struct jc_response *response, const struct jc_request *request,
	const struct jc_request_policy *policy)
{
	response->methods = policy->methods;
	response->is_personal = policy->is_personal;
	if (!policy->is_personal || !jc_request_is_foreign_page(request, policy)) {
		return true;
	}
	response->foreign_page = strndup(request->origin.bytes, request->origin.length);
	return response->foreign_page != NULL;
}

/* A complete head of `length` bytes; `total` bytes came. */
static void act(struct jc_connection *connection, const struct jc_request *request,
	const char *bytes, size_t length, size_t total)
{
	const struct jc_route *route = jc_route_find(request->target, connection->kind);
	struct jc_response *response = &connection->http->response;
	const char *reason = NULL;
	struct jc_request_policy policy;

	find_policy(connection, request, route, &policy);
	if (!note_page(response, request, &policy)) {
		jc_connection_drop(connection);
		return;
	}
	int status = jc_forwarded_take(connection, request, &reason);

	if (status == 200) {
		status = jc_request_check(request, &policy, &reason);
		if (status == 403) {
			note_refusal(connection, request, &policy);
		}
	}
	if (status == 200 && !route) {
		status = 404;
		reason = "no such path";
	} else if (status == 101 && connection->kind == JC_LISTENER_ADMIN) {
		status = 404;
		reason = "no WebSockets here";
	} else if (status == 101 && total > length) {
		status = 400;
		reason = "bytes follow the request before it was answered";
	}
	if (status == 101) {
		connection->is_local_page = jc_request_is_local_page(request, &policy);
		upgrade(connection, request);
	} else if (status == 200 && jc_request_method(request) == JC_METHOD_OPTIONS) {
		jc_http_connection_respond(connection, jc_response_options(response));
	} else if (status == 200) {
		begin_exchange(connection, route, bytes, length, (const uint8_t *)bytes + length,
			total - length);
	} else {
		jc_http_connection_respond(connection,
			jc_response_status(response, status, reason, !jc_request_is_head(request)));
	}
}

/* Keeps bytes of a head that is not complete. */
static bool keep(struct jc_http_connection *http, const uint8_t *bytes, size_t length)
{
	char *request = realloc(http->request, http->request_length + length);

	if (!request) {
		return false;
	}
	memcpy(request + http->request_length, bytes, length);
	http->request = request;
	http->request_length += length;
	return true;
}

static void read_request(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	struct jc_http_connection *http = connection->http;
	struct jc_request request;

	/* Most heads arrive in one piece and are parsed in place. */
	if (http->request) {
		if (!keep(http, bytes, length)) {
			jc_connection_drop(connection);
			return;
		}
		bytes = (const uint8_t *)http->request;
		length = http->request_length;
	}
	int head = jc_request_parse((const char *)bytes, length, &request);

	if (head > 0) {
		char *kept = http->request;

		http->request = NULL;
		act(connection, &request, (const char *)bytes, (size_t)head, length);
		free(kept);
	} else if (head < 0) {
		jc_http_connection_refuse(connection, -head,
			head == -431   ? "the head is too large"
			: head == -505 ? "only HTTP/1.1 and 1.0"
				       : "not a request");
	} else if (!http->request && !keep(http, bytes, length)) {
		jc_connection_drop(connection);
	}
}

static void on_bytes(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	if (!connection->http && jc_http_connection_create(connection) != JC_OK) {
		jc_connection_drop(connection);
		return;
	}
	switch (connection->http->step) {
	case JC_HTTP_REQUEST:
		if (connection->kind == JC_LISTENER_TLS &&
			!jc_socket_is_encrypted(connection->wsi)) {
			jc_http_connection_refuse(
				connection, 400, "this port speaks TLS: https:// and wss://");
		} else {
			read_request(connection, bytes, length);
		}
		break;
	case JC_HTTP_BODY:
		take_body(connection, bytes, length);
		break;
	case JC_HTTP_ANSWER:
	case JC_HTTP_RESPONSE:
		break; /* one request a connection */
	}
}

static void on_writable(struct jc_connection *connection)
{
	if (connection->http && connection->http->step == JC_HTTP_RESPONSE) {
		jc_http_connection_send(connection);
	}
}

static bool on_overdue(struct jc_connection *connection)
{
	struct jc_http_connection *http = connection->http;

	if (!http || http->step == JC_HTTP_RESPONSE) {
		return false;
	}
	if (http->step == JC_HTTP_REQUEST) {
		jc_http_connection_refuse(connection, 408, "the request took too long");
	} else if (http->step == JC_HTTP_BODY) {
		jc_exchange_status(http->exchange, 408, "the body took too long");
	} else {
		http->exchange->connection = NULL;
		http->exchange = NULL;
		jc_http_connection_refuse(connection, 503, "the answer took too long");
	}
	return true;
}

static void on_closed(struct jc_connection *connection)
{
	struct jc_exchange *exchange = connection->http ? connection->http->exchange : NULL;

	if (exchange && exchange->is_served) {
		exchange->connection = NULL;
	} else {
		jc_exchange_destroy(exchange);
	}
	jc_http_connection_destroy(connection);
}

const struct jc_connection_ops jc_http_ops = {
	.bytes = on_bytes,
	.writable = on_writable,
	.overdue = on_overdue,
	.closed = on_closed,
};
