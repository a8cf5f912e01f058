/* Reads the magic of a file and single records. */
#ifndef JC_MCAP_FRAMING_H
#define JC_MCAP_FRAMING_H

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

/* Reads the magic at the start of a file; JC_ERROR_SYNTAX if it is not that of MCAP. */
int jc_mcap_framing_magic(const struct jc_mcap_input *input, uint8_t out_magic[JC_MCAP_MAGIC_BYTES],
	struct jc_diagnostic *diagnostic);

/* Reads the record at offset into buffer, which is cleared first, and parses it. A length beyond
 * the file is JC_ERROR_TRUNCATED, and no memory is allocated for it. CRCs of attachments are
 * checked. Diagnostics contain the offset. */
int jc_mcap_framing_read(const struct jc_mcap_input *input, uint64_t offset,
	struct jc_mcap_buffer *buffer, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic);

/* Sets `where` of a diagnostic without one. Returns error. */
int jc_mcap_framing_at(struct jc_diagnostic *diagnostic, int error, uint64_t offset);

#endif
