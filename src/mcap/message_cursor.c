/* Delivers the messages of a time range in order. Chunks that overlap in time are open together,
 * within the limits of limits.h. */
#include <stdlib.h>
#include <string.h>

#include "chunk.h"
#include "framing.h"
#include "jointcast/limits.h"
#include "jointcast/mcap_reader.h"
#include "jointcast_private/array.h"

/* A message of an open block. */
struct entry {
	uint64_t log_time;
	size_t offset;
};

struct open_block {
	size_t index; /* index of the block */
	struct jc_mcap_buffer records;
	struct entry *entries; /* owned, in order */
	size_t count, at;
};

struct jc_mcap_cursor {
	const struct jc_mcap_input *input;
	const struct jc_mcap_index *index;
	uint64_t from, until;
	uint8_t *wanted; /* owned: bits by channel; NULL: all */
	size_t next;     /* block that opens next */
	struct open_block open[JC_LIMIT_MCAP_OPEN_CHUNKS];
	size_t open_count, open_bytes;
	bool spent; /* the first open block has delivered its last message */
	struct jc_mcap_buffer scratch;
};

static bool is_wanted(const struct jc_mcap_cursor *cursor, uint16_t channel)
{
	return !cursor->wanted || (cursor->wanted[channel / 8] >> (channel % 8) & 1);
}

int jc_mcap_cursor_create(const struct jc_mcap_input *input, const struct jc_mcap_index *index,
	const struct jc_mcap_range *range, struct jc_mcap_cursor **out_cursor)
{
	struct jc_mcap_cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor) {
		return JC_ERROR_MEMORY;
	}
	cursor->input = input;
	cursor->index = index;
	cursor->from = range->from;
	cursor->until = range->until;
	cursor->scratch.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
	if (range->channel_count > 0) {
		cursor->wanted = calloc((UINT16_MAX + 1) / 8, 1);
		if (!cursor->wanted) {
			free(cursor);
			return JC_ERROR_MEMORY;
		}
	}
	for (size_t i = 0; i < range->channel_count; i++) {
		uint16_t id = range->channels[i];

		cursor->wanted[id / 8] = (uint8_t)(cursor->wanted[id / 8] | 1u << (id % 8));
	}
	*out_cursor = cursor;
	return JC_OK;
}

static void close_block(struct jc_mcap_cursor *cursor, size_t i)
{
	struct open_block *block = &cursor->open[i];

	cursor->open_bytes -= block->records.length;
	jc_mcap_buffer_finish(&block->records);
	free(block->entries);
	memmove(block, block + 1, (--cursor->open_count - i) * sizeof(*block));
}

void jc_mcap_cursor_destroy(struct jc_mcap_cursor *cursor)
{
	if (!cursor) {
		return;
	}
	while (cursor->open_count > 0) {
		close_block(cursor, cursor->open_count - 1);
	}
	jc_mcap_buffer_finish(&cursor->scratch);
	free(cursor->wanted);
	free(cursor);
}

/* Whether a block can hold a message of the range. */
static bool is_of_use(const struct jc_mcap_cursor *cursor, const struct jc_mcap_block *block)
{
	struct jc_mcap_slice channels = block->channels;
	uint16_t channel;
	uint64_t offset;

	if (block->end_time < cursor->from || block->start_time > cursor->until) {
		return false;
	}
	if (channels.length == 0) {
		return true;
	}
	while (jc_mcap_counts_next(&channels, &channel, &offset)) {
		if (is_wanted(cursor, channel)) {
			return true;
		}
	}
	return false;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *p = a;
	const struct entry *q = b;

	if (p->log_time != q->log_time) {
		return p->log_time < q->log_time ? -1 : 1;
	}
	return p->offset < q->offset ? -1 : p->offset > q->offset;
}

/* The records of a block, uncompressed. */
static int load(struct jc_mcap_cursor *cursor, const struct jc_mcap_block *block,
	struct jc_mcap_buffer *records, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record;
	uint8_t *at;
	int error;

	if (block->is_chunk) {
		error = jc_mcap_framing_read(
			cursor->input, block->offset, &cursor->scratch, &record, diagnostic);
		if (!error && record.opcode != JC_MCAP_CHUNK) {
			error = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"an index that points to no chunk");
		}
		return error ? error : jc_mcap_chunk_unpack(&record.chunk, records, diagnostic);
	}
	at = jc_mcap_buffer_extend(records, (size_t)block->length);
	if (!at) {
		return jc_diagnose(diagnostic, records->error, NULL, "too many loose records");
	}
	error = cursor->input->read_at(
		cursor->input->context, block->offset, at, (size_t)block->length);
	return error ? jc_diagnose(diagnostic, error, NULL, "cannot be read") : JC_OK;
}

static int append(struct open_block *open, size_t *capacity, const struct jc_mcap_record *record)
{
	if (!jc_array_grow(&open->entries, capacity, open->count + 1, SIZE_MAX,
		    sizeof(open->entries[0]))) {
		return JC_ERROR_MEMORY;
	}
	open->entries[open->count++] =
		(struct entry){ record->message.log_time, (size_t)record->offset };
	return JC_OK;
}

/* Finds the messages of the range among the records of a block. */
static int list(const struct jc_mcap_cursor *cursor, const struct jc_mcap_block *block,
	struct open_block *open, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record;
	size_t capacity = 0;
	size_t at = 0;
	int error;

	while ((error = jc_mcap_chunk_next(&open->records, &at, &record, diagnostic)) == JC_OK) {
		const struct jc_mcap_message *message = &record.message;

		if (record.opcode != JC_MCAP_MESSAGE) {
			continue;
		}
		if (message->log_time < block->start_time || message->log_time > block->end_time) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"a chunk with a message outside its time");
		}
		if (message->log_time < cursor->from || message->log_time > cursor->until ||
			!is_wanted(cursor, message->channel_id)) {
			continue;
		}
		if (append(open, &capacity, &record)) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
	}
	if (error == JC_ERROR_ABSENT && open->count > 0) {
		qsort(open->entries, open->count, sizeof(*open->entries), compare_entries);
	}
	return error == JC_ERROR_ABSENT ? JC_OK : error;
}

static int open_next(struct jc_mcap_cursor *cursor, struct jc_diagnostic *diagnostic)
{
	const struct jc_mcap_block *block = &cursor->index->blocks[cursor->next];
	struct open_block open = { .index = cursor->next++ };
	int error;

	if (!is_of_use(cursor, block)) {
		return JC_OK;
	}
	if (cursor->open_count == JC_LIMIT_MCAP_OPEN_CHUNKS ||
		cursor->open_bytes > JC_LIMIT_MCAP_OPEN_BYTES) {
		jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "too many chunks of one time");
		return jc_mcap_framing_at(diagnostic, JC_ERROR_LIMIT, block->offset);
	}
	open.records.maximum = JC_LIMIT_MCAP_CHUNK_BYTES;
	error = load(cursor, block, &open.records, diagnostic);
	error = error ? error : list(cursor, block, &open, diagnostic);
	if (error || open.count == 0) {
		jc_mcap_buffer_finish(&open.records);
		free(open.entries);
		return error ? jc_mcap_framing_at(diagnostic, error, block->offset) : JC_OK;
	}
	cursor->open_bytes += open.records.length;
	cursor->open[cursor->open_count++] = open;
	return JC_OK;
}

/* The open block with the earliest message; of equals the one that stands first
 * in the file. */
static size_t earliest(const struct jc_mcap_cursor *cursor)
{
	size_t best = 0;

	for (size_t i = 1; i < cursor->open_count; i++) {
		const struct open_block *a = &cursor->open[i];
		const struct open_block *b = &cursor->open[best];
		uint64_t t = a->entries[a->at].log_time;
		uint64_t best_t = b->entries[b->at].log_time;

		if (t < best_t || (t == best_t && cursor->index->blocks[a->index].offset <
							  cursor->index->blocks[b->index].offset)) {
			best = i;
		}
	}
	return best;
}

/* Closes the block of the previous message if it has no more messages. */
static void close_spent(struct jc_mcap_cursor *cursor)
{
	for (size_t i = cursor->open_count; i-- > 0 && cursor->spent;) {
		if (cursor->open[i].at == cursor->open[i].count) {
			close_block(cursor, i);
			cursor->spent = false;
		}
	}
}

/* Whether the block that opens next may have a message before the earliest. */
static bool must_open(const struct jc_mcap_cursor *cursor, size_t best)
{
	const struct open_block *open = &cursor->open[best];

	if (cursor->next == cursor->index->block_count) {
		return false;
	}
	return cursor->open_count == 0 ||
	       cursor->index->blocks[cursor->next].start_time <= open->entries[open->at].log_time;
}

int jc_mcap_cursor_next(struct jc_mcap_cursor *cursor, struct jc_mcap_message *out_message,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record;
	struct open_block *open;
	size_t best, at;
	int error;

	close_spent(cursor);
	while (best = earliest(cursor), must_open(cursor, best)) {
		error = open_next(cursor, diagnostic);
		if (error) {
			return error;
		}
	}
	if (cursor->open_count == 0) {
		return JC_ERROR_ABSENT;
	}
	open = &cursor->open[best];
	at = open->entries[open->at++].offset;
	cursor->spent = open->at == open->count;
	error = jc_mcap_chunk_next(&open->records, &at, &record, diagnostic);
	if (!error) {
		*out_message = record.message;
	}
	return error;
}
