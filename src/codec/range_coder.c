/* Range coder with a 32-bit interval that is renewed byte by byte, so that the same arithmetic is
 * exact in doubles of JavaScript. */
#include "range_coder.h"

#include "jointcast/error.h"

#define RENEW (1u << 24) /* below it a byte is decided */

void jc_range_encoder_init(struct jc_range_encoder *encoder, uint8_t *bytes, size_t capacity)
{
	*encoder = (struct jc_range_encoder){
		.bytes = bytes,
		.capacity = capacity,
		.range = UINT32_MAX,
	};
}

static void put(struct jc_range_encoder *encoder, uint8_t byte)
{
	if (encoder->length == encoder->capacity) {
		encoder->overflowed = true;
		return;
	}
	encoder->bytes[encoder->length++] = byte;
}

static void shift(struct jc_range_encoder *encoder)
{
	uint8_t carry = (uint8_t)(encoder->low >> 32);

	if (carry || encoder->low < 0xff000000u) {
		if (encoder->holding) {
			put(encoder, (uint8_t)(encoder->held + carry));
		}
		for (; encoder->pending; encoder->pending--) {
			put(encoder, (uint8_t)(0xff + carry));
		}
		encoder->held = (uint8_t)(encoder->low >> 24);
		encoder->holding = true;
	} else {
		encoder->pending++;
	}
	encoder->low = (encoder->low & 0x00ffffff) << 8;
}

void jc_range_encode(struct jc_range_encoder *encoder, uint32_t from, uint32_t size)
{
	uint32_t unit = encoder->range >> JC_RANGE_BITS;

	encoder->low += (uint64_t)unit * from;
	encoder->range = unit * size;
	while (encoder->range < RENEW) {
		encoder->range <<= 8;
		shift(encoder);
	}
}

void jc_range_encode_bits(struct jc_range_encoder *encoder, uint32_t bits, int count)
{
	if (count > 0) {
		jc_range_encode(
			encoder, bits << (JC_RANGE_BITS - count), 1u << (JC_RANGE_BITS - count));
	}
}

int jc_range_encoder_finish(struct jc_range_encoder *encoder)
{
	/* Of all numbers in the interval, one with the most zero bits at its end. */
	for (int bits = 31; bits >= 0; bits--) {
		uint64_t mask = ((uint64_t)1 << bits) - 1;
		uint64_t roundest = (encoder->low + mask) & ~mask;

		if (roundest - encoder->low < encoder->range) {
			encoder->low = roundest;
			break;
		}
	}
	for (int i = 0; i < 5; i++) {
		shift(encoder);
	}
	if (encoder->overflowed) {
		return JC_ERROR_SPACE;
	}
	while (encoder->length > 1 && !encoder->bytes[encoder->length - 1]) {
		encoder->length--;
	}
	return (int)encoder->length;
}

static uint8_t next(struct jc_range_decoder *decoder)
{
	return decoder->at < decoder->end ? *decoder->at++ : 0;
}

void jc_range_decoder_init(struct jc_range_decoder *decoder, const uint8_t *bytes, size_t length)
{
	*decoder = (struct jc_range_decoder){
		.at = bytes,
		.end = bytes + length,
		.range = UINT32_MAX,
	};
	for (int i = 0; i < 4; i++) {
		decoder->code = decoder->code << 8 | next(decoder);
	}
}

uint32_t jc_range_peek(const struct jc_range_decoder *decoder)
{
	uint32_t point = decoder->code / (decoder->range >> JC_RANGE_BITS);

	return point < JC_RANGE_WHOLE ? point : JC_RANGE_WHOLE - 1;
}

void jc_range_take(struct jc_range_decoder *decoder, uint32_t from, uint32_t size)
{
	uint32_t unit = decoder->range >> JC_RANGE_BITS;

	decoder->code -= unit * from;
	decoder->range = unit * size;
	while (decoder->range < RENEW) {
		decoder->range <<= 8;
		decoder->code = decoder->code << 8 | next(decoder);
	}
}

uint32_t jc_range_decode_bits(struct jc_range_decoder *decoder, int count)
{
	uint32_t bits;

	if (count <= 0) {
		return 0;
	}
	bits = jc_range_peek(decoder) >> (JC_RANGE_BITS - count);
	jc_range_take(decoder, bits << (JC_RANGE_BITS - count), 1u << (JC_RANGE_BITS - count));
	return bits;
}

bool jc_range_decoder_has_more(const struct jc_range_decoder *decoder)
{
	return decoder->at < decoder->end;
}
