/* All spaces of the daemon and what they share. Each ticks at its own rate, counted from one
 * start. */
#ifndef JC_SPACES_H
#define JC_SPACES_H

#include <stddef.h>

#include "base/clock.h"
#include "space/fanout.h"
#include "space/skeleton_table.h"

struct jc_spaces {
	struct jc_clock clock;
	int64_t start_ns; /* nominal time of tick 0 of every space */
	struct jc_skeleton_table skeleton_table;
	struct jc_histogram lateness; /* of the ticks of all spaces */
	uint64_t missed;              /* ticks that were skipped for lack of time */
	int64_t due_ns;               /* processor time that pending roster changes will take */
	struct jc_spaces_policy policy;
	struct jc_space_texts texts;  /* of all spaces; compose NULL: only props */
	uint32_t last_id;             /* never reused */
	struct jc_siphash_key people; /* secret: of the keys of its spaces (people.h) */
	size_t count;
	struct jc_fanout *fanouts[JC_MAX_SPACES]; /* owned */
};

int jc_spaces_init(struct jc_spaces *spaces, struct jc_diagnostic *diagnostic);
void jc_spaces_finish(struct jc_spaces *spaces);

struct jc_fanout *jc_spaces_find(struct jc_spaces *spaces, const char *name); /* or NULL */

/* The space with that id, or NULL: for references that outlive an event. */
struct jc_fanout *jc_spaces_with_id(struct jc_spaces *spaces, uint32_t id);

/* Finds or creates a space, which then stays open. A new one has the default policy. Returns 0
 * or an error. */
int jc_spaces_open(struct jc_spaces *spaces, const char *name, struct jc_fanout **out_fanout);

/* The same with a given policy, for a new or an existing space; the rate of an existing one
 * does not change. */
int jc_spaces_configure(struct jc_spaces *spaces, const char *name,
	const struct jc_space_policy *policy, struct jc_fanout **out_fanout);

/* Opens a space for a client; it closes when it is empty. opener: the subject or address that
 * the limit counts. JC_ERROR_LIMIT at the maximum. */
int jc_spaces_open_for(struct jc_spaces *spaces, const char *name, const char *opener,
	struct jc_fanout **out_fanout);

/* Opens a rewind space with the policy of its source space, under a reserved name, until it is
 * empty. JC_ERROR_LIMIT at the maximum. */
int jc_spaces_open_rewind(struct jc_spaces *spaces, const struct jc_fanout *of, const char *opener,
	struct jc_fanout **out_fanout);

/* Whether jc_spaces_open_rewind would succeed. */
bool jc_spaces_has_room_for_rewind(const struct jc_spaces *spaces, const char *opener);

/* Returns the source space of a rewind space, NULL for other spaces. */
const char *jc_spaces_rewind_of(struct jc_spaces *spaces, const char *name);

/* Sets the policy of all spaces. Every space but `lobby` closes when empty, unless it is
 * configured again. */
void jc_spaces_reset(struct jc_spaces *spaces, const struct jc_spaces_policy *policy);

/* Closes spaces that were empty for long enough. */
void jc_spaces_sweep(struct jc_spaces *spaces, int64_t now_ns);

/* The time of the next tick of any space; without one, soon. */
int64_t jc_spaces_due_ns(const struct jc_spaces *spaces);

/* Runs one tick of every space that is due. Missed ticks are counted and skipped. Relayed spaces
 * are left out. */
void jc_spaces_tick(struct jc_spaces *spaces, int64_t now_ns);

struct jc_relay;
struct jc_relay_epoch;

/* Opens a relayed space, or begins a new epoch of an existing one, with an id of its own in place
 * of that of the epoch; it stays open. Returns 0; JC_ERROR_INVALID if a space of that name has
 * bodies, sinks or players of this daemon; JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_spaces_relay(struct jc_spaces *spaces, const char *name, struct jc_relay *relay,
	const struct jc_relay_epoch *epoch, struct jc_fanout **out_fanout);

/* Runs a tick of a relayed space. */
void jc_spaces_tick_relayed(struct jc_fanout *fanout, uint32_t tick);

/* The relayed space closes as soon as no client has joined it. It needs its relay no more. */
void jc_spaces_end_relay(struct jc_fanout *fanout);

#endif
