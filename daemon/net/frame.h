/* The frames of RFC 6455, read strictly: libwebsockets 4.1.6 also takes frames without
 * a mask and data after Close. Pure: bytes in, messages out, reassembled under a cap. */
#ifndef JC_FRAME_H
#define JC_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JC_SUBPROTOCOL "jointcast.v1" /* of our WebSockets */

enum jc_close_code {
	JC_CLOSE_NORMAL = 1000,
	JC_CLOSE_GOING_AWAY = 1001,
	JC_CLOSE_PROTOCOL = 1002,
	JC_CLOSE_NO_STATUS = 1005, /* never sent */
	JC_CLOSE_NOT_UTF8 = 1007,
	JC_CLOSE_POLICY = 1008,
	JC_CLOSE_TOO_BIG = 1009,
	JC_CLOSE_INTERNAL = 1011,
	JC_CLOSE_TRY_AGAIN = 1013,
};

enum jc_frame_kind {
	JC_FRAME_NONE, /* all bytes are consumed, no message is complete */
	JC_FRAME_TEXT,
	JC_FRAME_BINARY,
	JC_FRAME_CLOSE,
	JC_FRAME_PING,
	JC_FRAME_PONG,
};

/* A complete message. The bytes are the reader's until its next call. */
struct jc_frame {
	enum jc_frame_kind kind;
	const uint8_t *bytes;
	size_t length;
	uint16_t close_code; /* JC_FRAME_CLOSE; JC_CLOSE_NO_STATUS if it had none */
};

struct jc_frame_reader {
	size_t maximum; /* of one message */
	uint8_t header[14];
	size_t header_length, header_needed;
	uint64_t left; /* payload of this frame still to come */
	uint8_t mask[4];
	size_t mask_at;
	uint8_t opcode; /* of this frame */
	bool final;
	enum jc_frame_kind message_kind; /* of the data message under way, or NONE */
	uint8_t *message;                /* owned */
	size_t message_length, message_capacity;
	uint8_t control[125];
	size_t control_length;
	bool closed; /* Close was received: no frame may follow */
};

void jc_frame_reader_init(struct jc_frame_reader *reader, size_t maximum);
void jc_frame_reader_finish(struct jc_frame_reader *reader);

/* Reads up to the end of one message. Returns 0, with *out_consumed bytes used
 * and *out_frame set, or the close code with which the connection must end;
 * after that the reader is only good for jc_frame_reader_finish. */
int jc_frame_read(struct jc_frame_reader *reader, const uint8_t *bytes, size_t length,
	size_t *out_consumed, struct jc_frame *out_frame);

/* Whether the next byte belongs to a binary message, as far as it is known. */
bool jc_frame_reader_is_at_binary(const struct jc_frame_reader *reader, uint8_t next);

#define JC_FRAME_HEAD_BYTES 10 /* that any head of ours fits */

/* All bytes were read: frees memory unless a message is incomplete, because most clients
 * are silent most of the time. */
void jc_frame_reader_rest(struct jc_frame_reader *reader);

/* Writes the head of a whole frame right before its payload of that length, where there
 * are JC_FRAME_HEAD_BYTES to write to. Returns its length: the frame begins there. */
size_t jc_frame_put_head(uint8_t *payload, size_t length, enum jc_frame_kind kind);

#endif
