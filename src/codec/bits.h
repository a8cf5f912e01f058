/* Bit fields of any width, least significant bit first, as in captures. Reader and writer keep
 * their first error and do nothing afterwards, so that callers check once. */
#ifndef JC_CODEC_BITS_H
#define JC_CODEC_BITS_H

#include <stdint.h>

#include "wire.h"

struct jc_bits_reader {
	struct jc_wire_reader wire; /* keeps the error; whole bytes may be read from it first */
	uint64_t held;
	unsigned count; /* bits of `held` that are still to be read: less than 8 */
};

struct jc_bits_reader jc_bits_reader_init(const uint8_t *bytes, size_t length);

/* width <= 56. Returns 0 once the reader has failed. */
uint64_t jc_bits_read(struct jc_bits_reader *reader, unsigned width);

/* The unused bits of the last byte must be zero. Returns the reader's error. */
int jc_bits_end(struct jc_bits_reader *reader);

struct jc_bits_writer {
	struct jc_wire_writer wire; /* keeps the error; whole bytes may be written to it first */
	uint64_t held;
	unsigned count; /* bits that wait for their byte: less than 8 */
};

struct jc_bits_writer jc_bits_writer_init(uint8_t *bytes, size_t capacity);

/* width <= 56, and nothing in value above it. */
void jc_bits_write(struct jc_bits_writer *writer, uint64_t value, unsigned width);

/* Fills the last byte with zeros. */
void jc_bits_flush(struct jc_bits_writer *writer);

#endif
