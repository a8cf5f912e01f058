/* The streams of a space and their maximum number. A stream is created when it is first
 * needed and destroyed when no view needs it. */
#ifndef JC_STREAM_TABLE_H
#define JC_STREAM_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "space/body_stream.h"

/* All zeros except the maximum: empty. */
struct jc_stream_table {
	size_t cap;     /* maximum number of streams that are not reserved */
	size_t count;   /* number of all streams */
	size_t counted; /* number of streams that count against the maximum */
	uint32_t last_number;
	/* Owned, by slot of the body; those on one skeleton stand together. */
	struct jc_body_stream *body_streams[JC_MAX_BODIES];
	/* Owned, by slot: those of its streams and of the body itself. */
	struct jc_contact_keeper *keepers[JC_MAX_BODIES];
};

void jc_stream_table_finish(struct jc_stream_table *table);

/* Finds or creates a stream of the body, whose motion has the proportions of that figure (NULL: of
 * the built-in one). NULL at the maximum (reserved streams do not count) or without memory. Release
 * it after use. */
struct jc_body_stream *jc_stream_table_acquire(struct jc_stream_table *table, size_t slot,
	const struct jc_skeleton *source, struct jc_skeleton_asset *asset,
	const struct jc_stream_spec *spec, bool is_reserved);
void jc_stream_table_release(struct jc_body_stream *body_stream);

/* The body left, and its streams have no users. */
void jc_stream_table_vacate(struct jc_stream_table *table, size_t slot);

/* Drops unused streams and clears the packets of the last tick. */
void jc_stream_table_begin(struct jc_stream_table *table);

/* The motion of the body jumps: its streams mark the next packet as a cut, and contacts are
 * forgotten. */
void jc_stream_table_cut(struct jc_stream_table *table, size_t slot);

/* Restarts every stream of the body with its next packet. */
void jc_stream_table_restart(struct jc_stream_table *table, size_t slot);

/* Encodes the wanted streams of a body, each once. */
void jc_stream_table_encode(struct jc_stream_table *table, size_t slot,
	const struct jc_body_sample *body_sample, uint32_t tick, uint32_t hz);

#endif
