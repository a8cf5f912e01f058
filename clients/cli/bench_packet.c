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

int jc_bench_packet_finish_empty(struct jc_bench_packet *packet, size_t frame)
{
	const struct jc_bundle_head bundle = {
		.space = 1,
		.tick = tick_after_an_hour + (uint32_t)frame,
		.offset_us = offset_us,
	};
	int begun = jc_bundle_begin(&bundle, packet->bytes, sizeof(packet->bytes));

	packet->length = begun < 0 ? 0 : (size_t)begun;
	return begun < 0 ? begun : JC_OK;
}

int jc_bench_packet_finish(
	struct jc_bench_packet *packet, size_t frame, uint8_t sequence, bool needs_state)
{
	const struct jc_packet_head head = {
		.body = 3,
		.sequence = sequence,
		.needs_state = needs_state,
		.capture_age_us = age_us,
	};
	int error = jc_bench_packet_finish_empty(packet, frame);
	int appended;

	if (error) {
		return error;
	}
	appended = jc_bundle_append(&head, packet->payload, packet->payload_length,
		packet->bytes + packet->length, sizeof(packet->bytes) - packet->length);
	if (appended < 0) {
		return appended;
	}
	packet->length += (size_t)appended;
	return JC_OK;
}

/* What was written a moment ago needs no checks. */
static size_t find(const uint8_t *payload, size_t length, enum jc_section section, size_t *out_head)
{
	for (size_t at = 0; at < length;) {
		size_t head = payload[at + 1] & 0x80 ? 3 : 2;
		size_t size = payload[at + 1] & 0x7f;

		size |= head == 3 ? (size_t)payload[at + 2] << 7 : 0;
		if (payload[at] >> 4 == (int)section) {
			*out_head = head;
			return size;
		}
		at += head + size;
	}
	*out_head = 0;
	return 0;
}

size_t jc_bench_packet_content(const uint8_t *payload, size_t length, enum jc_section section)
{
	size_t head;

	return find(payload, length, section, &head);
}

size_t jc_bench_packet_section(const uint8_t *payload, size_t length, enum jc_section section)
{
	size_t head, content = find(payload, length, section, &head);

	return head + content;
}
