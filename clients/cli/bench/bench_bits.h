/* A stream of bits. The lowest bit of each byte is first. */
#ifndef JC_CLI_BENCH_BITS_H
#define JC_CLI_BENCH_BITS_H

#include <stddef.h>
#include <stdint.h>

/* Starts as { bytes, length }. Bits beyond the end are not written and read as zeros; `at` then
 * exceeds the length. */
struct jc_bench_bits {
	uint8_t *bytes; /* borrowed */
	size_t length;
	size_t at; /* in bits */
};

void jc_bench_bits_write(struct jc_bench_bits *bits, uint32_t value, unsigned width);
uint32_t jc_bench_bits_read(struct jc_bench_bits *bits, unsigned width);

/* Exponential Golomb code of order 0 of the zigzag value: 1, 3, 3, 5 … bits for
 * 0, -1, 1, -2 …. */
void jc_bench_bits_write_golomb(struct jc_bench_bits *bits, int32_t value);
int32_t jc_bench_bits_read_golomb(struct jc_bench_bits *bits);
unsigned jc_bench_bits_golomb_width(int32_t value);

#endif
