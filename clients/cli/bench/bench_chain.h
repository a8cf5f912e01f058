/* Coding 2 under measurement: whole packets, since what a section costs depends on
 * whether its packet is sent. */
#ifndef JC_CLI_BENCH_CHAIN_H
#define JC_CLI_BENCH_CHAIN_H

#include "bench/bench_codec.h"
#include "bench/bench_packet.h"
#include "jointcast/stream.h"

/* Both ends of a stream. */
struct jc_bench_chain {
	size_t alive_frames;  /* a packet once in so many, though nothing moved */
	size_t silent_frames; /* since the last one */
	struct jc_stream encoder;
	struct jc_stream_decoder decoder;
};

/* A stream of these sections and the hips. */
void jc_bench_chain_init(struct jc_bench_chain *chain, const struct jc_bench_codec *codec,
	const struct jc_bench_range *const *ranges, size_t range_count, double hz);

/* Encodes one frame into the packet, which starts as { 0 } and stays so where no
 * message is sent, and decodes it. JC_OK or a negative error. */
int jc_bench_chain_code(struct jc_bench_chain *chain, const struct jc_bench_sample *sample,
	size_t number, struct jc_bench_packet *packet, struct jc_quat out_rotations[JC_BONE_COUNT]);

/* Bytes of the body's rejoin section, had somebody asked at the frame after those
 * that were coded, or a negative error. */
int jc_bench_chain_rejoin_bytes(
	const struct jc_bench_chain *before, const struct jc_bench_sample *sample);

#endif
