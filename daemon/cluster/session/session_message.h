/* Messages of sessions between an edge and an origin (proto/CLUSTER.md, "Sessions"). Pure. */
#ifndef JC_SESSION_MESSAGE_H
#define JC_SESSION_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "net/listener.h"

#define JC_SESSION_MESSAGE_HEAD 16 /* bytes, before the payload */

enum jc_session_message_kind {
	JC_SESSION_OPEN = 1,   /* edge to origin: a client begins */
	JC_SESSION_TEXT = 2,   /* a control message */
	JC_SESSION_BINARY = 3, /* captures */
	JC_SESSION_CLOSE = 4,  /* u16 code of WebSockets, then the reason */
	JC_SESSION_OPENED = 5, /* origin to edge: the answer to OPEN */
	JC_SESSION_ALIVE = 6,  /* edge to origin, and back: a list of counts; without a session */
};

/* u8 kind, u8 version (1), u16 0, u64 number, u32 sequence, then the payload; little-endian. */
struct jc_session_message {
	enum jc_session_message_kind kind;
	uint64_t number;        /* of the session, random */
	uint32_t sequence;      /* from 0 in each direction of a session */
	const uint8_t *payload; /* borrowed */
	size_t length;
};

/* Writes the head only. */
void jc_session_message_write(
	const struct jc_session_message *message, uint8_t out_head[JC_SESSION_MESSAGE_HEAD]);

/* Returns 0, JC_ERROR_TRUNCATED, JC_ERROR_UNSUPPORTED for another kind or version, or
 * JC_ERROR_INVALID. */
int jc_session_message_read(
	const uint8_t *bytes, size_t length, struct jc_session_message *out_message);

/* The payload of OPEN: {"address","localPage","party"}. */
struct jc_session_open {
	union jc_peer peer; /* of the client: an address without its port, or AF_UNIX */
	bool is_local_page;
	uint64_t party; /* of the client without a token (space/people/people.h); 0: none */
};

/* The caller frees the text; NULL: out of memory. */
char *jc_session_open_write(const struct jc_session_open *open);

/* Returns 0, JC_ERROR_SYNTAX, JC_ERROR_INVALID or JC_ERROR_LIMIT. */
int jc_session_open_read(const uint8_t *bytes, size_t length, struct jc_session_open *out_open);

/* An entry of the payload of ALIVE: how many messages of a session were sent so far. */
struct jc_session_count {
	uint64_t number;
	uint32_t sent;
};

#define JC_SESSION_COUNT_BYTES 12u /* u64 number, u32 sent */

void jc_session_count_write(
	const struct jc_session_count *count, uint8_t out_bytes[JC_SESSION_COUNT_BYTES]);

/* The i-th entry of the payload of ALIVE. False: the payload is shorter. */
bool jc_session_count_read(
	const struct jc_session_message *alive, size_t i, struct jc_session_count *out_count);

#define JC_SESSION_REASON 124u /* bytes of the reason of CLOSE, with its NUL */

/* Returns the length of the payload. */
size_t jc_session_close_write(
	uint16_t code, const char *reason, uint8_t out_payload[2 + JC_SESSION_REASON]);

/* An invalid payload is a CLOSE with code 1001 and without a reason. A reason that is no UTF-8 text
 * is left out. */
uint16_t jc_session_close_read(
	const uint8_t *payload, size_t length, char out_reason[JC_SESSION_REASON]);

#endif
