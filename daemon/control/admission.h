/* What a session may do in a space, as that space's permits say of the token that it
 * showed, for as long as that lasts; behind an open gate it has every role. */
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

/* Whether it may bring in, or calibrate, a body of that name there; likewise. */
bool jc_admission_allows_body(
	struct jc_session *session, const char *space, const char *name, const char *type);

/* Both at once, and nothing is answered; body NULL: whatever its bodies are. */
bool jc_admission_may(
	const struct jc_session *session, enum jc_role role, const char *space, const char *body);

/* Whether it may open a space by doing what takes that role there. */
bool jc_admission_may_open(const struct jc_session *session, enum jc_role role, const char *space);

/* Who it is, to be counted or kept out: "subject ada", or where there is no token
 * "address 127.0.0.1". */
void jc_admission_who(const struct jc_session *session, char out_who[JC_MAX_WHO]);

/* Where it comes from, likewise: "address 127.0.0.1", with a token or without. Of IPv6
 * it is the whole /64, which is what one visitor is given. */
void jc_admission_where(const struct jc_session *session, char out_where[JC_MAX_WHO]);

/* Whether there is anything in a space that it may do. */
bool jc_admission_shows(const struct jc_session *session, const char *space);

/* Whether it may learn that a space is there: as jc_admission_shows, but a ban hides
 * nothing that would be shown without it, and a space that shows the past is known to the
 * subject or address that opened it. */
bool jc_admission_knows(const struct jc_session *session, struct jc_fanout *fanout);

/* Closes the connection once its token has ended, or the key that signed it is no
 * longer believed; ends what the configuration does not allow any more. */
void jc_admission_sweep(struct jc_session *session);

#endif
