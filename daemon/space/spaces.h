/* All spaces of the daemon, and what they share. */
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
	struct jc_histogram lateness; /* of ticks */
	size_t count;
	struct jc_fanout fanouts[JC_MAX_SPACES];
};

int jc_spaces_init(struct jc_spaces *spaces, struct jc_diagnostic *diagnostic);
void jc_spaces_finish(struct jc_spaces *spaces);

struct jc_fanout *jc_spaces_find(struct jc_spaces *spaces, const char *name); /* or NULL */

/* Finds or makes a space. Returns 0 or an error. */
int jc_spaces_open(struct jc_spaces *spaces, const char *name, struct jc_fanout **out_fanout);

/* One tick of every space. */
void jc_spaces_tick(struct jc_spaces *spaces, uint32_t tick, int64_t now_ns);

#endif
