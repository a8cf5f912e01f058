/* What a subscriber can choose of a stream, and the levels of detail below that choice. */
#ifndef JC_STREAM_SPEC_H
#define JC_STREAM_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/stream.h"

struct jc_stream_spec {
	bool chains; /* coding 2; else coding 1, which has all of everything */
	enum jc_precision precision;
	uint32_t rate;     /* every n-th tick: 1, 2 or 4 */
	unsigned sections; /* JC_STREAM_SECTION bits */
};

bool jc_stream_spec_equal(const struct jc_stream_spec *a, const struct jc_stream_spec *b);

/* From all that was wished for to the trunk alone, coarsely, every fourth tick. */
#define JC_LEVELS 5

/* The wish at a level: never more than itself. Coding 1 has one level. */
struct jc_stream_spec jc_stream_spec_at(const struct jc_stream_spec *spec, unsigned level);

/* What it costs beside others, roughly: what bodies were seen to cost. */
float jc_stream_spec_weight(const struct jc_stream_spec *spec);

#endif
