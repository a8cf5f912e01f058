/* Adds up the counters of sources by kind. */
#include "source/source_totals.h"

#include <assert.h>
#include <string.h>

static struct jc_source_totals *find(
	struct jc_source_totals tallies[JC_SOURCE_KINDS], const char *kind)
{
	size_t i = 0;

	while (tallies[i].kind && strcmp(tallies[i].kind, kind) != 0) {
		i++;
		assert(i < JC_SOURCE_KINDS);
	}
	tallies[i].kind = kind;
	return &tallies[i];
}

void jc_source_totals_add(struct jc_source_totals tallies[JC_SOURCE_KINDS],
	const struct jc_source *source, const struct jc_histogram *latency,
	const struct jc_histogram *age, bool goes)
{
	struct jc_source_status status = { 0 };
	struct jc_source_totals *tally;

	source->ops->status(source, &status);
	tally = find(tallies, status.kind);
	tally->bodies[status.condition] += !goes;
	tally->frames += status.frames;
	tally->held += status.held;
	tally->dropped += status.dropped;
	tally->refused += status.refused;
	tally->ignored += status.ignored;
	tally->losses += status.losses;
	jc_histogram_merge(&tally->latency, latency);
	jc_histogram_merge(&tally->age, age);
}
