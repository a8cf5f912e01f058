/* Searches intact chunks in damaged files. */
#ifndef JC_MCAP_CHUNK_SEARCH_H
#define JC_MCAP_CHUNK_SEARCH_H

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

struct jc_mcap_chunk_search {
	const struct jc_mcap_input *input;
	struct jc_mcap_buffer record, chunk;
	uint64_t tried; /* bytes of false chunks */
};

void jc_mcap_chunk_search_finish(struct jc_mcap_chunk_search *search);

/* Finds the next intact chunk with a matching CRC at or after `from`; the size of the input if
 * there is none. */
int jc_mcap_chunk_search_next(
	struct jc_mcap_chunk_search *search, uint64_t from, uint64_t *out_offset);

/* Reads a chunk record of which only `length` bytes exist: its fields and the existing part of
 * its records. False: not a chunk. */
bool jc_mcap_chunk_search_head(
	const uint8_t *bytes, size_t length, struct jc_mcap_chunk *out_chunk);

#endif
