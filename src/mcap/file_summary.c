/* Writes the end of an MCAP file: repeated definitions, statistics, indexes, and the footer with
 * their offsets. */
#include "file_writer.h"
#include "jointcast/limits.h"
#include "record_fields.h"

static int put_statistics(struct jc_mcap_writer *writer, struct jc_mcap_buffer *buffer)
{
	struct jc_mcap_buffer counts = { .maximum = JC_LIMIT_MCAP_SUMMARY_BYTES };
	struct jc_mcap_statistics statistics = {
		.message_count = writer->message_count,
		.schema_count = (uint16_t)writer->schemas.count,
		.channel_count = (uint32_t)writer->channels.count,
		.attachment_count = writer->attachments.count,
		.metadata_count = writer->metadata.count,
		.chunk_count = writer->chunks.count,
		.start_time = writer->start_time,
		.end_time = writer->end_time,
	};
	int error;

	for (size_t i = 0; i < writer->channels.count; i++) {
		if (writer->channels.items[i].messages > 0) {
			jc_mcap_put_number(&counts, writer->channels.items[i].id, 2);
			jc_mcap_put_number(&counts, writer->channels.items[i].messages, 8);
		}
	}
	statistics.message_counts = (struct jc_mcap_slice){ counts.bytes, counts.length };
	jc_mcap_put_record(buffer, JC_MCAP_STATISTICS, &statistics);
	error = counts.error ? counts.error : buffer->error;
	jc_mcap_buffer_finish(&counts);
	return error;
}

/* A group of records in the summary, and its entry in the offsets. */
static int write_group(struct jc_mcap_writer *writer, const struct jc_mcap_buffer *records,
	uint8_t opcode, struct jc_mcap_buffer *offsets)
{
	struct jc_mcap_summary_offset offset = { opcode, writer->size, records->length };

	if (records->length == 0) {
		return JC_OK;
	}
	jc_mcap_put_record(offsets, JC_MCAP_SUMMARY_OFFSET, &offset);
	return jc_mcap_writer_emit_bytes(writer, records->bytes, records->length);
}

static int write_groups(struct jc_mcap_writer *writer, struct jc_mcap_buffer *statistics,
	struct jc_mcap_buffer *offsets)
{
	static const struct jc_mcap_buffer nothing = { 0 };
	unsigned parts = writer->parts;
	const struct {
		const struct jc_mcap_buffer *records;
		uint8_t opcode;
	} groups[] = {
		{ parts & JC_MCAP_REPEATED_SCHEMAS ? &writer->schemas.records : &nothing,
			JC_MCAP_SCHEMA },
		{ parts & JC_MCAP_REPEATED_CHANNELS ? &writer->channels.records : &nothing,
			JC_MCAP_CHANNEL },
		{ statistics, JC_MCAP_STATISTICS },
		{ &writer->metadata.records, JC_MCAP_METADATA_INDEX },
		{ &writer->attachments.records, JC_MCAP_ATTACHMENT_INDEX },
		{ &writer->chunks.records, JC_MCAP_CHUNK_INDEX },
	};
	int error = JC_OK;

	if (parts & JC_MCAP_STATISTICS_RECORD) {
		error = put_statistics(writer, statistics);
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]) && !error; i++) {
		error = write_group(writer, groups[i].records, groups[i].opcode, offsets);
	}
	return error ? error : offsets->error;
}

static int write_data_end(struct jc_mcap_writer *writer)
{
	struct jc_mcap_data_end end = { writer->crc };

	jc_mcap_put_record(&writer->scratch, JC_MCAP_DATA_END, &end);
	return jc_mcap_writer_emit(writer);
}

/* The CRC of the summary covers the footer up to itself. */
static int write_footer(
	struct jc_mcap_writer *writer, uint64_t summary_start, uint64_t summary_offset_start)
{
	struct jc_mcap_buffer *scratch = &writer->scratch;
	struct jc_mcap_footer footer = { summary_start, summary_offset_start, 0 };

	jc_mcap_put_record(scratch, JC_MCAP_FOOTER, &footer);
	if (!scratch->error) {
		scratch->length -= 4;
		jc_mcap_put_number(
			scratch, jc_mcap_crc(writer->crc, scratch->bytes, scratch->length), 4);
	}
	jc_mcap_put_bytes(scratch, jc_mcap_magic, sizeof(jc_mcap_magic));
	return jc_mcap_writer_emit(writer);
}

int jc_mcap_writer_summarize(struct jc_mcap_writer *writer)
{
	struct jc_mcap_buffer statistics = { .maximum = JC_LIMIT_MCAP_SUMMARY_BYTES };
	struct jc_mcap_buffer offsets = { .maximum = JC_LIMIT_MCAP_SUMMARY_BYTES };
	uint64_t summary_start, summary_offset_start = 0;
	int error = write_data_end(writer);

	writer->crc = 0;
	summary_start = writer->size;
	if (!error) {
		error = write_groups(writer, &statistics, &offsets);
	}
	if (!error && (writer->parts & JC_MCAP_SUMMARY_OFFSETS) && offsets.length > 0) {
		summary_offset_start = writer->size;
		error = jc_mcap_writer_emit_bytes(writer, offsets.bytes, offsets.length);
	}
	if (!error) {
		error = write_footer(writer, writer->size > summary_start ? summary_start : 0,
			summary_offset_start);
	}
	jc_mcap_buffer_finish(&statistics);
	jc_mcap_buffer_finish(&offsets);
	return error;
}
