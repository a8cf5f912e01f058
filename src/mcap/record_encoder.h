/* Appends encoded records, each with opcode and length, to a buffer. */
#ifndef JC_MCAP_RECORD_ENCODER_H
#define JC_MCAP_RECORD_ENCODER_H

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

void jc_mcap_put_header(struct jc_mcap_buffer *buffer, const struct jc_mcap_header *header);
void jc_mcap_put_schema(struct jc_mcap_buffer *buffer, const struct jc_mcap_schema *schema);
void jc_mcap_put_channel(struct jc_mcap_buffer *buffer, const struct jc_mcap_channel *channel);
void jc_mcap_put_message(struct jc_mcap_buffer *buffer, const struct jc_mcap_message *message);
void jc_mcap_put_message_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_message_index *index);
void jc_mcap_put_chunk_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_chunk_index *index);
void jc_mcap_put_attachment(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_attachment *attachment);
void jc_mcap_put_attachment_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_attachment_index *index);
void jc_mcap_put_statistics(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_statistics *statistics);
void jc_mcap_put_metadata(struct jc_mcap_buffer *buffer, const struct jc_mcap_metadata *metadata);
void jc_mcap_put_metadata_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_metadata_index *index);
void jc_mcap_put_summary_offset(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_summary_offset *offset);
void jc_mcap_put_data_end(struct jc_mcap_buffer *buffer, const struct jc_mcap_data_end *end);

#endif
