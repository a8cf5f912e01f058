/* Writes MCAP files. Bytes go out in order through a callback; nothing that went
 * out is touched again, so that the file can be a pipe, and what a crash leaves
 * can be mended (mcap_recovery.h). */
#ifndef JOINTCAST_MCAP_WRITER_H
#define JOINTCAST_MCAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"

/* Takes all bytes or returns a negative enum jc_error, which the writer's
 * function returns in turn; the writer is of no use then but to be destroyed. */
struct jc_mcap_sink {
	int (*write)(void *context, const void *bytes, size_t length);
	void *context;
};

enum jc_mcap_compression {
	JC_MCAP_UNCOMPRESSED,
	JC_MCAP_ZSTD,
};

/* Parts of a file that readers can do without. */
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
	/* Schemas and channels stand in the file itself before the chunk that first
	 * uses them, so that a damaged chunk takes no other chunk's with it. */
	JC_MCAP_FREE_DEFINITIONS = 1 << 9,
};

#define JC_MCAP_ALL_PARTS 0x3ffu

struct jc_mcap_writer_options {
	const char *profile, *library;
	unsigned parts; /* enum jc_mcap_part */
	enum jc_mcap_compression compression;
	int level; /* of zstd, 0 its default */
	/* A chunk ends before the message that would make it larger, or span more
	 * time than this; 0: a chunk ends with jc_mcap_writer_flush only, and at
	 * the library's maximum. */
	size_t chunk_bytes;
	uint64_t chunk_ns;
};

struct jc_mcap_writer;

/* Writes the magic and the header. The options are copied, sink too. */
int jc_mcap_writer_create(const struct jc_mcap_writer_options *options,
	const struct jc_mcap_sink *sink, struct jc_mcap_writer **out_writer);
void jc_mcap_writer_destroy(struct jc_mcap_writer *writer); /* writes nothing */

/* A schema has an id of its own, not 0, a channel too. The same one again
 * is no error and writes nothing; another under the same id is
 * JC_ERROR_INVALID, as is a channel whose schema is not known. */
int jc_mcap_write_schema(struct jc_mcap_writer *writer, const struct jc_mcap_schema *schema);
int jc_mcap_write_channel(struct jc_mcap_writer *writer, const struct jc_mcap_channel *channel);

/* JC_ERROR_INVALID where the channel is not known. Times may stand in any order. */
int jc_mcap_write_message(struct jc_mcap_writer *writer, const struct jc_mcap_message *message);

/* Stand in the file itself, after the chunk that is open. */
int jc_mcap_write_attachment(
	struct jc_mcap_writer *writer, const struct jc_mcap_attachment *attachment);
int jc_mcap_write_metadata(struct jc_mcap_writer *writer, const struct jc_mcap_metadata *metadata);

/* Ends the open chunk, if there is one. */
int jc_mcap_writer_flush(struct jc_mcap_writer *writer);

/* Ends the file: open chunk, data end, summary, footer. Nothing can be written
 * afterwards. */
int jc_mcap_writer_end(struct jc_mcap_writer *writer);

/* Bytes that went out, and those that wait in the open chunk, uncompressed. */
uint64_t jc_mcap_writer_size(const struct jc_mcap_writer *writer);
size_t jc_mcap_writer_pending(const struct jc_mcap_writer *writer);

#endif
