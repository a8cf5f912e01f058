/* The thread that calls libnats, and the callbacks of libnats.
 *
 * libnats connects once, without its own retries: after a loss the thread makes a new connection,
 * with the same options and subscriptions, so that there is one way for the first connection, a
 * restarted server and refused credentials. It writes to the socket while it holds its lock, and
 * may block there; so the loop never calls it. */
#include "cluster/link/nats_connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/link/nats_bindings.h"
#include "cluster/link/nats_settings.h"
#include "cluster/subjects.h"
#include "config/nats_url.h"

#define FLUSH_MS       1000 /* until the server has read everything, at the end */
#define FIRST_DELAY_MS 100  /* until the second try to connect, at most; */
#define MOST_DELAY_MS  2000 /* doubled by each try up to this */

/* Callbacks, on threads of libnats. */

static void set_problem(struct jc_nats_connection *connection, const char *text)
{
	jc_nats_url_hide_passwords(text, connection->problem, sizeof(connection->problem));
	connection->has_problem = true;
}

static void on_closed(natsConnection *nats, void *closure)
{
	struct jc_nats_connection *connection = closure;
	const char *text = "";
	natsStatus status = natsConnection_GetLastError(nats, &text);

	if (status == NATS_STALE_CONNECTION) {
		text = "the server answers no pings";
	} else if (status == NATS_OK || status == NATS_IO_ERROR ||
		   status == NATS_CONNECTION_CLOSED) {
		text = "the server or the network closed it";
	}
	uv_mutex_lock(&connection->mutex);
	connection->is_closed = true;
	set_problem(connection, text);
	uv_cond_signal(&connection->cond);
	uv_mutex_unlock(&connection->mutex);
}

static void on_error(
	natsConnection *nats, natsSubscription *subscription, natsStatus error, void *closure)
{
	struct jc_nats_connection *connection = closure;
	const char *text = "";

	(void)subscription;
	natsConnection_GetLastError(nats, &text);
	uv_mutex_lock(&connection->mutex);
	if (error == NATS_SLOW_CONSUMER) {
		connection->slow++;
	} else if (error == NATS_NOT_PERMITTED) {
		connection->not_permitted++;
		snprintf(connection->refusal, sizeof(connection->refusal), "%s", text);
	}
	uv_mutex_unlock(&connection->mutex);
	uv_async_send(connection->async);
}

/* The thread. */

/* Sends the oldest message. Locked, but not while libnats works. Returns false where the
 * connection is no longer usable: a message may have been sent in part. */
static bool send_first(struct jc_nats_connection *connection, natsConnection *nats)
{
	struct jc_publish_record record;
	natsStatus status;

	if (!jc_publish_ring_first(&connection->ring, &record)) {
		return true;
	}
	uv_mutex_unlock(&connection->mutex);
	if (record.reply[0]) {
		status = natsConnection_PublishRequest(
			nats, record.subject, record.reply, record.bytes, (int)record.length);
	} else {
		status = natsConnection_Publish(
			nats, record.subject, record.bytes, (int)record.length);
	}
	uv_mutex_lock(&connection->mutex);
	jc_publish_ring_drop(&connection->ring);
	return status == NATS_OK || status == NATS_MAX_PAYLOAD || status == NATS_NO_MEMORY;
}

static void drop_leaving(struct jc_nats_connection *connection)
{
	struct jc_publish_record record;

	while (jc_publish_ring_first(&connection->ring, &record)) {
		jc_publish_ring_drop(&connection->ring);
	}
}

/* Serves a connection until it is lost, or until the thread ends and everything is sent. Returns
 * whether the connection is usable. */
static bool serve(struct jc_nats_connection *connection, natsConnection *nats)
{
	bool is_usable = true;

	while (is_usable && !connection->is_closed) {
		if (connection->is_changed) {
			jc_nats_bindings_follow(connection, nats);
		} else if (connection->ring.used > 0) {
			is_usable = send_first(connection, nats);
		} else if (connection->is_stopping) {
			break;
		} else {
			uv_cond_wait(&connection->cond, &connection->mutex);
		}
	}
	return is_usable && !connection->is_closed;
}

/* Ends a connection: afterwards libnats calls back no more. is_whole: what was sent shall arrive.
 * Locked, but not while libnats works. */
static void disconnect(struct jc_nats_connection *connection, natsConnection *nats, bool is_whole)
{
	connection->is_connected = false;
	connection->server[0] = '\0';
	drop_leaving(connection);
	uv_mutex_unlock(&connection->mutex);
	uv_async_send(connection->async);
	if (is_whole) {
		/* Until the server answers: closing a socket with unread bytes would discard what
		 * the server has not read. */
		natsConnection_FlushTimeout(nats, FLUSH_MS);
	}
	natsConnection_Close(nats);
	uv_mutex_lock(&connection->mutex);
	while (!connection->is_closed || connection->bindings > 0) {
		uv_cond_wait(&connection->cond, &connection->mutex);
	}
	jc_nats_bindings_destroy(connection);
	uv_mutex_unlock(&connection->mutex);
	jc_nats_bindings_destroy_ended(connection);
	natsConnection_Destroy(nats);
	uv_mutex_lock(&connection->mutex);
	connection->is_closed = false;
}

static const char *explain(natsStatus status, const char *detail)
{
	switch (status) {
	case NATS_CONNECTION_AUTH_FAILED:
		return "the server refuses the user, the password or the credentials";
	case NATS_SECURE_CONNECTION_REQUIRED:
		return "the server requires TLS: use a URL with tls://";
	case NATS_SECURE_CONNECTION_WANTED:
		return "the server has no TLS: use a URL with nats:// and no certificate files, or "
		       "give the server a certificate";
	case NATS_NO_SERVER:
	case NATS_IO_ERROR:
		return "no server answers there";
	case NATS_TIMEOUT:
		return "the server does not answer in time";
	default:
		return detail && *detail ? detail : natsStatus_GetText(status);
	}
}

/* Not locked. NULL: it failed, and the problem is set. */
static natsConnection *connect_once(struct jc_nats_connection *connection)
{
	natsConnection *nats = NULL;
	natsStatus status = natsConnection_Connect(&nats, connection->options);
	const char *detail = status == NATS_OK ? NULL : jc_nats_last_error();
	char url[256] = "", text[256];

	if (status == NATS_SSL_ERROR) {
		snprintf(text, sizeof(text),
			"TLS failed, check ca, certificate and key of section cluster: %s",
			detail && *detail ? detail : natsStatus_GetText(status));
	} else if (status != NATS_OK) {
		snprintf(text, sizeof(text), "%s", explain(status, detail));
	} else {
		natsConnection_GetConnectedUrl(nats, url, sizeof(url));
	}
	uv_mutex_lock(&connection->mutex);
	if (status == NATS_OK) {
		int64_t most = natsConnection_GetMaxPayload(nats);

		connection->most =
			most > 0 && most < JC_MAX_NATS_MESSAGE ? (size_t)most : JC_MAX_NATS_MESSAGE;
		jc_nats_url_hide_passwords(url, connection->server, sizeof(connection->server));
		connection->problem[0] = '\0';
		connection->is_connected = true;
		connection->connections++;
		connection->is_changed = true;
	} else {
		set_problem(connection, text);
	}
	uv_mutex_unlock(&connection->mutex);
	uv_async_send(connection->async);
	return status == NATS_OK ? nats : NULL;
}

/* Between half of the delay and all of it, so that hosts do not return all at once. */
static uint64_t with_jitter(uint64_t delay_ms)
{
	uint32_t random = 0;

	uv_random(NULL, NULL, &random, sizeof(random), 0, NULL);
	return (delay_ms / 2 + random % (delay_ms / 2 + 1)) * UINT64_C(1000000);
}

static void run(void *data)
{
	struct jc_nats_connection *connection = data;
	uint64_t delay_ms = FIRST_DELAY_MS;

	uv_mutex_lock(&connection->mutex);
	while (!connection->is_stopping) {
		uv_mutex_unlock(&connection->mutex);
		natsConnection *nats = connect_once(connection);
		uv_mutex_lock(&connection->mutex);

		if (nats) {
			delay_ms = FIRST_DELAY_MS;
			disconnect(connection, nats, serve(connection, nats));
		}
		uint64_t until = uv_hrtime() + with_jitter(delay_ms);

		for (uint64_t now = uv_hrtime(); !connection->is_stopping && now < until;
			now = uv_hrtime()) {
			uv_cond_timedwait(&connection->cond, &connection->mutex, until - now);
		}
		delay_ms = nats || 2 * delay_ms < MOST_DELAY_MS ? 2 * delay_ms : MOST_DELAY_MS;
	}
	connection->is_ended = true;
	uv_mutex_unlock(&connection->mutex);
	uv_async_send(connection->async);
	nats_ReleaseThreadMemory();
}

/* Creation and end, on the loop. */

int jc_nats_connection_start(struct jc_nats_connection *connection,
	const struct jc_nats_options *options, uv_async_t *async, struct jc_diagnostic *diagnostic)
{
	natsOptions *read = NULL;
	int status = jc_nats_options_read(options, &read, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	connection->options = read;
	if (natsOptions_SetClosedCB(read, on_closed, connection) != NATS_OK ||
		natsOptions_SetErrorHandler(read, on_error, connection) != NATS_OK) {
		goto no_mutex;
	}
	connection->async = async;
	connection->most = JC_MAX_NATS_MESSAGE;
	connection->queue.most = JC_MAX_NATS_ARRIVED;
	if (uv_mutex_init(&connection->mutex) != 0) {
		goto no_mutex;
	}
	if (uv_cond_init(&connection->cond) != 0) {
		goto no_cond;
	}
	if (jc_publish_ring_init(&connection->ring, JC_MAX_NATS_LEAVING) != JC_OK) {
		goto no_ring;
	}
	if (uv_thread_create(&connection->thread, run, connection) == 0) {
		return JC_OK;
	}
	jc_publish_ring_finish(&connection->ring);
no_ring:
	uv_cond_destroy(&connection->cond);
no_cond:
	uv_mutex_destroy(&connection->mutex);
no_mutex:
	natsOptions_Destroy(connection->options);
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "no memory or no thread for NATS");
}

void jc_nats_connection_stop(struct jc_nats_connection *connection)
{
	uv_mutex_lock(&connection->mutex);
	connection->is_stopping = true;
	uv_cond_signal(&connection->cond);
	uv_mutex_unlock(&connection->mutex);
}

void jc_nats_connection_finish(struct jc_nats_connection *connection)
{
	struct jc_arrived_message *message;

	uv_thread_join(&connection->thread);
	while ((message = jc_message_queue_shift(&connection->queue)) != NULL) {
		message->next = NULL;
		jc_nats_connection_free(message);
	}
	for (size_t i = 0; i < connection->slot_count; i++) {
		free(connection->slots[i].subject);
	}
	jc_nats_bindings_finish(connection);
	jc_publish_ring_finish(&connection->ring);
	uv_cond_destroy(&connection->cond);
	uv_mutex_destroy(&connection->mutex);
	natsOptions_Destroy(connection->options);
}

/* Locked. */
static void report(const struct jc_nats_connection *connection, struct jc_nats_report *out_report)
{
	*out_report = (struct jc_nats_report){
		.state = connection->is_connected ? JC_NATS_CONNECTED : JC_NATS_LOST,
		.connections = connection->connections,
		.dropped_frames = connection->queue.dropped_frames,
		.dropped_others = connection->queue.dropped_others,
		.slow = connection->slow,
		.not_permitted = connection->not_permitted,
		.queued = connection->queue.bytes,
		.queued_most = connection->queue.most,
		.queued_highest = connection->queue.highest,
		.leaving = connection->ring.used,
		.leaving_most = connection->ring.size,
	};
	memcpy(out_report->server, connection->server, sizeof(out_report->server));
	memcpy(out_report->problem, connection->problem, sizeof(out_report->problem));
}

void jc_nats_connection_report(
	struct jc_nats_connection *connection, struct jc_nats_report *out_report)
{
	uv_mutex_lock(&connection->mutex);
	report(connection, out_report);
	uv_mutex_unlock(&connection->mutex);
}

void jc_nats_connection_take(struct jc_nats_connection *connection, struct jc_nats_news *out_news)
{
	uv_mutex_lock(&connection->mutex);
	report(connection, &out_news->report);
	out_news->has_problem = connection->has_problem;
	out_news->is_ended = connection->is_ended;
	memcpy(out_news->refusal, connection->refusal, sizeof(out_news->refusal));
	connection->has_problem = false;
	connection->refusal[0] = '\0';
	uv_mutex_unlock(&connection->mutex);
}

void jc_nats_connection_free(struct jc_arrived_message *messages)
{
	while (messages) {
		struct jc_arrived_message *next = messages->next;

		natsMsg_Destroy(messages->message);
		free(messages);
		messages = next;
	}
}

struct jc_nats_message jc_nats_connection_read(const struct jc_arrived_message *message)
{
	const char *reply = natsMsg_GetReply(message->message);

	return (struct jc_nats_message){ .subject = natsMsg_GetSubject(message->message),
		.reply = reply ? reply : "",
		.bytes = (const uint8_t *)natsMsg_GetData(message->message),
		.length = (size_t)natsMsg_GetDataLength(message->message),
		.arrived_ns = message->arrived_ns,
		.is_unheard = natsMsg_IsNoResponders(message->message) };
}
