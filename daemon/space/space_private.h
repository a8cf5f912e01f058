/* What the two files of a space share: who is there is in space.c, what a tick makes of
 * them in space_tick.c. */
#ifndef JC_SPACE_PRIVATE_H
#define JC_SPACE_PRIVATE_H

#include "space/space.h"

struct jc_space {
	struct jc_space_options options;
	char name[JC_MAX_SPACE_NAME];
	uint64_t revision;
	uint32_t next_id;
	size_t body_count;
	struct jc_body bodies[JC_MAX_BODIES];
	struct jc_arrangement arrangement;
	struct jc_tally gone[JC_TALLIES]; /* of who has left */
	struct jc_sink *sinks;            /* owned */
	bool is_recorded;
	struct jc_player *players;    /* owned */
	bool is_taken[JC_MAX_BODIES]; /* of slots */
	struct jc_stream_table streams;
	struct jc_moment moments[JC_MAX_BODIES]; /* by slot: how all stand in this tick */
};

/* The body entered, or its entry in the roster changed. */
void jc_space_announce(struct jc_space *space, const struct jc_body *body, bool joined);

#endif
