/* The layout of PROTOCOL.md, section 4, through the library's own writer. */
#include "bench_packet.h"

#include <string.h>

static const uint32_t tick_after_an_hour = 216000; /* at 60 Hz */
static const int32_t offset_us = 250;
static const uint32_t age_us = 12300;

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

int jc_bench_packet_finish(struct jc_bench_packet *packet, size_t frame)
{
	const struct jc_bundle_head bundle = {
		.space = 1,
		.tick = tick_after_an_hour + (uint32_t)frame,
		.offset_us = offset_us,
	};
	const struct jc_packet_head head = {
		.body = 3,
		.sequence = (uint8_t)frame,
		.capture_age_us = age_us,
	};
	int begun = jc_bundle_begin(&bundle, packet->bytes, sizeof(packet->bytes));
	int appended;

	if (begun < 0) {
		return begun;
	}
	appended = jc_bundle_append(&head, packet->payload, packet->payload_length,
		packet->bytes + begun, sizeof(packet->bytes) - (size_t)begun);
	if (appended < 0) {
		return appended;
	}
	packet->length = (size_t)begun + (size_t)appended;
	return JC_OK;
}
