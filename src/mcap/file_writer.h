/* Internals shared by the writers of the data section and the summary. */
#ifndef JC_MCAP_FILE_WRITER_H
#define JC_MCAP_FILE_WRITER_H

#include <zstd.h>

#include "jointcast/mcap_writer.h"
#include "jointcast_private/mcap_bytes.h"

/* A written schema or channel, to compare with later ones and to repeat in the summary. */
struct jc_mcap_definition {
	uint16_t id;
	bool defined;
	size_t record, length;       /* the whole record in `definitions` */
	uint64_t messages;           /* channels only */
	struct jc_mcap_buffer index; /* channels only: the message index of the open chunk */
};

struct jc_mcap_definitions {
	struct jc_mcap_definition *items; /* owned, in order of appearance */
	size_t count, capacity;
	uint16_t *places; /* owned: by id, the index in items plus one; 0: none */
	struct jc_mcap_buffer records;
};

/* Records of one kind that wait for the summary. */
struct jc_mcap_group {
	struct jc_mcap_buffer records;
	uint32_t count;
};

struct jc_mcap_writer {
	struct jc_mcap_sink sink;
	unsigned parts;
	enum jc_mcap_compression compression;
	int level;
	size_t chunk_bytes;
	uint64_t chunk_ns;
	uint64_t size;
	uint32_t crc; /* of the section in progress */
	struct jc_mcap_definitions schemas, channels;
	struct jc_mcap_group chunks, attachments, metadata;
	uint64_t message_count, start_time, end_time;
	struct jc_mcap_buffer chunk; /* records of the open chunk */
	uint64_t chunk_messages, chunk_start, chunk_end;
	struct jc_mcap_buffer scratch; /* the next record to write */
	ZSTD_CCtx *zstd;               /* owned; NULL without compression */
	bool ended;
};

/* Writes scratch to the sink. */
int jc_mcap_writer_emit(struct jc_mcap_writer *writer);
int jc_mcap_writer_emit_bytes(struct jc_mcap_writer *writer, const void *bytes, size_t length);

/* Writes all records after the data section. */
int jc_mcap_writer_summarize(struct jc_mcap_writer *writer);

#endif
