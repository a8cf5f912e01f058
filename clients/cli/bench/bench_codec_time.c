/* Measures encoding and decoding times. A run of frames is encoded once, and then processed
 * repeatedly from the same initial state. */
#include "bench/bench_codec_time.h"

#include <stdlib.h>

#include "bench/bench_statistics.h"
#include "jointcast_private/chain.h"

#define SECTIONS 3
#define FRAMES   128

static const struct jc_bench_range *const ranges[SECTIONS] = { &jc_bench_body, &jc_bench_face,
	&jc_bench_hands };

struct section {
	size_t length;
	uint8_t bytes[JC_CHAIN_BYTES];
};

struct run {
	const struct jc_bench_sample *samples; /* count + 1 of them; the first is the start */
	size_t count;
	unsigned coding;
	struct jc_chain start[SECTIONS], chains[SECTIONS];
	struct section sections[FRAMES][SECTIONS];
	struct jc_quat rotations[JC_BONE_COUNT];
	uint8_t scratch[JC_CHAIN_BYTES];
};

static void rewind_chains(struct run *run, size_t frame)
{
	for (size_t s = 0; s < SECTIONS && frame == 0; s++) {
		run->chains[s] = run->start[s];
	}
}

static void run_encode(void *context, size_t call)
{
	struct run *run = context;
	size_t frame = call % run->count;

	rewind_chains(run, frame);
	for (size_t s = 0; s < SECTIONS; s++) {
		jc_chain_encode(&run->chains[s], run->samples[frame + 1].rotations, NULL, false,
			run->scratch, sizeof(run->scratch));
	}
}

static void run_decode(void *context, size_t call)
{
	struct run *run = context;
	size_t frame = call % run->count;

	rewind_chains(run, frame);
	for (size_t s = 0; s < SECTIONS; s++) {
		const struct section *section = &run->sections[frame][s];

		if (section->length > 0) {
			jc_chain_decode(&run->chains[s], section->bytes, section->length);
		} else {
			jc_chain_hold(&run->chains[s]);
		}
		jc_chain_rotations(&run->chains[s], run->rotations);
	}
}

static int dump_frame(struct run *run, size_t frame, const struct section sections[SECTIONS],
	struct jc_bench_dump *dump)
{
	/* A packet that needs state lists its sections after an empty mask. */
	struct jc_bench_packet packet = { .payload_length = frame > 0 };
	int error = JC_OK;

	for (size_t s = 0; s < SECTIONS && !error; s++) {
		error = jc_bench_packet_add(&packet, ranges[s]->section, run->coding,
			sections[s].bytes, sections[s].length);
	}
	error = error ? error
		      : jc_bench_packet_finish(&packet, frame, (uint8_t)frame, frame > 0,
				frame > 0 ? JC_SHAPE_MASK : JC_SHAPE_LIST);
	if (!error) {
		jc_bench_dump_frame(dump, &packet, &run->samples[frame]);
	}
	return error;
}

static int start(struct run *run, const struct jc_bench_codec *codec, struct jc_bench_dump *dump)
{
	struct section rejoin[SECTIONS];

	for (size_t s = 0; s < SECTIONS; s++) {
		const struct jc_bench_range *range = ranges[s];
		int error = jc_chain_start(&run->start[s], codec->coding, range->section,
			(enum jc_precision)codec->precision,
			((UINT64_C(1) << range->count) - 1) << range->first,
			run->samples[0].rotations, NULL);
		int written = error ? error
				    : jc_chain_write_rejoin(&run->start[s], rejoin[s].bytes,
					      sizeof(rejoin[s].bytes));

		if (written < 0) {
			return written;
		}
		rejoin[s].length = (size_t)written;
		run->chains[s] = run->start[s];
	}
	return dump_frame(run, 0, rejoin, dump);
}

static int encode_all(struct run *run, struct jc_bench_dump *dump)
{
	for (size_t i = 0; i < run->count; i++) {
		int error;

		for (size_t s = 0; s < SECTIONS; s++) {
			struct section *section = &run->sections[i][s];
			int written =
				jc_chain_encode(&run->chains[s], run->samples[i + 1].rotations,
					NULL, false, section->bytes, sizeof(section->bytes));

			if (written < 0) {
				return written;
			}
			section->length = (size_t)written;
		}
		error = dump_frame(run, i + 1, run->sections[i], dump);
		if (error) {
			return error;
		}
	}
	return JC_OK;
}

size_t jc_bench_codec_time_frames(const struct jc_bench_clip *clip)
{
	return clip->count - 1 < FRAMES ? clip->count : FRAMES + 1;
}

int jc_bench_codec_time_measure(const struct jc_bench_codec *codec,
	const struct jc_bench_clip *clip, size_t batches, size_t calls, struct jc_bench_dump *dump,
	struct jc_bench_codec_time *out_time)
{
	struct run *run = calloc(1, sizeof(*run));
	int error;

	if (!run) {
		return JC_ERROR_MEMORY;
	}
	run->samples = clip->samples;
	run->coding = codec->coding;
	run->count = jc_bench_codec_time_frames(clip) - 1;
	error = start(run, codec, dump);
	error = error ? error : encode_all(run, dump);
	if (!error) {
		calls = calls ? calls : run->count;
		out_time->encode = jc_bench_median_time(batches, calls, run_encode, run);
		out_time->decode = jc_bench_median_time(batches, calls, run_decode, run);
	}
	free(run);
	return error;
}
