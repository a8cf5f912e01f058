/* What a session may do: everything behind an open gate, else what the token that
 * it showed allows, for as long as that lasts. */
#ifndef JC_ADMISSION_H
#define JC_ADMISSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "auth/token.h"
#include "net/session.h"

/* A token as a message of that type brought it, NULL where it brought none. What it
 * does not allow any more ends. False after the error was answered and the connection
 * began to close. */
bool jc_admission_show(struct jc_session *session, const json_t *token, const char *type);

/* Message `token`: another one for the same subject, before the first ends. */
void jc_admission_on_token(struct jc_session *session, const json_t *message, int64_t now_ns);

/* Whether it may, in a space; the error is answered. */
bool jc_admission_allows(
	struct jc_session *session, enum jc_role role, const char *space, const char *type);

/* Whether it may bring in, or calibrate, a body of that name; likewise. */
bool jc_admission_allows_body(struct jc_session *session, const char *name, const char *type);

/* Both at once, and nothing is answered; body NULL: whatever its bodies are. */
bool jc_admission_may(
	const struct jc_session *session, enum jc_role role, const char *space, const char *body);

/* Whether a space is shown to it at all. */
bool jc_admission_shows(const struct jc_session *session, const char *space);

/* Closes the connection once its token has ended, or the key that signed it is no
 * longer believed. */
void jc_admission_sweep(struct jc_session *session);

#endif
