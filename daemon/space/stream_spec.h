/* What a subscriber can choose of a stream, and the levels of detail below that choice. */
#ifndef JC_STREAM_SPEC_H
#define JC_STREAM_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/stream.h"

struct jc_stream_spec {
	bool chains; /* coding 2; coding 1 has full detail and all sections */
	enum jc_precision precision;
	uint32_t rate;     /* every n-th tick: 1, 2 or 4 */
	unsigned sections; /* JC_STREAM_SECTION bits */
};

bool jc_stream_spec_equal(const struct jc_stream_spec *a, const struct jc_stream_spec *b);

/* Levels from the requested spec down to the coarse trunk at every fourth tick. */
#define JC_LEVELS 5

/* The spec at a level, never finer than the requested one. Coding 1 has one level. */
struct jc_stream_spec jc_stream_spec_at(const struct jc_stream_spec *spec, unsigned level);

/* Relative cost of a spec, from measurements of typical bodies. */
float jc_stream_spec_weight(const struct jc_stream_spec *spec);

#endif
