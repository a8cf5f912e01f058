/* Inputs and settings of the benchmarks, and the benchmarks themselves. */
#ifndef JC_CLI_BENCH_H
#define JC_CLI_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "files/file_contents.h"

struct jc_bench_input {
	const char *name; /* borrowed: the argument */
	struct jc_contents contents;
};

struct jc_bench {
	size_t batches;
	size_t calls; /* in each batch; 0: the default of the benchmark */
	bool json;
	const char *dump; /* folder for encoded motions, or NULL */
	size_t input_count;
	struct jc_bench_input *inputs;
};

/* Returns the first motion or the first skeleton of a file, or NULL. */
const struct jc_motion *jc_bench_motion(const struct jc_bench_input *input);
const struct jc_skeleton *jc_bench_skeleton(const struct jc_bench_input *input);

/* The benchmarks print their results and return enum jc_exit. Retargeting needs a motion and a
 * skeleton, codecs need motions. */
int jc_bench_retarget(const struct jc_bench *bench);
int jc_bench_codecs(const struct jc_bench *bench);

/* Measures what a daemon spends on sending to many subscribers. argv[0] is the name of the
 * benchmark. */
int jc_bench_fanout(int argc, char **argv);

#endif
