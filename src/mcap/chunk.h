/* Unpacks the records of a chunk. */
#ifndef JC_MCAP_CHUNK_H
#define JC_MCAP_CHUNK_H

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

/* Unpacks all records of a chunk into buffer, which is cleared first: exactly uncompressed_size
 * bytes within limits.h, with a matching CRC. */
int jc_mcap_chunk_unpack(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer,
	struct jc_diagnostic *diagnostic);

/* As many bytes as a chunk that is cut off still gives; none where it has another
 * compression or claims too much. Fails for want of memory only. */
int jc_mcap_chunk_salvage(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer);

/* The next record in unpacked records, from *at on, which moves past it.
 * JC_ERROR_ABSENT at the end. */
int jc_mcap_chunk_next(const struct jc_mcap_buffer *buffer, size_t *at,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic);

#endif
