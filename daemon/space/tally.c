/* One after another, by kind. */
#include "space/tally.h"

#include <assert.h>
#include <string.h>

static struct jc_tally *find(struct jc_tally tallies[JC_TALLIES], const char *kind)
{
	size_t i = 0;

	while (tallies[i].kind && strcmp(tallies[i].kind, kind) != 0) {
		i++;
		assert(i < JC_TALLIES);
	}
	tallies[i].kind = kind;
	return &tallies[i];
}

void jc_tally_add(struct jc_tally tallies[JC_TALLIES], const struct jc_source *source,
	const struct jc_histogram *latency, const struct jc_histogram *age, bool goes)
{
	struct jc_source_status status = { 0 };
	struct jc_tally *tally;

	source->ops->status(source, &status);
	tally = find(tallies, status.kind);
	tally->bodies[status.condition] += !goes;
	tally->frames += status.frames;
	tally->held += status.held;
	tally->dropped += status.dropped;
	tally->refused += status.refused;
	tally->losses += status.losses;
	jc_histogram_merge(&tally->latency, latency);
	jc_histogram_merge(&tally->age, age);
}
