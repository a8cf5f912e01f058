/* Reads MCAP files. A scanner reads a whole file record by record and checks all of it. An index
 * reads only the summary; a cursor on it delivers the messages of a time range in order of time,
 * independent of their order in the file. */
#ifndef JOINTCAST_MCAP_READER_H
#define JOINTCAST_MCAP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"

#ifdef __cplusplus
extern "C" {
#endif

struct jc_mcap_scanner;

/* All functions below borrow the input for the lifetime of the object that they create, and return
 * errors of its read_at. */
int jc_mcap_scanner_create(const struct jc_mcap_input *input, struct jc_mcap_scanner **out_scanner,
	struct jc_diagnostic *diagnostic);
void jc_mcap_scanner_destroy(struct jc_mcap_scanner *scanner);

/* The next record, valid until the next call; JC_ERROR_ABSENT after the footer. A chunk is
 * followed by the records in it. Checked are: all lengths, all CRCs that are not 0, header first
 * and footer last, the start of the summary against the footer, and that channels and messages
 * refer to earlier records. After an error scanning cannot continue. */
int jc_mcap_scanner_next(struct jc_mcap_scanner *scanner, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic);

/* File offset of the end of the last record. */
uint64_t jc_mcap_scanner_offset(const struct jc_mcap_scanner *scanner);

/* A part of the file with messages: a chunk, or records outside of chunks. */
struct jc_mcap_block {
	uint64_t start_time, end_time; /* of its messages, nanoseconds */
	uint64_t offset, length;       /* in the file: the chunk record, or all the records */
	bool is_chunk;                 /* a chunk, not records outside of chunks */
	struct jc_mcap_slice channels; /* jc_mcap_counts_next; empty: unknown */
};

/* The contents of a file and their places. Owned by the index, until jc_mcap_index_destroy. */
struct jc_mcap_index {
	struct jc_mcap_slice profile, library; /* of the header */
	/* Lengths of the arrays below. */
	size_t schema_count, channel_count, block_count, attachment_count, metadata_count;
	const struct jc_mcap_schema *schemas;   /* each once, however often the file has it */
	const struct jc_mcap_channel *channels; /* each once */
	const struct jc_mcap_block *blocks;     /* in order of start_time */
	const struct jc_mcap_attachment_index *attachments; /* in order of the file */
	const struct jc_mcap_metadata_index *metadata;      /* in order of the file */
	uint64_t start_time, end_time;                      /* of all blocks; 0 if there are none */
	uint64_t data_end;      /* file offset of the end of the data section */
	bool has_statistics;    /* the file has a Statistics record */
	uint64_t message_count; /* from the statistics, else 0 */
};

/* Reads the index from the summary if that lists all chunks and definitions (its CRC is checked),
 * else by scanning the whole file. Returns JC_ERROR_TRUNCATED for a file without a footer;
 * mcap_recovery.h repairs it. */
int jc_mcap_index_read(const struct jc_mcap_input *input, struct jc_mcap_index **out_index,
	struct jc_diagnostic *diagnostic);
void jc_mcap_index_destroy(struct jc_mcap_index *index);

/* NULL if no element has that id. */
const struct jc_mcap_channel *jc_mcap_index_channel(const struct jc_mcap_index *index, uint16_t id);
const struct jc_mcap_schema *jc_mcap_index_schema(const struct jc_mcap_index *index, uint16_t id);

/* Reads the attachment or metadata record at a file offset. Its slices point into *out_bytes,
 * which the caller frees. */
int jc_mcap_read_record(const struct jc_mcap_input *input, uint64_t offset, void **out_bytes,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic);

/* Selects messages with from <= log time <= until of the given channels; channel_count 0: of all
 * channels. */
struct jc_mcap_range {
	uint64_t from, until;     /* log times, nanoseconds */
	const uint16_t *channels; /* ids, borrowed while a cursor uses the range */
	size_t channel_count;     /* 0: all channels */
};

/* The range of all messages. */
#define JC_MCAP_EVERYTHING ((struct jc_mcap_range){ 0, UINT64_MAX, NULL, 0 })

/* A position among the messages of a range. */
struct jc_mcap_cursor;

/* Creates a cursor before the first message of the range. input and index are borrowed until the
 * cursor is destroyed. JC_OK or JC_ERROR_MEMORY. */
int jc_mcap_cursor_create(const struct jc_mcap_input *input, const struct jc_mcap_index *index,
	const struct jc_mcap_range *range, struct jc_mcap_cursor **out_cursor);
void jc_mcap_cursor_destroy(struct jc_mcap_cursor *cursor);

/* The next message in order of log time; messages with equal log times keep their order in the
 * file. Valid until the next call. JC_ERROR_ABSENT past the last. */
int jc_mcap_cursor_next(struct jc_mcap_cursor *cursor, struct jc_mcap_message *out_message,
	struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
