/* A state machine over frames: header, mask, payload. Numbers in comments are
 * sections of RFC 6455. */
#include "net/frame.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast_private/array.h"
#include "jointcast_private/text.h"

enum {
	OPCODE_CONTINUATION = 0,
	OPCODE_TEXT = 1,
	OPCODE_BINARY = 2,
	OPCODE_CLOSE = 8,
	OPCODE_PING = 9,
	OPCODE_PONG = 10,
};

void jc_frame_reader_init(struct jc_frame_reader *reader, size_t maximum)
{
	*reader = (struct jc_frame_reader){ .maximum = maximum, .header_needed = 2 };
}

void jc_frame_reader_finish(struct jc_frame_reader *reader)
{
	free(reader->message);
	reader->message = NULL;
}

void jc_frame_reader_rest(struct jc_frame_reader *reader)
{
	if (reader->message_kind == JC_FRAME_NONE) {
		jc_frame_reader_finish(reader);
		reader->message_capacity = 0;
	}
}

static bool is_control(uint8_t opcode)
{
	return opcode & 0x08;
}

/* The first two bytes: the kind of frame, and the length of its header (5.2). */
static int begin_frame(struct jc_frame_reader *reader)
{
	uint8_t first = reader->header[0];
	uint8_t short_length = reader->header[1] & 0x7f;

	reader->opcode = first & 0x0f;
	reader->final = first & 0x80;
	if (reader->closed) {
		return JC_CLOSE_PROTOCOL; /* 5.5.1 */
	}
	if (first & 0x70) {
		return JC_CLOSE_PROTOCOL; /* no extension is in use */
	}
	if (!(reader->header[1] & 0x80)) {
		return JC_CLOSE_PROTOCOL; /* 5.1: clients mask */
	}
	if (is_control(reader->opcode)) {
		if (reader->opcode > OPCODE_PONG || !reader->final || short_length > 125) {
			return JC_CLOSE_PROTOCOL; /* 5.5 */
		}
	} else if (reader->opcode > OPCODE_BINARY) {
		return JC_CLOSE_PROTOCOL;
	} else if ((reader->opcode == OPCODE_CONTINUATION) !=
		   (reader->message_kind != JC_FRAME_NONE)) {
		return JC_CLOSE_PROTOCOL; /* 5.4 */
	}
	reader->header_needed = 6u + (short_length == 126 ? 2u : short_length == 127 ? 8u : 0u);
	return 0;
}

/* The whole header is there: length and mask. */
static int finish_header(struct jc_frame_reader *reader)
{
	size_t extra = reader->header_needed - 6;
	uint64_t length = reader->header[1] & 0x7f;

	if (extra > 0) {
		length = 0;
		for (size_t i = 0; i < extra; i++) {
			length = length << 8 | reader->header[2 + i];
		}
		if (length >> 63 || length < (extra == 2 ? 126u : 65536u)) {
			return JC_CLOSE_PROTOCOL; /* 5.2: the fewest bytes */
		}
	}
	memcpy(reader->mask, reader->header + 2 + extra, 4);
	reader->mask_at = 0;
	reader->left = length;
	reader->header_length = 0;
	reader->header_needed = 2;
	if (is_control(reader->opcode)) {
		reader->control_length = 0;
		return 0;
	}
	if (reader->opcode != OPCODE_CONTINUATION) {
		reader->message_length = 0;
		reader->message_kind =
			reader->opcode == OPCODE_TEXT ? JC_FRAME_TEXT : JC_FRAME_BINARY;
	}
	return length > reader->maximum - reader->message_length ? JC_CLOSE_TOO_BIG : 0;
}

bool jc_frame_reader_is_at_binary(const struct jc_frame_reader *reader, uint8_t next)
{
	uint8_t opening = reader->header_length > 0 ? reader->header[0] : next;
	bool is_between = reader->left == 0;

	return reader->message_kind == JC_FRAME_BINARY ||
	       (is_between && (opening & 0x0f) == OPCODE_BINARY);
}

static int take_payload(struct jc_frame_reader *reader, const uint8_t *bytes, size_t length)
{
	uint8_t *to = reader->control + reader->control_length;

	if (is_control(reader->opcode)) {
		reader->control_length += length;
	} else {
		/* It grows as bytes come, not as they are announced. */
		if (!jc_array_grow(&reader->message, &reader->message_capacity,
			    reader->message_length + length, SIZE_MAX, 1)) {
			return JC_CLOSE_INTERNAL;
		}
		to = reader->message + reader->message_length;
		reader->message_length += length;
	}
	for (size_t i = 0; i < length; i++) {
		to[i] = bytes[i] ^ reader->mask[reader->mask_at++ & 3];
	}
	reader->left -= length;
	return 0;
}

/* 7.4: codes that may stand on the wire. */
static bool is_close_code(uint16_t code)
{
	return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
	       (code >= 3000 && code <= 4999);
}

static int finish_close(struct jc_frame_reader *reader, struct jc_frame *frame)
{
	reader->closed = true;
	frame->kind = JC_FRAME_CLOSE;
	frame->close_code = JC_CLOSE_NO_STATUS;
	if (frame->length == 0) {
		return 0;
	}
	if (frame->length == 1) {
		return JC_CLOSE_PROTOCOL;
	}
	frame->close_code = (uint16_t)(frame->bytes[0] << 8 | frame->bytes[1]);
	if (!is_close_code(frame->close_code)) {
		return JC_CLOSE_PROTOCOL;
	}
	return jc_utf8_is_valid(frame->bytes + 2, frame->length - 2) ? 0 : JC_CLOSE_NOT_UTF8;
}

/* Ends a frame, and the message if this frame was its last. */
static int finish_frame(struct jc_frame_reader *reader, struct jc_frame *frame)
{
	if (is_control(reader->opcode)) {
		frame->bytes = reader->control;
		frame->length = reader->control_length;
		if (reader->opcode == OPCODE_CLOSE) {
			return finish_close(reader, frame);
		}
		frame->kind = reader->opcode == OPCODE_PING ? JC_FRAME_PING : JC_FRAME_PONG;
		return 0;
	}
	if (!reader->final) {
		return 0;
	}
	frame->kind = reader->message_kind;
	frame->bytes = reader->message;
	frame->length = reader->message_length;
	reader->message_kind = JC_FRAME_NONE;
	if (frame->kind == JC_FRAME_TEXT && !jc_utf8_is_valid(frame->bytes, frame->length)) {
		return JC_CLOSE_NOT_UTF8;
	}
	return 0;
}

/* Takes header bytes; *out_done when the header is complete. */
static int read_header(struct jc_frame_reader *reader, const uint8_t *bytes, size_t length,
	size_t *consumed, bool *out_done)
{
	*out_done = false;
	while (*consumed < length && reader->header_length < reader->header_needed) {
		reader->header[reader->header_length++] = bytes[(*consumed)++];
		int code = reader->header_length == 2 ? begin_frame(reader) : 0;
		if (code != 0) {
			return code;
		}
	}
	if (reader->header_length < reader->header_needed) {
		return 0;
	}
	*out_done = true;
	return finish_header(reader);
}

int jc_frame_read(struct jc_frame_reader *reader, const uint8_t *bytes, size_t length,
	size_t *out_consumed, struct jc_frame *out_frame)
{
	size_t consumed = 0;
	struct jc_frame frame = { .kind = JC_FRAME_NONE };

	while (consumed < length && frame.kind == JC_FRAME_NONE) {
		if (reader->left == 0) {
			bool done;
			int code = read_header(reader, bytes, length, &consumed, &done);
			if (code != 0) {
				return code;
			}
			if (!done) {
				break;
			}
		}
		size_t take = length - consumed;
		if (take > reader->left) {
			take = (size_t)reader->left;
		}
		int code = take > 0 ? take_payload(reader, bytes + consumed, take) : 0;
		consumed += take;
		if (code == 0 && reader->left == 0) {
			code = finish_frame(reader, &frame);
		}
		if (code != 0) {
			return code;
		}
	}
	*out_consumed = consumed;
	*out_frame = frame;
	return 0;
}

size_t jc_frame_put_head(uint8_t *payload, size_t length, enum jc_frame_kind kind)
{
	static const uint8_t opcodes[] = {
		[JC_FRAME_TEXT] = OPCODE_TEXT,
		[JC_FRAME_BINARY] = OPCODE_BINARY,
		[JC_FRAME_CLOSE] = OPCODE_CLOSE,
		[JC_FRAME_PING] = OPCODE_PING,
		[JC_FRAME_PONG] = OPCODE_PONG,
	};
	size_t extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
	uint8_t *head = payload - 2 - extra;
	uint64_t left = length;

	head[0] = 0x80 | opcodes[kind];
	head[1] = extra == 0 ? (uint8_t)length : extra == 2 ? 126 : 127;
	for (size_t i = extra; i > 0; i--) {
		head[1 + i] = (uint8_t)left;
		left >>= 8;
	}
	return 2 + extra;
}
