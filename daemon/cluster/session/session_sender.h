/* Publishes messages of sessions. */
#ifndef JC_SESSION_SENDER_H
#define JC_SESSION_SENDER_H

#include "cluster/session/session_message.h"

struct jc_nats_link;

struct jc_session_sender {
	struct jc_nats_link *link; /* borrowed */
	uint8_t *scratch;          /* owned: one message */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_session_sender_init(struct jc_session_sender *sender, struct jc_nats_link *link);
void jc_session_sender_finish(struct jc_session_sender *sender);

/* Returns 0, JC_ERROR_ABSENT: not connected; or JC_ERROR_LIMIT: too long, or too much waits. */
int jc_session_sender_send(struct jc_session_sender *sender, const char *subject,
	const struct jc_session_message *message);

/* A message CLOSE of that sequence. */
int jc_session_sender_close(struct jc_session_sender *sender, const char *subject,
	const struct jc_session_message *message, uint16_t code, const char *reason);

#endif
