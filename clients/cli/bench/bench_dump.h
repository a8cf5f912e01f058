/* Encoded motions and what they were made of, as files: for another decoder to
 * check (tests/bench/codec.mjs).
 *
 *   index.json    {"streams": [{"codec", "clip", "bones", "hz", "frames",
 *                 "packets": FILE, "samples": FILE}, …]}
 *   packets       each frame's message behind its length, u32 little-endian, which is
 *                 0 where none is sent
 *   samples       each frame as float32 little-endian: x, y, z, w of the 55
 *                 bones, x, y, z of the hips from rest */
#ifndef JC_CLI_BENCH_DUMP_H
#define JC_CLI_BENCH_DUMP_H

#include <stdio.h>

#include "bench/bench_clip.h"
#include "bench/bench_packet.h"
#include "report/json_writer.h"

struct jc_bench_dump {
	const char *folder; /* borrowed; NULL: nothing is written */
	size_t count;
	struct jc_json_writer json;
	FILE *index, *packets, *samples;
};

/* All report what goes wrong and return enum jc_exit. begin makes the folder
 * unless it is there; a stream is opened, written and closed before the next. */
int jc_bench_dump_begin(struct jc_bench_dump *dump, const char *folder);
int jc_bench_dump_open(struct jc_bench_dump *dump, const char *codec, const char *clip,
	unsigned bones, double hz, size_t frames);
void jc_bench_dump_frame(struct jc_bench_dump *dump, const struct jc_bench_packet *packet,
	const struct jc_bench_sample *sample);
int jc_bench_dump_close(struct jc_bench_dump *dump);
int jc_bench_dump_end(struct jc_bench_dump *dump);

#endif
