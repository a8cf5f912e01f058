/* NATS without a server or threads: replaces the calls of cluster/nats_link.h that sessions use,
 * and keeps what is published. Only one link exists at a time. */
#ifndef JC_TEST_FAKE_NATS_H
#define JC_TEST_FAKE_NATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/nats_link.h"
#include "cluster/session/session_message.h"

/* A published message, with a NUL after its bytes. */
struct fake_message {
	char subject[320], reply[320];
	uint8_t *bytes; /* owned */
	size_t length;
};

/* All zeros: nothing is published. */
struct fake_nats {
	size_t count, capacity;
	struct fake_message *messages; /* owned */
	bool is_lost;                  /* nothing can be published */
	/* The open request; more than one at a time are refused. */
	jc_nats_handler *handler; /* NULL: there is none */
	void *context;
};

/* The one that the calls change from now on; all zeros. */
void fake_nats_open(struct fake_nats *nats);
void fake_nats_close(struct fake_nats *nats);

/* Forgets what was published. */
void fake_nats_clear(struct fake_nats *nats);

/* Calls the handlers of that subject. Returns their number. */
size_t fake_nats_deliver(const char *subject, const void *bytes, size_t length);

/* The same with the message as one part (cluster/parts.h). */
size_t fake_nats_deliver_parts(const char *subject, const void *bytes, size_t length);

/* Answers the open request; bytes NULL: it timed out. False: there is none. */
bool fake_nats_answer(const void *bytes, size_t length);

/* The same with a message of a session; the payload is a text. */
size_t fake_nats_send(const char *subject, enum jc_session_message_kind kind, uint64_t number,
	uint32_t sequence, const char *payload);

/* The same with ALIVE that lists one session. */
size_t fake_nats_list(const char *subject, uint64_t number, uint64_t session, uint32_t sent);

/* The i-th published message as one of a session. */
struct jc_session_message fake_nats_read(const struct fake_nats *nats, size_t i);

/* The newest published message of that kind; NULL: none. Its payload ends with a NUL. */
const char *fake_nats_newest(const struct fake_nats *nats, enum jc_session_message_kind kind);

/* How many published messages of that kind contain the text. */
size_t fake_nats_count(
	const struct fake_nats *nats, enum jc_session_message_kind kind, const char *text);

#endif
