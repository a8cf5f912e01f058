/* Unpacks the records of a chunk. */
#ifndef JC_MCAP_CHUNK_H
#define JC_MCAP_CHUNK_H

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

/* Unpacks all records of a chunk into buffer, which is cleared first: exactly uncompressed_size
 * bytes within limits.h, with a matching CRC. */
int jc_mcap_chunk_unpack(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer,
	struct jc_diagnostic *diagnostic);

/* Unpacks as many bytes of a truncated chunk as possible; none with another compression or a too
 * large size. Fails only without memory. */
int jc_mcap_chunk_salvage(const struct jc_mcap_chunk *chunk, struct jc_mcap_buffer *buffer);

/* Reads the next record at *at of unpacked records and moves *at past it. JC_ERROR_ABSENT at the
 * end. */
int jc_mcap_chunk_next(const struct jc_mcap_buffer *buffer, size_t *at,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic);

#endif
