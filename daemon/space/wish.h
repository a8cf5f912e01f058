/* What subscribers can wish for of a stream, and the levels of detail below that. */
#ifndef JC_WISH_H
#define JC_WISH_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/stream.h"

struct jc_wish {
	bool chains; /* coding 2; else coding 1, which has all of everything */
	enum jc_precision precision;
	uint32_t rate;     /* every n-th tick: 1, 2 or 4 */
	unsigned sections; /* JC_STREAM_SECTION bits */
};

bool jc_wish_equal(const struct jc_wish *a, const struct jc_wish *b);

/* From all that was wished for to the trunk alone, coarsely, every fourth tick. */
#define JC_LEVELS 5

/* The wish at a level: never more than itself. Coding 1 has one level. */
struct jc_wish jc_wish_at(const struct jc_wish *wish, unsigned level);

/* What it costs beside others, roughly: what bodies were seen to cost. */
float jc_wish_weight(const struct jc_wish *wish);

#endif
