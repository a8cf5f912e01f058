/* What it takes to encode and decode a body with face and hands, 55 bones. */
#ifndef JC_CLI_BENCH_CODEC_TIME_H
#define JC_CLI_BENCH_CODEC_TIME_H

#include "bench/bench_clip.h"
#include "bench/bench_codec.h"
#include "bench/bench_dump.h"

struct jc_bench_codec_time {
	double encode, decode; /* microseconds a frame: three sections, and the rotations */
};

/* How many frames of a clip, of two at least, are gone through: its beginning. */
size_t jc_bench_codec_time_frames(const struct jc_bench_clip *clip);

/* Medians over batches of so many frames, or of those gone through where calls is
 * 0. JC_OK or a negative error. The frames go to the dump, which is open. */
int jc_bench_codec_time_measure(const struct jc_bench_codec *codec,
	const struct jc_bench_clip *clip, size_t batches, size_t calls, struct jc_bench_dump *dump,
	struct jc_bench_codec_time *out_time);

#endif
