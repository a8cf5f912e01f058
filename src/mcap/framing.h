/* Reads the magic of a file and single records. */
#ifndef JC_MCAP_FRAMING_H
#define JC_MCAP_FRAMING_H

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

/* The first bytes of a file, which tell that it is one: JC_ERROR_SYNTAX where they do not. */
int jc_mcap_framing_magic(const struct jc_mcap_input *input, uint8_t out_magic[JC_MCAP_MAGIC_BYTES],
	struct jc_diagnostic *diagnostic);

/* Opcode, length and content of the record at offset into buffer, which is
 * cleared first, and parsed. A length that the file does not have is
 * JC_ERROR_TRUNCATED before anything is allocated for it; attachments' CRCs are
 * checked. Diagnostics say where. */
int jc_mcap_framing_read(const struct jc_mcap_input *input, uint64_t offset,
	struct jc_mcap_buffer *buffer, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic);

/* Fills where of a diagnostic that has none yet. Returns error. */
int jc_mcap_framing_at(struct jc_diagnostic *diagnostic, int error, uint64_t offset);

#endif
