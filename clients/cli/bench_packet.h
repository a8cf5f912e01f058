/* A WebSocket message with one body in it, built section by section. */
#ifndef JC_CLI_BENCH_PACKET_H
#define JC_CLI_BENCH_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"

struct jc_bench_packet {
	size_t payload_length; /* of all sections with their heads */
	size_t length;         /* of the whole message */
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	uint8_t bytes[JC_LIMIT_PACKET_BYTES + 64];
};

/* Starts as { 0 }. A section of no bytes is left out. JC_OK or JC_ERROR_SPACE. */
int jc_bench_packet_add(struct jc_bench_packet *packet, enum jc_section section, unsigned coding,
	const uint8_t *bytes, size_t length);

/* Puts the heads before it, with numbers as large as they are after an hour in a
 * space. JC_OK or a negative error. */
int jc_bench_packet_finish(
	struct jc_bench_packet *packet, size_t frame, uint8_t sequence, bool needs_state);

/* A message without any body in it. */
int jc_bench_packet_finish_empty(struct jc_bench_packet *packet, size_t frame);

/* Bytes of a section in a payload of ours, without and with its head; 0 where it
 * is left out. */
size_t jc_bench_packet_content(const uint8_t *payload, size_t length, enum jc_section section);
size_t jc_bench_packet_section(const uint8_t *payload, size_t length, enum jc_section section);

#endif
