/* Writes encoded motions and their originals to files, which tests/bench/codec.mjs decodes again.
 *
 *   index.json    {"streams": [{"codec", "clip", "bones", "hz", "frames",
 *                 "packets": FILE, "samples": FILE}, …]}
 *   packets       the message of each frame after its length, u32 little-endian; length 0: no
 *                 message is sent
 *   samples       each frame as float32 little-endian: x, y, z, w of the 55 bones, then x, y, z
 *                 of the hips from their rest position */
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

/* The functions report errors and return enum jc_exit. begin creates the folder if needed. Each
 * stream is opened, written and closed before the next. */
int jc_bench_dump_begin(struct jc_bench_dump *dump, const char *folder);
int jc_bench_dump_open(struct jc_bench_dump *dump, const char *codec, const char *clip,
	unsigned bones, double hz, size_t frames);
void jc_bench_dump_frame(struct jc_bench_dump *dump, const struct jc_bench_packet *packet,
	const struct jc_bench_sample *sample);
int jc_bench_dump_close(struct jc_bench_dump *dump);
int jc_bench_dump_end(struct jc_bench_dump *dump);

#endif
