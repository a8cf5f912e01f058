/* What the sources of each kind have delivered to a space, including sources that have ended:
 * counters of metrics must not decrease when a body leaves, and must not identify a person. */
#ifndef JC_SOURCE_TOTALS_H
#define JC_SOURCE_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "source/source.h"

#define JC_SOURCE_KINDS 8 /* kinds of sources that there can be */

struct jc_source_totals {
	const char *kind;                  /* NULL: nothing is counted here yet */
	size_t bodies[JC_SOURCE_LOST + 1]; /* that there are, by condition */
	uint64_t frames, held, dropped, refused, losses;
	struct jc_histogram latency, age;
};

/* Counts what a source has delivered, and it itself in its condition unless it goes.
 * latency and age are those of its body. */
void jc_source_totals_add(struct jc_source_totals tallies[JC_SOURCE_KINDS],
	const struct jc_source *source, const struct jc_histogram *latency,
	const struct jc_histogram *age, bool goes);

#endif
