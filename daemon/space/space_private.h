/* The struct that space.c, space_tick.c and roster.c share. */
#ifndef JC_SPACE_PRIVATE_H
#define JC_SPACE_PRIVATE_H

#include "space/relay/space_relay.h"
#include "space/roster.h"
#include "space/space.h"

struct jc_space {
	struct jc_space_options options;
	struct jc_relay *relay; /* borrowed; NULL: the space is not relayed */
	char name[JC_MAX_SPACE_NAME];
	/* The roster and its pending changes. */
	uint64_t revision; /* of the last announcement */
	struct jc_shared_text
		*roster;      /* held: complete, with that revision; NULL: not composed yet */
	int64_t announced_ns; /* nominal tick time of the last announcement */
	bool has_news;        /* a member below, or a body, has a pending change */
	bool recording_changed;
	bool waiting_changed; /* waiting bodies, or the reasons of their sources */
	char *waiting;        /* owned: the list `waiting` as announced; NULL: there was none */
	bool has_movers;      /* bodies moved smoothly: a change once it is announced */
	bool was_recorded;    /* value in the last announcement */
	size_t left_count;
	uint32_t left[JC_MAX_BODIES]; /* ids of bodies that were announced and have left */
	uint64_t changes;             /* see jc_space_changes */
	uint32_t next_id;
	size_t body_count;    /* in the space: the first of `bodies` */
	size_t waiting_count; /* the ones after them */
	struct jc_body bodies[JC_MAX_BODIES];
	struct jc_arrangement arrangement;
	struct jc_source_totals
		past_totals[JC_SOURCE_KINDS]; /* counters of bodies that have left */
	struct jc_sink *sinks;                /* owned */
	bool is_recorded;
	struct jc_player *players;    /* owned */
	bool is_taken[JC_MAX_BODIES]; /* of slots */
	struct jc_stream_table streams;
	struct jc_body_sample body_samples[JC_MAX_BODIES]; /* by slot: samples of this tick */
};

/* Marks the entry of the body for the next announcement. */
void jc_space_note(struct jc_space *space, struct jc_body *body);

/* Marks the list of waiting bodies for the next announcement. */
void jc_space_note_waiting(struct jc_space *space);

/* Moves a waiting body into the list, as its last. */
void jc_space_appear(struct jc_space *space, size_t index);

/* Gives a body of the list another skeleton: it leaves and appears with a new id, as the last of
 * the list. Returns the body at its new index. */
struct jc_body *jc_space_reappear(
	struct jc_space *space, struct jc_body *body, struct jc_skeleton_asset *asset);

/* Moves the bodies that are away out of the list. */
void jc_space_let_away_wait(struct jc_space *space);

#endif
