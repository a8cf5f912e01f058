/* What it takes to encode and decode a body with face and hands, 55 bones. */
#ifndef JC_CLI_BENCH_TIME_H
#define JC_CLI_BENCH_TIME_H

#include "bench_clip.h"
#include "bench_codec.h"
#include "bench_dump.h"

struct jc_bench_time {
	double encode, decode; /* microseconds a frame: three sections, and the rotations */
};

/* Medians over batches of so many frames; longer clips give their beginning.
 * JC_OK or a negative error. The frames go to the dump as well. */
int jc_bench_time_measure(const struct jc_bench_codec *codec, const struct jc_bench_clip *clip,
	size_t batches, size_t calls, struct jc_bench_dump *dump, struct jc_bench_time *out_time);

#endif
