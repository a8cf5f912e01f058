/* Sanctions of moderators: persons that are hidden, muted or banned in a space, with an end. */
#ifndef JC_SANCTIONS_H
#define JC_SANCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

enum jc_sanction_kind {
	JC_SANCTION_HIDE,  /* their bodies are not sent to anyone */
	JC_SANCTION_MUTE,  /* their bodies do not move */
	JC_SANCTION_BAN,   /* they can neither watch nor publish */
	JC_SANCTION_BLOCK, /* of an avatar: no body wears it */
	JC_SANCTION_KINDS
};

const char *jc_sanction_kind_name(enum jc_sanction_kind kind); /* "ban" */
int jc_sanction_kind_find(const char *name);                   /* or -1 */

/* Plain data. */
struct jc_sanction {
	char space[JC_MAX_SPACE_NAME];
	enum jc_sanction_kind kind;
	/* "subject ada", "address 192.0.2.1", "body walker" for any publisher of that body, or of a
	 * block "avatar HASH" */
	char who[JC_MAX_WHO];
	char by[JC_MAX_WHO]; /* the moderator, in the same form */
	char reason[JC_MAX_REASON];
	int64_t since_s, until_s; /* Unix time; INT64_MAX: until a moderator lifts it */
};

/* Empty when all zeros. */
struct jc_sanctions {
	size_t count, capacity;
	uint64_t revision;        /* counts changes */
	struct jc_sanction *list; /* owned, ascending by space, kind and who */
	size_t unknown;           /* of kinds of a newer version, which are in the file alone */
};

void jc_sanctions_finish(struct jc_sanctions *sanctions);

/* Adds a sanction; it replaces one of the same kind on the same person in that space. Returns 0,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_sanctions_put(struct jc_sanctions *sanctions, const struct jc_sanction *sanction);

/* Removes a sanction; false: there was none. */
bool jc_sanctions_lift(struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who);

/* Removes sanctions that have ended; false: there were none. */
bool jc_sanctions_expire(struct jc_sanctions *sanctions, int64_t now_s);

/* NULL if there is none. */
const struct jc_sanction *jc_sanctions_find(const struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who);

/* The sanction on a person, by its subject (NULL: it has no token) or by its address as
 * jc_address_network writes it. NULL if there is none. */
const struct jc_sanction *jc_sanctions_find_person(const struct jc_sanctions *sanctions,
	const char *space, enum jc_sanction_kind kind, const char *subject, const char *address);

/* Whether an avatar is blocked in a space, NULL: in any. */
bool jc_sanctions_is_blocked(
	const struct jc_sanctions *sanctions, const char *space, const char *hash);

/* Finds the sanctions of a space, which are adjacent; returns their number. */
size_t jc_sanctions_of(const struct jc_sanctions *sanctions, const char *space,
	const struct jc_sanction **out_first);

#endif
