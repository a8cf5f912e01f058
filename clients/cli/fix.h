/* The figure that `lint --fix` writes. */
#ifndef JC_CLI_FIX_H
#define JC_CLI_FIX_H

#include <stddef.h>

#include "input.h"
#include "jointcast/skeleton.h"

enum jc_fix_format {
	JC_FIX_GLB,
	JC_FIX_GLTF,
	JC_FIX_DESCRIPTOR,
};

/* input is the file that the skeleton was read from as its humanoid `index`,
 * NULL where it came another way. What was changed beyond the rest, and what is left
 * out, goes to standard error, a line each. Reports what goes wrong; returns enum
 * jc_exit. */
int jc_fix_write(const char *path, enum jc_fix_format format, const struct jc_skeleton *skeleton,
	struct jc_input *input, size_t index);

#endif
