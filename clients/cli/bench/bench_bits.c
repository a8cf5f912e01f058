/* Writes and reads bit by bit. The speed of these codecs is not measured. */
#include "bench/bench_bits.h"

static void write_bit(struct jc_bench_bits *bits, uint32_t bit)
{
	size_t byte = bits->at / 8;

	if (byte < bits->length) {
		unsigned cleared = bits->at % 8 ? bits->bytes[byte] : 0u;

		bits->bytes[byte] = (uint8_t)(cleared | bit << bits->at % 8);
	}
	bits->at++;
}

static uint32_t read_bit(struct jc_bench_bits *bits)
{
	size_t byte = bits->at / 8;
	uint32_t whole = byte < bits->length ? bits->bytes[byte] : 0u;
	uint32_t bit = whole >> bits->at % 8 & 1u;

	bits->at++;
	return bit;
}

void jc_bench_bits_write(struct jc_bench_bits *bits, uint32_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		write_bit(bits, value >> i & 1u);
	}
}

uint32_t jc_bench_bits_read(struct jc_bench_bits *bits, unsigned width)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < width; i++) {
		value |= read_bit(bits) << i;
	}
	return value;
}

/* Zigzag plus one, because a Golomb number starts at 1. */
static uint32_t golomb_number(int32_t value)
{
	return (value < 0 ? 2u * (uint32_t) - (value + 1) + 1u : 2u * (uint32_t)value) + 1u;
}

static unsigned bit_length(uint32_t number)
{
	unsigned length = 0;

	while (number >> length > 0) {
		length++;
	}
	return length;
}

unsigned jc_bench_bits_golomb_width(int32_t value)
{
	return 2 * bit_length(golomb_number(value)) - 1;
}

void jc_bench_bits_write_golomb(struct jc_bench_bits *bits, int32_t value)
{
	uint32_t number = golomb_number(value);
	unsigned length = bit_length(number);

	jc_bench_bits_write(bits, 0, length - 1);
	while (length-- > 0) {
		write_bit(bits, number >> length & 1u);
	}
}

int32_t jc_bench_bits_read_golomb(struct jc_bench_bits *bits)
{
	uint32_t number = 1;
	unsigned zeros = 0;

	while (zeros < 31 && read_bit(bits) == 0) {
		zeros++;
	}
	while (zeros-- > 0) {
		number = number << 1 | read_bit(bits);
	}
	number--;
	return number & 1u ? -(int32_t)(number >> 1) - 1 : (int32_t)(number >> 1);
}
