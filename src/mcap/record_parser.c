/* Parses records. Every length is checked against the available bytes, so that slices are always
 * valid. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/mcap.h"
#include "jointcast_private/mcap_bytes.h"

const char *jc_mcap_opcode_name(uint8_t opcode)
{
	static const char *const names[] = { "record", "header", "footer", "schema", "channel",
		"message", "chunk", "message index", "chunk index", "attachment",
		"attachment index", "statistics", "metadata", "metadata index", "summary offset",
		"data end" };

	return names[opcode < sizeof(names) / sizeof(names[0]) ? opcode : 0];
}

/* A map or array: its length in bytes, then entries, each read by skip. */
static struct jc_mcap_slice take_entries(
	struct jc_mcap_take *take, void (*skip)(struct jc_mcap_take *entries))
{
	struct jc_mcap_slice slice = jc_mcap_take_string(take);
	struct jc_mcap_take entries = jc_mcap_take_begin(slice);

	while (!take->failed && entries.at < entries.end) {
		skip(&entries);
		take->failed = entries.failed;
	}
	return slice;
}

static void skip_texts(struct jc_mcap_take *entries)
{
	jc_mcap_take_string(entries);
	jc_mcap_take_string(entries);
}

static void skip_counts(struct jc_mcap_take *entries)
{
	jc_mcap_take_slice(entries, 2 + 8);
}

static void skip_entries(struct jc_mcap_take *entries)
{
	jc_mcap_take_slice(entries, 8 + 8);
}

static uint16_t take_u16(struct jc_mcap_take *take)
{
	return (uint16_t)jc_mcap_take_number(take, 2);
}

static uint32_t take_u32(struct jc_mcap_take *take)
{
	return (uint32_t)jc_mcap_take_number(take, 4);
}

static uint64_t take_u64(struct jc_mcap_take *take)
{
	return jc_mcap_take_number(take, 8);
}

static void take_header(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->header.profile = jc_mcap_take_string(take);
	record->header.library = jc_mcap_take_string(take);
}

static void take_footer(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->footer.summary_start = take_u64(take);
	record->footer.summary_offset_start = take_u64(take);
	record->footer.summary_crc = take_u32(take);
}

static void take_schema(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->schema.id = take_u16(take);
	record->schema.name = jc_mcap_take_string(take);
	record->schema.encoding = jc_mcap_take_string(take);
	record->schema.data = jc_mcap_take_string(take);
	take->failed = take->failed || record->schema.id == 0;
}

static void take_channel(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->channel.id = take_u16(take);
	record->channel.schema_id = take_u16(take);
	record->channel.topic = jc_mcap_take_string(take);
	record->channel.message_encoding = jc_mcap_take_string(take);
	record->channel.metadata = take_entries(take, skip_texts);
}

static void take_message(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->message.channel_id = take_u16(take);
	record->message.sequence = take_u32(take);
	record->message.log_time = take_u64(take);
	record->message.publish_time = take_u64(take);
	record->message.data = jc_mcap_take_slice(take, (uint64_t)(take->end - take->at));
}

static void take_chunk(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->chunk.start_time = take_u64(take);
	record->chunk.end_time = take_u64(take);
	record->chunk.uncompressed_size = take_u64(take);
	record->chunk.uncompressed_crc = take_u32(take);
	record->chunk.compression = jc_mcap_take_string(take);
	record->chunk.records = jc_mcap_take_slice(take, take_u64(take));
}

static void take_message_index(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->message_index.channel_id = take_u16(take);
	record->message_index.entries = take_entries(take, skip_entries);
}

static void take_chunk_index(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->chunk_index.start_time = take_u64(take);
	record->chunk_index.end_time = take_u64(take);
	record->chunk_index.chunk_offset = take_u64(take);
	record->chunk_index.chunk_length = take_u64(take);
	record->chunk_index.index_offsets = take_entries(take, skip_counts);
	record->chunk_index.index_length = take_u64(take);
	record->chunk_index.compression = jc_mcap_take_string(take);
	record->chunk_index.compressed_size = take_u64(take);
	record->chunk_index.uncompressed_size = take_u64(take);
}

static void take_attachment(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->attachment.log_time = take_u64(take);
	record->attachment.create_time = take_u64(take);
	record->attachment.name = jc_mcap_take_string(take);
	record->attachment.media_type = jc_mcap_take_string(take);
	record->attachment.data = jc_mcap_take_slice(take, take_u64(take));
	record->attachment.crc = take_u32(take);
}

static void take_attachment_index(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->attachment_index.offset = take_u64(take);
	record->attachment_index.length = take_u64(take);
	record->attachment_index.log_time = take_u64(take);
	record->attachment_index.create_time = take_u64(take);
	record->attachment_index.data_size = take_u64(take);
	record->attachment_index.name = jc_mcap_take_string(take);
	record->attachment_index.media_type = jc_mcap_take_string(take);
}

static void take_statistics(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->statistics.message_count = take_u64(take);
	record->statistics.schema_count = take_u16(take);
	record->statistics.channel_count = take_u32(take);
	record->statistics.attachment_count = take_u32(take);
	record->statistics.metadata_count = take_u32(take);
	record->statistics.chunk_count = take_u32(take);
	record->statistics.start_time = take_u64(take);
	record->statistics.end_time = take_u64(take);
	record->statistics.message_counts = take_entries(take, skip_counts);
}

static void take_metadata(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->metadata.name = jc_mcap_take_string(take);
	record->metadata.pairs = take_entries(take, skip_texts);
}

static void take_metadata_index(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->metadata_index.offset = take_u64(take);
	record->metadata_index.length = take_u64(take);
	record->metadata_index.name = jc_mcap_take_string(take);
}

static void take_summary_offset(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->summary_offset.group_opcode = (uint8_t)jc_mcap_take_number(take, 1);
	record->summary_offset.group_start = take_u64(take);
	record->summary_offset.group_length = take_u64(take);
}

static void take_data_end(struct jc_mcap_take *take, struct jc_mcap_record *record)
{
	record->data_end.data_section_crc = take_u32(take);
}

int jc_mcap_record_parse(uint8_t opcode, const void *bytes, size_t length,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic)
{
	static void (*const takers[])(struct jc_mcap_take *, struct jc_mcap_record *) = { NULL,
		take_header, take_footer, take_schema, take_channel, take_message, take_chunk,
		take_message_index, take_chunk_index, take_attachment, take_attachment_index,
		take_statistics, take_metadata, take_metadata_index, take_summary_offset,
		take_data_end };
	struct jc_mcap_record record = { .opcode = opcode };
	struct jc_mcap_take take = jc_mcap_take_begin((struct jc_mcap_slice){ bytes, length });

	if (opcode == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "no record has opcode 0");
	}
	if (opcode < sizeof(takers) / sizeof(takers[0])) {
		takers[opcode](&take, &record);
	}
	if (take.failed) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL,
			"a %s whose fields do not fit in it", jc_mcap_opcode_name(opcode));
	}
	record.extra = (size_t)(take.end - take.at);
	*out_record = record;
	return JC_OK;
}

static void take_away(struct jc_mcap_slice *slice, const struct jc_mcap_take *take)
{
	*slice = (struct jc_mcap_slice){ take->at, (size_t)(take->end - take->at) };
}

bool jc_mcap_map_next(
	struct jc_mcap_slice *map, struct jc_mcap_slice *out_key, struct jc_mcap_slice *out_value)
{
	struct jc_mcap_take take = jc_mcap_take_begin(*map);
	struct jc_mcap_slice key = jc_mcap_take_string(&take);
	struct jc_mcap_slice value = jc_mcap_take_string(&take);

	if (take.failed) {
		return false;
	}
	take_away(map, &take);
	*out_key = key;
	*out_value = value;
	return true;
}

bool jc_mcap_counts_next(struct jc_mcap_slice *map, uint16_t *out_key, uint64_t *out_value)
{
	struct jc_mcap_take take = jc_mcap_take_begin(*map);
	uint16_t key = take_u16(&take);
	uint64_t value = take_u64(&take);

	if (take.failed) {
		return false;
	}
	take_away(map, &take);
	*out_key = key;
	*out_value = value;
	return true;
}

bool jc_mcap_entries_next(
	struct jc_mcap_slice *entries, uint64_t *out_log_time, uint64_t *out_offset)
{
	struct jc_mcap_take take = jc_mcap_take_begin(*entries);
	uint64_t log_time = take_u64(&take);
	uint64_t offset = take_u64(&take);

	if (take.failed) {
		return false;
	}
	take_away(entries, &take);
	*out_log_time = log_time;
	*out_offset = offset;
	return true;
}

int jc_mcap_map_write(const struct jc_mcap_pair *pairs, size_t count, void *buffer, size_t capacity)
{
	uint8_t *at = buffer;
	size_t left = capacity;

	for (size_t i = 0; i < 2 * count; i++) {
		const char *text = i % 2 ? pairs[i / 2].value : pairs[i / 2].key;
		size_t length = strlen(text);

		if (left < 4 || length > left - 4) {
			return JC_ERROR_SPACE;
		}
		for (size_t k = 0; k < 4; k++) {
			*at++ = (uint8_t)(length >> (8 * k));
		}
		memcpy(at, text, length);
		at += length;
		left -= 4 + length;
	}
	return (int)(capacity - left);
}

static int read_memory(void *context, uint64_t offset, void *bytes, size_t length)
{
	const struct jc_mcap_slice *slice = context;

	if (offset > slice->length || length > slice->length - offset) {
		return JC_ERROR_TRUNCATED;
	}
	if (length > 0) {
		memcpy(bytes, (const uint8_t *)slice->bytes + offset, length);
	}
	return JC_OK;
}

int jc_mcap_read_whole(int descriptor,
	ssize_t (*read_some)(int descriptor, void *bytes, size_t length, off_t offset),
	uint64_t offset, void *bytes, size_t length)
{
	char *at = bytes;

	while (length > 0) {
		ssize_t count = read_some(descriptor, at, length, (off_t)offset);

		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count <= 0) {
			return JC_ERROR_READ;
		}
		at += count;
		offset += (uint64_t)count;
		length -= (size_t)count;
	}
	return JC_OK;
}

struct jc_mcap_input jc_mcap_input_memory(struct jc_mcap_slice *slice)
{
	return (struct jc_mcap_input){ read_memory, slice, slice->length };
}

bool jc_mcap_is(const void *bytes, size_t length)
{
	return length >= JC_MCAP_MAGIC_BYTES &&
	       memcmp(bytes, jc_mcap_magic, JC_MCAP_MAGIC_BYTES) == 0;
}
