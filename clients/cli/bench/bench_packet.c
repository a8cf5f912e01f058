/* Builds messages with the layout of proto/BUNDLES.md, "Bundles", using the library's writer. */
#include "bench/bench_packet.h"

#include <string.h>

static const uint32_t tick_after_an_hour = 216000; /* at 60 Hz */

int jc_bench_packet_add(struct jc_bench_packet *packet, enum jc_section section, unsigned coding,
	const uint8_t *bytes, size_t length)
{
	size_t head = length < 0x80 ? 2 : 3;
	uint8_t *out = packet->payload + packet->payload_length;

	if (length == 0) {
		return JC_OK;
	}
	if (head + length > sizeof(packet->payload) - packet->payload_length) {
		return JC_ERROR_SPACE;
	}
	out[0] = (uint8_t)((unsigned)section << 4 | coding);
	out[1] = (uint8_t)(length < 0x80 ? length : 0x80 | (length & 0x7f));
	if (head == 3) {
		out[2] = (uint8_t)(length >> 7);
	}
	memcpy(out + head, bytes, length);
	packet->payload_length += head + length;
	return JC_OK;
}

int jc_bench_packet_finish_empty(struct jc_bench_packet *packet, size_t frame)
{
	const struct jc_bundle_head bundle = {
		.space = 1,
		.tick = tick_after_an_hour + (uint32_t)frame,
	};
	int begun = 1;

	if (frame > 0) {
		packet->bytes[0] = jc_bundle_short_head(bundle.tick);
	} else {
		begun = jc_bundle_begin(&bundle, packet->bytes, sizeof(packet->bytes));
	}
	packet->length = begun < 0 ? 0 : (size_t)begun;
	return begun < 0 ? begun : JC_OK;
}

int jc_bench_packet_finish(struct jc_bench_packet *packet, size_t frame, uint8_t sequence,
	bool needs_state, enum jc_shape shape)
{
	const struct jc_packet_head head = {
		.body = 3,
		.sequence = sequence & JC_SEQUENCE_MASK,
		.needs_state = needs_state,
		.shape = shape,
	};
	int error = jc_bench_packet_finish_empty(packet, frame);
	uint8_t *bytes = packet->bytes + packet->length;
	int appended;

	if (error) {
		return error;
	}
	appended = jc_bundle_append(&head, packet->payload, packet->payload_length, bytes,
		sizeof(packet->bytes) - packet->length);
	if (appended < 0) {
		return appended;
	}
	packet->shape = shape;
	packet->length = (size_t)(jc_bundle_finish(bytes, bytes + appended) - packet->bytes);
	return JC_OK;
}
