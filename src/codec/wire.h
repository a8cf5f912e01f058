/* Bounded reading and writing of the scalars of the protocol. Reader and writer keep their first
 * error and do nothing afterwards, so that callers check once. */
#ifndef JC_CODEC_WIRE_H
#define JC_CODEC_WIRE_H

#include <stddef.h>
#include <stdint.h>

struct jc_wire_reader {
	const uint8_t *at; /* borrowed */
	const uint8_t *end;
	int error; /* JC_OK or the first failure */
};

struct jc_wire_reader jc_wire_reader_init(const uint8_t *bytes, size_t length);
size_t jc_wire_left(const struct jc_wire_reader *reader);

/* Each returns 0 (NULL) once the reader has failed. */
uint8_t jc_wire_read_u8(struct jc_wire_reader *reader);
uint64_t jc_wire_read_bits(struct jc_wire_reader *reader, size_t bytes); /* little-endian, <= 8 */
uint32_t jc_wire_read_varint(struct jc_wire_reader *reader);
int32_t jc_wire_read_svarint(struct jc_wire_reader *reader);
const uint8_t *jc_wire_read_bytes(struct jc_wire_reader *reader, size_t length);

struct jc_wire_writer {
	uint8_t *bytes; /* borrowed */
	size_t capacity;
	size_t length; /* written so far */
	int error;     /* JC_OK or the first error: JC_ERROR_SPACE, or an error set by the user */
};

struct jc_wire_writer jc_wire_writer_init(uint8_t *bytes, size_t capacity);

void jc_wire_write_u8(struct jc_wire_writer *writer, uint8_t value);
void jc_wire_write_bits(struct jc_wire_writer *writer, uint64_t value, size_t bytes);
void jc_wire_write_varint(struct jc_wire_writer *writer, uint32_t value);
void jc_wire_write_svarint(struct jc_wire_writer *writer, int32_t value);
void jc_wire_write_bytes(struct jc_wire_writer *writer, const uint8_t *bytes, size_t length);

/* Bytes written, or the writer's error. */
int jc_wire_written(const struct jc_wire_writer *writer);

#endif
