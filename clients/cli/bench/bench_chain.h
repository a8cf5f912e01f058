/* Measures codings 2 and 3 of the protocol. It is measured in whole packets, because the cost of a
 * section depends on whether its packet is sent. */
#ifndef JC_CLI_BENCH_CHAIN_H
#define JC_CLI_BENCH_CHAIN_H

#include "bench/bench_codec.h"
#include "bench/bench_packet.h"
#include "jointcast/stream.h"

/* The encoder and the decoder of a stream. */
struct jc_bench_chain {
	size_t alive_frames;  /* a packet is sent at least once in this number of frames */
	size_t silent_frames; /* since the last packet */
	struct jc_stream encoder;
	struct jc_stream_decoder decoder;
};

/* Starts a stream of these sections and the hips. */
void jc_bench_chain_init(struct jc_bench_chain *chain, const struct jc_bench_codec *codec,
	const struct jc_bench_range *const *ranges, size_t range_count, double hz);

/* Encodes one frame into the packet and decodes it. The packet starts as { 0 } and stays so when no
 * message is sent. JC_OK or a negative error. */
int jc_bench_chain_code(struct jc_bench_chain *chain, const struct jc_bench_sample *sample,
	size_t number, struct jc_bench_packet *packet, struct jc_quat out_rotations[JC_BONE_COUNT]);

/* Bytes of the rejoin section for a subscriber that joins at the next frame, or a negative
 * error. */
int jc_bench_chain_rejoin_bytes(
	const struct jc_bench_chain *before, const struct jc_bench_sample *sample);

#endif
