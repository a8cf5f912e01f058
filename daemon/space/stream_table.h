/* The streams of a space and their maximum number. A stream is created when it is first
 * needed and destroyed when no view needs it. */
#ifndef JC_STREAM_TABLE_H
#define JC_STREAM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/body_stream.h"

/* All zeros but for the cap: none. */
struct jc_stream_table {
	size_t cap;     /* of those that are not reserved */
	size_t count;   /* all of them */
	size_t counted; /* against the cap */
	uint32_t last_number;
	/* Owned, by slot of the body; those on one skeleton stand together. */
	struct jc_body_stream *body_streams[JC_MAX_BODIES];
};

void jc_stream_table_finish(struct jc_stream_table *table);

/* The stream of that body, made where there was none. NULL past the cap, which reserved
 * ones do not count against, or without memory. Let go of it after use. */
struct jc_body_stream *jc_stream_table_acquire(struct jc_stream_table *table, size_t slot,
	struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec, bool is_reserved);
void jc_stream_table_release(struct jc_body_stream *body_stream);

/* The body is gone, and its streams are unused. */
void jc_stream_table_vacate(struct jc_stream_table *table, size_t slot);

/* Drops unused streams and clears the packets of the last tick. */
void jc_stream_table_begin(struct jc_stream_table *table);

/* The body jumps: its streams mark the next packet as a cut. */
void jc_stream_table_cut(struct jc_stream_table *table, size_t slot);

/* Every stream of the body begins anew with its next packet. */
void jc_stream_table_restart(struct jc_stream_table *table, size_t slot);

/* Encodes the wanted streams of a body, each once. */
void jc_stream_table_encode(struct jc_stream_table *table, size_t slot,
	const struct jc_body_sample *body_sample, uint32_t tick, uint32_t hz);

#endif
