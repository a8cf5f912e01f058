/* Encodes records. The writer encodes chunks, whose content is compressed in place, and the footer,
 * whose CRC includes itself. */
#include "record_encoder.h"

void jc_mcap_put_header(struct jc_mcap_buffer *buffer, const struct jc_mcap_header *header)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_HEADER);

	jc_mcap_put_string(buffer, header->profile);
	jc_mcap_put_string(buffer, header->library);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_schema(struct jc_mcap_buffer *buffer, const struct jc_mcap_schema *schema)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_SCHEMA);

	jc_mcap_put_number(buffer, schema->id, 2);
	jc_mcap_put_string(buffer, schema->name);
	jc_mcap_put_string(buffer, schema->encoding);
	jc_mcap_put_string(buffer, schema->data);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_channel(struct jc_mcap_buffer *buffer, const struct jc_mcap_channel *channel)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_CHANNEL);

	jc_mcap_put_number(buffer, channel->id, 2);
	jc_mcap_put_number(buffer, channel->schema_id, 2);
	jc_mcap_put_string(buffer, channel->topic);
	jc_mcap_put_string(buffer, channel->message_encoding);
	jc_mcap_put_string(buffer, channel->metadata);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_message(struct jc_mcap_buffer *buffer, const struct jc_mcap_message *message)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_MESSAGE);

	jc_mcap_put_number(buffer, message->channel_id, 2);
	jc_mcap_put_number(buffer, message->sequence, 4);
	jc_mcap_put_number(buffer, message->log_time, 8);
	jc_mcap_put_number(buffer, message->publish_time, 8);
	jc_mcap_put_bytes(buffer, message->data.bytes, message->data.length);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_message_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_message_index *index)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_MESSAGE_INDEX);

	jc_mcap_put_number(buffer, index->channel_id, 2);
	jc_mcap_put_string(buffer, index->entries);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_chunk_index(struct jc_mcap_buffer *buffer, const struct jc_mcap_chunk_index *index)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_CHUNK_INDEX);

	jc_mcap_put_number(buffer, index->start_time, 8);
	jc_mcap_put_number(buffer, index->end_time, 8);
	jc_mcap_put_number(buffer, index->chunk_offset, 8);
	jc_mcap_put_number(buffer, index->chunk_length, 8);
	jc_mcap_put_string(buffer, index->index_offsets);
	jc_mcap_put_number(buffer, index->index_length, 8);
	jc_mcap_put_string(buffer, index->compression);
	jc_mcap_put_number(buffer, index->compressed_size, 8);
	jc_mcap_put_number(buffer, index->uncompressed_size, 8);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_attachment(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_attachment *attachment)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_ATTACHMENT);

	jc_mcap_put_number(buffer, attachment->log_time, 8);
	jc_mcap_put_number(buffer, attachment->create_time, 8);
	jc_mcap_put_string(buffer, attachment->name);
	jc_mcap_put_string(buffer, attachment->media_type);
	jc_mcap_put_number(buffer, attachment->data.length, 8);
	jc_mcap_put_bytes(buffer, attachment->data.bytes, attachment->data.length);
	if (!buffer->error) {
		jc_mcap_put_number(buffer,
			jc_mcap_crc(0, buffer->bytes + content, buffer->length - content), 4);
	}
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_attachment_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_attachment_index *index)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_ATTACHMENT_INDEX);

	jc_mcap_put_number(buffer, index->offset, 8);
	jc_mcap_put_number(buffer, index->length, 8);
	jc_mcap_put_number(buffer, index->log_time, 8);
	jc_mcap_put_number(buffer, index->create_time, 8);
	jc_mcap_put_number(buffer, index->data_size, 8);
	jc_mcap_put_string(buffer, index->name);
	jc_mcap_put_string(buffer, index->media_type);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_statistics(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_statistics *statistics)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_STATISTICS);

	jc_mcap_put_number(buffer, statistics->message_count, 8);
	jc_mcap_put_number(buffer, statistics->schema_count, 2);
	jc_mcap_put_number(buffer, statistics->channel_count, 4);
	jc_mcap_put_number(buffer, statistics->attachment_count, 4);
	jc_mcap_put_number(buffer, statistics->metadata_count, 4);
	jc_mcap_put_number(buffer, statistics->chunk_count, 4);
	jc_mcap_put_number(buffer, statistics->start_time, 8);
	jc_mcap_put_number(buffer, statistics->end_time, 8);
	jc_mcap_put_string(buffer, statistics->message_counts);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_metadata(struct jc_mcap_buffer *buffer, const struct jc_mcap_metadata *metadata)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_METADATA);

	jc_mcap_put_string(buffer, metadata->name);
	jc_mcap_put_string(buffer, metadata->pairs);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_metadata_index(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_metadata_index *index)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_METADATA_INDEX);

	jc_mcap_put_number(buffer, index->offset, 8);
	jc_mcap_put_number(buffer, index->length, 8);
	jc_mcap_put_string(buffer, index->name);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_summary_offset(
	struct jc_mcap_buffer *buffer, const struct jc_mcap_summary_offset *offset)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_SUMMARY_OFFSET);

	jc_mcap_put_number(buffer, offset->group_opcode, 1);
	jc_mcap_put_number(buffer, offset->group_start, 8);
	jc_mcap_put_number(buffer, offset->group_length, 8);
	jc_mcap_put_end(buffer, content);
}

void jc_mcap_put_data_end(struct jc_mcap_buffer *buffer, const struct jc_mcap_data_end *end)
{
	size_t content = jc_mcap_put_begin(buffer, JC_MCAP_DATA_END);

	jc_mcap_put_number(buffer, end->data_section_crc, 4);
	jc_mcap_put_end(buffer, content);
}
