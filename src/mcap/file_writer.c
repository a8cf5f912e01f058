/* Writes the data section of an MCAP file: definitions, messages in chunks, attachments, metadata.
 */
#include <stdlib.h>
#include <string.h>

#include "file_writer.h"
#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "record_fields.h"

int jc_mcap_writer_emit_bytes(struct jc_mcap_writer *writer, const void *bytes, size_t length)
{
	if (length == 0) {
		return JC_OK;
	}
	writer->crc = jc_mcap_crc(writer->crc, bytes, length);
	writer->size += length;
	return writer->sink.write(writer->sink.context, bytes, length);
}

int jc_mcap_writer_emit(struct jc_mcap_writer *writer)
{
	int error = writer->scratch.error;

	if (!error) {
		error = jc_mcap_writer_emit_bytes(
			writer, writer->scratch.bytes, writer->scratch.length);
	}
	jc_mcap_buffer_clear(&writer->scratch);
	return error;
}

static int write_header(struct jc_mcap_writer *writer, const struct jc_mcap_writer_options *options)
{
	struct jc_mcap_header header = { jc_mcap_text(options->profile),
		jc_mcap_text(options->library) };

	jc_mcap_put_bytes(&writer->scratch, jc_mcap_magic, sizeof(jc_mcap_magic));
	jc_mcap_put_record(&writer->scratch, JC_MCAP_HEADER, &header);
	return jc_mcap_writer_emit(writer);
}

static int init_definitions(struct jc_mcap_definitions *definitions)
{
	definitions->records.maximum = JC_LIMIT_MCAP_SUMMARY_BYTES;
	definitions->places = calloc(UINT16_MAX + 1u, sizeof(*definitions->places));
	return definitions->places ? JC_OK : JC_ERROR_MEMORY;
}

static void finish_definitions(struct jc_mcap_definitions *definitions)
{
	for (size_t i = 0; i < definitions->count; i++) {
		jc_mcap_buffer_finish(&definitions->items[i].index);
	}
	free(definitions->items);
	free(definitions->places);
	jc_mcap_buffer_finish(&definitions->records);
}

int jc_mcap_writer_create(const struct jc_mcap_writer_options *options,
	const struct jc_mcap_sink *sink, struct jc_mcap_writer **out_writer)
{
	struct jc_mcap_writer *writer = calloc(1, sizeof(*writer));
	int error = JC_ERROR_MEMORY;

	if (!writer) {
		return JC_ERROR_MEMORY;
	}
	writer->sink = *sink;
	writer->parts = options->parts;
	writer->compression = options->compression;
	writer->level = options->level ? options->level : ZSTD_CLEVEL_DEFAULT;
	writer->chunk_bytes = options->chunk_bytes;
	writer->chunk_ns = options->chunk_ns;
	writer->scratch.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
	writer->chunk.maximum = JC_LIMIT_MCAP_CHUNK_BYTES;
	writer->chunks.records.maximum = JC_LIMIT_MCAP_SUMMARY_BYTES;
	writer->attachments.records.maximum = JC_LIMIT_MCAP_SUMMARY_BYTES;
	writer->metadata.records.maximum = JC_LIMIT_MCAP_SUMMARY_BYTES;
	if (writer->compression == JC_MCAP_ZSTD) {
		writer->zstd = ZSTD_createCCtx();
		if (!writer->zstd) {
			goto error;
		}
	}
	if (init_definitions(&writer->schemas) || init_definitions(&writer->channels)) {
		goto error;
	}
	error = write_header(writer, options);
	if (error) {
		goto error;
	}
	*out_writer = writer;
	return JC_OK;
error:
	jc_mcap_writer_destroy(writer);
	return error;
}

void jc_mcap_writer_destroy(struct jc_mcap_writer *writer)
{
	if (!writer) {
		return;
	}
	finish_definitions(&writer->schemas);
	finish_definitions(&writer->channels);
	jc_mcap_buffer_finish(&writer->chunks.records);
	jc_mcap_buffer_finish(&writer->attachments.records);
	jc_mcap_buffer_finish(&writer->metadata.records);
	jc_mcap_buffer_finish(&writer->chunk);
	jc_mcap_buffer_finish(&writer->scratch);
	ZSTD_freeCCtx(writer->zstd);
	free(writer);
}

static struct jc_mcap_definition *find(struct jc_mcap_definitions *definitions, uint16_t id)
{
	return definitions->places[id] ? &definitions->items[definitions->places[id] - 1] : NULL;
}

/* Writes the record in scratch as a definition, unless it is already written. */
static int define(struct jc_mcap_writer *writer, struct jc_mcap_definitions *definitions,
	uint16_t id, bool *out_is_new)
{
	const struct jc_mcap_buffer *scratch = &writer->scratch;
	struct jc_mcap_definition *known = find(definitions, id);

	*out_is_new = false;
	if (scratch->error) {
		return scratch->error;
	}
	if (known) {
		const uint8_t *record = definitions->records.bytes + known->record;

		return known->length == scratch->length &&
				       memcmp(record, scratch->bytes, scratch->length) == 0
			       ? JC_OK
			       : JC_ERROR_INVALID;
	}
	/* Places hold an index plus one in 16 bits. */
	if (definitions->count == UINT16_MAX) {
		return JC_ERROR_LIMIT;
	}
	if (!jc_array_grow(&definitions->items, &definitions->capacity, definitions->count + 1,
		    UINT16_MAX, sizeof(definitions->items[0]))) {
		return JC_ERROR_MEMORY;
	}
	definitions->items[definitions->count] = (struct jc_mcap_definition){
		.id = id,
		.record = definitions->records.length,
		.length = scratch->length,
		.index = { .maximum = JC_LIMIT_MCAP_CHUNK_BYTES },
	};
	jc_mcap_put_bytes(&definitions->records, scratch->bytes, scratch->length);
	if (definitions->records.error) {
		return definitions->records.error;
	}
	definitions->places[id] = (uint16_t)++definitions->count;
	*out_is_new = true;
	return JC_OK;
}

/* The destination of definitions: the open chunk, or the file. */
static int write_definition(
	struct jc_mcap_writer *writer, struct jc_mcap_definitions *definitions, uint16_t id)
{
	bool is_new;
	int error = define(writer, definitions, id, &is_new);

	if (!error && is_new) {
		if ((writer->parts & JC_MCAP_CHUNKS) &&
			!(writer->parts & JC_MCAP_FREE_DEFINITIONS)) {
			jc_mcap_put_bytes(
				&writer->chunk, writer->scratch.bytes, writer->scratch.length);
			error = writer->chunk.error;
		} else {
			error = jc_mcap_writer_emit(writer);
		}
	}
	jc_mcap_buffer_clear(&writer->scratch);
	return error;
}

int jc_mcap_write_schema(struct jc_mcap_writer *writer, const struct jc_mcap_schema *schema)
{
	if (schema->id == 0 || writer->ended) {
		return JC_ERROR_INVALID;
	}
	jc_mcap_put_record(&writer->scratch, JC_MCAP_SCHEMA, schema);
	return write_definition(writer, &writer->schemas, schema->id);
}

int jc_mcap_write_channel(struct jc_mcap_writer *writer, const struct jc_mcap_channel *channel)
{
	if ((channel->schema_id != 0 && !find(&writer->schemas, channel->schema_id)) ||
		writer->ended) {
		return JC_ERROR_INVALID;
	}
	jc_mcap_put_record(&writer->scratch, JC_MCAP_CHANNEL, channel);
	return write_definition(writer, &writer->channels, channel->id);
}

/* Appends the compressed chunk to scratch. */
static int compress(struct jc_mcap_writer *writer)
{
	const struct jc_mcap_buffer *chunk = &writer->chunk;
	size_t bound = ZSTD_compressBound(chunk->length);
	uint8_t *at = jc_mcap_buffer_extend(&writer->scratch, bound);
	size_t length;

	if (!at) {
		return writer->scratch.error;
	}
	length = ZSTD_compressCCtx(
		writer->zstd, at, bound, chunk->bytes, chunk->length, writer->level);
	if (ZSTD_isError(length)) {
		return JC_ERROR_MEMORY;
	}
	writer->scratch.length -= bound - length;
	return JC_OK;
}

static const char *compression_name(const struct jc_mcap_writer *writer)
{
	return writer->compression == JC_MCAP_ZSTD ? "zstd" : "";
}

/* Encodes the chunk record in scratch. */
static int put_chunk(struct jc_mcap_writer *writer, uint64_t *out_compressed)
{
	const struct jc_mcap_buffer *chunk = &writer->chunk;
	struct jc_mcap_buffer *scratch = &writer->scratch;
	size_t content = jc_mcap_put_begin(scratch, JC_MCAP_CHUNK);
	size_t records;
	int error = JC_OK;

	jc_mcap_put_number(scratch, writer->chunk_start, 8);
	jc_mcap_put_number(scratch, writer->chunk_end, 8);
	jc_mcap_put_number(scratch, chunk->length, 8);
	jc_mcap_put_number(scratch, jc_mcap_crc(0, chunk->bytes, chunk->length), 4);
	jc_mcap_put_string(scratch, jc_mcap_text(compression_name(writer)));
	jc_mcap_put_number(scratch, 0, 8);
	records = scratch->length;
	if (writer->compression == JC_MCAP_ZSTD) {
		error = compress(writer);
	} else {
		jc_mcap_put_bytes(scratch, chunk->bytes, chunk->length);
	}
	if (error || scratch->error) {
		return error ? error : scratch->error;
	}
	*out_compressed = scratch->length - records;
	/* The length before the compressed bytes has the form of a record length. */
	jc_mcap_put_end(scratch, records);
	jc_mcap_put_end(scratch, content);
	return JC_OK;
}

/* Writes the message indexes of the chunk just written, and fills their fields in the chunk index.
 */
static int write_message_indexes(struct jc_mcap_writer *writer, struct jc_mcap_buffer *offsets)
{
	int error = JC_OK;

	for (size_t i = 0; i < writer->channels.count && !error; i++) {
		struct jc_mcap_definition *channel = &writer->channels.items[i];
		struct jc_mcap_message_index index = { channel->id,
			{ channel->index.bytes, channel->index.length } };

		error = channel->index.error;
		if (channel->index.length == 0 || error) {
			continue;
		}
		jc_mcap_put_number(offsets, channel->id, 2);
		jc_mcap_put_number(offsets, writer->size, 8);
		jc_mcap_put_record(&writer->scratch, JC_MCAP_MESSAGE_INDEX, &index);
		jc_mcap_buffer_clear(&channel->index);
		error = jc_mcap_writer_emit(writer);
	}
	return error;
}

static int put_chunk_index(struct jc_mcap_writer *writer, uint64_t start, uint64_t end,
	const struct jc_mcap_buffer *offsets, uint64_t compressed)
{
	struct jc_mcap_chunk_index index = {
		.start_time = writer->chunk_start,
		.end_time = writer->chunk_end,
		.chunk_offset = start,
		.chunk_length = end - start,
		.index_offsets = { offsets->bytes, offsets->length },
		.index_length = writer->size - end,
		.compression = jc_mcap_text(compression_name(writer)),
		.compressed_size = compressed,
		.uncompressed_size = writer->chunk.length,
	};

	jc_mcap_put_record(&writer->chunks.records, JC_MCAP_CHUNK_INDEX, &index);
	return writer->chunks.records.error;
}

int jc_mcap_writer_flush(struct jc_mcap_writer *writer)
{
	struct jc_mcap_buffer offsets = { .maximum = JC_LIMIT_MCAP_CHUNK_BYTES };
	uint64_t start = writer->size;
	uint64_t end;
	uint64_t compressed = 0;
	int error;

	if (writer->chunk.length == 0) {
		return JC_OK;
	}
	error = put_chunk(writer, &compressed);
	if (error) {
		goto out;
	}
	error = jc_mcap_writer_emit(writer);
	if (error) {
		goto out;
	}
	end = writer->size;
	error = write_message_indexes(writer, &offsets);
	error = error ? error : offsets.error;
	if (!error) {
		writer->chunks.count++;
	}
	if (!error && (writer->parts & JC_MCAP_CHUNK_INDEXES)) {
		error = put_chunk_index(writer, start, end, &offsets, compressed);
	}
	jc_mcap_buffer_clear(&writer->chunk);
	writer->chunk_messages = 0;
	writer->chunk_start = 0;
	writer->chunk_end = 0;
out:
	jc_mcap_buffer_finish(&offsets);
	return error;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Whether the message has to wait for a new chunk. */
static bool is_full(const struct jc_mcap_writer *writer, const struct jc_mcap_message *message)
{
	size_t limit = writer->chunk_bytes ? writer->chunk_bytes : JC_LIMIT_MCAP_CHUNK_BYTES;
	size_t needed = JC_MCAP_FRAME_BYTES + 22 + message->data.length;
	uint64_t span = most(writer->chunk_end, message->log_time) -
			least(writer->chunk_start, message->log_time);

	if (writer->chunk_messages == 0) {
		return false;
	}
	return writer->chunk.length > limit || needed > limit - writer->chunk.length ||
	       (writer->chunk_ns > 0 && span >= writer->chunk_ns);
}

static int write_chunked(struct jc_mcap_writer *writer, struct jc_mcap_definition *channel,
	const struct jc_mcap_message *message)
{
	bool first;
	int error = is_full(writer, message) ? jc_mcap_writer_flush(writer) : JC_OK;

	if (error) {
		return error;
	}
	if (writer->parts & JC_MCAP_MESSAGE_INDEXES) {
		jc_mcap_put_number(&channel->index, message->log_time, 8);
		jc_mcap_put_number(&channel->index, writer->chunk.length, 8);
	}
	jc_mcap_put_record(&writer->chunk, JC_MCAP_MESSAGE, message);
	first = writer->chunk_messages++ == 0;
	writer->chunk_start =
		first ? message->log_time : least(writer->chunk_start, message->log_time);
	writer->chunk_end = most(writer->chunk_end, message->log_time);
	return writer->chunk.error;
}

int jc_mcap_write_message(struct jc_mcap_writer *writer, const struct jc_mcap_message *message)
{
	struct jc_mcap_definition *channel = find(&writer->channels, message->channel_id);
	int error;

	if (!channel || writer->ended) {
		return JC_ERROR_INVALID;
	}
	if (writer->parts & JC_MCAP_CHUNKS) {
		error = write_chunked(writer, channel, message);
	} else {
		jc_mcap_put_record(&writer->scratch, JC_MCAP_MESSAGE, message);
		error = jc_mcap_writer_emit(writer);
	}
	if (error) {
		return error;
	}
	writer->start_time = writer->message_count == 0
				     ? message->log_time
				     : least(writer->start_time, message->log_time);
	writer->end_time = most(writer->end_time, message->log_time);
	writer->message_count++;
	channel->messages++;
	return JC_OK;
}

int jc_mcap_write_attachment(
	struct jc_mcap_writer *writer, const struct jc_mcap_attachment *attachment)
{
	struct jc_mcap_attachment_index index = {
		.log_time = attachment->log_time,
		.create_time = attachment->create_time,
		.data_size = attachment->data.length,
		.name = attachment->name,
		.media_type = attachment->media_type,
	};
	int error = writer->ended ? JC_ERROR_INVALID : jc_mcap_writer_flush(writer);

	if (error) {
		return error;
	}
	index.offset = writer->size;
	jc_mcap_put_record(&writer->scratch, JC_MCAP_ATTACHMENT, attachment);
	error = jc_mcap_writer_emit(writer);
	if (error) {
		return error;
	}
	writer->attachments.count++;
	index.length = writer->size - index.offset;
	if (writer->parts & JC_MCAP_ATTACHMENT_INDEXES) {
		jc_mcap_put_record(&writer->attachments.records, JC_MCAP_ATTACHMENT_INDEX, &index);
	}
	return writer->attachments.records.error;
}

int jc_mcap_write_metadata(struct jc_mcap_writer *writer, const struct jc_mcap_metadata *metadata)
{
	struct jc_mcap_metadata_index index = { .name = metadata->name };
	int error = writer->ended ? JC_ERROR_INVALID : jc_mcap_writer_flush(writer);

	if (error) {
		return error;
	}
	index.offset = writer->size;
	jc_mcap_put_record(&writer->scratch, JC_MCAP_METADATA, metadata);
	error = jc_mcap_writer_emit(writer);
	if (error) {
		return error;
	}
	writer->metadata.count++;
	index.length = writer->size - index.offset;
	if (writer->parts & JC_MCAP_METADATA_INDEXES) {
		jc_mcap_put_record(&writer->metadata.records, JC_MCAP_METADATA_INDEX, &index);
	}
	return writer->metadata.records.error;
}

int jc_mcap_writer_end(struct jc_mcap_writer *writer)
{
	int error = writer->ended ? JC_ERROR_INVALID : jc_mcap_writer_flush(writer);

	if (!error) {
		writer->ended = true;
		error = jc_mcap_writer_summarize(writer);
	}
	return error;
}

uint64_t jc_mcap_writer_size(const struct jc_mcap_writer *writer)
{
	return writer->size;
}

size_t jc_mcap_writer_pending(const struct jc_mcap_writer *writer)
{
	return writer->chunk.length;
}
