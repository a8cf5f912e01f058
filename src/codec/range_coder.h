/* Range coder (Martin, "Range encoding", 1979): codes numbers as intervals of a total of 2^15.
 * Carries propagate into earlier bytes, so no code space is lost. Trailing zero bytes are omitted
 * and read as zeros. */
#ifndef JC_CODEC_RANGE_CODER_H
#define JC_CODEC_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JC_RANGE_BITS  15
#define JC_RANGE_WHOLE (1u << JC_RANGE_BITS)

struct jc_range_encoder {
	uint8_t *bytes; /* borrowed */
	size_t capacity;
	size_t length;
	uint64_t low;
	uint32_t range;
	uint32_t pending; /* bytes of 0xff that a carry would turn over */
	uint8_t held;     /* the byte before them */
	bool holding;
	bool overflowed; /* capacity was not enough */
};

void jc_range_encoder_init(struct jc_range_encoder *encoder, uint8_t *bytes, size_t capacity);
/* Codes the interval from `from` with length `size` of JC_RANGE_WHOLE; size > 0. */
void jc_range_encode(struct jc_range_encoder *encoder, uint32_t from, uint32_t size);
/* `count` bits as they are, count <= JC_RANGE_BITS. */
void jc_range_encode_bits(struct jc_range_encoder *encoder, uint32_t bits, int count);
/* Bytes in all, at least one, or JC_ERROR_SPACE. */
int jc_range_encoder_finish(struct jc_range_encoder *encoder);

struct jc_range_decoder {
	const uint8_t *at; /* borrowed */
	const uint8_t *end;
	uint32_t code;
	uint32_t range;
};

void jc_range_decoder_init(struct jc_range_decoder *decoder, const uint8_t *bytes, size_t length);
/* Returns a point of the next interval, below JC_RANGE_WHOLE; then the caller gives the
 * interval. */
uint32_t jc_range_peek(const struct jc_range_decoder *decoder);
void jc_range_take(struct jc_range_decoder *decoder, uint32_t from, uint32_t size);
uint32_t jc_range_decode_bits(struct jc_range_decoder *decoder, int count);
/* Whether the remaining bytes cannot be from an encoder. */
bool jc_range_decoder_has_more(const struct jc_range_decoder *decoder);

#endif
