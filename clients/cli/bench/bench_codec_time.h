/* Measures the time to encode and decode a body with face and hands, 55 bones. */
#ifndef JC_CLI_BENCH_CODEC_TIME_H
#define JC_CLI_BENCH_CODEC_TIME_H

#include "bench/bench_clip.h"
#include "bench/bench_codec.h"
#include "bench/bench_dump.h"

struct jc_bench_codec_time {
	double encode, decode; /* microseconds per frame: three sections with all rotations */
};

/* The number of frames at the start of a clip that are processed. The clip has at least two. */
size_t jc_bench_codec_time_frames(const struct jc_bench_clip *clip);

/* Medians over batches of `calls` frames; 0: as many as jc_bench_codec_time_frames returns. The
 * frames are written to the dump, which is open. JC_OK or a negative error. */
int jc_bench_codec_time_measure(const struct jc_bench_codec *codec,
	const struct jc_bench_clip *clip, size_t batches, size_t calls, struct jc_bench_dump *dump,
	struct jc_bench_codec_time *out_time);

#endif
