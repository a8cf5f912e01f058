/* Reads single records. Lengths are checked against the size of the file before they are used. */
#include "framing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/limits.h"
#include "jointcast/mcap_reader.h"

int jc_mcap_framing_at(struct jc_diagnostic *diagnostic, int error, uint64_t offset)
{
	if (diagnostic && !diagnostic->where[0]) {
		snprintf(diagnostic->where, sizeof(diagnostic->where), "at byte %" PRIu64, offset);
	}
	return error;
}

static int refuse_read(struct jc_diagnostic *diagnostic, int error, uint64_t offset)
{
	jc_diagnose(diagnostic, error, NULL, "cannot be read");
	return jc_mcap_framing_at(diagnostic, error, offset);
}

static int check_attachment(const struct jc_mcap_buffer *buffer,
	const struct jc_mcap_attachment *attachment, struct jc_diagnostic *diagnostic)
{
	const uint8_t *content = buffer->bytes + JC_MCAP_FRAME_BYTES;
	const uint8_t *end = (const uint8_t *)attachment->data.bytes + attachment->data.length;

	if (attachment->crc != 0 &&
		jc_mcap_crc(0, content, (size_t)(end - content)) != attachment->crc) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"an attachment whose CRC does not match");
	}
	return JC_OK;
}

int jc_mcap_framing_magic(const struct jc_mcap_input *input, uint8_t out_magic[JC_MCAP_MAGIC_BYTES],
	struct jc_diagnostic *diagnostic)
{
	int error = JC_OK;

	if (input->size >= JC_MCAP_MAGIC_BYTES) {
		error = input->read_at(input->context, 0, out_magic, JC_MCAP_MAGIC_BYTES);
	}
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "cannot be read");
	}
	if (input->size < JC_MCAP_MAGIC_BYTES || !jc_mcap_is(out_magic, JC_MCAP_MAGIC_BYTES)) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "is no MCAP file");
	}
	return JC_OK;
}

int jc_mcap_framing_read(const struct jc_mcap_input *input, uint64_t offset,
	struct jc_mcap_buffer *buffer, struct jc_mcap_record *out_record,
	struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic found = { 0 };
	struct jc_mcap_take take;
	uint8_t frame[JC_MCAP_FRAME_BYTES];
	uint64_t length;
	uint8_t *at;
	int error;

	jc_mcap_buffer_clear(buffer);
	if (offset > input->size || input->size - offset < sizeof(frame)) {
		jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "ends between records");
		return jc_mcap_framing_at(diagnostic, JC_ERROR_TRUNCATED, offset);
	}
	error = input->read_at(input->context, offset, frame, sizeof(frame));
	if (error) {
		return refuse_read(diagnostic, error, offset);
	}
	take = jc_mcap_take_begin((struct jc_mcap_slice){ frame + 1, sizeof(frame) - 1 });
	length = jc_mcap_take_number(&take, 8);
	if (length > input->size - offset - sizeof(frame)) {
		jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "ends within: %s",
			jc_mcap_opcode_name(frame[0]));
		return jc_mcap_framing_at(diagnostic, JC_ERROR_TRUNCATED, offset);
	}
	if (length > buffer->maximum - sizeof(frame)) {
		jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "a %s of more than %zu MiB",
			jc_mcap_opcode_name(frame[0]), buffer->maximum >> 20);
		return jc_mcap_framing_at(diagnostic, JC_ERROR_LIMIT, offset);
	}
	jc_mcap_put_bytes(buffer, frame, sizeof(frame));
	at = jc_mcap_buffer_extend(buffer, (size_t)length);
	if (!at) {
		return jc_diagnose(diagnostic, buffer->error, NULL, "out of memory");
	}
	error = input->read_at(input->context, offset + sizeof(frame), at, (size_t)length);
	if (error) {
		return refuse_read(diagnostic, error, offset);
	}
	error = jc_mcap_record_parse(frame[0], at, (size_t)length, out_record, &found);
	if (!error && frame[0] == JC_MCAP_ATTACHMENT) {
		error = check_attachment(buffer, &out_record->attachment, &found);
	}
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "%s", found.what);
		return jc_mcap_framing_at(diagnostic, error, offset);
	}
	out_record->offset = offset;
	return JC_OK;
}

int jc_mcap_read_record(const struct jc_mcap_input *input, uint64_t offset, void **out_bytes,
	struct jc_mcap_record *out_record, struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_buffer buffer = { .maximum = JC_LIMIT_MCAP_RECORD_BYTES };
	struct jc_mcap_record record;
	int error = jc_mcap_framing_read(input, offset, &buffer, &record, diagnostic);

	if (error) {
		jc_mcap_buffer_finish(&buffer);
		return error;
	}
	*out_bytes = buffer.bytes;
	*out_record = record;
	return JC_OK;
}
