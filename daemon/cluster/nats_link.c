/* The half of the link that runs on the loop: subscriptions, requests, states, and the turns that
 * hand received messages to their handlers. */
#include "cluster/nats_link.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/link/nats_connection.h"
#include "cluster/link/nats_requests.h"
#include "cluster/parts.h"
#include "cluster/subjects.h"

#define HANDLES 4

struct jc_nats_subscription {
	struct jc_nats_link *link;
	uint64_t id; /* the slot in the lower 16 bits, so that it is found at once */
	jc_nats_handler *handler;
	void *context;
};

struct jc_nats_link {
	struct jc_nats_connection connection;
	const struct jc_log *log;
	void (*on_state)(void *context, enum jc_nats_state state);
	void (*on_unheard)(void *context, const char *subject);
	void *context;
	uv_async_t async;
	uv_timer_t timer;     /* of requests */
	uv_prepare_t prepare; /* before and after the loop waits: wakes the thread */
	uv_check_t check;
	enum jc_nats_state state; /* as reported */
	uint64_t seen;            /* connections that were reported */
	char logged[200];         /* the last problem in the log */
	struct jc_nats_subscription *subscriptions[JC_MAX_NATS_SUBSCRIPTIONS];
	size_t subscription_count;
	uint64_t serial; /* of the newest subscription */
	struct jc_nats_requests requests;
	uint32_t number;    /* of the next message in parts */
	bool has_published; /* since the thread was woken */
	uint64_t messages_in, bytes_in, messages_out, bytes_out, refused;
	uint64_t slow; /* as logged */
	bool is_closing;
	unsigned open_handles;
	void (*on_closed)(void *context);
	void *closed_context;
};

/* Messages. */

static void dispatch(struct jc_nats_link *link, const struct jc_arrived_message *arrived)
{
	struct jc_nats_subscription *subscription =
		link->subscriptions[arrived->subscription % JC_MAX_NATS_SUBSCRIPTIONS];
	struct jc_nats_message message;

	if (!subscription || subscription->id != arrived->subscription) {
		return;
	}
	message = jc_nats_connection_read(arrived);
	link->messages_in++;
	link->bytes_in += message.length;
	subscription->handler(subscription->context, &message);
}

/* Hands over the messages of one turn. */
static void dispatch_turn(struct jc_nats_link *link)
{
	struct jc_nats_connection *connection = &link->connection;
	size_t bytes = 0;

	while (!link->is_closing) {
		uv_mutex_lock(&connection->mutex);
		struct jc_arrived_message *arrived = jc_message_queue_shift(&connection->queue);
		uv_mutex_unlock(&connection->mutex);

		if (!arrived) {
			return;
		}
		bytes += arrived->bytes;
		arrived->next = NULL;
		dispatch(link, arrived);
		jc_nats_connection_free(arrived);
		if (bytes > JC_MAX_NATS_TURN) {
			uv_async_send(&link->async);
			return;
		}
	}
}

/* States. */

static void change_state(struct jc_nats_link *link, enum jc_nats_state state)
{
	link->state = state;
	if (link->on_state) {
		link->on_state(link->context, state);
	}
}

static void log_problem(struct jc_nats_link *link, const char *problem)
{
	if (strcmp(problem, link->logged) != 0) {
		snprintf(link->logged, sizeof(link->logged), "%s", problem);
		jc_log_write(link->log, JC_LOG_WARNING, "no connection to NATS, trying again: '%s'",
			problem);
	}
}

static void report_state(struct jc_nats_link *link, const struct jc_nats_news *news)
{
	const struct jc_nats_report *now = &news->report;
	bool is_connected = now->state == JC_NATS_CONNECTED;

	if (news->refusal[0]) {
		jc_log_write(link->log, JC_LOG_WARNING,
			"the NATS server refuses a subject, see the permissions of this user: '%s'",
			news->refusal);
	}
	if (link->state == JC_NATS_CONNECTED && (!is_connected || now->connections != link->seen)) {
		jc_log_write(link->log, JC_LOG_WARNING, "the connection to NATS is lost%s%s%s",
			now->problem[0] ? ": '" : "", now->problem, now->problem[0] ? "'" : "");
		snprintf(link->logged, sizeof(link->logged), "%s", now->problem);
		change_state(link, JC_NATS_LOST);
	}
	if (link->is_closing) {
		return;
	}
	if (is_connected && link->state != JC_NATS_CONNECTED) {
		jc_log_write(link->log, JC_LOG_INFO,
			link->seen ? "connected to NATS again: '%s'" : "connected to NATS: '%s'",
			now->server);
		link->seen = now->connections;
		link->logged[0] = '\0';
		change_state(link, JC_NATS_CONNECTED);
	} else if (!is_connected && news->has_problem) {
		log_problem(link, now->problem);
	}
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct jc_nats_link *link = handle->data;

	if (--link->open_handles == 0) {
		void (*on_closed)(void *context) = link->on_closed;
		void *context = link->closed_context;

		free(link);
		on_closed(context);
	}
}

/* The thread has ended. */
static void finish(struct jc_nats_link *link)
{
	jc_nats_connection_finish(&link->connection);
	uv_close((uv_handle_t *)&link->async, on_handle_closed);
	uv_close((uv_handle_t *)&link->timer, on_handle_closed);
	uv_close((uv_handle_t *)&link->prepare, on_handle_closed);
	uv_close((uv_handle_t *)&link->check, on_handle_closed);
}

static void on_async(uv_async_t *async)
{
	struct jc_nats_link *link = async->data;
	struct jc_nats_news news;

	jc_nats_connection_take(&link->connection, &news);
	if (news.is_ended) {
		finish(link);
	} else if (!link->is_closing) {
		if (news.report.slow != link->slow) {
			link->slow = news.report.slow;
			jc_log_write(link->log, JC_LOG_WARNING,
				"NATS messages come faster than they are read: some were dropped");
		}
		report_state(link, &news);
		dispatch_turn(link);
	}
}

void jc_nats_link_flush(struct jc_nats_link *link)
{
	if (link->has_published) {
		link->has_published = false;
		uv_mutex_lock(&link->connection.mutex);
		uv_cond_signal(&link->connection.cond);
		uv_mutex_unlock(&link->connection.mutex);
	}
}

static void on_prepare(uv_prepare_t *prepare)
{
	jc_nats_link_flush(prepare->data);
}

static void on_check(uv_check_t *check)
{
	jc_nats_link_flush(check->data);
}

/* Subscriptions. */

static int find_slot(struct jc_nats_link *link)
{
	for (size_t i = 0; i < JC_MAX_NATS_SUBSCRIPTIONS; i++) {
		if (!link->subscriptions[i]) {
			return (int)i;
		}
	}
	return -1;
}

int jc_nats_link_subscribe(struct jc_nats_link *link, const char *subject, jc_nats_handler *handler,
	void *context, struct jc_nats_subscription **out_subscription)
{
	struct jc_nats_connection *connection = &link->connection;
	int slot = find_slot(link);

	if (!jc_subject_is_valid(subject, true)) {
		return JC_ERROR_INVALID;
	}
	if (slot < 0 || link->is_closing) {
		return JC_ERROR_LIMIT;
	}
	struct jc_nats_subscription *subscription = malloc(sizeof(*subscription));
	char *copy = strdup(subject);

	if (!subscription || !copy) {
		free(subscription);
		free(copy);
		return JC_ERROR_MEMORY;
	}
	*subscription = (struct jc_nats_subscription){ .link = link,
		.id = ++link->serial * JC_MAX_NATS_SUBSCRIPTIONS + (uint64_t)slot,
		.handler = handler,
		.context = context };
	link->subscriptions[slot] = subscription;
	link->subscription_count++;
	uv_mutex_lock(&connection->mutex);
	connection->slots[slot].id = subscription->id;
	connection->slots[slot].subject = copy;
	if (connection->slot_count <= (size_t)slot) {
		connection->slot_count = (size_t)slot + 1;
	}
	connection->is_changed = true;
	uv_mutex_unlock(&connection->mutex);
	link->has_published = true;
	*out_subscription = subscription;
	return JC_OK;
}

void jc_nats_subscription_end(struct jc_nats_subscription *subscription)
{
	if (!subscription) {
		return;
	}
	struct jc_nats_link *link = subscription->link;
	size_t slot = subscription->id % JC_MAX_NATS_SUBSCRIPTIONS;
	struct jc_nats_slot *place = &link->connection.slots[slot];

	uv_mutex_lock(&link->connection.mutex);
	place->id = 0;
	free(place->subject);
	place->subject = NULL;
	link->connection.is_changed = true;
	uv_mutex_unlock(&link->connection.mutex);
	link->has_published = true;
	link->subscriptions[slot] = NULL;
	link->subscription_count--;
	free(subscription);
}

/* Publishing. */

/* most: as of jc_publish_ring_add. */
static int publish(struct jc_nats_link *link, const struct jc_publish_record *record, size_t most)
{
	int status = JC_ERROR_LIMIT;

	if (!jc_subject_is_valid(record->subject, false) ||
		(record->reply && *record->reply && !jc_subject_is_valid(record->reply, false))) {
		return JC_ERROR_INVALID;
	}
	if (link->state != JC_NATS_CONNECTED || link->is_closing) {
		link->refused++;
		return JC_ERROR_ABSENT;
	}
	uv_mutex_lock(&link->connection.mutex);
	if (record->length <= link->connection.most) {
		status = jc_publish_ring_add(&link->connection.ring, record, most);
	}
	uv_mutex_unlock(&link->connection.mutex);
	if (status != JC_OK) {
		link->refused++;
		return status;
	}
	link->has_published = true;
	link->messages_out++;
	link->bytes_out += record->length;
	return JC_OK;
}

int jc_nats_link_publish(struct jc_nats_link *link, const char *subject, const char *reply,
	const void *bytes, size_t length)
{
	const struct jc_publish_record record = {
		.subject = subject, .reply = reply, .bytes = bytes, .length = length
	};

	return publish(link, &record,
		jc_subject_is_frames(subject) ? JC_MAX_NATS_LEAVING_PART : JC_MAX_NATS_LEAVING);
}

int jc_nats_link_publish_spare(
	struct jc_nats_link *link, const char *subject, const void *bytes, size_t length)
{
	const struct jc_publish_record record = {
		.subject = subject, .bytes = bytes, .length = length
	};

	return publish(link, &record, JC_MAX_NATS_LEAVING_SPARE);
}

int jc_nats_link_publish_parts(
	struct jc_nats_link *link, const char *subject, const void *bytes, size_t length)
{
	struct jc_parts_split split;
	uint8_t *part = malloc(JC_PART_BYTES);
	int status = part ? jc_parts_split_init(
				    &split, link->number++, bytes, length, jc_nats_link_most(link))
			  : JC_ERROR_MEMORY;

	while (status == JC_OK) {
		size_t size = jc_parts_split_next(&split, part);

		if (size == 0) {
			break;
		}
		status = jc_nats_link_publish(link, subject, NULL, part, size);
	}
	free(part);
	return status;
}

/* Requests. */

static void on_reply(void *context, const struct jc_nats_message *message)
{
	struct jc_nats_link *link = context;
	char unheard[JC_MAX_NATS_SUBJECT];

	jc_nats_requests_answer(&link->requests, message, unheard);
	if (unheard[0] && link->on_unheard) {
		link->on_unheard(link->context, unheard);
	}
}

static void on_timer(uv_timer_t *timer)
{
	struct jc_nats_link *link = timer->data;

	jc_nats_requests_expire(&link->requests, jc_clock_now_ns());
	if (link->requests.count == 0) {
		uv_timer_stop(timer);
	}
}

int jc_nats_link_request(struct jc_nats_link *link, const char *subject, const void *bytes,
	size_t length, int timeout_ms, jc_nats_handler *handler, void *context)
{
	struct jc_nats_request wanted = { .handler = handler,
		.context = context,
		.deadline_ns = jc_clock_now_ns() + timeout_ms * INT64_C(1000000) };
	char reply[JC_MAX_NATS_SUBJECT];
	struct jc_nats_request *request = NULL;
	int status;

	if (!jc_subject_is_valid(subject, false)) {
		return JC_ERROR_INVALID;
	}
	strcpy(wanted.subject, subject);
	status = jc_nats_requests_add(&link->requests, &wanted, &request);
	if (status != JC_OK) {
		return status;
	}
	jc_nats_requests_reply_subject(&link->requests, request, reply);
	status = jc_nats_link_publish(link, subject, reply, bytes, length);
	if (status != JC_OK) {
		jc_nats_requests_remove(&link->requests, request);
	} else if (!uv_is_active((uv_handle_t *)&link->timer)) {
		uv_timer_start(&link->timer, on_timer, 20, 20);
	}
	return status;
}

void jc_nats_link_forget(struct jc_nats_link *link, const void *context)
{
	jc_nats_requests_forget(&link->requests, context);
}

/* Creation, end, report. */

static void open_handles(struct jc_nats_link *link, uv_loop_t *loop)
{
	uv_timer_init(loop, &link->timer);
	uv_prepare_init(loop, &link->prepare);
	uv_check_init(loop, &link->check);
	link->async.data = link->timer.data = link->prepare.data = link->check.data = link;
	uv_prepare_start(&link->prepare, on_prepare);
	uv_check_start(&link->check, on_check);
	uv_unref((uv_handle_t *)&link->prepare);
	uv_unref((uv_handle_t *)&link->check);
	link->open_handles = HANDLES;
}

static void free_unstarted(uv_handle_t *handle)
{
	free(handle->data);
}

int jc_nats_link_create(const struct jc_nats_options *options, struct jc_nats_link **out_link,
	struct jc_diagnostic *diagnostic)
{
	struct jc_nats_link *link = calloc(1, sizeof(*link));
	struct jc_nats_subscription *inbox;
	char pattern[JC_MAX_NATS_SUBJECT];
	int status;

	if (!link || uv_async_init(options->loop, &link->async, on_async) != 0) {
		free(link);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	link->async.data = link;
	link->log = options->log;
	link->on_state = options->on_state;
	link->on_unheard = options->on_unheard;
	link->context = options->context;
	status = jc_nats_requests_init(&link->requests, options->name, pattern);
	if (status != JC_OK ||
		uv_random(NULL, NULL, &link->number, sizeof(link->number), 0, NULL) != 0) {
		status = jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	} else {
		status = jc_nats_connection_start(
			&link->connection, options, &link->async, diagnostic);
	}
	if (status != JC_OK) {
		uv_close((uv_handle_t *)&link->async, free_unstarted);
		return status;
	}
	open_handles(link, options->loop);
	status = jc_nats_link_subscribe(link, pattern, on_reply, link, &inbox);
	assert(status == JC_OK || status == JC_ERROR_MEMORY);
	*out_link = link;
	return JC_OK;
}

void jc_nats_link_close(struct jc_nats_link *link, void (*on_closed)(void *context), void *context)
{
	if (!link) {
		on_closed(context);
		return;
	}
	assert(!link->is_closing);
	link->is_closing = true;
	link->on_closed = on_closed;
	link->closed_context = context;
	for (size_t i = 0; i < JC_MAX_NATS_SUBSCRIPTIONS; i++) {
		jc_nats_subscription_end(link->subscriptions[i]);
	}
	jc_nats_requests_finish(&link->requests);
	jc_nats_connection_stop(&link->connection);
}

enum jc_nats_state jc_nats_link_state(const struct jc_nats_link *link)
{
	return link->state;
}

size_t jc_nats_link_most(struct jc_nats_link *link)
{
	uv_mutex_lock(&link->connection.mutex);
	size_t most = link->connection.most;
	uv_mutex_unlock(&link->connection.mutex);

	return most;
}

void jc_nats_link_report(struct jc_nats_link *link, struct jc_nats_report *out_report)
{
	jc_nats_connection_report(&link->connection, out_report);
	out_report->state = link->state;
	out_report->messages_in = link->messages_in;
	out_report->bytes_in = link->bytes_in;
	out_report->messages_out = link->messages_out;
	out_report->bytes_out = link->bytes_out;
	out_report->refused = link->refused;
	out_report->subscriptions = link->subscription_count;
	out_report->requests = link->requests.count;
}
