/* Control messages (PROTOCOL.md, 2): JSON in, JSON out. */
#ifndef JC_CONTROL_H
#define JC_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "net/session.h"

/* One text message from the client. */
void jc_control_receive(
	struct jc_session *session, const char *text, size_t length, int64_t now_ns);

/* An error answer; ref is the type of the message it answers, or NULL. The
 * sixteenth closes the connection. */
void jc_control_error(
	struct jc_session *session, const char *code, const char *message, const char *ref);

/* The same, which also says of what, by its name; NULL for nothing. */
void jc_control_error_of(struct jc_session *session, const char *code, const char *message,
	const char *ref, const char *name);

/* The same, which also says until when that is so, Unix time; INT64_MAX: no end is known. */
void jc_control_error_until(struct jc_session *session, const char *code, const char *message,
	const char *ref, int64_t until_s);

void jc_control_going_away(struct jc_session *session);

#endif
