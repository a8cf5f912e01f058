/* Untrusted MCAP files: scanned, searched by time and repaired. Repair of an accepted file loses
 * nothing, and the scanner accepts every repaired file. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/mcap_reader.h"
#include "jointcast/mcap_recovery.h"
#include "target.h"

#define OUTPUT_BYTES (64u << 20)

/* Maps are whole, and their slices lie in them. */
static void walk(const struct jc_mcap_record *record)
{
	struct jc_mcap_slice map = { NULL, 0 };
	struct jc_mcap_slice key, value;
	uint64_t log_time, offset;
	uint16_t channel;

	if (record->opcode == JC_MCAP_METADATA) {
		map = record->metadata.pairs;
		while (map.length > 0) {
			assert(jc_mcap_map_next(&map, &key, &value));
		}
		assert(!jc_mcap_map_next(&map, &key, &value));
	} else if (record->opcode == JC_MCAP_MESSAGE_INDEX) {
		map = record->message_index.entries;
		while (map.length > 0) {
			assert(jc_mcap_entries_next(&map, &log_time, &offset));
		}
		assert(!jc_mcap_entries_next(&map, &log_time, &offset));
	} else if (record->opcode == JC_MCAP_STATISTICS) {
		map = record->statistics.message_counts;
		while (map.length > 0) {
			assert(jc_mcap_counts_next(&map, &channel, &offset));
		}
		assert(!jc_mcap_counts_next(&map, &channel, &offset));
	}
}

/* Messages found by offset are the same. */
static void read_again(const struct jc_mcap_input *input, const struct jc_mcap_record *record)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_record again;
	void *bytes;

	if (record->in_chunk ||
		(record->opcode != JC_MCAP_METADATA && record->opcode != JC_MCAP_ATTACHMENT)) {
		return;
	}
	assert(jc_mcap_read_record(input, record->offset, &bytes, &again, &diagnostic) == JC_OK);
	assert(again.opcode == record->opcode && again.extra == record->extra);
	free(bytes);
	/* A byte further there is something else, or nothing. */
	if (jc_mcap_read_record(input, record->offset + 1, &bytes, &again, &diagnostic) == JC_OK) {
		free(bytes);
	}
}

/* Reads a whole file. Returns the number of messages, or an error. */
static int scan(const struct jc_mcap_input *input, uint64_t *out_messages)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	int error = jc_mcap_scanner_create(input, &scanner, &diagnostic);

	*out_messages = 0;
	if (!error) {
		while ((error = jc_mcap_scanner_next(scanner, &record, &diagnostic)) == JC_OK) {
			*out_messages += record.opcode == JC_MCAP_MESSAGE;
			walk(&record);
			read_again(input, &record);
		}
		jc_mcap_scanner_destroy(scanner);
	}
	assert(error == JC_ERROR_ABSENT || diagnostic.what[0] != '\0');
	return error == JC_ERROR_ABSENT ? JC_OK : error;
}

static void seek(const struct jc_mcap_input *input)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_index *index;
	uint64_t before = 0;

	if (jc_mcap_index_read(input, &index, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return;
	}
	assert(jc_mcap_cursor_create(input, index, &range, &cursor) == JC_OK);
	while (jc_mcap_cursor_next(cursor, &message, &diagnostic) == JC_OK) {
		assert(message.log_time >= before);
		before = message.log_time;
	}
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
}

struct output {
	uint8_t *bytes;
	size_t length, capacity;
};

static int write_output(void *context, const void *bytes, size_t length)
{
	struct output *output = context;

	if (length > OUTPUT_BYTES - output->length) {
		return JC_ERROR_SPACE;
	}
	if (output->length + length > output->capacity) {
		output->capacity = 2 * (output->length + length);
		output->bytes = realloc(output->bytes, output->capacity);
		assert(output->bytes != NULL);
	}
	memcpy(output->bytes + output->length, bytes, length);
	output->length += length;
	return JC_OK;
}

static void mend(const struct jc_mcap_input *input, bool sound, uint64_t messages)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_recovery recovery;
	struct output output = { 0 };
	struct jc_mcap_sink sink = { write_output, &output };
	struct jc_mcap_slice slice;
	struct jc_mcap_input mended;
	uint64_t kept;

	if (jc_mcap_recover(input, "fuzz", &sink, &recovery, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
	} else {
		slice = (struct jc_mcap_slice){ output.bytes, output.length };
		mended = jc_mcap_input_memory(&slice);
		assert(scan(&mended, &kept) == JC_OK);
		assert(kept == recovery.messages);
		assert(!sound || recovery.damages > 0 || kept == messages);
	}
	free(output.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_mcap_slice slice = { bytes, length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	uint64_t messages;
	bool sound = scan(&input, &messages) == JC_OK;

	seek(&input);
	mend(&input, sound, messages);
	return 0;
}
