/* Publishes messages of sessions: the head and the payload are one message of NATS. */
#include "cluster/session/session_sender.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/nats_link.h"
#include "jointcast/error.h"
#include "maxima.h"

int jc_session_sender_init(struct jc_session_sender *sender, struct jc_nats_link *link)
{
	*sender =
		(struct jc_session_sender){ .link = link, .scratch = malloc(JC_MAX_NATS_MESSAGE) };
	return sender->scratch ? JC_OK : JC_ERROR_MEMORY;
}

void jc_session_sender_finish(struct jc_session_sender *sender)
{
	free(sender->scratch);
	sender->scratch = NULL;
}

int jc_session_sender_send(struct jc_session_sender *sender, const char *subject,
	const struct jc_session_message *message)
{
	if (message->length > JC_MAX_NATS_MESSAGE - JC_SESSION_MESSAGE_HEAD) {
		return JC_ERROR_LIMIT;
	}
	jc_session_message_write(message, sender->scratch);
	if (message->length > 0) {
		memcpy(sender->scratch + JC_SESSION_MESSAGE_HEAD, message->payload,
			message->length);
	}
	return jc_nats_link_publish(sender->link, subject, NULL, sender->scratch,
		JC_SESSION_MESSAGE_HEAD + message->length);
}

int jc_session_sender_close(struct jc_session_sender *sender, const char *subject,
	const struct jc_session_message *message, uint16_t code, const char *reason)
{
	uint8_t payload[2 + JC_SESSION_REASON];
	struct jc_session_message closing = *message;

	closing.kind = JC_SESSION_CLOSE;
	closing.payload = payload;
	closing.length = jc_session_close_write(code, reason, payload);
	return jc_session_sender_send(sender, subject, &closing);
}
