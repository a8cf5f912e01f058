/* A stream of random motion, the same on every run: all sections, states and placements that
 * change, rejoins now and then. */
#ifndef JC_TESTS_CODEC_RANDOM_STREAM_H
#define JC_TESTS_CODEC_RANDOM_STREAM_H

#include "jointcast/stream.h"
#include "mover.h"

struct random_stream {
	uint32_t random;
	double rejoins; /* chance of a rejoin payload in a tick */
	struct mover mover;
	struct jc_stream_frame frame;
	struct jc_stream stream;
};

/* sections: JC_STREAM_SECTION bits. values, virtuals: the numbers of them that move. */
void random_stream_init(struct random_stream *walk, enum jc_precision precision, unsigned sections,
	size_t values, size_t virtuals, uint32_t seed);

/* The next packet that is sent. */
void random_stream_step(struct random_stream *walk, struct jc_stream_packet *out_packet);

/* The head of a payload of that packet. */
struct jc_packet_head random_stream_head(const struct jc_stream_packet *packet, bool rejoin);

#endif
