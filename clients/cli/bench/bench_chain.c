/* Runs the library's encoder and decoder of codings 2 and 3 for the codec benchmark. */
#include "bench/bench_chain.h"

#include <string.h>

static const double alive_gap = 0.5; /* the longest pause between packets, seconds */

static void fill_frame(const struct jc_bench_sample *sample, struct jc_stream_frame *out_frame)
{
	*out_frame = (struct jc_stream_frame){ .hips_translation = sample->hips };
	memcpy(out_frame->rotations, sample->rotations, sizeof(sample->rotations));
	memset(out_frame->states, JC_TRACKED, sizeof(out_frame->states));
}

void jc_bench_chain_init(struct jc_bench_chain *chain, const struct jc_bench_codec *codec,
	const struct jc_bench_range *const *ranges, size_t range_count, double hz)
{
	unsigned sections = JC_STREAM_SECTION(JC_SECTION_HIPS);

	*chain = (struct jc_bench_chain){ .alive_frames = (size_t)(alive_gap * hz + 0.5) };
	for (size_t i = 0; i < range_count; i++) {
		sections |= JC_STREAM_SECTION(ranges[i]->section);
	}
	jc_stream_init(&chain->encoder, (enum jc_precision)codec->precision, sections,
		(UINT64_C(1) << JC_BONE_COUNT) - 1);
	jc_stream_use(&chain->encoder, codec->coding);
}

int jc_bench_chain_code(struct jc_bench_chain *chain, const struct jc_bench_sample *sample,
	size_t number, struct jc_bench_packet *packet, struct jc_quat out_rotations[JC_BONE_COUNT])
{
	bool alive = chain->silent_frames + 1 >= chain->alive_frames;
	struct jc_stream_frame frame;
	struct jc_stream_packet sent;
	struct jc_packet_head head = { .body = 3 };
	int error;

	fill_frame(sample, &frame);
	error = jc_stream_encode(&chain->encoder, &frame, alive, false, &sent);
	if (error) {
		return error;
	}
	if (sent.is_sent) {
		chain->silent_frames = 0;
		packet->payload_length = sent.length;
		memcpy(packet->payload, sent.bytes, sent.length);
		head.sequence = sent.sequence;
		head.needs_state = sent.needs_state;
		head.shape = sent.shape;
		error = jc_bench_packet_finish(
			packet, number, sent.sequence, sent.needs_state, sent.shape);
		error = error ? error
			      : jc_stream_decode(&chain->decoder, &head, sent.bytes, sent.length);
	} else {
		/* The first bundle without the body states that it stands still; further ones are
		 * not sent. */
		chain->silent_frames++;
		error = chain->silent_frames == 1 ? jc_bench_packet_finish_empty(packet, number)
						  : JC_OK;
	}
	if (error < 0) {
		return error;
	}
	jc_stream_frame(&chain->decoder, &frame);
	memcpy(out_rotations, frame.rotations, sizeof(frame.rotations));
	return JC_OK;
}

int jc_bench_chain_rejoin_bytes(
	const struct jc_bench_chain *before, const struct jc_bench_sample *sample)
{
	struct jc_stream stream = before->encoder;
	struct jc_stream_frame frame;
	struct jc_stream_packet sent;
	const uint8_t *body;
	int error;

	fill_frame(sample, &frame);
	error = jc_stream_encode(&stream, &frame, true, true, &sent);
	return error ? error
		     : (int)jc_payload_find(JC_SHAPE_LIST, sent.rejoin, sent.rejoin_length,
			       JC_SECTION_BODY, &body);
}

#define CHAIN(NAME, CODING, PRECISION)                                                             \
	{                                                                                          \
		.name = NAME, .coding = CODING, .precision = PRECISION                             \
	}

const struct jc_bench_codec jc_bench_chains[2 * JC_PRECISION_COUNT] = {
	CHAIN("jointcast fine", JC_CODING_CHAIN, JC_PRECISION_FINE),
	CHAIN("jointcast standard", JC_CODING_CHAIN, JC_PRECISION_STANDARD),
	CHAIN("jointcast coarse", JC_CODING_CHAIN, JC_PRECISION_COARSE),
	CHAIN("jointcast model fine", JC_CODING_MODEL_CHAIN, JC_PRECISION_FINE),
	CHAIN("jointcast model standard", JC_CODING_MODEL_CHAIN, JC_PRECISION_STANDARD),
	CHAIN("jointcast model coarse", JC_CODING_MODEL_CHAIN, JC_PRECISION_COARSE),
};
