/* Fuzzes the packets of a stream of chains: u8 flags (1: needs state, bits 1 and 2 the shape,
 * bits 5 to 7 the incarnation), u8 sequence, u16 length, payload, repeated. Every decoded figure
 * can be encoded again. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "jointcast/stream.h"
#include "target.h"

static void check_frame(const struct jc_stream_decoder *decoder)
{
	struct jc_stream_decoder again = { 0 };
	struct jc_packet_head head = { 0 };
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	struct jc_stream stream;
	uint64_t mask = jc_stream_frame(decoder, &frame);
	int status;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = frame.rotations[bone];
		float norm = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

		assert(fabsf(norm - 1.0f) < 1e-6f);
		assert(mask >> bone & 1 || q.w == 1.0f);
		assert(frame.states[bone] <= JC_TRACKED);
	}
	for (size_t i = 0; i < frame.value_count; i++) {
		assert(fabsf(frame.values[i]) <= 1.0f);
	}
	assert(frame.virtual_count <= JC_LIMIT_STREAM_VIRTUALS);
	jc_stream_init(&stream, JC_PRECISION_COARSE,
		JC_STREAM_ALL | JC_STREAM_SECTION(JC_SECTION_VIRTUALS), mask | 1);
	jc_stream_use(&stream, decoder->sequence & 1 ? JC_CODING_MODEL_CHAIN : JC_CODING_CHAIN);
	jc_stream_carry(&stream, frame.value_count, frame.virtual_count);
	status = jc_stream_encode(&stream, &frame, false, true, &packet);
	if (status != JC_OK) {
		/* Lengths within 32 bits of millimetres may lie past our own limit. */
		assert(status == JC_ERROR_INVALID && frame.has_placement);
		return;
	}
	head.sequence = packet.sequence;
	assert(jc_stream_decode(&again, &head, packet.rejoin, packet.rejoin_length) ==
		(int)packet.rejoin_length);
}

/* The rejoin payload of a decoder gives its state. */
static void check_rejoin(const struct jc_stream_decoder *decoder)
{
	struct jc_packet_head head = { .incarnation = decoder->incarnation,
		.sequence = decoder->sequence };
	struct jc_stream_decoder again = { 0 };
	uint8_t bytes[JC_LIMIT_PACKET_BYTES], second[JC_LIMIT_PACKET_BYTES];
	int length = jc_stream_decoder_rejoin(decoder, bytes, sizeof(bytes));

	assert(decoder->started == (length != JC_ERROR_ABSENT));
	if (length >= 0) {
		assert(jc_stream_decode(&again, &head, bytes, (size_t)length) == length);
		assert(jc_stream_decoder_rejoin(&again, second, sizeof(second)) == length);
		assert(memcmp(bytes, second, (size_t)length) == 0);
	}
}

/* A packet is a list if and only if it needs no state (struct jc_packet_head). */
static enum jc_shape shape_of(uint8_t flags)
{
	enum jc_shape shape = (enum jc_shape)(flags >> 1 & 3);

	if (!(flags & 1)) {
		return JC_SHAPE_LIST;
	}
	return shape == JC_SHAPE_LIST ? JC_SHAPE_MASK : shape;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_stream_decoder decoder = { 0 };
	size_t at = 0;

	while (length - at >= 4) {
		struct jc_packet_head head = { .needs_state = bytes[at] & 1,
			.shape = shape_of(bytes[at]),
			.incarnation = bytes[at] >> 5,
			.sequence = bytes[at + 1] & JC_SEQUENCE_MASK };
		size_t size = bytes[at + 2] | (size_t)bytes[at + 3] << 8;
		int status;

		at += 4;
		size = size < length - at ? size : length - at;
		status = jc_stream_decode(&decoder, &head, bytes + at, size);
		assert(decoder.started == (status >= 0));
		assert(status < 0 || (size_t)status == size);
		check_frame(&decoder);
		check_rejoin(&decoder);
		at += size;
	}
	return 0;
}
