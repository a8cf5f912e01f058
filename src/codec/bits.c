/* Reads and writes bit fields. Whole bytes go through wire.h, which checks bounds. */
#include "bits.h"

#include <assert.h>

#include "jointcast/error.h"

#define WIDTH_MAX 56

struct jc_bits_reader jc_bits_reader_init(const uint8_t *bytes, size_t length)
{
	return (struct jc_bits_reader){ .wire = jc_wire_reader_init(bytes, length) };
}

uint64_t jc_bits_read(struct jc_bits_reader *reader, unsigned width)
{
	assert(width <= WIDTH_MAX);
	while (reader->count < width) {
		reader->held |= (uint64_t)jc_wire_read_u8(&reader->wire) << reader->count;
		reader->count += 8;
	}
	uint64_t value = reader->held & ((UINT64_C(1) << width) - 1);

	reader->held >>= width;
	reader->count -= width;
	return reader->wire.error == JC_OK ? value : 0;
}

int jc_bits_end(struct jc_bits_reader *reader)
{
	if (reader->wire.error == JC_OK && reader->held != 0) {
		return JC_ERROR_INVALID;
	}
	return reader->wire.error;
}

struct jc_bits_writer jc_bits_writer_init(uint8_t *bytes, size_t capacity)
{
	return (struct jc_bits_writer){ .wire = jc_wire_writer_init(bytes, capacity) };
}

void jc_bits_write(struct jc_bits_writer *writer, uint64_t value, unsigned width)
{
	assert(width <= WIDTH_MAX && value >> width == 0);
	writer->held |= value << writer->count;
	writer->count += width;
	while (writer->count >= 8) {
		jc_wire_write_u8(&writer->wire, (uint8_t)writer->held);
		writer->held >>= 8;
		writer->count -= 8;
	}
}

void jc_bits_flush(struct jc_bits_writer *writer)
{
	if (writer->count > 0) {
		jc_wire_write_u8(&writer->wire, (uint8_t)writer->held);
		writer->count = 0;
		writer->held = 0;
	}
}
