/* The inputs and settings that all benchmarks share. */
#ifndef JC_CLI_BENCH_H
#define JC_CLI_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "contents.h"

struct jc_bench_input {
	const char *name; /* borrowed: the argument */
	struct jc_contents contents;
};

struct jc_bench {
	size_t batches;
	size_t calls; /* in each batch */
	bool json;
	size_t input_count; /* at least one motion and one skeleton among them */
	struct jc_bench_input *inputs;
};

/* Prints its result and returns enum jc_exit. */
int jc_bench_retarget(const struct jc_bench *bench);

#endif
