/* Scans a whole file in order and checks everything in it. */
#include <stdlib.h>

#include "chunk.h"
#include "framing.h"
#include "jointcast/limits.h"
#include "jointcast/mcap_reader.h"

enum section {
	SECTION_HEADER, /* before the header */
	SECTION_DATA,
	SECTION_SUMMARY,
	SECTION_END, /* after the footer */
};

struct jc_mcap_scanner {
	const struct jc_mcap_input *input;
	uint64_t at;
	enum section section;
	uint32_t crc; /* of the section in progress */
	uint64_t summary_start;
	struct jc_mcap_buffer record;
	struct jc_mcap_buffer chunk;
	size_t chunk_at; /* position in the chunk; its end without an open chunk */
	uint64_t chunk_offset;
	uint8_t schemas[(UINT16_MAX + 1) / 8]; /* bits of the defined ids */
	uint8_t channels[(UINT16_MAX + 1) / 8];
};

static bool is_set(const uint8_t *bits, uint16_t id)
{
	return bits[id / 8] >> (id % 8) & 1;
}

static void set(uint8_t *bits, uint16_t id)
{
	bits[id / 8] = (uint8_t)(bits[id / 8] | 1u << (id % 8));
}

int jc_mcap_scanner_create(const struct jc_mcap_input *input, struct jc_mcap_scanner **out_scanner,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_scanner *scanner;
	uint8_t magic[JC_MCAP_MAGIC_BYTES];
	int error = jc_mcap_framing_magic(input, magic, diagnostic);

	if (error) {
		return error;
	}
	scanner = calloc(1, sizeof(*scanner));
	if (!scanner) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	scanner->input = input;
	scanner->at = sizeof(magic);
	scanner->crc = jc_mcap_crc(0, magic, sizeof(magic));
	scanner->record.maximum = JC_LIMIT_MCAP_RECORD_BYTES;
	scanner->chunk.maximum = JC_LIMIT_MCAP_CHUNK_BYTES;
	*out_scanner = scanner;
	return JC_OK;
}

void jc_mcap_scanner_destroy(struct jc_mcap_scanner *scanner)
{
	if (scanner) {
		jc_mcap_buffer_finish(&scanner->record);
		jc_mcap_buffer_finish(&scanner->chunk);
		free(scanner);
	}
}

static int refuse(struct jc_mcap_scanner *scanner, struct jc_diagnostic *diagnostic,
	const char *what, const char *name)
{
	jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, what, name);
	return jc_mcap_framing_at(diagnostic, JC_ERROR_INVALID, scanner->at);
}

/* References must point to earlier records. */
static int check_references(struct jc_mcap_scanner *scanner, const struct jc_mcap_record *record,
	struct jc_diagnostic *diagnostic)
{
	switch (record->opcode) {
	case JC_MCAP_SCHEMA:
		set(scanner->schemas, record->schema.id);
		return JC_OK;
	case JC_MCAP_CHANNEL:
		if (record->channel.schema_id != 0 &&
			!is_set(scanner->schemas, record->channel.schema_id)) {
			return refuse(scanner, diagnostic,
				"a channel whose schema is not defined before it", NULL);
		}
		set(scanner->channels, record->channel.id);
		return JC_OK;
	case JC_MCAP_MESSAGE:
		if (!is_set(scanner->channels, record->message.channel_id)) {
			return refuse(scanner, diagnostic,
				"a message whose channel is not defined before it", NULL);
		}
		return JC_OK;
	default:
		return JC_OK;
	}
}

static bool belongs(const struct jc_mcap_scanner *scanner, uint8_t opcode)
{
	switch (opcode) {
	case JC_MCAP_HEADER:
		return scanner->section == SECTION_HEADER;
	case JC_MCAP_MESSAGE:
	case JC_MCAP_CHUNK:
	case JC_MCAP_MESSAGE_INDEX:
	case JC_MCAP_ATTACHMENT:
	case JC_MCAP_METADATA:
	case JC_MCAP_DATA_END:
		return scanner->section == SECTION_DATA;
	case JC_MCAP_CHUNK_INDEX:
	case JC_MCAP_ATTACHMENT_INDEX:
	case JC_MCAP_STATISTICS:
	case JC_MCAP_METADATA_INDEX:
	case JC_MCAP_SUMMARY_OFFSET:
	case JC_MCAP_FOOTER:
		return scanner->section == SECTION_SUMMARY;
	default:
		return scanner->section != SECTION_HEADER;
	}
}

static int end_data(struct jc_mcap_scanner *scanner, const struct jc_mcap_record *record,
	struct jc_diagnostic *diagnostic)
{
	uint32_t crc = record->data_end.data_section_crc;

	if (crc != 0 && crc != scanner->crc) {
		return refuse(scanner, diagnostic, "a data section whose CRC does not match", NULL);
	}
	scanner->section = SECTION_SUMMARY;
	scanner->crc = 0;
	scanner->summary_start = scanner->at + scanner->record.length;
	return JC_OK;
}

static int end_file(struct jc_mcap_scanner *scanner, const struct jc_mcap_record *record,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_mcap_footer *footer = &record->footer;
	uint64_t end = scanner->at + scanner->record.length;
	uint8_t magic[JC_MCAP_MAGIC_BYTES];
	uint32_t crc;

	if (scanner->record.length != JC_MCAP_FRAME_BYTES + JC_MCAP_FOOTER_BYTES) {
		return refuse(scanner, diagnostic, "a footer of another size", NULL);
	}
	crc = jc_mcap_crc(scanner->crc, scanner->record.bytes, scanner->record.length - 4);
	if (footer->summary_crc != 0 && footer->summary_crc != crc) {
		return refuse(scanner, diagnostic, "a summary whose CRC does not match", NULL);
	}
	if (footer->summary_start != 0 ? footer->summary_start != scanner->summary_start
				       : scanner->at != scanner->summary_start) {
		return refuse(
			scanner, diagnostic, "a footer with a wrong offset of the summary", NULL);
	}
	if (scanner->input->size - end != sizeof(magic) ||
		scanner->input->read_at(scanner->input->context, end, magic, sizeof(magic)) !=
			JC_OK ||
		!jc_mcap_is(magic, sizeof(magic))) {
		return refuse(scanner, diagnostic, "the footer is not the end", NULL);
	}
	scanner->section = SECTION_END;
	return JC_OK;
}

/* Checks a record against the state of the whole file. */
static int enter(struct jc_mcap_scanner *scanner, const struct jc_mcap_record *record,
	struct jc_diagnostic *diagnostic)
{
	int error;

	switch (record->opcode) {
	case JC_MCAP_HEADER:
		scanner->section = SECTION_DATA;
		break;
	case JC_MCAP_CHUNK:
		error = jc_mcap_chunk_unpack(&record->chunk, &scanner->chunk, diagnostic);
		if (error) {
			return jc_mcap_framing_at(diagnostic, error, scanner->at);
		}
		scanner->chunk_at = 0;
		scanner->chunk_offset = scanner->at;
		break;
	case JC_MCAP_DATA_END:
		return end_data(scanner, record, diagnostic);
	case JC_MCAP_FOOTER:
		return end_file(scanner, record, diagnostic);
	default:
		break;
	}
	scanner->crc = jc_mcap_crc(scanner->crc, scanner->record.bytes, scanner->record.length);
	return check_references(scanner, record, diagnostic);
}

static int next_in_chunk(struct jc_mcap_scanner *scanner, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic found = { 0 };
	int error = jc_mcap_chunk_next(&scanner->chunk, &scanner->chunk_at, out_record, &found);

	if (!error && out_record->opcode != JC_MCAP_SCHEMA &&
		out_record->opcode != JC_MCAP_CHANNEL && out_record->opcode != JC_MCAP_MESSAGE &&
		out_record->opcode <= JC_MCAP_DATA_END) {
		error = jc_diagnose(&found, JC_ERROR_INVALID, NULL, "a %s in a chunk",
			jc_mcap_opcode_name(out_record->opcode));
	}
	if (!error) {
		error = check_references(scanner, out_record, &found);
	}
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "%s", found.what);
		return jc_mcap_framing_at(diagnostic, error, scanner->chunk_offset);
	}
	return JC_OK;
}

int jc_mcap_scanner_next(struct jc_mcap_scanner *scanner, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_record record;
	int error;

	if (scanner->chunk_at < scanner->chunk.length) {
		return next_in_chunk(scanner, out_record, diagnostic);
	}
	if (scanner->section == SECTION_END) {
		return JC_ERROR_ABSENT;
	}
	error = jc_mcap_framing_read(
		scanner->input, scanner->at, &scanner->record, &record, diagnostic);
	if (error) {
		return error;
	}
	if (!belongs(scanner, record.opcode)) {
		return refuse(scanner, diagnostic, "a %s in a wrong place",
			jc_mcap_opcode_name(record.opcode));
	}
	error = enter(scanner, &record, diagnostic);
	if (error) {
		return error;
	}
	scanner->at += scanner->record.length;
	*out_record = record;
	return JC_OK;
}

uint64_t jc_mcap_scanner_offset(const struct jc_mcap_scanner *scanner)
{
	return scanner->at;
}
