/* What a session may do in a space, as that space's permits say of the token that it
 * showed, for as long as that lasts; behind an open gate it has every role. */
#ifndef JC_ADMISSION_H
#define JC_ADMISSION_H

#include <stdbool.h>

#include "auth/token.h"
#include "maxima.h"
#include "moderation/sanctions.h"

struct jc_client;
struct jc_fanout;

/* Whether it may, in a space; the error is answered. */
bool jc_admission_allows(
	struct jc_client *client, enum jc_role role, const char *space, const char *type);

/* Whether it may bring in, or calibrate, a body of that name there; likewise. */
bool jc_admission_allows_body(
	struct jc_client *client, const char *space, const char *name, const char *type);

/* Both at once, and nothing is answered; body NULL: whatever its bodies are. */
bool jc_admission_may(
	const struct jc_client *client, enum jc_role role, const char *space, const char *body);

/* Whether it may open a space by doing what takes that role there. */
bool jc_admission_may_open(const struct jc_client *client, enum jc_role role, const char *space);

/* Who it is, to be counted or kept out: "subject ada", or where there is no token
 * "address 127.0.0.1". */
void jc_admission_who(const struct jc_client *client, char out_who[JC_MAX_WHO]);

/* Where it comes from, likewise: "address 127.0.0.1", with a token or without. Of IPv6
 * it is the whole /64, which is what one visitor is given. */
void jc_admission_where(const struct jc_client *client, char out_where[JC_MAX_WHO]);

/* Whether there is anything in a space that it may do. */
bool jc_admission_shows(const struct jc_client *client, const char *space);

/* Whether it may learn that a space is there: as jc_admission_shows, but a ban hides
 * nothing that would be shown without it, and a space that shows the past is known to the
 * subject or address that opened it. */
bool jc_admission_knows(const struct jc_client *client, struct jc_fanout *fanout);

/* The sanction that holds for the client in a space, or for its body of that name (NULL: no
 * body); NULL: there is none. */
const struct jc_sanction *jc_admission_sanction(const struct jc_client *client, const char *space,
	enum jc_sanction_kind kind, const char *body);

#endif
