/* What moderators ordered and still holds: who is hidden, muted or kept out of which
 * space, and until when. */
#ifndef JC_SANCTIONS_H
#define JC_SANCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

enum jc_sanction_kind {
	JC_SANCTION_HIDE, /* nobody is shown what they publish */
	JC_SANCTION_MUTE, /* what they publish does not move */
	JC_SANCTION_BAN,  /* they neither watch nor publish */
	JC_SANCTION_KINDS
};

const char *jc_sanction_kind_name(enum jc_sanction_kind kind); /* "ban" */
int jc_sanction_kind_find(const char *name);                   /* or -1 */

/* Plain data. */
struct jc_sanction {
	char space[JC_MAX_SPACE_NAME];
	enum jc_sanction_kind kind;
	/* "subject ada", "address 192.0.2.1" or "body walker", whoever brings that one. */
	char who[JC_MAX_WHO];
	char by[JC_MAX_WHO]; /* who ordered it, likewise */
	char reason[JC_MAX_REASON];
	int64_t since_s, until_s; /* Unix time; INT64_MAX: until it is lifted */
};

/* Empty when all zeros. */
struct jc_sanctions {
	size_t count, capacity;
	struct jc_sanction *list; /* owned, ascending by space, kind and who */
};

void jc_sanctions_finish(struct jc_sanctions *sanctions);

/* Into an empty list. Returns 0 or JC_ERROR_MEMORY. */
int jc_sanctions_copy(const struct jc_sanctions *sanctions, struct jc_sanctions *out_copy);

/* In the place of one of the same kind on the same in that space. Returns 0,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_sanctions_put(struct jc_sanctions *sanctions, const struct jc_sanction *sanction);

/* Whether there was one. */
bool jc_sanctions_lift(struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who);

/* Takes out what has ended; whether there was any. */
bool jc_sanctions_expire(struct jc_sanctions *sanctions, int64_t now_s);

/* NULL: none. */
const struct jc_sanction *jc_sanctions_find(const struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who);

/* Those of a space, which stand together; returns how many. */
size_t jc_sanctions_of(const struct jc_sanctions *sanctions, const char *space,
	const struct jc_sanction **out_first);

#endif
