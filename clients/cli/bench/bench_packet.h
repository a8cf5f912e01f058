/* A WebSocket message with one body, built section by section. */
#ifndef JC_CLI_BENCH_PACKET_H
#define JC_CLI_BENCH_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"

struct jc_bench_packet {
	size_t payload_length; /* of all sections with their heads */
	enum jc_shape shape;   /* how the sections are listed */
	size_t length;         /* of the whole message */
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	uint8_t bytes[JC_LIMIT_PACKET_BYTES + 64];
};

/* The packet starts as { 0 }. An empty section is left out. JC_OK or JC_ERROR_SPACE. */
int jc_bench_packet_add(struct jc_bench_packet *packet, enum jc_section section, unsigned coding,
	const uint8_t *bytes, size_t length);

/* Adds the heads, with numbers as large as after an hour in a space. Frame 0 has the full bundle
 * head, which a joining subscriber receives; other frames have the short one. The caller chooses
 * the shape and the flags. JC_OK or a negative error. */
int jc_bench_packet_finish(struct jc_bench_packet *packet, size_t frame, uint8_t sequence,
	bool needs_state, enum jc_shape shape);

/* Builds a message without a body. */
int jc_bench_packet_finish_empty(struct jc_bench_packet *packet, size_t frame);

#endif
