/* Counts deliveries to a space by kind of source, including sources that have ended: counters of
 * metrics must not decrease when a body leaves, and must not identify a person. */
#ifndef JC_SOURCE_TOTALS_H
#define JC_SOURCE_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "source/source.h"

#define JC_SOURCE_KINDS 16 /* maximum number of kinds */

struct jc_source_totals {
	const char *kind;                  /* NULL: unused entry */
	size_t bodies[JC_SOURCE_LOST + 1]; /* present bodies by condition */
	uint64_t frames, held, dropped, refused, ignored, losses;
	struct jc_histogram latency, age;
};

/* Adds what a source has delivered; counts its body in its condition unless the body leaves.
 * latency and age are those of the body. */
void jc_source_totals_add(struct jc_source_totals tallies[JC_SOURCE_KINDS],
	const struct jc_source *source, const struct jc_histogram *latency,
	const struct jc_histogram *age, bool goes);

#endif
