/* A WebSocket message with one body in it, built section by section. */
#ifndef JC_CLI_BENCH_PACKET_H
#define JC_CLI_BENCH_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"

struct jc_bench_packet {
	size_t payload_length; /* of all sections with what stands before them */
	enum jc_shape shape;   /* how they stand there */
	size_t length;         /* of the whole message */
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	uint8_t bytes[JC_LIMIT_PACKET_BYTES + 64];
};

/* Starts as { 0 }. A section of no bytes is left out. JC_OK or JC_ERROR_SPACE. */
int jc_bench_packet_add(struct jc_bench_packet *packet, enum jc_section section, unsigned coding,
	const uint8_t *bytes, size_t length);

/* Puts the heads before it, with numbers as large as they are after an hour in a
 * space: all of the bundle's before frame 0, which comes to who joins, the short
 * one before others. What the shape of the sections and flags say is the caller's.
 * JC_OK or a negative error. */
int jc_bench_packet_finish(struct jc_bench_packet *packet, size_t frame, uint8_t sequence,
	bool needs_state, enum jc_shape shape);

/* A message without any body in it. */
int jc_bench_packet_finish_empty(struct jc_bench_packet *packet, size_t frame);

#endif
