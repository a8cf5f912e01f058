/* Little-endian numbers, strings and growing buffers of MCAP. */
#ifndef JC_PRIVATE_MCAP_BYTES_H
#define JC_PRIVATE_MCAP_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/mcap.h"

#define JC_MCAP_MAGIC_BYTES  8u
#define JC_MCAP_FRAME_BYTES  9u  /* opcode and length before every record's content */
#define JC_MCAP_FOOTER_BYTES 20u /* its content */

extern const uint8_t jc_mcap_magic[JC_MCAP_MAGIC_BYTES];

/* Unread bytes. A read past the end sets failed; it and all later reads return 0 or an empty slice,
 * so that callers check once at the end. */
struct jc_mcap_take {
	const uint8_t *at, *end;
	bool failed;
};

static inline struct jc_mcap_take jc_mcap_take_begin(struct jc_mcap_slice slice)
{
	const uint8_t *at = slice.bytes;

	return (struct jc_mcap_take){ at, at ? at + slice.length : at, false };
}

uint64_t jc_mcap_take_number(struct jc_mcap_take *take, size_t bytes);
struct jc_mcap_slice jc_mcap_take_slice(struct jc_mcap_take *take, uint64_t length);
struct jc_mcap_slice jc_mcap_take_string(struct jc_mcap_take *take); /* length u32 first */

/* Grows up to maximum. Data that does not fit sets error (JC_ERROR_LIMIT or JC_ERROR_MEMORY); later
 * writes do nothing, so that callers check once at the end. */
struct jc_mcap_buffer {
	uint8_t *bytes; /* owned */
	size_t length, capacity, maximum;
	int error;
};

void jc_mcap_buffer_finish(struct jc_mcap_buffer *buffer);

/* Empties the buffer and keeps its memory. */
void jc_mcap_buffer_clear(struct jc_mcap_buffer *buffer);

/* Appends length uninitialised bytes and returns them; NULL if error is set. */
uint8_t *jc_mcap_buffer_extend(struct jc_mcap_buffer *buffer, size_t length);

void jc_mcap_put_number(struct jc_mcap_buffer *buffer, uint64_t value, size_t bytes);
void jc_mcap_put_bytes(struct jc_mcap_buffer *buffer, const void *bytes, size_t length);
void jc_mcap_put_string(struct jc_mcap_buffer *buffer, struct jc_mcap_slice text);

/* A record's frame: begin returns where its content starts, end fills in its length. */
size_t jc_mcap_put_begin(struct jc_mcap_buffer *buffer, uint8_t opcode);
void jc_mcap_put_end(struct jc_mcap_buffer *buffer, size_t content);

uint32_t jc_mcap_crc(uint32_t crc, const void *bytes, size_t length); /* begins with 0 */

#endif
