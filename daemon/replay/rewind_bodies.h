/* The bodies with motion in a rewind buffer or a rewind. A person who withdraws consent is
 * found under all ids of the body and under the ids of earlier bodies of the same participant. */
#ifndef JC_REWIND_BODIES_H
#define JC_REWIND_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/space.h"

struct jc_rewind_body {
	uint32_t id;
	uint32_t first_id; /* of its body, whose appearances have different ids */
	uint32_t asset;    /* number of its skeleton asset */
	uint64_t party;    /* the publisher; 0: the server */
	int64_t from_us;   /* first tick with motion */
	int64_t last_us;   /* last tick with motion */
	bool is_withdrawn;
};

struct jc_rewind_bodies {
	bool has_withdrawn; /* at least one body of the list is withdrawn */
	size_t count;
	struct jc_rewind_body list[JC_MAX_REWIND_BODIES]; /* by id */
};

/* Notes that the body has motion at this tick. Body ids grow, and the list must have room. */
void jc_rewind_bodies_note(
	struct jc_rewind_bodies *rewind_bodies, const struct jc_body *body, int64_t time_us);

/* Marks all appearances of the body, which may be waiting, and earlier bodies of its party that
 * have left the space, as withdrawn.
 * Returns whether any of them has motion. */
bool jc_rewind_bodies_withdraw(struct jc_rewind_bodies *rewind_bodies, const struct jc_space *space,
	const struct jc_body *body);

/* Makes room for `count` bodies: marks the oldest bodies that have left as withdrawn. */
void jc_rewind_bodies_make_room(
	struct jc_rewind_bodies *rewind_bodies, const struct jc_space *space, size_t count);

bool jc_rewind_bodies_is_withdrawn(const struct jc_rewind_bodies *rewind_bodies, uint32_t id);
bool jc_rewind_bodies_use(const struct jc_rewind_bodies *rewind_bodies, uint32_t asset);

/* The earliest motion of a withdrawn body; INT64_MAX: none. */
int64_t jc_rewind_bodies_withdrawn_from(const struct jc_rewind_bodies *rewind_bodies);

/* Drops withdrawn bodies and bodies without motion since that time. */
void jc_rewind_bodies_drop(struct jc_rewind_bodies *rewind_bodies, int64_t from_us);

#endif
