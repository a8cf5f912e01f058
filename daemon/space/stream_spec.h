/* The properties of a stream that a subscriber chooses, and the levels of detail below that choice.
 */
#ifndef JC_STREAM_SPEC_H
#define JC_STREAM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/skeleton.h"
#include "jointcast/stream.h"
#include "maxima.h"

/* The virtual transforms that a stream carries. All zeros: the first ones of the skeleton. */
struct jc_virtual_choice {
	bool is_some;                                     /* only those that follow: */
	uint8_t indices[JC_LIMIT_VIRTUAL_TRANSFORMS / 8]; /* bit i of byte n: number 8 n + i */
	char tags[JC_MAX_CHOSEN_TAG_BYTES]; /* texts with their NULs; the rest is zeros */
};

/* Adds a tag. Returns false where there is no room for it. */
bool jc_virtual_choice_add_tag(struct jc_virtual_choice *choice, const char *tag);

/* The chosen virtual transforms of a skeleton: their indices, ascending. Returns how many. */
size_t jc_virtual_choice_apply(const struct jc_virtual_choice *choice,
	const struct jc_skeleton *skeleton, uint8_t out_indices[JC_LIMIT_STREAM_VIRTUALS]);

struct jc_stream_spec {
	bool chains;   /* coding 2 or 3; coding 1 has all sections in every tick */
	bool contacts; /* kept on skeletons of other proportions than the source (contact_keeper.h)
			*/
	bool model;    /* chains only: coding 3, whose errors are bounded in model space */
	enum jc_precision precision;       /* of coding 1: exact if `fine`, else rounded to it */
	enum jc_precision finest;          /* permitted: the motion is rounded to it first */
	uint32_t rate;                     /* every n-th tick: 1, 2 or 4 */
	unsigned sections;                 /* JC_STREAM_SECTION bits */
	struct jc_virtual_choice virtuals; /* all zeros without that section */
};

/* 1, 2 or 3. */
unsigned jc_stream_spec_coding(const struct jc_stream_spec *spec);

bool jc_stream_spec_equal(const struct jc_stream_spec *a, const struct jc_stream_spec *b);

/* The spec from which all others of a subscriber with that permission can be encoded. */
struct jc_stream_spec jc_stream_spec_source(enum jc_precision finest);

/* Whether a spec is such a one. */
bool jc_stream_spec_is_source(const struct jc_stream_spec *spec);

/* Levels from the requested spec down to the coarse trunk at every fourth tick. */
#define JC_LEVELS 5

/* The spec at a level, never finer than the requested one. Coding 1 has one level. */
struct jc_stream_spec jc_stream_spec_at(const struct jc_stream_spec *spec, unsigned level);

/* Relative cost of a spec, from measurements of typical bodies. */
float jc_stream_spec_weight(const struct jc_stream_spec *spec);

#endif
