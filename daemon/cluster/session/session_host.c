/* Finds the session of each message, opens sessions within limits, and ends those of edges that are
 * silent. Silence is counted in sweeps: while the loop stands still, no edge becomes silent. */
#include "cluster/session/session_host.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/siphash.h"
#include "cluster/nats_link.h"
#include "cluster/session/relayed_session.h"
#include "cluster/subjects.h"
#include "jointcast/error.h"
#include "net/server.h"
#include "space/spaces.h"

#define SILENT_SWEEPS 6 /* then an edge is lost */
#define BUCKETS       1024u

/* An exported space. */
struct hosted_space {
	struct jc_session_host *host;
	char name[JC_MAX_SPACE_NAME];
	struct jc_nats_subscription *subscription; /* owned; NULL: the entry is free */
	bool is_exported;                          /* at the last sweep */
};

struct jc_session_host {
	struct jc_session_host_options options;
	struct jc_session_sender sender;
	struct jc_siphash_key key; /* edges cannot choose numbers of one bucket */
	struct hosted_space spaces[JC_MAX_SPACES];
	struct jc_session_edge edges[JC_MAX_EDGES];
	struct jc_relayed_session *sessions;
	struct jc_relayed_session *buckets[BUCKETS];
	uint8_t counts[JC_MAX_RELAYED_SESSIONS_OF_EDGE * JC_SESSION_COUNT_BYTES]; /* scratch */
	struct jc_session_host_report report;
};

static struct jc_relayed_session **bucket_of(struct jc_session_host *host, uint64_t number)
{
	return &host->buckets[jc_siphash(&host->key, &number, sizeof(number)) % BUCKETS];
}

static struct jc_relayed_session *find(struct jc_session_host *host, uint64_t number)
{
	struct jc_relayed_session *at = *bucket_of(host, number);

	while (at && at->number != number) {
		at = at->next_of_bucket;
	}
	return at;
}

static void add(struct jc_session_host *host, struct jc_relayed_session *relayed)
{
	struct jc_relayed_session **bucket = bucket_of(host, relayed->number);

	relayed->next_of_bucket = *bucket;
	*bucket = relayed;
	relayed->next = host->sessions;
	if (relayed->next) {
		relayed->next->previous = relayed;
	}
	host->sessions = relayed;
	host->report.sessions++;
	host->report.opened++;
}

/* Ends a session that has left. */
static void take_out(struct jc_session_host *host, struct jc_relayed_session *relayed)
{
	struct jc_relayed_session **at = bucket_of(host, relayed->number);

	while (*at != relayed) {
		at = &(*at)->next_of_bucket;
	}
	*at = relayed->next_of_bucket;
	*(relayed->previous ? &relayed->previous->next : &host->sessions) = relayed->next;
	if (relayed->next) {
		relayed->next->previous = relayed->previous;
	}
	host->report.sessions--;
	jc_relayed_session_destroy(relayed);
}

/* The edge that publishes on the subject, which is heard now. NULL: no subject of an edge, or too
 * many edges. */
static struct jc_session_edge *hear_edge(struct jc_session_host *host, const char *subject)
{
	struct jc_session_edge *free_edge = NULL;
	const char *name = jc_subject_edge(subject);

	if (!name) {
		host->report.malformed++;
		return NULL;
	}
	for (size_t i = 0; i < JC_MAX_EDGES; i++) {
		struct jc_session_edge *edge = &host->edges[i];

		if (strcmp(edge->name, name) == 0) {
			edge->silent = 0;
			return edge;
		}
		free_edge = !free_edge && !edge->name[0] ? edge : free_edge;
	}
	if (free_edge) {
		*free_edge = (struct jc_session_edge){ .silent = 0 };
		strcpy(free_edge->name, name);
		jc_token_bucket_init(&free_edge->refusals, jc_clock_now_ns());
		host->report.edges++;
	}
	return free_edge;
}

static void refuse(struct jc_session_host *host, const struct jc_session_edge *edge,
	const char *space, uint64_t number, uint16_t code, const char *reason)
{
	const struct jc_session_message message = { .number = number };
	char subject[JC_MAX_NATS_SUBJECT];

	host->report.refused++;
	jc_subject_of_edge(space, JC_SUBJECT_DOWN, edge->name, subject);
	jc_session_sender_close(&host->sender, subject, &message, code, reason);
}

/* NULL: the session can be opened; else the reason why not. */
static const char *find_obstacle(struct jc_session_host *host, const struct jc_session_edge *edge,
	const struct jc_session_message *message, struct jc_session_open *out_open)
{
	if (message->sequence != 0 ||
		jc_session_open_read(message->payload, message->length, out_open) != JC_OK) {
		return "an invalid message";
	}
	if (find(host, message->number)) {
		return "the number is in use";
	}
	if (host->options.server->stopping) {
		return "the origin ends";
	}
	return edge->count >= JC_MAX_RELAYED_SESSIONS_OF_EDGE ||
			       host->report.sessions >= JC_MAX_RELAYED_SESSIONS
		       ? "too many sessions"
		       : NULL;
}

static void open_session(struct jc_session_host *host, struct jc_session_edge *edge,
	const char *space, const struct jc_session_message *message, int64_t now_ns)
{
	struct jc_session_open open;
	struct jc_relayed_session *relayed;
	const char *obstacle = find_obstacle(host, edge, message, &open);
	const struct jc_relayed_session_options options = { .sender = &host->sender,
		.server = host->options.server,
		.edge = edge,
		.space = space,
		.number = message->number,
		.via = jc_siphash(&host->key, edge->name, strlen(edge->name)),
		.open = &open,
		.now_ns = now_ns };

	if (!obstacle && jc_relayed_session_create(&options, &relayed) != JC_OK) {
		obstacle = "too many connections";
	}
	if (obstacle) {
		refuse(host, edge, space, message->number, JC_CLOSE_TRY_AGAIN, obstacle);
	} else {
		add(host, relayed);
	}
}

/* The session of that number, which only its edge uses. */
static struct jc_relayed_session *find_own(struct jc_session_host *host,
	const struct jc_session_edge *edge, const char *space, uint64_t number)
{
	struct jc_relayed_session *relayed = find(host, number);

	return relayed && relayed->edge == edge && strcmp(relayed->space, space) == 0 ? relayed
										      : NULL;
}

static void pass_on(struct jc_session_host *host, struct jc_session_edge *edge, const char *space,
	const struct jc_session_message *message, int64_t now_ns)
{
	struct jc_relayed_session *relayed = find_own(host, edge, space, message->number);

	if (relayed) {
		jc_relayed_session_receive(relayed, message, now_ns);
	} else if (message->kind != JC_SESSION_CLOSE &&
		   jc_token_bucket_spend(
			   &edge->refusals, 1, JC_MAX_SESSION_REFUSALS_PER_SECOND, now_ns)) {
		/* Of the others the edge learns from the next ALIVE. */
		refuse(host, edge, space, message->number, JC_CLOSE_GOING_AWAY, "no such session");
	}
}

/* Compares the counts of the edge with those here, and answers with the sessions that are here. */
static void on_alive(struct jc_session_host *host, const struct jc_session_edge *edge,
	const char *space, const struct jc_session_message *alive)
{
	struct jc_session_message answer = {
		.kind = JC_SESSION_ALIVE, .number = alive->number, .payload = host->counts
	};
	struct jc_session_count count;
	char subject[JC_MAX_NATS_SUBJECT];

	for (size_t i = 0;
		jc_session_count_read(alive, i, &count) && answer.length < sizeof(host->counts);
		i++) {
		struct jc_relayed_session *relayed = find_own(host, edge, space, count.number);

		if (relayed) {
			jc_relayed_session_confirm(relayed, count.sent);
			count.sent = relayed->sent;
			jc_session_count_write(&count, host->counts + answer.length);
			answer.length += JC_SESSION_COUNT_BYTES;
		}
	}
	jc_subject_of_edge(space, JC_SUBJECT_DOWN, edge->name, subject);
	jc_session_sender_send(&host->sender, subject, &answer);
}

static void on_message(void *context, const struct jc_nats_message *received)
{
	const struct hosted_space *space = context;
	struct jc_session_host *host = space->host;
	struct jc_session_edge *edge = hear_edge(host, received->subject);
	struct jc_session_message message;

	if (!edge) {
		return;
	}
	if (jc_session_message_read(received->bytes, received->length, &message) != JC_OK) {
		host->report.malformed++;
		return;
	}
	switch (message.kind) {
	case JC_SESSION_OPEN:
		open_session(host, edge, space->name, &message, jc_clock_now_ns());
		break;
	case JC_SESSION_TEXT:
	case JC_SESSION_BINARY:
	case JC_SESSION_CLOSE:
		pass_on(host, edge, space->name, &message, jc_clock_now_ns());
		break;
	case JC_SESSION_ALIVE:
		on_alive(host, edge, space->name, &message);
		break;
	case JC_SESSION_OPENED:
		host->report.malformed++;
		break;
	}
}

static void lose(
	struct jc_session_host *host, const struct jc_session_edge *edge, const char *space)
{
	for (struct jc_relayed_session *at = host->sessions; at; at = at->next) {
		if (space ? strcmp(at->space, space) == 0 : at->edge == edge) {
			jc_relayed_session_lose(at);
		}
	}
}

static struct hosted_space *find_space(struct jc_session_host *host, const char *name)
{
	struct hosted_space *free_space = NULL;

	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		struct hosted_space *space = &host->spaces[i];

		if (space->subscription && strcmp(space->name, name) == 0) {
			return space;
		}
		free_space = !free_space && !space->subscription ? space : free_space;
	}
	return free_space;
}

static void follow_space(struct jc_session_host *host, const struct jc_fanout *fanout)
{
	const char *name = jc_space_options(fanout->space)->name;
	struct hosted_space *space = find_space(host, name);
	char subject[JC_MAX_NATS_SUBJECT];

	if (!space) {
		return;
	}
	space->is_exported = true;
	if (!space->subscription) {
		space->host = host;
		strcpy(space->name, name);
		jc_subject_of_edge(name, JC_SUBJECT_UP, JC_SUBJECT_ANY_EDGE, subject);
		if (jc_nats_link_subscribe(host->options.link, subject, on_message, space,
			    &space->subscription) != JC_OK) {
			space->subscription = NULL; /* tried again with the next sweep */
		}
	}
}

/* Subscribes to exported spaces, and ends the sessions of others. */
void jc_session_host_follow(struct jc_session_host *host)
{
	if (!host) {
		return;
	}
	const struct jc_spaces *spaces = host->options.spaces;

	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		host->spaces[i].is_exported = false;
	}
	for (size_t i = 0; i < spaces->count; i++) {
		if (host->options.exports(host->options.context, spaces->fanouts[i])) {
			follow_space(host, spaces->fanouts[i]);
		}
	}
	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		struct hosted_space *space = &host->spaces[i];

		if (space->subscription && !space->is_exported) {
			lose(host, NULL, space->name);
			jc_nats_subscription_end(space->subscription);
			space->subscription = NULL;
		}
	}
}

static void sweep_edges(struct jc_session_host *host)
{
	for (size_t i = 0; i < JC_MAX_EDGES; i++) {
		struct jc_session_edge *edge = &host->edges[i];

		if (!edge->name[0] || ++edge->silent < SILENT_SWEEPS) {
			continue;
		}
		if (edge->silent == SILENT_SWEEPS && edge->count > 0) {
			jc_log_write(host->options.log, JC_LOG_WARNING,
				"edge '%s' is silent: its %zu sessions end", edge->name,
				edge->count);
		}
		if (edge->count == 0) {
			edge->name[0] = '\0';
			host->report.edges--;
		} else {
			lose(host, edge, NULL);
		}
	}
}

static void sweep_sessions(struct jc_session_host *host, int64_t now_ns)
{
	struct jc_relayed_session *next;

	for (struct jc_relayed_session *at = host->sessions; at; at = next) {
		next = at->next;
		if (at->session.has_left) {
			take_out(host, at);
			continue;
		}
		if (++at->unlisted >= SILENT_SWEEPS && !at->session.close_code) {
			/* A CLOSE of the edge may be lost. */
			jc_session_close(&at->session, JC_CLOSE_GOING_AWAY,
				"the edge does not know the session");
		}
		jc_session_sweep(&at->session, now_ns);
	}
}

void jc_session_host_sweep(struct jc_session_host *host, int64_t now_ns)
{
	jc_session_host_follow(host);
	sweep_edges(host);
	sweep_sessions(host, now_ns);
}

int jc_session_host_create(
	const struct jc_session_host_options *options, struct jc_session_host **out_host)
{
	struct jc_session_host *host = calloc(1, sizeof(*host));
	int status = host ? jc_siphash_key_init(&host->key) : JC_ERROR_MEMORY;

	if (status == JC_OK) {
		status = jc_session_sender_init(&host->sender, options->link);
	}
	if (status != JC_OK) {
		free(host);
		return status;
	}
	host->options = *options;
	jc_session_host_follow(host);
	*out_host = host;
	return JC_OK;
}

void jc_session_host_destroy(struct jc_session_host *host)
{
	if (!host) {
		return;
	}
	for (size_t i = 0; i < JC_MAX_SPACES; i++) {
		jc_nats_subscription_end(host->spaces[i].subscription);
	}
	for (struct jc_relayed_session *at = host->sessions; at; at = at->next) {
		jc_session_close(&at->session, JC_CLOSE_GOING_AWAY, "the origin ends");
	}
	jc_server_settle(host->options.server);
	while (host->sessions) {
		take_out(host, host->sessions);
	}
	jc_session_sender_finish(&host->sender);
	free(host);
}

void jc_session_host_report(
	const struct jc_session_host *host, struct jc_session_host_report *out_report)
{
	*out_report = host->report;
}
