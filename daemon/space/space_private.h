/* The struct that space.c, space_tick.c and roster.c share. */
#ifndef JC_SPACE_PRIVATE_H
#define JC_SPACE_PRIVATE_H

#include "space/roster.h"
#include "space/space.h"

struct jc_space {
	struct jc_space_options options;
	char name[JC_MAX_SPACE_NAME];
	/* The roster, and what is to be announced of it. */
	uint64_t revision;             /* of the last announcement */
	struct jc_shared_text *roster; /* held: complete, of that revision; NULL: not made yet */
	int64_t announced_ns;          /* nominal time of the tick that made it */
	bool has_news;                 /* something of the next lines, or of a body, is pending */
	bool recording_changed;
	bool has_movers;   /* bodies went elsewhere smoothly: a change once it is announced */
	bool was_recorded; /* as the last announcement has it */
	size_t left_count;
	uint32_t left[JC_MAX_BODIES]; /* ids of bodies that were announced and have left */
	uint64_t changes;             /* see jc_space_changes */
	uint32_t next_id;
	size_t body_count;
	struct jc_body bodies[JC_MAX_BODIES];
	struct jc_arrangement arrangement;
	struct jc_source_totals gone[JC_SOURCE_KINDS]; /* of bodies that have left */
	struct jc_sink *sinks;                         /* owned */
	bool is_recorded;
	struct jc_player *players;    /* owned */
	bool is_taken[JC_MAX_BODIES]; /* of slots */
	struct jc_stream_table streams;
	struct jc_body_sample body_samples[JC_MAX_BODIES]; /* by slot: how all stand in this tick */
};

/* The entry of the body is new or changed: the next announcement has it. */
void jc_space_note(struct jc_space *space, struct jc_body *body);

#endif
