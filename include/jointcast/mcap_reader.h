/* Reads MCAP files, in two ways. A scanner goes through a whole file, record by
 * record, and checks everything that can be checked. An index knows from the
 * summary where everything is, and a cursor over it delivers the messages of a
 * span of time in order, whatever order they were written in. */
#ifndef JOINTCAST_MCAP_READER_H
#define JOINTCAST_MCAP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"

struct jc_mcap_scanner;

/* Every function below takes the input as borrowed for as long as what it
 * returns lives. Errors of its read_at come through. */
int jc_mcap_scanner_create(const struct jc_mcap_input *input, struct jc_mcap_scanner **out_scanner,
	struct jc_diagnostic *diagnostic);
void jc_mcap_scanner_destroy(struct jc_mcap_scanner *scanner);

/* The next record, valid until the call after; JC_ERROR_ABSENT after the footer.
 * A chunk is followed by the records in it. What is checked: all lengths, all
 * CRCs that are not 0, that the header comes first and the footer last, that
 * the summary begins where the footer says, that channels and messages refer to
 * what stands before them. An error is final. */
int jc_mcap_scanner_next(struct jc_mcap_scanner *scanner, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic);

/* How far it is: where the record in the file ends that came last. */
uint64_t jc_mcap_scanner_offset(const struct jc_mcap_scanner *scanner);

/* A stretch of the file with messages in it: a chunk, or loose records. */
struct jc_mcap_block {
	uint64_t start_time, end_time;
	uint64_t offset, length; /* in the file: of the chunk record, or of all the records */
	bool is_chunk;
	struct jc_mcap_slice channels; /* jc_mcap_counts_next; empty: not known which */
};

struct jc_mcap_index {
	struct jc_mcap_slice profile, library;
	size_t schema_count, channel_count, block_count, attachment_count, metadata_count;
	const struct jc_mcap_schema *schemas;
	const struct jc_mcap_channel *channels;
	const struct jc_mcap_block *blocks; /* start_time rising */
	const struct jc_mcap_attachment_index *attachments;
	const struct jc_mcap_metadata_index *metadata;
	uint64_t start_time, end_time; /* of all blocks; 0 where there is none */
	uint64_t data_end;             /* where in the file the data section ends */
	bool has_statistics;
	uint64_t message_count; /* by the statistics, else 0 */
};

/* From the summary where that names every chunk and definition, its CRC checked;
 * else by scanning the whole file. A file without a footer is
 * JC_ERROR_TRUNCATED: mcap_recovery.h mends it. */
int jc_mcap_index_read(const struct jc_mcap_input *input, struct jc_mcap_index **out_index,
	struct jc_diagnostic *diagnostic);
void jc_mcap_index_destroy(struct jc_mcap_index *index);

/* NULL where there is none. */
const struct jc_mcap_channel *jc_mcap_index_channel(const struct jc_mcap_index *index, uint16_t id);
const struct jc_mcap_schema *jc_mcap_index_schema(const struct jc_mcap_index *index, uint16_t id);

/* An attachment or metadata by its place in the file: its record, slices into
 * *out_bytes, which is the caller's to free. */
int jc_mcap_read_record(const struct jc_mcap_input *input, uint64_t offset, void **out_bytes,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic);

/* Which messages: from <= log time <= until, of these channels, or of all where
 * channel_count is 0. */
struct jc_mcap_range {
	uint64_t from, until;
	const uint16_t *channels;
	size_t channel_count;
};

#define JC_MCAP_EVERYTHING ((struct jc_mcap_range){ 0, UINT64_MAX, NULL, 0 })

struct jc_mcap_cursor;

int jc_mcap_cursor_create(const struct jc_mcap_input *input, const struct jc_mcap_index *index,
	const struct jc_mcap_range *range, struct jc_mcap_cursor **out_cursor);
void jc_mcap_cursor_destroy(struct jc_mcap_cursor *cursor);

/* The next message by log time, those of one time as they stand in the file;
 * valid until the call after. JC_ERROR_ABSENT past the last. */
int jc_mcap_cursor_next(struct jc_mcap_cursor *cursor, struct jc_mcap_message *out_message,
	struct jc_diagnostic *diagnostic);

#endif
