/* A WebSocket client on the event loop of libwebsockets. */
#include "net/link_private.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "error_report.h"
#include "jointcast/packet.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/link_context.h"

#define SUBPROTOCOL   "jointcast.v1"
#define MESSAGE_BYTES (8u << 20) /* the largest message that is accepted: a skeleton */

#define SECOND      INT64_C(1000000000)
#define TIMEOUT_NS  (10 * SECOND) /* time for the daemon's greeting, and for closing */
#define CHECK_NS    (SECOND / 20) /* interval between checks for signals and time-outs */
#define FIRST_PINGS 4u
#define FAREWELL_MS 86400000 /* a longer delay of a farewell is ignored */
#define PING_NS     (2 * SECOND)

int64_t jc_link_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

int64_t jc_link_server_us(const struct jc_link *link, int64_t now_ns)
{
	return jc_server_clock_at(&link->clock, now_ns);
}

void jc_link_fail(struct jc_link *link, int status, const char *what)
{
	if (link->status == JC_EXIT_DONE) {
		link->status = jc_report(status, link->url, "%s", what);
	}
	link->is_over = true;
}

static void ask_to_write(struct jc_link *link)
{
	if (link->wsi) {
		lws_callback_on_writable(link->wsi);
	}
}

void jc_link_send_control(struct jc_link *link, json_t *message)
{
	if (!message || !jc_link_queue_add(&link->queue, message)) {
		jc_link_fail(link, JC_EXIT_IO, "too many messages wait, or out of memory");
		return;
	}
	ask_to_write(link);
}

bool jc_link_is_busy(const struct jc_link *link, unsigned number)
{
	return link->queue.captures[number].length > 0;
}

bool jc_link_send_capture(
	struct jc_link *link, unsigned number, const uint8_t *bytes, size_t length)
{
	bool is_kept = link->wsi && jc_link_queue_put(&link->queue, number, bytes, length);

	ask_to_write(link);
	return is_kept;
}

void jc_link_end(struct jc_link *link, int status)
{
	if (!link->is_ending) {
		link->is_ending = true;
		link->status = status;
		link->since_ns = jc_link_now_ns();
	}
	ask_to_write(link);
}

static void on_wake(lws_sorted_usec_list_t *list)
{
	struct jc_link *link = lws_container_of(list, struct jc_link, wake);

	if (link->ops->timer && link->wsi && !link->is_ending) {
		link->ops->timer(link->command, link, jc_link_now_ns());
	}
}

/* lws_sul_schedule takes microseconds. */
void jc_link_schedule(struct jc_link *link, lws_sorted_usec_list_t *list, sul_cb_t call, int64_t ns)
{
	lws_sul_schedule(link->context, 0, list, call, ns > 1000 ? ns / 1000 : 1);
}

void jc_link_wake(struct jc_link *link, int64_t at_ns)
{
	jc_link_schedule(link, &link->wake, on_wake, at_ns - jc_link_now_ns());
}

static void ping(struct jc_link *link, int64_t now_ns)
{
	link->pinged_ns = now_ns;
	link->is_pinging = true;
	jc_link_send_control(
		link, json_pack("{ss sI}", "type", "ping", "t", (json_int_t)(now_ns / 1000)));
}

static void interrupt(struct jc_link *link)
{
	if (link->ops->interrupted && link->is_ready && !link->is_ending) {
		link->ops->interrupted(link->command, link);
	} else if (link->wsi && !link->is_ending && link->is_ready == link->has_served) {
		jc_link_end(link, JC_EXIT_DONE);
	} else {
		link->is_over = true; /* not connected yet, or the second interrupt */
	}
}

static void on_check(lws_sorted_usec_list_t *list)
{
	struct jc_link *link = lws_container_of(list, struct jc_link, check);
	struct signalfd_siginfo signal;
	int64_t now_ns = jc_link_now_ns();

	if (read(link->signals, &signal, sizeof(signal)) == sizeof(signal)) {
		interrupt(link);
	}
	if (link->is_ending && now_ns - link->since_ns > TIMEOUT_NS) {
		link->is_over = true;
	} else if (!link->is_ready && !link->is_waiting && now_ns - link->since_ns > TIMEOUT_NS) {
		jc_link_give_up(link);
	} else if (link->is_ready && link->is_pinging && link->reconnection.most_ns > 0 &&
		   now_ns - link->pinged_ns > TIMEOUT_NS) {
		jc_link_give_up(link);
	} else if (link->is_ready && !link->is_pinging && now_ns - link->pinged_ns > PING_NS) {
		ping(link, now_ns);
	}
	jc_link_schedule(link, &link->check, on_check, CHECK_NS);
}

static void take_pong(struct jc_link *link, const json_t *pong)
{
	int64_t now_ns = jc_link_now_ns();

	link->is_pinging = false;
	jc_server_clock_add(&link->clock, link->pinged_ns, now_ns,
		(int64_t)json_integer_value(json_object_get(pong, "time")));
	if (link->clock.count < FIRST_PINGS) {
		ping(link, now_ns);
	} else if (!link->is_ready) {
		link->has_returned = link->has_served;
		link->is_ready = link->has_served = true;
		jc_reconnection_opened(&link->reconnection, now_ns);
		link->ops->ready(link->command, link);
	}
}

/* A link that connects again waits until the daemon closes the connection. */
static void take_farewell(struct jc_link *link, const json_t *message)
{
	json_int_t after_ms = json_integer_value(json_object_get(message, "retryAfter"));

	link->farewell = "the daemon is shutting down";
	if (link->reconnection.most_ns == 0 || !link->has_served) {
		jc_link_fail(link, JC_EXIT_IO, link->farewell);
	} else if (after_ms >= 0 && after_ms <= FAREWELL_MS) {
		link->reconnection.return_ns = after_ms * (SECOND / 1000);
	}
}

static void take_text(struct jc_link *link, const json_t *message)
{
	const char *type = json_string_value(json_object_get(message, "type"));

	if (!type) {
		jc_link_fail(link, JC_EXIT_INPUT, "received a message that is not of jointcast.v1");
	} else if (strcmp(type, "welcome") == 0) {
		ping(link, jc_link_now_ns());
	} else if (strcmp(type, "pong") == 0) {
		take_pong(link, message);
	} else if (strcmp(type, "going_away") == 0) {
		take_farewell(link, message);
	} else if (!link->is_ready && strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (link->ops->message && link->is_ready) {
		link->ops->message(link->command, link, message);
	}
}

/* In place of a damaged pair the command gets an empty bundle: it has lost motion. */
static void take_motion(struct jc_link *link)
{
	const uint8_t *bundles[2] = { link->received };
	size_t lengths[2] = { link->received_length };
	int count = jc_bundle_split(link->received, link->received_length, bundles, lengths);

	lengths[0] = count < 0 ? 0 : lengths[0];
	for (int i = 0; i < (count < 0 ? 1 : count); i++) {
		if (link->ops->motion && link->is_ready) {
			link->ops->motion(link->command, link, bundles[i], lengths[i]);
		}
	}
}

static void take_message(struct jc_link *link, bool is_binary)
{
	if (is_binary) {
		take_motion(link);
		return;
	}
	json_t *message = json_loadb((const char *)link->received, link->received_length, 0, NULL);

	take_text(link, message);
	json_decref(message);
}

/* Collects the fragments of a message. */
static void take_part(struct jc_link *link, const void *part, size_t length)
{
	if (lws_is_first_fragment(link->wsi)) {
		link->received_length = 0;
	}
	uint8_t *received = length <= MESSAGE_BYTES - link->received_length
				    ? realloc(link->received, link->received_length + length + 1)
				    : NULL;

	if (!received) {
		jc_link_fail(link, JC_EXIT_INPUT, "received a message that is too long");
		return;
	}
	link->received = received;
	if (length > 0) {
		memcpy(received + link->received_length, part, length);
	}
	link->received_length += length;
	if (lws_is_final_fragment(link->wsi)) {
		take_message(link, lws_frame_is_binary(link->wsi));
	}
}

/* Sends one message; false closes the connection. */
static bool write_next(struct jc_link *link)
{
	if (!jc_link_queue_is_empty(&link->queue)) {
		if (!jc_link_queue_write(&link->queue, link->wsi)) {
			return false;
		}
	} else if (link->is_ending) {
		lws_close_reason(link->wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
		return false;
	}
	if (!jc_link_queue_is_empty(&link->queue) || link->is_ending) {
		ask_to_write(link);
	}
	return true;
}

/* A connection that broke a rule would break it again. */
static void take_close(struct jc_link *link, const uint8_t *reason, size_t length)
{
	int code = length >= 2 ? reason[0] << 8 | reason[1] : LWS_CLOSE_STATUS_NO_STATUS;

	if (code == LWS_CLOSE_STATUS_POLICY_VIOLATION ||
		code == LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE) {
		link->reconnection.most_ns = 0;
	}
}

static int on_event(
	struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct jc_link *link = user;
	char why[200] = "cannot connect";

	switch (reason) {
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		if (in && length > 0) {
			jc_link_context_explain(why, sizeof(why), in, length);
		}
		link->wsi = NULL;
		jc_link_lose(link, why);
		break;
	case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
		if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) <= 0) {
			jc_link_fail(link, JC_EXIT_IO, "the server does not speak " SUBPROTOCOL);
			return -1;
		}
		break;
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		jc_link_send_control(
			link, json_pack("{ss ss s[iii] ss*}", "type", "hello", "client",
				      "jointcast", "codings", 3, 2, 1, "token", link->token));
		break;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		take_part(link, in, length);
		break;
	case LWS_CALLBACK_CLIENT_WRITEABLE:
		return write_next(link) ? 0 : -1;
	case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
		take_close(link, in, length);
		break;
	case LWS_CALLBACK_CLIENT_CLOSED:
		link->wsi = NULL;
		jc_link_lose(link, "the connection was closed");
		break;
	default:
		break;
	}
	return 0;
}

void jc_link_connect(struct jc_link *link)
{
	const struct jc_endpoint *endpoint = link->endpoint;
	struct lws_client_connect_info info = { .context = link->context,
		.address = endpoint->host,
		.port = atoi(endpoint->port),
		.path = "/",
		.host = endpoint->authority,
		.protocol = SUBPROTOCOL,
		.local_protocol_name = SUBPROTOCOL,
		.pwsi = &link->wsi,
		.userdata = link,
		.ssl_connection = endpoint->is_secure ? LCCSCF_USE_SSL : 0 };

	link->is_waiting = false;
	link->since_ns = jc_link_now_ns();
	/* On failure the callback has got the reason, unless memory ran out. */
	if (!lws_client_connect_via_info(&info) && !link->is_waiting && !link->is_over) {
		jc_link_lose(link, "cannot connect: unknown host name");
	}
}

static void connect_and_serve(struct jc_link *link)
{
	jc_link_schedule(link, &link->check, on_check, CHECK_NS);
	jc_link_connect(link);
	while (!link->is_over && lws_service(link->context, 0) >= 0) {
	}
}

static const struct lws_protocols protocols[] = {
	{ SUBPROTOCOL, on_event, 0, 65536, 0, NULL, 65536 },
	{ NULL, NULL, 0, 0, 0, NULL, 0 },
};

static void destroy(struct jc_link *link)
{
	/* Closing is not an error from here on. */
	link->is_ending = true;
	if (link->context) {
		lws_context_destroy(link->context);
	}
	jc_link_queue_finish(&link->queue);
	if (link->signals >= 0) {
		close(link->signals);
	}
	jc_credentials_free_token(link->token);
	free(link->received);
	free(link);
}

static int run(struct jc_link *link)
{
	if (!jc_link_queue_init(&link->queue) || !link->context || link->signals < 0) {
		return jc_report(JC_EXIT_IO, link->url, "out of memory or descriptors");
	}
	connect_and_serve(link);
	return link->status;
}

int jc_link_run(const struct jc_link_options *options, const struct jc_link_ops *ops, void *context)
{
	const char *url = options->url;
	struct jc_endpoint endpoint;
	char *token = NULL;

	if (!jc_endpoint_parse(url, &endpoint)) {
		return jc_report(JC_EXIT_USAGE, url, "not the address of a daemon");
	}
	int status = jc_link_context_check(&endpoint, url, options->credentials);

	if (status == JC_EXIT_DONE) {
		status = jc_credentials_read_token(options->credentials, &token);
	}
	if (status != JC_EXIT_DONE) {
		return status;
	}
	struct jc_link *link = calloc(1, sizeof(*link));

	if (!link) {
		jc_credentials_free_token(token);
		return jc_report(JC_EXIT_IO, url, "out of memory");
	}
	*link = (struct jc_link){ .url = url,
		.endpoint = &endpoint,
		.ops = ops,
		.command = context,
		.token = token,
		.signals = jc_link_context_signals(),
		.context = jc_link_context_create(&endpoint, options->credentials, protocols) };
	jc_reconnection_init(&link->reconnection, options->reconnect_s);
	status = run(link);
	destroy(link);
	return status;
}
