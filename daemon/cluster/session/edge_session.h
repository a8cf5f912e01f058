/* One end of a session at an edge: messages of a client about a relayed space go to its origin. */
#ifndef JC_EDGE_SESSION_H
#define JC_EDGE_SESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/request_tag.h"
#include "cluster/session/session_sender.h"

#define JC_FORWARDED_TYPE 12 /* bytes of the type of a forwarded message, with its NUL */

/* A message whose answer the client waits for. */
struct jc_awaited_answer {
	struct jc_request_tag request;
	char type[JC_FORWARDED_TYPE];
	int publication; /* of `publish` and `amend`, else -1 */
	json_t *amend; /* owned: the message `amend`, which counts once it is accepted; else NULL */
};

struct jc_held_message;

struct jc_edge_session {
	struct jc_edge_session *next;           /* of the same client */
	struct jc_edge_session *next_of_bucket; /* of the owner */
	struct jc_forwarded_client *client;     /* borrowed */
	struct jc_session_sender *sender;       /* borrowed */
	char space[JC_MAX_SPACE_NAME];
	char subject[JC_MAX_NATS_SUBJECT]; /* to the origin */
	uint64_t number;
	uint32_t sent, received; /* messages: the next sequences */
	unsigned unlisted; /* sweeps since the origin has last shown that it knows the session */
	size_t awaited_count;
	struct jc_awaited_answer *awaited; /* owned; NULL: none was awaited yet */
	/* Texts behind a skeleton that the origin reads. */
	bool is_holding;
	struct jc_held_message *first, **end; /* owned */
	size_t held_count;
	/* Hashes of skeletons that the origin has got. */
	size_t skeleton_count;
	char (*skeletons)[JC_HASH_TEXT]; /* owned; NULL: none */
};

struct jc_edge_session_options {
	struct jc_session_sender *sender;
	struct jc_forwarded_client *client;
	const char *edge, *space;
	uint64_t number;
	const union jc_peer *peer;
	bool is_local_page;
	uint64_t party; /* of the client without a token */
};

/* Sends OPEN. Returns 0, JC_ERROR_MEMORY, JC_ERROR_ABSENT or JC_ERROR_LIMIT. */
int jc_edge_session_create(
	const struct jc_edge_session_options *options, struct jc_edge_session **out_session);
void jc_edge_session_destroy(struct jc_edge_session *session);

/* Sends CLOSE. */
void jc_edge_session_close(struct jc_edge_session *session);

/* Sends a text, or holds it. Returns 0; JC_ERROR_LIMIT where too much is held or waits; or
 * JC_ERROR_ABSENT or JC_ERROR_MEMORY: the session is lost then. */
int jc_edge_session_say(struct jc_edge_session *session, const char *text, size_t length);

/* The same; texts behind it are held until jc_edge_session_release. */
int jc_edge_session_say_and_hold(struct jc_edge_session *session, const char *text, size_t length);

/* The answer to the text that holds others is here: sends these, up to the next such text. Returns
 * as above. */
int jc_edge_session_release(struct jc_edge_session *session);

/* Sends a capture message, or drops it. */
void jc_edge_session_send_capture(
	struct jc_edge_session *session, const uint8_t *bytes, size_t length);

/* Counts a message of the origin. False: one before it is lost. */
bool jc_edge_session_count(struct jc_edge_session *session, uint32_t sequence);

/* The origin knows the session, and has sent so many messages. False: one of them is lost. */
bool jc_edge_session_confirm(struct jc_edge_session *session, uint32_t sent);

/* The client waits for an answer. Steals `amend`. False: for too many. */
bool jc_edge_session_await(
	struct jc_edge_session *session, const struct jc_awaited_answer *awaited);

/* The answer to the message with that field `request` is here; NULL: to the oldest message of that
 * type without the field. The caller owns `amend` then. False: none is awaited. */
bool jc_edge_session_answered(struct jc_edge_session *session, const json_t *request,
	const char *type, struct jc_awaited_answer *out_awaited);

/* Whether the origin has got the skeleton; from now on it has. */
bool jc_edge_session_knows(const struct jc_edge_session *session, const char *hash);
void jc_edge_session_learn(struct jc_edge_session *session, const char *hash);

#endif
