/* Bounded reading and writing of scalars; the only place of the codec where bounds are checked. */
#include "wire.h"

#include <string.h>

#include "jointcast/error.h"

struct jc_wire_reader jc_wire_reader_init(const uint8_t *bytes, size_t length)
{
	/* No bytes may come as NULL, to which nothing may be added. */
	return (struct jc_wire_reader){ bytes, length ? bytes + length : bytes, JC_OK };
}

size_t jc_wire_left(const struct jc_wire_reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

static void fail(struct jc_wire_reader *reader, int error)
{
	if (reader->error == JC_OK) {
		reader->error = error;
	}
	reader->at = reader->end;
}

const uint8_t *jc_wire_read_bytes(struct jc_wire_reader *reader, size_t length)
{
	const uint8_t *bytes = reader->at;

	if (reader->error != JC_OK || jc_wire_left(reader) < length) {
		fail(reader, JC_ERROR_TRUNCATED);
		return NULL;
	}
	if (length) {
		reader->at += length;
	}
	return bytes;
}

uint8_t jc_wire_read_u8(struct jc_wire_reader *reader)
{
	const uint8_t *byte = jc_wire_read_bytes(reader, 1);

	return byte ? *byte : 0;
}

uint64_t jc_wire_read_bits(struct jc_wire_reader *reader, size_t bytes)
{
	const uint8_t *from = jc_wire_read_bytes(reader, bytes);
	uint64_t value = 0;

	for (size_t i = 0; from && i < bytes; i++) {
		value |= (uint64_t)from[i] << (8 * i);
	}
	return value;
}

uint32_t jc_wire_read_varint(struct jc_wire_reader *reader)
{
	uint32_t value = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		uint8_t byte = jc_wire_read_u8(reader);

		if (shift == 28 && byte > 0x0f) {
			break; /* a sixth byte, or bits past the 32nd */
		}
		value |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			if (byte == 0 && shift > 0) {
				break; /* not the shortest form */
			}
			return value;
		}
	}
	fail(reader, JC_ERROR_INVALID);
	return 0;
}

int32_t jc_wire_read_svarint(struct jc_wire_reader *reader)
{
	uint32_t zigzag = jc_wire_read_varint(reader);
	int32_t half = (int32_t)(zigzag >> 1);

	return zigzag & 1 ? -half - 1 : half;
}

struct jc_wire_writer jc_wire_writer_init(uint8_t *bytes, size_t capacity)
{
	return (struct jc_wire_writer){ bytes, capacity, 0, JC_OK };
}

void jc_wire_write_bytes(struct jc_wire_writer *writer, const uint8_t *bytes, size_t length)
{
	if (writer->error == JC_OK && writer->capacity - writer->length < length) {
		writer->error = JC_ERROR_SPACE;
	}
	if (writer->error == JC_OK && length) {
		memcpy(writer->bytes + writer->length, bytes, length);
		writer->length += length;
	}
}

void jc_wire_write_u8(struct jc_wire_writer *writer, uint8_t value)
{
	jc_wire_write_bytes(writer, &value, 1);
}

void jc_wire_write_bits(struct jc_wire_writer *writer, uint64_t value, size_t bytes)
{
	uint8_t little[8];

	for (size_t i = 0; i < bytes; i++) {
		little[i] = (uint8_t)(value >> (8 * i));
	}
	jc_wire_write_bytes(writer, little, bytes);
}

void jc_wire_write_varint(struct jc_wire_writer *writer, uint32_t value)
{
	uint8_t septets[5];
	size_t length = 0;

	while (value > 0x7f) {
		septets[length++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	septets[length++] = (uint8_t)value;
	jc_wire_write_bytes(writer, septets, length);
}

void jc_wire_write_svarint(struct jc_wire_writer *writer, int32_t value)
{
	uint32_t twice = (uint32_t)value << 1;

	jc_wire_write_varint(writer, value < 0 ? ~twice : twice);
}

int jc_wire_written(const struct jc_wire_writer *writer)
{
	return writer->error != JC_OK ? writer->error : (int)writer->length;
}
