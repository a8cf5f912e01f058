/* Finds the session of each message of an origin. Silence is counted in sweeps, as at the origin.
 */
#include "cluster/session/session_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/siphash.h"
#include "cluster/nats_link.h"
#include "cluster/session/forwarded_answer.h"
#include "cluster/session/forwarded_client.h"
#include "cluster/session/forwarded_text.h"
#include "cluster/subjects.h"
#include "forwarder.h"
#include "jointcast/error.h"
#include "net/frame.h"
#include "net/session.h"

#define SILENT_SWEEPS 6 /* then an origin is lost */
#define ALIVE_SWEEPS  2 /* between two ALIVE */
#define BUCKETS       1024u
#define TAG_BYTES     20

/* A relayed space with sessions. */
struct linked_space {
	char name[JC_MAX_SPACE_NAME]; /* empty: the entry is free */
	uint64_t number;              /* of ALIVE */
	unsigned silent;              /* sweeps since the last message of the origin */
	size_t sessions;
};

struct jc_session_link {
	struct jc_forwarder forwarder;
	struct jc_session_link_options options;
	struct jc_session_sender sender;
	struct jc_nats_subscription *subscription; /* owned */
	char tag[TAG_BYTES];
	struct jc_siphash_key key; /* makes the numbers of sessions */
	uint64_t last_number;
	unsigned sweeps;
	struct linked_space spaces[JC_MAX_SPACES];
	struct jc_forwarded_client *clients;
	struct jc_edge_session *buckets[BUCKETS];
	uint8_t counts[JC_MAX_RELAYED_SESSIONS_OF_EDGE * JC_SESSION_COUNT_BYTES]; /* scratch */
	struct jc_session_link_report report;
};

const struct jc_session_link_options *jc_session_link_options(const struct jc_session_link *link)
{
	return &link->options;
}

void jc_session_link_look_for(const struct jc_session_link *link, const char *space)
{
	link->options.look_for(link->options.context, space);
}

bool jc_session_link_is_heard(const struct jc_session_link *link, const char *space)
{
	return link->options.is_heard(link->options.context, space);
}

const char *jc_session_link_tag(const struct jc_session_link *link)
{
	return link->tag;
}

void jc_session_link_count_lost(struct jc_session_link *link)
{
	link->report.lost++;
}

void jc_session_link_count_again(struct jc_session_link *link)
{
	link->report.again++;
}

/* Nobody else can guess it. */
static uint64_t new_number(struct jc_session_link *link)
{
	uint64_t number = ++link->last_number;

	return jc_siphash(&link->key, &number, sizeof(number));
}

/* The entry of a space, created if it is missing; NULL: too many spaces. */
static struct linked_space *linked(struct jc_session_link *link, const char *name)
{
	struct linked_space *free_space = NULL;

	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		struct linked_space *space = &link->spaces[i];

		if (strcmp(space->name, name) == 0) {
			return space;
		}
		free_space = !free_space && !space->name[0] ? space : free_space;
	}
	if (free_space) {
		*free_space = (struct linked_space){ .number = new_number(link) };
		snprintf(free_space->name, sizeof(free_space->name), "%s", name);
	}
	return free_space;
}

static void send_counts(
	struct jc_session_link *link, const struct linked_space *space, size_t length)
{
	const struct jc_session_message message = { .kind = JC_SESSION_ALIVE,
		.number = space->number,
		.payload = link->counts,
		.length = length };
	char subject[JC_MAX_NATS_SUBJECT];

	jc_subject_of_edge(space->name, JC_SUBJECT_UP, link->options.edge, subject);
	jc_session_sender_send(&link->sender, subject, &message);
}

/* Lists the sessions of the space, in as many messages as they need. */
static void send_alive(struct jc_session_link *link, const struct linked_space *space)
{
	size_t length = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct jc_edge_session *at = link->buckets[i]; at; at = at->next_of_bucket) {
			const struct jc_session_count count = { at->number, at->sent };

			if (strcmp(at->space, space->name) != 0) {
				continue;
			}
			if (length == sizeof(link->counts)) {
				send_counts(link, space, length);
				length = 0;
			}
			jc_session_count_write(&count, link->counts + length);
			length += JC_SESSION_COUNT_BYTES;
		}
	}
	send_counts(link, space, length);
}

struct jc_edge_session *jc_session_link_open(
	struct jc_session_link *link, struct jc_forwarded_client *forwarded, const char *space)
{
	const struct jc_session *client = forwarded->client->session;
	struct linked_space *of = linked(link, space);
	const struct jc_edge_session_options options = { .sender = &link->sender,
		.client = forwarded,
		.edge = link->options.edge,
		.space = space,
		.number = new_number(link),
		.peer = jc_session_peer(client),
		.is_local_page = client->carrier.is_local_page,
		.party = forwarded->client->subscriber.party };
	struct jc_edge_session *session;

	if (!of || jc_edge_session_create(&options, &session) != JC_OK) {
		return NULL;
	}
	if (of->sessions++ == 0) {
		of->silent = 0;
	}
	session->next_of_bucket = link->buckets[session->number % BUCKETS];
	link->buckets[session->number % BUCKETS] = session;
	session->next = forwarded->sessions;
	forwarded->sessions = session;
	link->report.sessions++;
	link->report.opened++;
	return session;
}

void jc_session_link_drop(struct jc_session_link *link, struct jc_edge_session *session)
{
	struct jc_edge_session **at = &link->buckets[session->number % BUCKETS];

	while (*at != session) {
		at = &(*at)->next_of_bucket;
	}
	*at = session->next_of_bucket;
	at = &session->client->sessions;
	while (*at != session) {
		at = &(*at)->next;
	}
	*at = session->next;
	linked(link, session->space)->sessions--;
	link->report.sessions--;
	jc_edge_session_destroy(session);
}

static struct jc_edge_session *find(struct jc_session_link *link, uint64_t number)
{
	struct jc_edge_session *at = link->buckets[number % BUCKETS];

	while (at && at->number != number) {
		at = at->next_of_bucket;
	}
	return at;
}

/* A message of the origin to a session. */
static void pass_on(struct jc_session_link *link, const struct jc_session_message *message)
{
	struct jc_edge_session *session = find(link, message->number);
	char reason[JC_SESSION_REASON];

	if (!session) {
		return; /* it has ended here */
	}
	linked(link, session->space)->silent = 0;
	if (message->kind == JC_SESSION_CLOSE) {
		uint16_t code = jc_session_close_read(message->payload, message->length, reason);

		jc_forwarded_client_refuse(session->client, session, code, reason);
	} else if (!jc_edge_session_count(session, message->sequence)) {
		jc_edge_session_close(session);
		jc_forwarded_client_lose(session->client, session, "a message is lost");
	} else if (message->kind == JC_SESSION_TEXT) {
		jc_forwarded_answer_take(
			session->client, session, (const char *)message->payload, message->length);
	}
}

/* The origin answers with the sessions that it knows. */
static void on_alive(struct jc_session_link *link, const struct jc_session_message *alive)
{
	struct jc_session_count count;

	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		if (link->spaces[i].name[0] && link->spaces[i].number == alive->number) {
			link->spaces[i].silent = 0;
		}
	}
	for (size_t i = 0; jc_session_count_read(alive, i, &count); i++) {
		struct jc_edge_session *session = find(link, count.number);

		if (session && !jc_edge_session_confirm(session, count.sent)) {
			jc_edge_session_close(session);
			jc_forwarded_client_lose(session->client, session, "a message is lost");
		}
	}
}

static void on_message(void *context, const struct jc_nats_message *received)
{
	struct jc_session_link *link = context;
	struct jc_session_message message;

	if (jc_session_message_read(received->bytes, received->length, &message) != JC_OK) {
		link->report.malformed++;
		return;
	}
	switch (message.kind) {
	case JC_SESSION_TEXT:
	case JC_SESSION_CLOSE:
	case JC_SESSION_OPENED:
		pass_on(link, &message);
		break;
	case JC_SESSION_ALIVE:
		on_alive(link, &message);
		break;
	case JC_SESSION_OPEN:
	case JC_SESSION_BINARY:
		link->report.malformed++;
		break;
	}
}

static struct jc_session_link *of(struct jc_forwarder *forwarder)
{
	return (struct jc_session_link *)forwarder;
}

static void on_shown(
	struct jc_forwarder *forwarder, struct jc_client *client, const json_t *message)
{
	if (!client->forwarded) {
		client->forwarded =
			jc_forwarded_client_create(of(forwarder), client, &of(forwarder)->clients);
	}
	if (client->forwarded) {
		jc_forwarded_client_show(client->forwarded, message);
	}
}

static bool on_text(struct jc_forwarder *forwarder, struct jc_client *client, const json_t *message,
	const char *text, size_t length)
{
	(void)forwarder;
	return client->forwarded &&
	       jc_forwarded_text_take(client->forwarded, message, text, length);
}

static bool on_capture(struct jc_forwarder *forwarder, struct jc_client *client,
	const uint8_t *bytes, size_t length)
{
	(void)forwarder;
	return client->forwarded && jc_forwarded_client_capture(client->forwarded, bytes, length);
}

static void on_removed(struct jc_forwarder *forwarder, struct jc_client *client, const char *space)
{
	(void)forwarder;
	if (client->forwarded) {
		jc_forwarded_client_remove(client->forwarded, space);
	}
}

static void on_left(struct jc_forwarder *forwarder, struct jc_client *client)
{
	(void)forwarder;
	if (client->forwarded) {
		jc_forwarded_client_destroy(client->forwarded);
		client->forwarded = NULL;
	}
}

int jc_session_link_create(
	const struct jc_session_link_options *options, struct jc_session_link **out_link)
{
	static const struct jc_forwarder_ops ops = { .shown = on_shown,
		.text = on_text,
		.capture = on_capture,
		.removed = on_removed,
		.left = on_left };
	struct jc_session_link *link = calloc(1, sizeof(*link));
	char subject[JC_MAX_NATS_SUBJECT];
	int status = link ? jc_siphash_key_init(&link->key) : JC_ERROR_MEMORY;

	if (status == JC_OK) {
		status = jc_session_sender_init(&link->sender, options->link);
	}
	if (status == JC_OK) {
		link->forwarder.ops = &ops;
		link->options = *options;
		jc_subject_pattern_of_edge(options->edge, subject);
		snprintf(link->tag, sizeof(link->tag), "jc%016" PRIx64, new_number(link));
		status = jc_nats_link_subscribe(
			options->link, subject, on_message, link, &link->subscription);
	}
	if (status != JC_OK) {
		if (link) {
			jc_session_sender_finish(&link->sender);
		}
		free(link);
		return status;
	}
	options->control->forwarder = &link->forwarder;
	*out_link = link;
	return JC_OK;
}

void jc_session_link_destroy(struct jc_session_link *link)
{
	if (!link) {
		return;
	}
	link->options.control->forwarder = NULL;
	jc_nats_subscription_end(link->subscription);
	while (link->clients) {
		struct jc_client *client = link->clients->client;

		jc_forwarded_client_destroy(client->forwarded);
		client->forwarded = NULL;
	}
	jc_session_sender_finish(&link->sender);
	free(link);
}

/* The first session of a space; NULL: none. */
static struct jc_edge_session *first_of(struct jc_session_link *link, const char *space)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct jc_edge_session *at = link->buckets[i]; at; at = at->next_of_bucket) {
			if (strcmp(at->space, space) == 0) {
				return at;
			}
		}
	}
	return NULL;
}

static void lose_origin(
	struct jc_session_link *link, const struct linked_space *space, const char *what)
{
	struct jc_edge_session *session;

	jc_log_write(link->options.log, JC_LOG_WARNING,
		"the origin of space '%s' is %s: %zu sessions end", space->name, what,
		space->sessions);
	while ((session = first_of(link, space->name)) != NULL) {
		jc_edge_session_close(session);
		jc_forwarded_client_lose(
			session->client, session, "the origin of the space does not answer");
	}
}

void jc_session_link_abandon(struct jc_session_link *link, const char *name)
{
	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		const struct linked_space *space = &link->spaces[i];

		if (space->sessions > 0 && strcmp(space->name, name) == 0) {
			lose_origin(link, space, "gone");
		}
	}
}

void jc_session_link_sweep(struct jc_session_link *link)
{
	bool sends = link->sweeps++ % ALIVE_SWEEPS == 0;

	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		struct linked_space *space = &link->spaces[i];

		if (space->sessions > 0 && ++space->silent >= SILENT_SWEEPS) {
			lose_origin(link, space, "silent");
		}
		if (space->sessions == 0) {
			space->name[0] = '\0';
		} else if (sends) {
			send_alive(link, space);
			jc_session_link_look_for(link, space->name);
		}
	}
	for (struct jc_forwarded_client *at = link->clients; at; at = at->next) {
		jc_forwarded_client_sweep(at);
	}
}

void jc_session_link_report(
	const struct jc_session_link *link, struct jc_session_link_report *out_report)
{
	*out_report = link->report;
}
