/* Copies the records of a recording into another file. */
#include "rewriting.h"

#include <stdlib.h>
#include <string.h>

#include "topics.h"

int jc_rewriting_create_writer(const struct jc_mcap_index *index, const char *library,
	const struct jc_mcap_sink *sink, struct jc_mcap_writer **out_writer)
{
	const struct jc_mcap_slice *profile = &index->profile;
	struct jc_mcap_writer_options options = {
		.library = library,
		.parts = JC_MCAP_ALL_PARTS,
		.compression = JC_MCAP_ZSTD,
		.chunk_bytes = JC_RECORDING_CHUNK_BYTES,
		.chunk_ns = JC_RECORDING_CHUNK_NS,
	};
	char *text = strndup(profile->length > 0 ? profile->bytes : "", profile->length);
	int error = JC_ERROR_MEMORY;

	if (text) {
		options.profile = text;
		error = jc_mcap_writer_create(&options, sink, out_writer);
	}
	free(text);
	return error;
}

static int copy(struct jc_mcap_writer *writer, const struct jc_mcap_record *record)
{
	switch (record->opcode) {
	case JC_MCAP_SCHEMA:
		return jc_mcap_write_schema(writer, &record->schema);
	case JC_MCAP_CHANNEL:
		return jc_mcap_write_channel(writer, &record->channel);
	case JC_MCAP_ATTACHMENT:
		return jc_mcap_write_attachment(writer, &record->attachment);
	case JC_MCAP_METADATA:
		return jc_mcap_write_metadata(writer, &record->metadata);
	default:
		return JC_OK;
	}
}

int jc_rewriting_run(const struct jc_mcap_input *input, struct jc_mcap_writer *writer,
	int (*pass)(void *context, const struct jc_mcap_message *message,
		struct jc_diagnostic *diagnostic),
	void *context, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_scanner *scanner;
	struct jc_mcap_record record;
	int error = jc_mcap_scanner_create(input, &scanner, diagnostic);

	if (error) {
		return error;
	}
	do {
		error = jc_mcap_scanner_next(scanner, &record, diagnostic);
		if (!error) {
			error = record.opcode == JC_MCAP_MESSAGE
					? pass(context, &record.message, diagnostic)
					: copy(writer, &record);
		}
	} while (!error);
	jc_mcap_scanner_destroy(scanner);
	return error == JC_ERROR_ABSENT ? jc_mcap_writer_end(writer) : error;
}
