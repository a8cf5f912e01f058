/* One record of a file, read whole. */
#ifndef JC_SESSION_MCAP_FRAME_H
#define JC_SESSION_MCAP_FRAME_H

#include "jointcast/mcap.h"
#include "mcap_bytes.h"

/* Opcode, length and content of the record at offset into buffer, which is
 * cleared first, and parsed. A length that the file does not have is
 * JC_ERROR_TRUNCATED before anything is allocated for it; attachments' CRCs are
 * checked. Diagnostics say where. */
int jc_mcap_frame_read(const struct jc_mcap_input *input, uint64_t offset,
	struct jc_mcap_buffer *buffer, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic);

/* Fills where of a diagnostic that has none yet. Returns error. */
int jc_mcap_at(struct jc_diagnostic *diagnostic, int error, uint64_t offset);

#endif
