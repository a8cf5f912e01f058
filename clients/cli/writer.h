/* The two ways in which the retarget command prints posed figures. */
#ifndef JC_CLI_WRITER_H
#define JC_CLI_WRITER_H

#include <stddef.h>
#include <stdio.h>

#include "jointcast/fitting.h"

struct jc_writer {
	void (*begin)(FILE *stream, const struct jc_fitting *fitting, size_t skeleton_index);
	void (*frame)(FILE *stream, const struct jc_fitting *fitting, size_t index);
	void (*end)(FILE *stream);
};

extern const struct jc_writer jc_writer_json;  /* one frame a line */
extern const struct jc_writer jc_writer_table; /* for people */

#endif
