/* The texts of a space's roster (proto/CORE.md, "Roster"). The entry of a body is
 * formatted once per announcement that contains it; a complete roster is composed once per
 * revision, for all subscribers. */
#ifndef JC_ROSTER_H
#define JC_ROSTER_H

#include <stddef.h>

#include "base/shared_text.h"
#include "maxima.h"

struct jc_body;
struct jc_space;

/* One roster change. The distribution half borrows all of it. */
struct jc_announcement {
	struct jc_shared_text *change; /* the `roster` message */
	size_t joined_count;
	const struct jc_body *joined[JC_MAX_BODIES]; /* bodies that are new in the roster */
};

/* Writes every pending change of the space into one roster change with one revision.
 * Returns 0; JC_ERROR_ABSENT where there is nothing to announce; or JC_ERROR_MEMORY, and
 * everything stays pending. The caller drops out_announcement->change. */
int jc_roster_announce(struct jc_space *space, struct jc_announcement *out_announcement);

#endif
