/* Builds the index of a file: from its summary if that is complete, else by reading the whole file.
 */
#include <stdlib.h>
#include <string.h>

#include "chunk.h"
#include "file_index.h"
#include "framing.h"
#include "jointcast/limits.h"
#include "record_fields.h"

/* Messages outside of chunks form blocks of about this size. */
#define LOOSE_BYTES (1u << 20)

/* The arrays behind the public struct, which comes first. */
struct index {
	struct jc_mcap_index public;
	struct jc_mcap_buffer header, summary; /* memory that slices refer to */
	struct jc_mcap_schema *schemas;
	struct jc_mcap_channel *channels;
	struct jc_mcap_block *blocks;
	struct jc_mcap_attachment_index *attachments;
	struct jc_mcap_metadata_index *metadata;
	uint16_t schema_places[UINT16_MAX + 1]; /* by id: index plus one */
	uint16_t channel_places[UINT16_MAX + 1];
	struct jc_mcap_statistics statistics;
};

/* Makes room for one more; the array doubles when count is a power of two. */
static void *extend(void *array, size_t count, size_t size)
{
	if (count > 0 && (count & (count - 1)) != 0) {
		return array;
	}
	return realloc(array, (count ? 2 * count : 1) * size);
}

#define APPEND(index, array, count, value)                                                         \
	do {                                                                                       \
		void *extended = extend((index)->array, (count), sizeof(*(index)->array));         \
                                                                                                   \
		if (!extended) {                                                                   \
			return JC_ERROR_MEMORY;                                                    \
		}                                                                                  \
		(index)->array = extended;                                                         \
		(index)->array[(count)++] = (value);                                               \
	} while (0)

static int add_schema(struct index *index, const struct jc_mcap_schema *schema)
{
	struct jc_mcap_index *public = &index->public;

	if (index->schema_places[schema->id]) {
		return JC_OK;
	}
	APPEND(index, schemas, public->schema_count, *schema);
	index->schema_places[schema->id] = (uint16_t) public->schema_count;
	return JC_OK;
}

static int add_channel(struct index *index, const struct jc_mcap_channel *channel)
{
	struct jc_mcap_index *public = &index->public;

	/* Places hold an index plus one in 16 bits. */
	if (index->channel_places[channel->id] || public->channel_count == UINT16_MAX) {
		return JC_OK;
	}
	APPEND(index, channels, public->channel_count, *channel);
	index->channel_places[channel->id] = (uint16_t) public->channel_count;
	return JC_OK;
}

static int add_chunk_index(struct index *index, const struct jc_mcap_chunk_index *chunk)
{
	struct jc_mcap_block block = {
		.start_time = chunk->start_time,
		.end_time = chunk->end_time,
		.offset = chunk->chunk_offset,
		.length = chunk->chunk_length,
		.is_chunk = true,
		.channels = chunk->index_offsets,
	};

	APPEND(index, blocks, index->public.block_count, block);
	return JC_OK;
}

static int add_attachment(struct index *index, const struct jc_mcap_attachment_index *attachment)
{
	APPEND(index, attachments, index->public.attachment_count, *attachment);
	return JC_OK;
}

static int add_metadata(struct index *index, const struct jc_mcap_metadata_index *metadata)
{
	APPEND(index, metadata, index->public.metadata_count, *metadata);
	return JC_OK;
}

static int add_record(struct index *index, const struct jc_mcap_record *record)
{
	switch (record->opcode) {
	case JC_MCAP_SCHEMA:
		return add_schema(index, &record->schema);
	case JC_MCAP_CHANNEL:
		return add_channel(index, &record->channel);
	case JC_MCAP_CHUNK_INDEX:
		return add_chunk_index(index, &record->chunk_index);
	case JC_MCAP_ATTACHMENT_INDEX:
		return add_attachment(index, &record->attachment_index);
	case JC_MCAP_METADATA_INDEX:
		return add_metadata(index, &record->metadata_index);
	case JC_MCAP_STATISTICS:
		index->public.has_statistics = true;
		index->public.message_count = record->statistics.message_count;
		index->statistics = record->statistics;
		return JC_OK;
	default:
		return JC_OK;
	}
}

static struct index *create(void)
{
	struct index *index = calloc(1, sizeof(*index));

	if (index) {
		index->header.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
		index->summary.maximum = JC_LIMIT_MCAP_SUMMARY_BYTES;
	}
	return index;
}

void jc_mcap_index_destroy(struct jc_mcap_index *public)
{
	struct index *index = (struct index *)public;

	if (!index) {
		return;
	}
	jc_mcap_buffer_finish(&index->header);
	jc_mcap_buffer_finish(&index->summary);
	free(index->schemas);
	free(index->channels);
	free(index->blocks);
	free(index->attachments);
	free(index->metadata);
	free(index);
}

static int read_footer(const struct jc_mcap_input *input, struct jc_mcap_buffer *buffer,
	struct jc_mcap_footer *out_footer, struct jc_diagnostic *diagnostic)
{
	const size_t tail = JC_MCAP_FRAME_BYTES + JC_MCAP_FOOTER_BYTES;
	struct jc_mcap_record record;
	uint8_t magic[JC_MCAP_MAGIC_BYTES];
	uint64_t end;
	int error;

	if (input->size < 2 * sizeof(magic) + tail) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "has no end");
	}
	end = input->size - sizeof(magic);
	error = input->read_at(input->context, end, magic, sizeof(magic));
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "cannot be read");
	}
	if (!jc_mcap_is(magic, sizeof(magic))) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL,
			"was not closed; 'jointcast recover' repairs it");
	}
	error = jc_mcap_framing_read(input, end - tail, buffer, &record, diagnostic);
	if (!error && (record.opcode != JC_MCAP_FOOTER || buffer->length != tail)) {
		error = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "has no footer");
	}
	if (!error) {
		*out_footer = record.footer;
	}
	return error;
}

/* Reads the summary with the footer and checks its CRC. */
static int load_summary(const struct jc_mcap_input *input, const struct jc_mcap_footer *footer,
	struct jc_mcap_buffer *buffer, struct jc_diagnostic *diagnostic)
{
	uint64_t end = input->size - JC_MCAP_MAGIC_BYTES;
	uint8_t *at;
	int error;

	if (footer->summary_start > end - JC_MCAP_FRAME_BYTES - JC_MCAP_FOOTER_BYTES) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "a summary that begins past the end");
	}
	if (end - footer->summary_start > buffer->maximum) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"a summary of more than %zu MiB", buffer->maximum >> 20);
	}
	jc_mcap_buffer_clear(buffer);
	at = jc_mcap_buffer_extend(buffer, (size_t)(end - footer->summary_start));
	if (!at) {
		return jc_diagnose(diagnostic, buffer->error, NULL, "out of memory");
	}
	error = input->read_at(input->context, footer->summary_start, at, buffer->length);
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "cannot be read");
	}
	if (footer->summary_crc != 0 &&
		jc_mcap_crc(0, at, buffer->length - 4) != footer->summary_crc) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "a summary whose CRC does not match");
	}
	return JC_OK;
}

/* Adds the records of the summary, which begins at this offset of the file. */
static int add_summary(struct index *index, uint64_t start, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record;
	size_t at = 0;

	for (;;) {
		uint64_t place = start + at;
		int error = jc_mcap_chunk_next(&index->summary, &at, &record, diagnostic);

		if (error) {
			return error == JC_ERROR_ABSENT
				       ? JC_OK
				       : jc_mcap_framing_at(diagnostic, error, place);
		}
		error = add_record(index, &record);
		if (error) {
			return jc_diagnose(diagnostic, error, NULL, "out of memory");
		}
	}
}

/* Whether the summary is complete: it lists all chunks, and no message is outside of chunks. */
static bool is_complete(const struct index *index)
{
	const struct jc_mcap_index *public = &index->public;
	const struct jc_mcap_statistics *statistics = &index->statistics;

	return public->has_statistics && statistics->chunk_count == public->block_count &&
	       statistics->schema_count == public->schema_count &&
	       statistics->channel_count == public->channel_count &&
	       statistics->attachment_count == public->attachment_count &&
	       statistics->metadata_count == public->metadata_count &&
	       (public->block_count > 0 || statistics->message_count == 0);
}

/* Adds a record of the data section to the index, like an entry of the summary. */
static void keep_record(struct index *index, const struct jc_mcap_record *record, uint64_t length)
{
	struct jc_mcap_attachment_index attachment;
	struct jc_mcap_metadata_index metadata;

	switch (record->opcode) {
	case JC_MCAP_SCHEMA:
		jc_mcap_put_record(&index->summary, JC_MCAP_SCHEMA, &record->schema);
		break;
	case JC_MCAP_CHANNEL:
		jc_mcap_put_record(&index->summary, JC_MCAP_CHANNEL, &record->channel);
		break;
	case JC_MCAP_ATTACHMENT:
		attachment = (struct jc_mcap_attachment_index){ record->offset, length,
			record->attachment.log_time, record->attachment.create_time,
			record->attachment.data.length, record->attachment.name,
			record->attachment.media_type };
		jc_mcap_put_record(&index->summary, JC_MCAP_ATTACHMENT_INDEX, &attachment);
		break;
	case JC_MCAP_METADATA:
		metadata = (struct jc_mcap_metadata_index){ record->offset, length,
			record->metadata.name };
		jc_mcap_put_record(&index->summary, JC_MCAP_METADATA_INDEX, &metadata);
		break;
	default:
		break;
	}
}

static int keep_message(struct index *index, const struct jc_mcap_record *record, uint64_t end)
{
	struct jc_mcap_block *last = index->public.block_count > 0
					     ? &index->blocks[index->public.block_count - 1]
					     : NULL;
	uint64_t t = record->message.log_time;
	struct jc_mcap_block block = { t, t, record->offset, end - record->offset, false,
		{ NULL, 0 } };

	if (last && !last->is_chunk && last->offset + last->length == record->offset &&
		last->length < LOOSE_BYTES) {
		last->length += end - record->offset;
		last->start_time = t < last->start_time ? t : last->start_time;
		last->end_time = t > last->end_time ? t : last->end_time;
		return JC_OK;
	}
	APPEND(index, blocks, index->public.block_count, block);
	return JC_OK;
}

static int keep_chunk(struct index *index, const struct jc_mcap_record *record, uint64_t end)
{
	struct jc_mcap_block block = { record->chunk.start_time, record->chunk.end_time,
		record->offset, end - record->offset, true, { NULL, 0 } };

	APPEND(index, blocks, index->public.block_count, block);
	return JC_OK;
}

static int keep(struct index *index, const struct jc_mcap_record *record, uint64_t end)
{
	if (record->opcode == JC_MCAP_CHUNK) {
		return keep_chunk(index, record, end);
	}
	if (record->opcode == JC_MCAP_MESSAGE) {
		return record->in_chunk ? JC_OK : keep_message(index, record, end);
	}
	keep_record(index, record, end - record->offset);
	return index->summary.error;
}

/* Builds the index from the data section. */
static int scan(
	const struct jc_mcap_input *input, struct index *index, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	bool in_data = true;
	int error = jc_mcap_scanner_create(input, &scanner, diagnostic);

	if (error) {
		return error;
	}
	while ((error = jc_mcap_scanner_next(scanner, &record, diagnostic)) == JC_OK) {
		in_data = in_data && record.opcode != JC_MCAP_DATA_END;
		error = in_data ? keep(index, &record, jc_mcap_scanner_offset(scanner)) : JC_OK;
		if (error) {
			jc_diagnose(diagnostic, error, NULL, "too much to keep in memory");
			break;
		}
	}
	jc_mcap_scanner_destroy(scanner);
	return error == JC_ERROR_ABSENT ? add_summary(index, 0, diagnostic) : error;
}

static int compare_blocks(const void *a, const void *b)
{
	const struct jc_mcap_block *p = a;
	const struct jc_mcap_block *q = b;

	if (p->start_time != q->start_time) {
		return p->start_time < q->start_time ? -1 : 1;
	}
	return p->offset < q->offset ? -1 : p->offset > q->offset;
}

/* Sorts the blocks and fills the public struct. */
static void publish(struct index *index)
{
	struct jc_mcap_index *public = &index->public;

	if (public->block_count > 0) {
		qsort(index->blocks, public->block_count, sizeof(*index->blocks), compare_blocks);
		public->start_time = index->blocks[0].start_time;
	}
	for (size_t i = 0; i < public->block_count; i++) {
		if (index->blocks[i].end_time > public->end_time) {
			public->end_time = index->blocks[i].end_time;
		}
	}
	public->schemas = index->schemas;
	public->channels = index->channels;
	public->blocks = index->blocks;
	public->attachments = index->attachments;
	public->metadata = index->metadata;
}

static int read_header(
	const struct jc_mcap_input *input, struct index *index, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record;
	uint8_t magic[JC_MCAP_MAGIC_BYTES];
	int error = jc_mcap_framing_magic(input, magic, diagnostic);

	if (error) {
		return error;
	}
	error = jc_mcap_framing_read(input, sizeof(magic), &index->header, &record, diagnostic);
	if (!error && record.opcode != JC_MCAP_HEADER) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "does not begin with a header");
	}
	if (!error) {
		index->public.profile = record.header.profile;
		index->public.library = record.header.library;
	}
	return error;
}

/* Removes the contents of an incomplete summary. */
static void forget(struct index *index)
{
	jc_mcap_buffer_clear(&index->summary);
	memset(index->schema_places, 0, sizeof(index->schema_places));
	memset(index->channel_places, 0, sizeof(index->channel_places));
	index->public.schema_count = 0;
	index->public.channel_count = 0;
	index->public.block_count = 0;
	index->public.attachment_count = 0;
	index->public.metadata_count = 0;
}

static int read_summary(
	const struct jc_mcap_input *input, struct index *index, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_footer footer = { 0 };
	int error = read_footer(input, &index->summary, &footer, diagnostic);

	if (error) {
		return error;
	}
	index->public.data_end = footer.summary_start;
	if (footer.summary_start == 0) {
		index->public.data_end = input->size - JC_MCAP_MAGIC_BYTES - JC_MCAP_FRAME_BYTES -
					 JC_MCAP_FOOTER_BYTES;
		return JC_OK;
	}
	error = load_summary(input, &footer, &index->summary, diagnostic);
	return error ? error : add_summary(index, footer.summary_start, diagnostic);
}

static int read_index(const struct jc_mcap_input *input, bool summary_only,
	struct jc_mcap_index **out_index, struct jc_diagnostic *diagnostic)
{
	struct index *index = create();
	int error;

	if (!index) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = summary_only ? JC_OK : read_header(input, index, diagnostic);
	error = error ? error : read_summary(input, index, diagnostic);
	if (!error && !summary_only && !is_complete(index)) {
		forget(index);
		error = scan(input, index, diagnostic);
	}
	if (error) {
		jc_mcap_index_destroy(&index->public);
		return error;
	}
	publish(index);
	*out_index = &index->public;
	return JC_OK;
}

int jc_mcap_index_read(const struct jc_mcap_input *input, struct jc_mcap_index **out_index,
	struct jc_diagnostic *diagnostic)
{
	return read_index(input, false, out_index, diagnostic);
}

int jc_mcap_index_read_summary(const struct jc_mcap_input *input, struct jc_mcap_index **out_index,
	struct jc_diagnostic *diagnostic)
{
	return read_index(input, true, out_index, diagnostic);
}

const struct jc_mcap_channel *jc_mcap_index_channel(const struct jc_mcap_index *public, uint16_t id)
{
	const struct index *index = (const struct index *)public;
	uint16_t place = index->channel_places[id];

	return place ? &index->channels[place - 1] : NULL;
}

const struct jc_mcap_schema *jc_mcap_index_schema(const struct jc_mcap_index *public, uint16_t id)
{
	const struct index *index = (const struct index *)public;
	uint16_t place = index->schema_places[id];

	return place ? &index->schemas[place - 1] : NULL;
}
