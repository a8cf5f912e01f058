/* Repairs a damaged file: copies records up to the damage and continues with the next intact chunk.
 */
#include "jointcast/mcap_recovery.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chunk.h"
#include "chunk_search.h"
#include "file_index.h"
#include "framing.h"
#include "jointcast/limits.h"

#define CHUNK_BYTES (1u << 20) /* size of blocks for messages without chunks */
#define CHUNK_NS    UINT64_C(1000000000)

struct recovery {
	const struct jc_mcap_input *input;
	struct jc_mcap_writer *writer;
	struct jc_mcap_chunk_search search;
	struct jc_mcap_buffer record, chunk;
	struct jc_mcap_recovery *report;
	uint64_t data_end; /* from the footer; 0: unknown */
	uint64_t expected; /* messages, from the statistics; 0: unknown */
	/* Damage after which no message was kept yet. */
	bool damaged;
	bool knows_time; /* time range of the damage, from the head of a chunk */
	uint64_t damage_start, damage_end, damage_bytes;
	uint64_t kept_bytes, estimated_bytes;
};

static void note_damage(
	struct recovery *recovery, uint64_t offset, uint64_t bytes, const char *problem)
{
	struct jc_mcap_recovery *report = recovery->report;

	if (report->damages++ == 0) {
		report->first_damage = offset;
		snprintf(report->first_problem, sizeof(report->first_problem), "%s", problem);
	}
	report->lost_bytes += bytes;
	recovery->damage_bytes += bytes;
	recovery->damaged = true;
}

/* Time range in the head of a damaged chunk. */
static void note_time(struct recovery *recovery, const struct jc_mcap_chunk *chunk)
{
	if (chunk->start_time > chunk->end_time || chunk->end_time == 0) {
		return;
	}
	if (!recovery->knows_time || chunk->start_time < recovery->damage_start) {
		recovery->damage_start = chunk->start_time;
	}
	if (!recovery->knows_time || chunk->end_time > recovery->damage_end) {
		recovery->damage_end = chunk->end_time;
	}
	recovery->knows_time = true;
}

static void add_lost(struct jc_mcap_recovery *report, uint64_t ns)
{
	report->lost_ns = ns > UINT64_MAX - report->lost_ns ? UINT64_MAX : report->lost_ns + ns;
}

/* Adds the lost time of the damage, up to the next kept message or to the end. */
static void count_loss(struct recovery *recovery, const uint64_t *next)
{
	struct jc_mcap_recovery *report = recovery->report;
	uint64_t from = report->messages > 0 ? report->end_time : recovery->damage_start;
	uint64_t until = next ? *next : recovery->damage_end;
	bool known =
		(report->messages > 0 || recovery->knows_time) && (next || recovery->knows_time);

	if (known) {
		add_lost(report, until > from ? until - from : 0);
	} else {
		recovery->estimated_bytes += recovery->damage_bytes;
	}
	recovery->damaged = false;
	recovery->knows_time = false;
	recovery->damage_bytes = 0;
}

static int keep_message(struct recovery *recovery, const struct jc_mcap_message *message)
{
	struct jc_mcap_recovery *report = recovery->report;
	int error = jc_mcap_write_message(recovery->writer, message);

	if (error == JC_ERROR_INVALID) {
		report->lost_messages++;
		return JC_OK;
	}
	if (error) {
		return error;
	}
	if (recovery->damaged) {
		count_loss(recovery, &message->log_time);
	}
	if (report->messages++ == 0 || message->log_time < report->start_time) {
		report->start_time = message->log_time;
	}
	if (message->log_time > report->end_time) {
		report->end_time = message->log_time;
	}
	return JC_OK;
}

/* Copies a record that is not derived from others. Omits and reports one that contradicts
 * earlier records. */
static int keep_record(
	struct recovery *recovery, const struct jc_mcap_record *record, uint64_t offset)
{
	int error = JC_OK;

	switch (record->opcode) {
	case JC_MCAP_SCHEMA:
		error = jc_mcap_write_schema(recovery->writer, &record->schema);
		break;
	case JC_MCAP_CHANNEL:
		error = jc_mcap_write_channel(recovery->writer, &record->channel);
		break;
	case JC_MCAP_MESSAGE:
		return keep_message(recovery, &record->message);
	case JC_MCAP_ATTACHMENT:
		error = jc_mcap_write_attachment(recovery->writer, &record->attachment);
		recovery->report->attachments += error == JC_OK;
		break;
	case JC_MCAP_METADATA:
		error = jc_mcap_write_metadata(recovery->writer, &record->metadata);
		recovery->report->attachments += error == JC_OK;
		break;
	default:
		break;
	}
	if (error == JC_ERROR_INVALID) {
		note_damage(recovery, offset, 0, "a definition that contradicts others");
		error = JC_OK;
	}
	return error;
}

/* Copies everything up to the last complete record. */
static int keep_unpacked(struct recovery *recovery, uint64_t offset)
{
	struct jc_mcap_record record;
	size_t at = 0;
	int error = JC_OK;

	while (!error && jc_mcap_chunk_next(&recovery->chunk, &at, &record, NULL) == JC_OK) {
		error = keep_record(recovery, &record, offset);
	}
	return error ? error : jc_mcap_writer_flush(recovery->writer);
}

static int keep_chunk(struct recovery *recovery, const struct jc_mcap_chunk *chunk, uint64_t offset)
{
	struct jc_diagnostic found = { 0 };
	int error = jc_mcap_chunk_unpack(chunk, &recovery->chunk, &found);

	if (error == JC_ERROR_MEMORY) {
		return error;
	}
	if (error) {
		note_damage(recovery, offset, recovery->record.length, found.what);
		note_time(recovery, chunk);
		return JC_OK;
	}
	recovery->report->chunks++;
	recovery->kept_bytes += recovery->record.length;
	return keep_unpacked(recovery, offset);
}

/* Copies the existing part of a chunk that the end of the file truncates. */
static int keep_torn_chunk(struct recovery *recovery, uint64_t offset)
{
	struct jc_mcap_buffer *record = &recovery->record;
	uint64_t before = recovery->report->messages;
	uint64_t left = recovery->input->size - offset;
	struct jc_mcap_chunk chunk;
	uint8_t *at;
	int error;

	jc_mcap_buffer_clear(record);
	if (left > record->maximum) {
		return JC_OK;
	}
	at = jc_mcap_buffer_extend(record, (size_t)left);
	if (!at) {
		return record->error;
	}
	error = recovery->input->read_at(recovery->input->context, offset, at, (size_t)left);
	if (error || !jc_mcap_chunk_search_head(at, (size_t)left, &chunk)) {
		return JC_OK;
	}
	error = jc_mcap_chunk_salvage(&chunk, &recovery->chunk);
	error = error ? error : keep_unpacked(recovery, offset);
	recovery->report->parts += recovery->report->messages > before;
	note_time(recovery, &chunk);
	return error;
}

/* Skips records that are derived from others. */
static bool is_derived(uint8_t opcode)
{
	return opcode == JC_MCAP_MESSAGE_INDEX || opcode == JC_MCAP_CHUNK_INDEX ||
	       (opcode >= JC_MCAP_ATTACHMENT_INDEX && opcode <= JC_MCAP_DATA_END &&
		       opcode != JC_MCAP_METADATA);
}

/* Continues after bytes that are not records: at the next intact chunk, or at the end. */
static int skip_damage(struct recovery *recovery, uint64_t offset, int problem,
	const struct jc_diagnostic *found, uint64_t *out_next)
{
	uint64_t next = recovery->input->size;
	uint8_t opcode = 0;
	int error = jc_mcap_chunk_search_next(&recovery->search, offset + 1, &next);

	if (error) {
		return error;
	}
	*out_next = next;
	if (recovery->input->read_at(recovery->input->context, offset, &opcode, 1) != JC_OK) {
		opcode = 0;
	}
	if (next == recovery->input->size && problem == JC_ERROR_TRUNCATED) {
		if (is_derived(opcode)) {
			return JC_OK;
		}
		error = opcode == JC_MCAP_CHUNK ? keep_torn_chunk(recovery, offset) : JC_OK;
	}
	note_damage(recovery, offset, next - offset, found->what);
	return error;
}

/* Whether a parsed record is plausible: a damaged length would include following records, a damaged
 * opcode would end the data early. *out_next is set to the included chunk. */
static int check_extent(struct recovery *recovery, const struct jc_mcap_record *record,
	uint64_t *out_next, bool *out_sound)
{
	uint64_t end = record->offset + recovery->record.length;
	uint64_t found = recovery->input->size;
	int error = JC_OK;

	*out_sound = true;
	if (record->opcode == JC_MCAP_DATA_END && record->extra == 0 &&
		(recovery->data_end == 0 || recovery->data_end == end)) {
		return JC_OK;
	}
	if (record->extra > 0 || record->opcode == JC_MCAP_DATA_END) {
		error = jc_mcap_chunk_search_next(&recovery->search, record->offset + 1, &found);
	}
	if (!error && (found < end || record->opcode == JC_MCAP_DATA_END)) {
		*out_sound = false;
		*out_next = found;
	}
	return error;
}

static int keep_frame(struct recovery *recovery, const struct jc_mcap_record *record)
{
	if (record->opcode == JC_MCAP_CHUNK) {
		return keep_chunk(recovery, &record->chunk, record->offset);
	}
	recovery->kept_bytes += recovery->record.length;
	return keep_record(recovery, record, record->offset);
}

/* Copies one record, or skips damage. Sets *out_next to the next record, or to the end of the
 * file. */
static int step(struct recovery *recovery, uint64_t offset, uint64_t *out_next)
{
	struct jc_diagnostic found = { 0 };
	struct jc_mcap_record record;
	bool sound = true;
	int error =
		jc_mcap_framing_read(recovery->input, offset, &recovery->record, &record, &found);

	*out_next = offset + recovery->record.length;
	if (error == JC_ERROR_INVALID) {
		/* Skips an attachment with damaged content. */
		note_damage(recovery, offset, recovery->record.length, found.what);
		return JC_OK;
	}
	if (error == JC_ERROR_SYNTAX || error == JC_ERROR_TRUNCATED || error == JC_ERROR_LIMIT ||
		error == JC_ERROR_READ) {
		return skip_damage(recovery, offset, error, &found, out_next);
	}
	error = error ? error : check_extent(recovery, &record, out_next, &sound);
	if (error) {
		return error;
	}
	if (!sound) {
		note_damage(recovery, offset, *out_next - offset, "a record of a wrong length");
		return JC_OK;
	}
	if (record.opcode == JC_MCAP_DATA_END) {
		recovery->report->closed = true;
		*out_next = recovery->input->size;
		return JC_OK;
	}
	return keep_frame(recovery, &record);
}

static int walk(struct recovery *recovery, uint64_t offset)
{
	int error = JC_OK;

	while (!error && offset < recovery->input->size) {
		error = step(recovery, offset, &offset);
	}
	if (!error && recovery->report->damages == 0 &&
		recovery->report->messages + recovery->report->lost_messages < recovery->expected) {
		note_damage(recovery, offset, 0, "fewer messages than its statistics count");
	}
	if (!error && recovery->damaged) {
		count_loss(recovery, NULL);
	}
	return error;
}

static void estimate(struct recovery *recovery)
{
	struct jc_mcap_recovery *report = recovery->report;
	double lost_ns;

	if (recovery->estimated_bytes == 0 || recovery->kept_bytes == 0) {
		return;
	}
	lost_ns = (double)(report->end_time - report->start_time) *
		  (double)recovery->estimated_bytes / (double)recovery->kept_bytes;
	/* Limits damaged times to the range of the numbers. */
	add_lost(report, lost_ns < 9e18 ? (uint64_t)lost_ns : UINT64_MAX);
	report->is_estimate = true;
}

/* Adds metadata that marks the file as repaired. */
static int write_report(struct recovery *recovery)
{
	const struct jc_mcap_recovery *report = recovery->report;
	char seconds[32], bytes[32], damages[32];
	uint8_t map[256];
	const struct jc_mcap_pair pairs[] = { { "lostSeconds", seconds },
		{ "isEstimate", report->is_estimate ? "true" : "false" }, { "lostBytes", bytes },
		{ "damages", damages } };
	struct jc_mcap_metadata metadata = { jc_mcap_text("jointcast.recovery"), { map, 0 } };
	int length;

	if (report->damages == 0 && report->closed) {
		return JC_OK;
	}
	snprintf(seconds, sizeof(seconds), "%.3f", (double)report->lost_ns * 1e-9);
	snprintf(bytes, sizeof(bytes), "%" PRIu64, report->lost_bytes);
	snprintf(damages, sizeof(damages), "%" PRIu64, report->damages);
	length = jc_mcap_map_write(pairs, sizeof(pairs) / sizeof(pairs[0]), map, sizeof(map));
	metadata.pairs.length = (size_t)length;
	return jc_mcap_write_metadata(recovery->writer, &metadata);
}

/* Copies the profile of an intact header. Fails only without memory. */
static int read_profile(
	const struct jc_mcap_input *input, struct jc_mcap_buffer *buffer, char out_profile[64])
{
	struct jc_mcap_record record;
	int error = jc_mcap_framing_read(input, JC_MCAP_MAGIC_BYTES, buffer, &record, NULL);

	out_profile[0] = '\0';
	if (error == JC_OK && record.opcode == JC_MCAP_HEADER && record.header.profile.length > 0) {
		snprintf(out_profile, 64, "%.*s",
			(int)(record.header.profile.length < 63 ? record.header.profile.length
								: 63),
			(const char *)record.header.profile.bytes);
	}
	return error == JC_ERROR_MEMORY ? error : JC_OK;
}

/* An intact summary has all definitions with a CRC, which the data section lacks. */
static int keep_summary(struct recovery *recovery)
{
	struct jc_mcap_index *index;
	int error = jc_mcap_index_read_summary(recovery->input, &index, NULL);

	if (error) {
		return error == JC_ERROR_MEMORY ? error : JC_OK;
	}
	recovery->data_end = index->data_end;
	recovery->expected = index->message_count;
	for (size_t i = 0; i < index->schema_count && !error; i++) {
		error = jc_mcap_write_schema(recovery->writer, &index->schemas[i]);
	}
	for (size_t i = 0; i < index->channel_count && !error; i++) {
		error = jc_mcap_write_channel(recovery->writer, &index->channels[i]);
		error = error == JC_ERROR_INVALID ? JC_OK : error;
	}
	jc_mcap_index_destroy(index);
	return error;
}

static int repair(struct recovery *recovery, const char *library, const struct jc_mcap_sink *sink,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_recovery *report = recovery->report;
	char profile[64];
	struct jc_mcap_writer_options options = {
		.profile = profile,
		.library = library,
		.parts = JC_MCAP_ALL_PARTS,
		.compression = JC_MCAP_ZSTD,
		.chunk_bytes = CHUNK_BYTES,
		.chunk_ns = CHUNK_NS,
	};
	int error = read_profile(recovery->input, &recovery->record, profile);

	error = error ? error : jc_mcap_writer_create(&options, sink, &recovery->writer);
	error = error ? error : keep_summary(recovery);
	error = error ? error : walk(recovery, JC_MCAP_MAGIC_BYTES);
	if (!error && report->messages == 0 && report->attachments == 0 &&
		!(report->closed && report->damages == 0)) {
		jc_diagnose(
			diagnostic, JC_ERROR_ABSENT, NULL, "holds nothing that can be recovered");
		return JC_ERROR_ABSENT;
	}
	estimate(recovery);
	error = error ? error : write_report(recovery);
	error = error ? error : jc_mcap_writer_end(recovery->writer);
	return error ? jc_diagnose(diagnostic, error, NULL, "cannot be repaired: %s",
			       jc_error_name(error))
		     : JC_OK;
}

int jc_mcap_recover(const struct jc_mcap_input *input, const char *library,
	const struct jc_mcap_sink *sink, struct jc_mcap_recovery *out_recovery,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_recovery report = { 0 };
	struct recovery recovery = {
		.input = input,
		.search = { .input = input },
		.record = { .maximum = JC_LIMIT_MCAP_RECORD_BYTES },
		.chunk = { .maximum = JC_LIMIT_MCAP_CHUNK_BYTES },
		.report = &report,
	};
	uint8_t magic[JC_MCAP_MAGIC_BYTES];
	int error = jc_mcap_framing_magic(input, magic, diagnostic);

	if (error) {
		return error;
	}
	error = repair(&recovery, library, sink, diagnostic);
	jc_mcap_writer_destroy(recovery.writer);
	jc_mcap_buffer_finish(&recovery.record);
	jc_mcap_buffer_finish(&recovery.chunk);
	jc_mcap_chunk_search_finish(&recovery.search);
	if (!error) {
		*out_recovery = report;
	}
	return error;
}
