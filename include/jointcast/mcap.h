/* MCAP records (https://mcap.dev/spec, version 0). A file is a sequence of records. Messages
 * belong to channels, channels to schemas; chunks contain compressed schemas, channels and
 * messages; a summary at the end lists their offsets. Numbers are little-endian. Times are
 * nanoseconds on a clock of the writer's choice, usually since 1970. */
#ifndef JOINTCAST_MCAP_H
#define JOINTCAST_MCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The records of the specification ("Records"). */
enum jc_mcap_opcode {
	JC_MCAP_HEADER = 0x01,
	JC_MCAP_FOOTER = 0x02,
	JC_MCAP_SCHEMA = 0x03,
	JC_MCAP_CHANNEL = 0x04,
	JC_MCAP_MESSAGE = 0x05,
	JC_MCAP_CHUNK = 0x06,
	JC_MCAP_MESSAGE_INDEX = 0x07,
	JC_MCAP_CHUNK_INDEX = 0x08,
	JC_MCAP_ATTACHMENT = 0x09,
	JC_MCAP_ATTACHMENT_INDEX = 0x0a,
	JC_MCAP_STATISTICS = 0x0b,
	JC_MCAP_METADATA = 0x0c,
	JC_MCAP_METADATA_INDEX = 0x0d,
	JC_MCAP_SUMMARY_OFFSET = 0x0e,
	JC_MCAP_DATA_END = 0x0f,
};

/* "chunk index", …; "record" for unknown opcodes. */
const char *jc_mcap_opcode_name(uint8_t opcode);

/* Text (UTF-8, without a NUL) or bytes, borrowed. */
struct jc_mcap_slice {
	const void *bytes; /* borrowed from the input */
	size_t length;     /* bytes */
};

/* The slice of a text that ends with a NUL. */
static inline struct jc_mcap_slice jc_mcap_text(const char *text)
{
	struct jc_mcap_slice slice = { text, strlen(text) };

	return slice;
}

/* Whether two slices have the same bytes. */
static inline bool jc_mcap_equal(struct jc_mcap_slice a, struct jc_mcap_slice b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

/* The structs below hold the fields of one record each, under the names of the specification.
 * Times are nanoseconds, lengths and sizes bytes, offsets positions in the file. */

/* Header: the first record of a file. */
struct jc_mcap_header {
	struct jc_mcap_slice profile; /* kind of content, such as "jointcast" */
	struct jc_mcap_slice library; /* name of the writing program */
};

/* Footer: the last record of a file. */
struct jc_mcap_footer {
	uint64_t summary_start, summary_offset_start; /* file offsets; 0: none */
	uint32_t summary_crc; /* 0: not computed; the same holds for all CRCs except those of chunks
			       */
};

/* Schema: the format of the messages of a channel. */
struct jc_mcap_schema {
	uint16_t id;                               /* never 0 */
	struct jc_mcap_slice name, encoding, data; /* such as "jsonschema"; data in that encoding */
};

/* Channel: a series of messages. Maps stay encoded: consecutive pairs of strings or of numbers. */
struct jc_mcap_channel {
	uint16_t id;                                  /* unique in the file */
	uint16_t schema_id;                           /* 0: none */
	struct jc_mcap_slice topic, message_encoding; /* its name; such as "json" */
	struct jc_mcap_slice metadata;                /* jc_mcap_map_next */
};

/* Message: one message of a channel. */
struct jc_mcap_message {
	uint16_t channel_id;             /* of its channel */
	uint32_t sequence;               /* counts the messages of the channel; 0: not counted */
	uint64_t log_time, publish_time; /* of its recording; of its creation */
	struct jc_mcap_slice data;       /* in the encoding of the channel */
};

/* Chunk: records together, usually compressed. */
struct jc_mcap_chunk {
	uint64_t start_time, end_time;    /* of its messages */
	uint64_t uncompressed_size;       /* of its records */
	uint32_t uncompressed_crc;        /* CRC-32 of its records; 0: not computed */
	struct jc_mcap_slice compression; /* "zstd", "lz4" or "" */
	struct jc_mcap_slice records;     /* in that compression */
};

/* Message Index: the messages of one channel in the chunk before it. */
struct jc_mcap_message_index {
	uint16_t channel_id;          /* of the messages */
	struct jc_mcap_slice entries; /* pairs of u64: log time, offset in the uncompressed chunk */
};

/* Chunk Index: where a chunk is. */
struct jc_mcap_chunk_index {
	uint64_t start_time, end_time;       /* of its messages */
	uint64_t chunk_offset, chunk_length; /* of the chunk record in the file */
	struct jc_mcap_slice
		index_offsets; /* pairs: channel u16, file offset of its message index u64 */
	uint64_t index_length; /* of its message indexes together */
	struct jc_mcap_slice compression;            /* as in the chunk */
	uint64_t compressed_size, uncompressed_size; /* of its records */
};

/* Attachment: a file within the file. */
struct jc_mcap_attachment {
	uint64_t log_time, create_time;              /* when it was recorded, and made */
	struct jc_mcap_slice name, media_type, data; /* its name, MIME type and content */
	uint32_t crc;                                /* ignored on input; the writer computes it */
};

/* Attachment Index: where an attachment is. */
struct jc_mcap_attachment_index {
	uint64_t offset, length;               /* of the record */
	uint64_t log_time, create_time;        /* as in the attachment */
	uint64_t data_size;                    /* of its content */
	struct jc_mcap_slice name, media_type; /* as in the attachment */
};

/* Statistics: counts of the records of the file. */
struct jc_mcap_statistics {
	uint64_t message_count; /* in chunks and outside */
	uint16_t schema_count;  /* with different ids */
	uint32_t channel_count, attachment_count, metadata_count, chunk_count; /* of each kind */
	uint64_t start_time, end_time;                                         /* of all messages */
	struct jc_mcap_slice message_counts; /* pairs: channel u16, count u64 */
};

/* Metadata: a named map of strings. */
struct jc_mcap_metadata {
	struct jc_mcap_slice name;  /* of the map */
	struct jc_mcap_slice pairs; /* jc_mcap_map_next */
};

/* Metadata Index: where a metadata record is. */
struct jc_mcap_metadata_index {
	uint64_t offset, length;   /* of the record */
	struct jc_mcap_slice name; /* as in the metadata */
};

/* Summary Offset: where the records of one kind are in the summary. */
struct jc_mcap_summary_offset {
	uint8_t group_opcode;               /* of these records */
	uint64_t group_start, group_length; /* of all of them */
};

/* Data End: the last record before the summary. */
struct jc_mcap_data_end {
	uint32_t data_section_crc; /* CRC-32 of all bytes before it; 0: not computed */
};

/* A record of any kind: `opcode` selects the field of the union. */
struct jc_mcap_record {
	uint8_t opcode;  /* enum jc_mcap_opcode or unknown */
	uint64_t offset; /* in the file; if in_chunk, in the uncompressed records of the chunk */
	bool in_chunk;   /* not in the file itself but in a chunk */
	size_t extra;    /* bytes after the known fields; all bytes of unknown records */
	union {
		struct jc_mcap_header header;
		struct jc_mcap_footer footer;
		struct jc_mcap_schema schema;
		struct jc_mcap_channel channel;
		struct jc_mcap_message message;
		struct jc_mcap_chunk chunk;
		struct jc_mcap_message_index message_index;
		struct jc_mcap_chunk_index chunk_index;
		struct jc_mcap_attachment attachment;
		struct jc_mcap_attachment_index attachment_index;
		struct jc_mcap_statistics statistics;
		struct jc_mcap_metadata metadata;
		struct jc_mcap_metadata_index metadata_index;
		struct jc_mcap_summary_offset summary_offset;
		struct jc_mcap_data_end data_end;
	};
};

/* Parses the content of one record, which follows its opcode and length. Bytes after the known
 * fields are skipped, as the specification requires. An unknown opcode is no error; the union is
 * then not set. All inner lengths and maps are checked; slices point into bytes. */
int jc_mcap_record_parse(uint8_t opcode, const void *bytes, size_t length,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic);

/* Removes the first pair from a map of strings; false if the map is empty. */
bool jc_mcap_map_next(
	struct jc_mcap_slice *map, struct jc_mcap_slice *out_key, struct jc_mcap_slice *out_value);

/* Remove the first pair from a map of u16 to u64, and from a message index. */
bool jc_mcap_counts_next(struct jc_mcap_slice *map, uint16_t *out_key, uint64_t *out_value);
bool jc_mcap_entries_next(
	struct jc_mcap_slice *entries, uint64_t *out_log_time, uint64_t *out_offset);

/* An entry of a map of strings. */
struct jc_mcap_pair {
	const char *key, *value; /* UTF-8, end with a NUL */
};

/* Encodes a map of strings into buffer. Returns the bytes written or JC_ERROR_SPACE. */
int jc_mcap_map_write(
	const struct jc_mcap_pair *pairs, size_t count, void *buffer, size_t capacity);

/* Random access to a file. read_at copies exactly length bytes from offset, with
 * offset + length <= size, or returns JC_ERROR_READ. */
struct jc_mcap_input {
	/* Returns JC_OK or JC_ERROR_READ. */
	int (*read_at)(void *context, uint64_t offset, void *bytes, size_t length);
	void *context; /* passed to read_at */
	uint64_t size; /* of the file, bytes */
};

/* Input of a file in memory; slice is borrowed while the input is used. */
struct jc_mcap_input jc_mcap_input_memory(struct jc_mcap_slice *slice);

/* Reads exactly `length` bytes from an offset, for a read_at over a file descriptor. The caller
 * passes pread(2), because the library itself performs no I/O. Returns JC_OK, or JC_ERROR_READ
 * when the file ends earlier or cannot be read. */
int jc_mcap_read_whole(int descriptor,
	ssize_t (*read_some)(int descriptor, void *bytes, size_t length, off_t offset),
	uint64_t offset, void *bytes, size_t length);

/* Whether the bytes begin with the MCAP magic. */
bool jc_mcap_is(const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
