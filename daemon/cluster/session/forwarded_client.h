/* A client of an edge and its sessions at origins: which messages go there, what their answers
 * change here, and what follows when an origin is lost. */
#ifndef JC_FORWARDED_CLIENT_H
#define JC_FORWARDED_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/session/edge_session.h"
#include "cluster/session/kept_publication.h"

struct jc_client;
struct jc_session_link;

struct jc_forwarded_client {
	struct jc_forwarded_client *next, **at; /* of the list of the link */
	struct jc_session_link *link;           /* borrowed */
	struct jc_client *client;               /* borrowed */
	json_t *hello;                          /* owned: for each new session */
	struct jc_edge_session *sessions;
	struct jc_kept_publication publications[JC_MAX_PUBLICATIONS];
	unsigned wait, delay; /* sweeps until lost bodies are published again; the next such time */
};

/* Enters the list. NULL without memory. */
struct jc_forwarded_client *jc_forwarded_client_create(
	struct jc_session_link *link, struct jc_client *client, struct jc_forwarded_client **list);

/* Closes its sessions: its bodies leave. */
void jc_forwarded_client_destroy(struct jc_forwarded_client *forwarded);

/* `hello` or `token` of the client was accepted here. */
void jc_forwarded_client_show(struct jc_forwarded_client *forwarded, const json_t *message);

/* A capture message. True: it is of a body at an origin. */
bool jc_forwarded_client_capture(
	struct jc_forwarded_client *forwarded, const uint8_t *bytes, size_t length);

/* The origin has removed the client from the space: its bodies there have ended, and are not
 * published again. */
void jc_forwarded_client_remove(struct jc_forwarded_client *forwarded, const char *space);

/* The origin has closed the session. Where the fault is the client's, its connection ends too. */
void jc_forwarded_client_refuse(struct jc_forwarded_client *forwarded,
	struct jc_edge_session *session, uint16_t code, const char *reason);

/* The session is lost, and destroyed: its unanswered messages are answered with an error; its
 * bodies will be published again. */
void jc_forwarded_client_lose(
	struct jc_forwarded_client *forwarded, struct jc_edge_session *session, const char *reason);

/* Loses sessions that the origin does not know, and publishes lost bodies again. Called four times
 * a second. */
void jc_forwarded_client_sweep(struct jc_forwarded_client *forwarded);

/* The rest is for forwarded_text.c and forwarded_answer.c. */

/* The last letter of the field `request` of messages of the edge itself. */
#define OWN_HELLO    'h'
#define OWN_NOTE     'n' /* the answer does not matter */
#define OWN_SKELETON 's'
#define OWN_PUBLISH  'p' /* then the number of the publication */

/* A text of a message; "": it has none. */
const char *jc_forwarded_text_of(const json_t *message, const char *key);

/* The number of the publication in a message; -1: none, or a wrong one. */
int jc_forwarded_number_of(const json_t *message);

/* NULL: the space has no origin elsewhere. */
struct jc_fanout *jc_forwarded_client_relays(
	const struct jc_forwarded_client *forwarded, const char *space);

/* The publication of that number; NULL: none. */
struct jc_kept_publication *jc_forwarded_client_kept(
	struct jc_forwarded_client *forwarded, int number);

/* The session for a space; NULL: none is open. */
struct jc_edge_session *jc_forwarded_client_session(
	const struct jc_forwarded_client *forwarded, const char *space);

/* The same, opened on first need. NULL: it cannot be opened. */
struct jc_edge_session *jc_forwarded_client_reach(
	struct jc_forwarded_client *forwarded, const char *space);

/* Sends a message of the edge itself; steals it. Returns 0 or an error: then the session is lost.
 */
int jc_forwarded_client_say(struct jc_edge_session *session, json_t *message, char letter);

/* Sends the origin a skeleton that is registered here, where it is one. Returns 0 or an error;
 * JC_ERROR_LIMIT: it is too large for a message. */
int jc_forwarded_client_send_skeleton(
	struct jc_forwarded_client *forwarded, struct jc_edge_session *session, const char *hash);

/* An error that is not the client's fault. */
void jc_forwarded_client_tell_failed(struct jc_client *client, const struct jc_request_tag *request,
	const char *type, const char *reason);

/* The next try to publish again comes later than the last one. */
void jc_forwarded_client_delay(struct jc_forwarded_client *forwarded, uint64_t random);

#endif
