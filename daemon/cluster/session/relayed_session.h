/* The session of a client of an edge, at the origin: its messages come through NATS. The control
 * code is the same as for a WebSocket, and limits count for the client's address. */
#ifndef JC_RELAYED_SESSION_H
#define JC_RELAYED_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/token_bucket.h"
#include "cluster/session/session_sender.h"
#include "net/session.h"

/* An edge with sessions here. */
struct jc_session_edge {
	char name[JC_MAX_HOST_ID]; /* empty: the entry is free */
	unsigned silent;           /* sweeps since its last message */
	size_t count;              /* sessions */
	size_t unread_bytes;       /* of them, that wait for their turns */
	struct jc_token_bucket refusals;
};

struct jc_unread_message;

struct jc_relayed_session {
	struct jc_session session;
	struct jc_session_sender *sender;           /* borrowed */
	struct jc_session_edge *edge;               /* borrowed */
	struct jc_relayed_session *next, *previous; /* of all */
	struct jc_relayed_session *next_of_bucket;
	char space[JC_MAX_SPACE_NAME];     /* of the subject on which it was opened */
	char subject[JC_MAX_NATS_SUBJECT]; /* of messages to the edge */
	uint64_t number;
	uint32_t sent, received; /* messages: the next sequences */
	unsigned unlisted; /* sweeps since the edge has last shown that it knows the session */
	bool is_ended;     /* the edge has ended it, or cannot be reached */
	struct jc_token_bucket bytes;
	/* Messages that wait for the turn of the session. */
	struct jc_unread_message *first, **end;
	size_t unread_bytes;
};

struct jc_relayed_session_options {
	struct jc_session_sender *sender;
	struct jc_server *server;
	struct jc_session_edge *edge;
	const char *space;
	uint64_t number;
	uint64_t via; /* of the edge: its clients share no limits with those of others */
	const struct jc_session_open *open;
	int64_t now_ns;
};

/* Counts the client for its address and answers OPENED. Returns 0, JC_ERROR_LIMIT for too many
 * sessions of the address, or JC_ERROR_MEMORY. */
int jc_relayed_session_create(
	const struct jc_relayed_session_options *options, struct jc_relayed_session **out_relayed);

/* After jc_session_leave. */
void jc_relayed_session_destroy(struct jc_relayed_session *relayed);

/* A message TEXT, BINARY or CLOSE of this session. A gap in the sequence, a text above the limit
 * and too many bytes close the session. */
void jc_relayed_session_receive(struct jc_relayed_session *relayed,
	const struct jc_session_message *message, int64_t now_ns);

/* The edge knows the session, and has sent so many messages. Closes the session where one of them
 * is lost. */
void jc_relayed_session_confirm(struct jc_relayed_session *relayed, uint32_t sent);

/* Closes it without a message: the edge is lost. */
void jc_relayed_session_lose(struct jc_relayed_session *relayed);

#endif
