/* The fields of records. One table describes each kind of record; parsing and encoding follow it.
 * Every length is checked against the available bytes, so that slices are always valid. */
#include "record_fields.h"

#include <errno.h>
#include <string.h>

/* How a field is encoded, and its type in the struct. */
enum encoding {
	LAST, /* no more fields */
	U8,
	U16,
	U32,
	U64,
	ID,      /* u16, never 0 */
	CRC,     /* u32; encoding computes it from the fields before it */
	TEXT,    /* struct jc_mcap_slice, as the following: length u32, bytes */
	TEXTS,   /* length u32, pairs of TEXT */
	COUNTS,  /* length u32, pairs of u16 and u64 */
	ENTRIES, /* length u32, pairs of u64 */
	DATA,    /* length u64, bytes */
	REST,    /* the remaining bytes */
};

struct field {
	uint8_t encoding, offset; /* in the struct of the record */
};

#define FIELD(record, encoding, name)                                                              \
	{                                                                                          \
		encoding, offsetof(struct jc_mcap_##record, name)                                  \
	}
/* The longest record has 9 fields. */
static const struct kind {
	const char *name;
	struct field fields[10];
} kinds[] = {
	[0] = { .name = "record" },
	[JC_MCAP_HEADER] = { "header",
		{ FIELD(header, TEXT, profile), FIELD(header, TEXT, library) } },
	[JC_MCAP_FOOTER] = { "footer",
		{ FIELD(footer, U64, summary_start), FIELD(footer, U64, summary_offset_start),
			FIELD(footer, U32, summary_crc) } },
	[JC_MCAP_SCHEMA] = { "schema",
		{ FIELD(schema, ID, id), FIELD(schema, TEXT, name), FIELD(schema, TEXT, encoding),
			FIELD(schema, TEXT, data) } },
	[JC_MCAP_CHANNEL] = { "channel",
		{ FIELD(channel, U16, id), FIELD(channel, U16, schema_id),
			FIELD(channel, TEXT, topic), FIELD(channel, TEXT, message_encoding),
			FIELD(channel, TEXTS, metadata) } },
	[JC_MCAP_MESSAGE] = { "message",
		{ FIELD(message, U16, channel_id), FIELD(message, U32, sequence),
			FIELD(message, U64, log_time), FIELD(message, U64, publish_time),
			FIELD(message, REST, data) } },
	[JC_MCAP_CHUNK] = { "chunk",
		{ FIELD(chunk, U64, start_time), FIELD(chunk, U64, end_time),
			FIELD(chunk, U64, uncompressed_size), FIELD(chunk, U32, uncompressed_crc),
			FIELD(chunk, TEXT, compression), FIELD(chunk, DATA, records) } },
	[JC_MCAP_MESSAGE_INDEX] = { "message index",
		{ FIELD(message_index, U16, channel_id), FIELD(message_index, ENTRIES, entries) } },
	[JC_MCAP_CHUNK_INDEX] = { "chunk index",
		{ FIELD(chunk_index, U64, start_time), FIELD(chunk_index, U64, end_time),
			FIELD(chunk_index, U64, chunk_offset),
			FIELD(chunk_index, U64, chunk_length),
			FIELD(chunk_index, COUNTS, index_offsets),
			FIELD(chunk_index, U64, index_length),
			FIELD(chunk_index, TEXT, compression),
			FIELD(chunk_index, U64, compressed_size),
			FIELD(chunk_index, U64, uncompressed_size) } },
	[JC_MCAP_ATTACHMENT] = { "attachment",
		{ FIELD(attachment, U64, log_time), FIELD(attachment, U64, create_time),
			FIELD(attachment, TEXT, name), FIELD(attachment, TEXT, media_type),
			FIELD(attachment, DATA, data), FIELD(attachment, CRC, crc) } },
	[JC_MCAP_ATTACHMENT_INDEX] = { "attachment index",
		{ FIELD(attachment_index, U64, offset), FIELD(attachment_index, U64, length),
			FIELD(attachment_index, U64, log_time),
			FIELD(attachment_index, U64, create_time),
			FIELD(attachment_index, U64, data_size),
			FIELD(attachment_index, TEXT, name),
			FIELD(attachment_index, TEXT, media_type) } },
	[JC_MCAP_STATISTICS] = { "statistics",
		{ FIELD(statistics, U64, message_count), FIELD(statistics, U16, schema_count),
			FIELD(statistics, U32, channel_count),
			FIELD(statistics, U32, attachment_count),
			FIELD(statistics, U32, metadata_count), FIELD(statistics, U32, chunk_count),
			FIELD(statistics, U64, start_time), FIELD(statistics, U64, end_time),
			FIELD(statistics, COUNTS, message_counts) } },
	[JC_MCAP_METADATA] = { "metadata",
		{ FIELD(metadata, TEXT, name), FIELD(metadata, TEXTS, pairs) } },
	[JC_MCAP_METADATA_INDEX] = { "metadata index",
		{ FIELD(metadata_index, U64, offset), FIELD(metadata_index, U64, length),
			FIELD(metadata_index, TEXT, name) } },
	[JC_MCAP_SUMMARY_OFFSET] = { "summary offset",
		{ FIELD(summary_offset, U8, group_opcode), FIELD(summary_offset, U64, group_start),
			FIELD(summary_offset, U64, group_length) } },
	[JC_MCAP_DATA_END] = { "data end", { FIELD(data_end, U32, data_section_crc) } },
};
#undef FIELD

static const struct kind *kind_of(uint8_t opcode)
{
	return &kinds[opcode < sizeof(kinds) / sizeof(kinds[0]) ? opcode : 0];
}

const char *jc_mcap_opcode_name(uint8_t opcode)
{
	return kind_of(opcode)->name;
}

/* A map or array. */
static struct jc_mcap_slice take_pairs(struct jc_mcap_take *take, enum encoding encoding)
{
	struct jc_mcap_slice slice = jc_mcap_take_string(take);
	struct jc_mcap_take pairs = jc_mcap_take_begin(slice);

	while (!take->failed && pairs.at < pairs.end) {
		if (encoding == TEXTS) {
			jc_mcap_take_string(&pairs);
			jc_mcap_take_string(&pairs);
		} else {
			jc_mcap_take_slice(&pairs, encoding == COUNTS ? 2 + 8 : 8 + 8);
		}
		take->failed = pairs.failed;
	}
	return slice;
}

static void take_field(struct jc_mcap_take *take, enum encoding encoding, void *field)
{
	struct jc_mcap_slice *slice = field;

	switch (encoding) {
	case LAST:
		break;
	case U8:
		*(uint8_t *)field = (uint8_t)jc_mcap_take_number(take, 1);
		break;
	case U16:
	case ID:
		*(uint16_t *)field = (uint16_t)jc_mcap_take_number(take, 2);
		take->failed = take->failed || (encoding == ID && *(uint16_t *)field == 0);
		break;
	case U32:
	case CRC:
		*(uint32_t *)field = (uint32_t)jc_mcap_take_number(take, 4);
		break;
	case U64:
		*(uint64_t *)field = jc_mcap_take_number(take, 8);
		break;
	case TEXT:
		*slice = jc_mcap_take_string(take);
		break;
	case TEXTS:
	case COUNTS:
	case ENTRIES:
		*slice = take_pairs(take, encoding);
		break;
	case DATA:
		*slice = jc_mcap_take_slice(take, jc_mcap_take_number(take, 8));
		break;
	case REST:
		*slice = jc_mcap_take_slice(take, (uint64_t)(take->end - take->at));
		break;
	}
}

int jc_mcap_record_parse(uint8_t opcode, const void *bytes, size_t length,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record = { .opcode = opcode };
	struct jc_mcap_take take = jc_mcap_take_begin((struct jc_mcap_slice){ bytes, length });

	if (opcode == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "no record has opcode 0");
	}
	for (const struct field *field = kind_of(opcode)->fields; field->encoding; field++) {
		take_field(&take, field->encoding,
			(char *)&record + offsetof(struct jc_mcap_record, header) + field->offset);
	}
	if (take.failed) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL,
			"a %s whose fields do not fit in it", jc_mcap_opcode_name(opcode));
	}
	record.extra = (size_t)(take.end - take.at);
	*out_record = record;
	return JC_OK;
}

static void put_field(
	struct jc_mcap_buffer *buffer, size_t content, enum encoding encoding, const void *field)
{
	const struct jc_mcap_slice *slice = field;

	switch (encoding) {
	case LAST:
		break;
	case U8:
		jc_mcap_put_number(buffer, *(const uint8_t *)field, 1);
		break;
	case U16:
	case ID:
		jc_mcap_put_number(buffer, *(const uint16_t *)field, 2);
		break;
	case U32:
		jc_mcap_put_number(buffer, *(const uint32_t *)field, 4);
		break;
	case CRC:
		if (!buffer->error) {
			jc_mcap_put_number(buffer,
				jc_mcap_crc(0, buffer->bytes + content, buffer->length - content),
				4);
		}
		break;
	case U64:
		jc_mcap_put_number(buffer, *(const uint64_t *)field, 8);
		break;
	case TEXT:
	case TEXTS:
	case COUNTS:
	case ENTRIES:
		jc_mcap_put_string(buffer, *slice);
		break;
	case DATA:
		jc_mcap_put_number(buffer, slice->length, 8);
		jc_mcap_put_bytes(buffer, slice->bytes, slice->length);
		break;
	case REST:
		jc_mcap_put_bytes(buffer, slice->bytes, slice->length);
		break;
	}
}

void jc_mcap_put_record(struct jc_mcap_buffer *buffer, uint8_t opcode, const void *content)
{
	size_t start = jc_mcap_put_begin(buffer, opcode);

	for (const struct field *field = kind_of(opcode)->fields; field->encoding; field++) {
		put_field(buffer, start, field->encoding, (const char *)content + field->offset);
	}
	jc_mcap_put_end(buffer, start);
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
	uint16_t key = (uint16_t)jc_mcap_take_number(&take, 2);
	uint64_t value = jc_mcap_take_number(&take, 8);

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
	uint64_t log_time = jc_mcap_take_number(&take, 8);
	uint64_t offset = jc_mcap_take_number(&take, 8);

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
