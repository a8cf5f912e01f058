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
	struct jc_histogram lateness; /* of ticks, of all spaces, */
	uint64_t missed;              /* and those that there was no time for */
	int64_t due_ns;               /* processor time that pending roster changes will take */
	struct jc_spaces_policy policy;
	uint32_t last_id; /* never given twice */
	size_t count;
	struct jc_fanout *fanouts[JC_MAX_SPACES]; /* owned */
};

int jc_spaces_init(struct jc_spaces *spaces, struct jc_diagnostic *diagnostic);
void jc_spaces_finish(struct jc_spaces *spaces);

struct jc_fanout *jc_spaces_find(struct jc_spaces *spaces, const char *name); /* or NULL */

/* The space with that id, or NULL: for references that outlive an event. */
struct jc_fanout *jc_spaces_with_id(struct jc_spaces *spaces, uint32_t id);

/* Finds or makes a space, which stays from now on. One that is made is as the policy
 * says. Returns 0 or an error. */
int jc_spaces_open(struct jc_spaces *spaces, const char *name, struct jc_fanout **out_fanout);

/* Likewise, but as `policy` says. Whether it is new or not: the rate of one that is
 * there does not change. */
int jc_spaces_configure(struct jc_spaces *spaces, const char *name,
	const struct jc_space_policy *policy, struct jc_fanout **out_fanout);

/* One more, which a client opens: it goes when nobody is left. opener: what it is
 * counted under. JC_ERROR_LIMIT where there are as many as there may be. */
int jc_spaces_open_for(struct jc_spaces *spaces, const char *name, const char *opener,
	struct jc_fanout **out_fanout);

/* One that shows what was in another: under a name that nobody can choose, with its
 * policy, until nobody looks any more. JC_ERROR_LIMIT likewise. */
int jc_spaces_open_rewind(struct jc_spaces *spaces, const struct jc_fanout *of, const char *opener,
	struct jc_fanout **out_fanout);

/* Whether who opens one now could; it may be asked before there is anything to show. */
bool jc_spaces_has_room_for_rewind(const struct jc_spaces *spaces, const char *opener);

/* Of which space that of a name shows the past; NULL where it shows its own present. */
const char *jc_spaces_rewind_of(struct jc_spaces *spaces, const char *name);

/* Another policy for all of them; none but `lobby` stays for good until it is
 * configured again. */
void jc_spaces_reset(struct jc_spaces *spaces, const struct jc_spaces_policy *policy);

/* Closes those that nobody was in for long enough. */
void jc_spaces_sweep(struct jc_spaces *spaces, int64_t now_ns);

/* When the first tick is due of those to come; there has to be a space. */
int64_t jc_spaces_due_ns(const struct jc_spaces *spaces);

/* Every space that is due ticks, once: what was missed is counted and left out,
 * never made up for. */
void jc_spaces_tick(struct jc_spaces *spaces, int64_t now_ns);

#endif
