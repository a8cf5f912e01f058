/* A WebSocket client on the event loop of libwebsockets. */
#include "net/link.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "error_report.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/server_clock.h"
#include "net/tls_client.h"

#define SUBPROTOCOL           "jointcast.v1"
#define MESSAGE_BYTES         (8u << 20) /* the largest message that is accepted: a skeleton */
#define CAPTURE_MESSAGE_BYTES 8192       /* the largest binary message that is sent */
#define CONTROLS_MAX          64u        /* the largest queue of control messages */

#define SECOND      INT64_C(1000000000)
#define TIMEOUT_NS  (10 * SECOND) /* time for the daemon's greeting, and for closing */
#define CHECK_NS    (SECOND / 20) /* interval between checks for signals and time-outs */
#define FIRST_PINGS 4u
#define PING_NS     (2 * SECOND)

struct jc_link {
	const char *url; /* borrowed, like the next two fields */
	const struct jc_link_ops *ops;
	void *command;
	struct lws_context *context;
	char *token;     /* owned; NULL: none */
	struct lws *wsi; /* NULL: not connected */
	int signals;
	lws_sorted_usec_list_t check, wake;
	int64_t since_ns; /* start of the phase that TIMEOUT_NS limits */
	bool has_welcome, is_ready, is_ending, is_over;
	int status;

	int64_t pinged_ns; /* time of the last ping; there is one at a time */
	bool is_pinging;
	struct jc_server_clock clock;

	json_t *controls; /* owned: control messages to send */
	struct {
		uint8_t bytes[LWS_PRE + CAPTURE_MESSAGE_BYTES];
		size_t length; /* 0: none waits */
	} captures[JC_LINK_PUBLICATIONS];
	uint8_t *received; /* owned: the part of a message that has arrived */
	size_t received_length;
};

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

static void fail(struct jc_link *link, int status, const char *what)
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
	if (!message || json_array_size(link->controls) >= CONTROLS_MAX ||
		json_array_append_new(link->controls, message) != 0) {
		fail(link, JC_EXIT_IO, "too many messages wait, or out of memory");
		return;
	}
	ask_to_write(link);
}

static bool has_captures(const struct jc_link *link)
{
	for (size_t i = 0; i < JC_LINK_PUBLICATIONS; i++) {
		if (link->captures[i].length > 0) {
			return true;
		}
	}
	return false;
}

bool jc_link_is_busy(const struct jc_link *link, unsigned number)
{
	return link->captures[number].length > 0;
}

bool jc_link_send_capture(
	struct jc_link *link, unsigned number, const uint8_t *bytes, size_t length)
{
	bool was_busy = jc_link_is_busy(link, number);

	if (length > CAPTURE_MESSAGE_BYTES || !link->wsi) {
		return false;
	}
	memcpy(link->captures[number].bytes + LWS_PRE, bytes, length);
	link->captures[number].length = length;
	ask_to_write(link);
	return !was_busy;
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

void jc_link_refused(struct jc_link *link, const json_t *error)
{
	const char *message = json_string_value(json_object_get(error, "message"));

	/* Later requests of the same batch are refused for the same reason. */
	if (link->is_ending) {
		return;
	}
	jc_link_end(link, jc_report(JC_EXIT_IO, link->url, "refused: %s",
				  message ? message : "without a reason"));
}

static void on_wake(lws_sorted_usec_list_t *list)
{
	struct jc_link *link = lws_container_of(list, struct jc_link, wake);

	if (link->ops->timer && link->wsi && !link->is_ending) {
		link->ops->timer(link->command, link, jc_link_now_ns());
	}
}

/* lws_sul_schedule takes microseconds from now. */
static void schedule(struct jc_link *link, lws_sorted_usec_list_t *list, sul_cb_t call, int64_t ns)
{
	lws_sul_schedule(link->context, 0, list, call, ns > 1000 ? ns / 1000 : 1);
}

void jc_link_wake(struct jc_link *link, int64_t at_ns)
{
	schedule(link, &link->wake, on_wake, at_ns - jc_link_now_ns());
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
	} else if (link->wsi && !link->is_ending) {
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
	} else if (!link->is_ready && now_ns - link->since_ns > TIMEOUT_NS) {
		fail(link, JC_EXIT_IO, "no answer");
	} else if (link->is_ready && !link->is_pinging && now_ns - link->pinged_ns > PING_NS) {
		ping(link, now_ns);
	}
	schedule(link, &link->check, on_check, CHECK_NS);
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
		link->is_ready = true;
		link->ops->ready(link->command, link);
	}
}

static void take_text(struct jc_link *link, const json_t *message)
{
	const char *type = json_string_value(json_object_get(message, "type"));

	if (!type) {
		fail(link, JC_EXIT_INPUT, "received a message that is not of jointcast.v1");
	} else if (strcmp(type, "welcome") == 0) {
		link->has_welcome = true;
		ping(link, jc_link_now_ns());
	} else if (strcmp(type, "pong") == 0) {
		take_pong(link, message);
	} else if (strcmp(type, "going_away") == 0) {
		fail(link, JC_EXIT_IO, "the daemon is shutting down");
	} else if (!link->is_ready && strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (link->ops->message && link->is_ready) {
		link->ops->message(link->command, link, message);
	}
}

static void take_message(struct jc_link *link, bool is_binary)
{
	if (is_binary) {
		if (link->ops->motion && link->is_ready) {
			link->ops->motion(
				link->command, link, link->received, link->received_length);
		}
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
		fail(link, JC_EXIT_INPUT, "received a message that is too long");
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

static bool write_text(struct jc_link *link)
{
	char *text = json_dumps(json_array_get(link->controls, 0), JSON_COMPACT);
	size_t length = text ? strlen(text) : 0;
	uint8_t *frame = malloc(LWS_PRE + length);
	bool done = false;

	if (text && frame) {
		memcpy(frame + LWS_PRE, text, length);
		done = lws_write(link->wsi, frame + LWS_PRE, length, LWS_WRITE_TEXT) >= 0;
	}
	free(frame);
	free(text);
	json_array_remove(link->controls, 0);
	return done;
}

/* Sends the first capture that waits. */
static bool write_capture(struct jc_link *link)
{
	size_t i = 0;

	while (link->captures[i].length == 0) {
		i++;
	}
	int sent = lws_write(link->wsi, link->captures[i].bytes + LWS_PRE, link->captures[i].length,
		LWS_WRITE_BINARY);

	link->captures[i].length = 0;
	return sent >= 0;
}

/* Sends one message; false closes the connection. Captures are sent first, because a control
 * message may end their publication. */
static bool write_next(struct jc_link *link)
{
	if (has_captures(link)) {
		if (!write_capture(link)) {
			return false;
		}
	} else if (json_array_size(link->controls) > 0) {
		if (!write_text(link)) {
			return false;
		}
	} else if (link->is_ending) {
		lws_close_reason(link->wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
		return false;
	}
	if (json_array_size(link->controls) > 0 || link->is_ending || has_captures(link)) {
		ask_to_write(link);
	}
	return true;
}

/* Explains an error message of libwebsockets. It does not contain the reasons that libssl found. */
static void explain(char *why, size_t capacity, const char *reason, size_t length)
{
	static const struct {
		const char *text, *means;
	} reasons[] = {
		{ "SSL", "TLS failed: the daemon has no certificate, or an untrusted one (--ca)" },
		{ "Unable to connect", "cannot connect: nothing listens there" },
		{ "not 101", "cannot connect: not a jointcastd, or it has no free connections, or "
			     "it does not serve that name" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (memmem(reason, length, reasons[i].text, strlen(reasons[i].text))) {
			snprintf(why, capacity, "%s", reasons[i].means);
			return;
		}
	}
	snprintf(why, capacity, "cannot connect: %.*s", (int)length, reason);
}

static int on_event(
	struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct jc_link *link = user;
	char why[200] = "cannot connect";

	switch (reason) {
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		if (in && length > 0) {
			explain(why, sizeof(why), in, length);
		}
		link->wsi = NULL;
		fail(link, JC_EXIT_IO, why);
		break;
	case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
		if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) <= 0) {
			fail(link, JC_EXIT_IO, "the server does not speak " SUBPROTOCOL);
			return -1;
		}
		break;
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		jc_link_send_control(
			link, json_pack("{ss ss s[ii] ss*}", "type", "hello", "client", "jointcast",
				      "codings", 2, 1, "token", link->token));
		break;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		take_part(link, in, length);
		break;
	case LWS_CALLBACK_CLIENT_WRITEABLE:
		return write_next(link) ? 0 : -1;
	case LWS_CALLBACK_CLIENT_CLOSED:
		link->wsi = NULL;
		if (!link->is_ending) {
			fail(link, JC_EXIT_IO, "the connection was closed");
		}
		link->is_over = true;
		break;
	default:
		break;
	}
	return 0;
}

static int open_signals(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP); /* the terminal was closed */
	sigprocmask(SIG_BLOCK, &mask, NULL);
	return signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void connect_and_serve(struct jc_link *link, const struct jc_endpoint *endpoint)
{
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

	schedule(link, &link->check, on_check, CHECK_NS);
	/* On failure the callback has reported the reason, unless memory ran out. */
	if (!lws_client_connect_via_info(&info)) {
		fail(link, JC_EXIT_IO, "cannot connect: unknown host name");
	}
	while (!link->is_over && lws_service(link->context, 0) >= 0) {
	}
}

static struct lws_context *create_context(
	const struct jc_endpoint *endpoint, const struct jc_credentials *credentials)
{
	static const struct lws_protocols protocols[] = {
		{ SUBPROTOCOL, on_event, 0, 65536, 0, NULL, 65536 },
		{ NULL, NULL, 0, 0, 0, NULL, 0 },
	};
	struct lws_context_creation_info info = { .port = CONTEXT_PORT_NO_LISTEN,
		.protocols = protocols };

	if (endpoint->is_secure) {
		info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
		info.client_ssl_ca_filepath = credentials->ca;
		/* With --ca only the certificates of that file are trusted. */
		info.options |= credentials->ca ? LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS : 0;
	}
	lws_set_log_level(0, NULL);
	return lws_create_context(&info);
}

static void destroy(struct jc_link *link)
{
	/* Closing is not an error from here on. */
	link->is_ending = true;
	if (link->context) {
		lws_context_destroy(link->context);
	}
	json_decref(link->controls);
	if (link->signals >= 0) {
		close(link->signals);
	}
	jc_credentials_free_token(link->token);
	free(link->received);
	free(link);
}

/* libwebsockets ignores certificate files that it cannot read, so they are checked here. */
static int check_certificates(const struct jc_endpoint *endpoint, const char *url,
	const struct jc_credentials *credentials)
{
	struct jc_diagnostic diagnostic;
	SSL_CTX *believed;

	if (!endpoint->is_secure || !credentials->ca) {
		return JC_EXIT_DONE;
	}
	if (jc_tls_client_create(credentials->ca, &believed, &diagnostic) != JC_OK) {
		return jc_report(JC_EXIT_IO, url, "%s", diagnostic.what);
	}
	SSL_CTX_free(believed);
	return JC_EXIT_DONE;
}

int jc_link_run(const char *url, const struct jc_credentials *credentials,
	const struct jc_link_ops *ops, void *context)
{
	struct jc_endpoint endpoint;
	char *token = NULL;

	if (!jc_endpoint_parse(url, &endpoint)) {
		return jc_report(JC_EXIT_USAGE, url, "not the address of a daemon");
	}
	int status = check_certificates(&endpoint, url, credentials);

	if (status == JC_EXIT_DONE) {
		status = jc_credentials_read_token(credentials, &token);
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
		.ops = ops,
		.command = context,
		.token = token,
		.since_ns = jc_link_now_ns(),
		.signals = open_signals(),
		.controls = json_array(),
		.context = create_context(&endpoint, credentials) };
	if (!link->controls || !link->context || link->signals < 0) {
		status = jc_report(JC_EXIT_IO, url, "out of memory or descriptors");
	} else {
		connect_and_serve(link, &endpoint);
		status = link->status;
	}
	destroy(link);
	return status;
}
