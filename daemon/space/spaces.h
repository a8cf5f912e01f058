/* All spaces of the daemon, and what they share. Each ticks at a rate of its own,
 * counted from one start. */
#ifndef JC_SPACES_H
#define JC_SPACES_H

#include <stddef.h>

#include "base/clock.h"
#include "space/fanout.h"
#include "space/wardrobe.h"

#define JC_TICK_HZ 60

struct jc_spaces {
	struct jc_clock clock;
	int64_t start_ns; /* nominal time of tick 0 of every space */
	struct jc_wardrobe wardrobe;
	struct jc_histogram lateness; /* of ticks, of all spaces, */
	uint64_t missed;              /* and those that there was no time for */
	uint32_t last_id;             /* never given twice */
	size_t count;
	struct jc_fanout *fanouts[JC_MAX_SPACES]; /* owned */
};

int jc_spaces_init(struct jc_spaces *spaces, struct jc_diagnostic *diagnostic);
void jc_spaces_finish(struct jc_spaces *spaces);

struct jc_fanout *jc_spaces_find(struct jc_spaces *spaces, const char *name); /* or NULL */

/* Finds or makes a space. Returns 0 or an error. */
int jc_spaces_open(struct jc_spaces *spaces, const char *name, struct jc_fanout **out_fanout);

/* When the first tick is due of those to come; there has to be a space. */
int64_t jc_spaces_due_ns(const struct jc_spaces *spaces);

/* Every space that is due ticks, once: what was missed is counted and left out,
 * never made up for. */
void jc_spaces_tick(struct jc_spaces *spaces, int64_t now_ns);

#endif
