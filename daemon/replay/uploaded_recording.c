/* Walks over the records of the file as its readers do. Each chunk that the summary lists must be a
 * chunk of the file, so that no other bytes are read as one. */
#include "replay/uploaded_recording.h"

#include <stdbool.h>

#include "jointcast/mcap.h"

#define MAGIC  8u
#define FRAME  9u  /* opcode and length before the content of a record */
#define FOOTER 20u /* content */

struct walk {
	const uint8_t *bytes;
	size_t length; /* without the last magic */
	size_t at;     /* of the next record */
};

struct check {
	struct walk records;
	struct walk chunks; /* of those that the summary has not listed yet */
	uint64_t most, unpacked;
	uint64_t summary; /* offset by the footer */
	bool has_summary; /* a record begins there */
	struct jc_diagnostic *diagnostic;
};

static int refuse(const struct check *check, int error, const char *what)
{
	return jc_diagnose(check->diagnostic, error, NULL, "%s", what);
}

static int truncated(const struct check *check)
{
	return refuse(check, JC_ERROR_TRUNCATED, "was not closed; 'jointcast recover' repairs it");
}

/* Reads the next record; JC_ERROR_ABSENT at the end, JC_ERROR_TRUNCATED if it ends past the file.
 */
static int next(
	struct walk *walk, struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic)
{
	const uint8_t *frame = walk->bytes + walk->at;
	size_t left = walk->length - walk->at;
	uint64_t size = 0;

	if (left == 0) {
		return JC_ERROR_ABSENT;
	}
	for (size_t i = left < FRAME ? 0 : FRAME - 1; i > 0; i--) {
		size = size << 8 | frame[i];
	}
	if (left < FRAME || size > left - FRAME) {
		return JC_ERROR_TRUNCATED;
	}
	int error =
		jc_mcap_record_parse(frame[0], frame + FRAME, (size_t)size, out_record, diagnostic);

	out_record->offset = walk->at;
	walk->at += FRAME + (size_t)size;
	return error;
}

/* Entries of chunks stand in the order of the file. */
static int check_entry(struct check *check, uint64_t offset)
{
	struct jc_mcap_record record;
	struct jc_diagnostic ignored;

	while (check->chunks.at <= offset) {
		if (next(&check->chunks, &record, &ignored) != JC_OK) {
			break;
		}
		if (record.offset == offset && record.opcode == JC_MCAP_CHUNK) {
			return JC_OK;
		}
	}
	return refuse(check, JC_ERROR_INVALID,
		"its summary lists no chunk, or one twice: 'jointcast recover' repairs it");
}

static int check_record(struct check *check, const struct jc_mcap_record *record)
{
	check->has_summary |= record->offset == check->summary;
	if (record->opcode == JC_MCAP_CHUNK_INDEX) {
		return check_entry(check, record->chunk_index.chunk_offset);
	}
	if (record->opcode != JC_MCAP_CHUNK) {
		return JC_OK;
	}
	if (record->chunk.uncompressed_size > check->most - check->unpacked) {
		return jc_diagnose(check->diagnostic, JC_ERROR_LIMIT, NULL,
			"unpacks to more than %llu MiB", (unsigned long long)check->most >> 20);
	}
	check->unpacked += record->chunk.uncompressed_size;
	return JC_OK;
}

static int read_footer(struct check *check)
{
	struct walk last = check->records;
	struct jc_mcap_record record;

	if (last.length < MAGIC + FRAME + FOOTER || !jc_mcap_is(last.bytes + last.length, MAGIC)) {
		return truncated(check);
	}
	last.at = last.length - FRAME - FOOTER;
	if (next(&last, &record, check->diagnostic) != JC_OK || record.opcode != JC_MCAP_FOOTER ||
		last.at != last.length) {
		return refuse(check, JC_ERROR_INVALID, "has no footer");
	}
	check->summary = record.footer.summary_start;
	check->has_summary = check->summary == 0;
	return JC_OK;
}

int jc_uploaded_recording_check(
	const void *bytes, size_t length, uint64_t most, struct jc_diagnostic *diagnostic)
{
	const struct walk start = {
		.bytes = bytes, .length = length < 2 * MAGIC ? MAGIC : length - MAGIC, .at = MAGIC
	};
	struct check check = {
		.records = start, .chunks = start, .most = most, .diagnostic = diagnostic
	};
	struct jc_mcap_record record;
	int error = length < 2 * MAGIC ? truncated(&check) : read_footer(&check);

	while (!error) {
		error = next(&check.records, &record, diagnostic);
		error = error ? error : check_record(&check, &record);
	}
	if (error == JC_ERROR_TRUNCATED) {
		return truncated(&check);
	}
	if (error == JC_ERROR_ABSENT && !check.has_summary) {
		return refuse(
			&check, JC_ERROR_INVALID, "has a summary that begins within a record");
	}
	return error == JC_ERROR_ABSENT ? JC_OK : error;
}
