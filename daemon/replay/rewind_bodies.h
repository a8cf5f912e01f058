/* The bodies with motion in a rewind buffer or a rewind. A person who withdraws consent is
 * found under the id of the body and under the ids of earlier bodies of the same participant. */
#ifndef JC_REWIND_BODIES_H
#define JC_REWIND_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/space.h"

struct jc_rewind_body {
	uint32_t id;
	uint32_t asset;  /* number of the one that it wears */
	uint64_t party;  /* that publishes it; 0: the server */
	int64_t from_us; /* the first tick of which there is motion, */
	int64_t last_us; /* and the last one */
	bool is_withdrawn;
};

struct jc_rewind_bodies {
	bool has_withdrawn; /* at least one of these is */
	size_t count;
	struct jc_rewind_body list[JC_MAX_REWIND_BODIES]; /* by id */
};

/* There is motion of the body in the tick of that time. Bodies that enter later have
 * greater ids; there has to be room. */
void jc_rewind_bodies_note(
	struct jc_rewind_bodies *rewind_bodies, const struct jc_body *body, int64_t time_us);

/* The body, and those that its party published before and that are not in the space any
 * more. Returns whether there is motion of any. */
bool jc_rewind_bodies_withdraw(struct jc_rewind_bodies *rewind_bodies, const struct jc_space *space,
	const struct jc_body *body);

/* Makes room for so many: bodies that have left are withdrawn, those that came first. */
void jc_rewind_bodies_make_room(
	struct jc_rewind_bodies *rewind_bodies, const struct jc_space *space, size_t count);

bool jc_rewind_bodies_is_withdrawn(const struct jc_rewind_bodies *rewind_bodies, uint32_t id);
bool jc_rewind_bodies_use(const struct jc_rewind_bodies *rewind_bodies, uint32_t asset);

/* The first time with motion of withdrawn bodies; INT64_MAX: none. */
int64_t jc_rewind_bodies_withdrawn_from(const struct jc_rewind_bodies *rewind_bodies);

/* Lets go of those that are withdrawn, and of those without motion from that time on. */
void jc_rewind_bodies_drop(struct jc_rewind_bodies *rewind_bodies, int64_t from_us);

#endif
