/* Writes MCAP files. Bytes are passed in order to a callback and never changed afterwards, so that
 * the file can be a pipe, and a file cut off by a crash can be repaired (mcap_recovery.h). */
#ifndef JOINTCAST_MCAP_WRITER_H
#define JOINTCAST_MCAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the bytes of a file go. */
struct jc_mcap_sink {
	/* Consumes all bytes and returns JC_OK, or returns a negative enum jc_error. The writer's
	 * function then returns that error, and the writer can only be destroyed. */
	int (*write)(void *context, const void *bytes, size_t length);
	void *context; /* passed to write */
};

/* Compression of chunks. */
enum jc_mcap_compression {
	JC_MCAP_UNCOMPRESSED,
	JC_MCAP_ZSTD,
};

/* Optional parts of a file. */
enum jc_mcap_part {
	JC_MCAP_CHUNKS = 1 << 0,
	JC_MCAP_MESSAGE_INDEXES = 1 << 1,
	JC_MCAP_CHUNK_INDEXES = 1 << 2,
	JC_MCAP_ATTACHMENT_INDEXES = 1 << 3,
	JC_MCAP_METADATA_INDEXES = 1 << 4,
	JC_MCAP_REPEATED_SCHEMAS = 1 << 5,
	JC_MCAP_REPEATED_CHANNELS = 1 << 6,
	JC_MCAP_STATISTICS_RECORD = 1 << 7,
	JC_MCAP_SUMMARY_OFFSETS = 1 << 8,
	/* Schemas and channels are written before the chunk that first uses them instead of inside
	 * it, so that a damaged chunk does not affect other chunks. */
	JC_MCAP_FREE_DEFINITIONS = 1 << 9,
};

/* All parts together. */
#define JC_MCAP_ALL_PARTS 0x3ffu

/* The form of a file. */
struct jc_mcap_writer_options {
	const char *profile, *library;        /* of the header */
	unsigned parts;                       /* enum jc_mcap_part */
	enum jc_mcap_compression compression; /* of chunks */
	int level;                            /* of zstd; 0: its default */
	/* A chunk ends before a message that would make it larger or longer than this; 0: a chunk
	 * ends only with jc_mcap_writer_flush and at the library's maximum. */
	size_t chunk_bytes;
	uint64_t chunk_ns;
};

struct jc_mcap_writer;

/* Writes the magic and the header. Copies the options and sink. */
int jc_mcap_writer_create(const struct jc_mcap_writer_options *options,
	const struct jc_mcap_sink *sink, struct jc_mcap_writer **out_writer);
void jc_mcap_writer_destroy(struct jc_mcap_writer *writer); /* writes nothing */

/* Schemas and channels have unique ids; a schema's id is not 0. Writing an equal one again is no
 * error and writes nothing. A different one with the same id, or a channel with an unknown
 * schema, is JC_ERROR_INVALID. */
int jc_mcap_write_schema(struct jc_mcap_writer *writer, const struct jc_mcap_schema *schema);
int jc_mcap_write_channel(struct jc_mcap_writer *writer, const struct jc_mcap_channel *channel);

/* JC_ERROR_INVALID if the channel is unknown. Messages may be in any order of time. */
int jc_mcap_write_message(struct jc_mcap_writer *writer, const struct jc_mcap_message *message);

/* Written after the open chunk, outside of chunks. */
int jc_mcap_write_attachment(
	struct jc_mcap_writer *writer, const struct jc_mcap_attachment *attachment);
int jc_mcap_write_metadata(struct jc_mcap_writer *writer, const struct jc_mcap_metadata *metadata);

/* Ends the open chunk, if any. */
int jc_mcap_writer_flush(struct jc_mcap_writer *writer);

/* Ends the file: open chunk, data end, summary, footer. No further writes are allowed. */
int jc_mcap_writer_end(struct jc_mcap_writer *writer);

/* Bytes written so far, and uncompressed bytes in the open chunk. */
uint64_t jc_mcap_writer_size(const struct jc_mcap_writer *writer);
size_t jc_mcap_writer_pending(const struct jc_mcap_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
