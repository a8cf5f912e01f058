/* Appends encoded records, each with opcode and length, to a buffer. */
#ifndef JC_MCAP_RECORD_FIELDS_H
#define JC_MCAP_RECORD_FIELDS_H

#include "jointcast_private/mcap_bytes.h"

/* content is the struct of this opcode in struct jc_mcap_record: for JC_MCAP_HEADER a
 * struct jc_mcap_header. The CRC of an attachment is computed. */
void jc_mcap_put_record(struct jc_mcap_buffer *buffer, uint8_t opcode, const void *content);

#endif
