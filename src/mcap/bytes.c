/* Reads and writes the numbers, strings and buffers of MCAP. */
#include "jointcast_private/mcap_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "jointcast_private/array.h"

const uint8_t jc_mcap_magic[JC_MCAP_MAGIC_BYTES] = { 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n' };

uint64_t jc_mcap_take_number(struct jc_mcap_take *take, size_t bytes)
{
	uint64_t value = 0;

	if (take->failed || (size_t)(take->end - take->at) < bytes) {
		take->failed = true;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++) {
		value |= (uint64_t)take->at[i] << (8 * i);
	}
	take->at += bytes;
	return value;
}

struct jc_mcap_slice jc_mcap_take_slice(struct jc_mcap_take *take, uint64_t length)
{
	struct jc_mcap_slice slice = { NULL, 0 };

	if (take->failed || (uint64_t)(take->end - take->at) < length) {
		take->failed = true;
		return slice;
	}
	slice = (struct jc_mcap_slice){ take->at, (size_t)length };
	take->at += length;
	return slice;
}

struct jc_mcap_slice jc_mcap_take_string(struct jc_mcap_take *take)
{
	return jc_mcap_take_slice(take, jc_mcap_take_number(take, 4));
}

void jc_mcap_buffer_finish(struct jc_mcap_buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct jc_mcap_buffer){ .maximum = buffer->maximum };
}

void jc_mcap_buffer_clear(struct jc_mcap_buffer *buffer)
{
	buffer->length = 0;
	buffer->error = JC_OK;
}

uint8_t *jc_mcap_buffer_extend(struct jc_mcap_buffer *buffer, size_t length)
{
	uint8_t *at;

	if (!buffer->error && length > buffer->maximum - buffer->length) {
		buffer->error = JC_ERROR_LIMIT;
	}
	if (!buffer->error && !jc_array_grow(&buffer->bytes, &buffer->capacity,
				      buffer->length + length, buffer->maximum, 1)) {
		buffer->error = JC_ERROR_MEMORY;
	}
	if (buffer->error) {
		return NULL;
	}
	at = buffer->bytes + buffer->length;
	buffer->length += length;
	return at;
}

void jc_mcap_put_number(struct jc_mcap_buffer *buffer, uint64_t value, size_t bytes)
{
	uint8_t *at = jc_mcap_buffer_extend(buffer, bytes);

	for (size_t i = 0; at && i < bytes; i++) {
		at[i] = (uint8_t)(value >> (8 * i));
	}
}

void jc_mcap_put_bytes(struct jc_mcap_buffer *buffer, const void *bytes, size_t length)
{
	uint8_t *at = length > 0 ? jc_mcap_buffer_extend(buffer, length) : NULL;

	if (at) {
		memcpy(at, bytes, length);
	}
}

void jc_mcap_put_string(struct jc_mcap_buffer *buffer, struct jc_mcap_slice text)
{
	jc_mcap_put_number(buffer, text.length, 4);
	jc_mcap_put_bytes(buffer, text.bytes, text.length);
}

size_t jc_mcap_put_begin(struct jc_mcap_buffer *buffer, uint8_t opcode)
{
	jc_mcap_put_number(buffer, opcode, 1);
	jc_mcap_put_number(buffer, 0, 8);
	return buffer->length;
}

void jc_mcap_put_end(struct jc_mcap_buffer *buffer, size_t content)
{
	if (buffer->error) {
		return;
	}
	for (size_t i = 0; i < 8; i++) {
		buffer->bytes[content - 8 + i] =
			(uint8_t)((uint64_t)(buffer->length - content) >> (8 * i));
	}
}

uint32_t jc_mcap_crc(uint32_t crc, const void *bytes, size_t length)
{
	return length > 0 ? (uint32_t)crc32_z(crc, bytes, length) : crc;
}
