/* MCAP files that are read from end to end, with progress on a terminal, and written
 * anew. */
#ifndef JC_CLI_MCAP_WATCH_H
#define JC_CLI_MCAP_WATCH_H

#include <stdbool.h>

#include "base/mcap_file.h"
#include "jointcast/mcap_writer.h"
#include "replace.h"

struct jc_mcap_watch {
	struct jc_mcap_input input; /* what is to be read: counts as it is */
	struct jc_mcap_input file;  /* where that comes from */
	const char *label;          /* "recovering" */
	bool is_shown;
	int percent;
};

/* The descriptor is borrowed, the watch stays where it is. False, and errno set, where
 * it is no file. */
bool jc_mcap_watch_begin(struct jc_mcap_watch *watch, int *descriptor, const char *label);
void jc_mcap_watch_end(struct jc_mcap_watch *watch); /* clears the line */

/* A file that is being written takes the bytes of an MCAP writer. Its status is enum
 * jc_exit after saying what failed. */
struct jc_mcap_output {
	struct jc_replacement *replacement; /* borrowed */
	int status;
};

/* The output stays where it is. */
struct jc_mcap_sink jc_mcap_output_sink(struct jc_mcap_output *output);

/* Reads a file that was just written as anybody would, all CRCs checked. Returns enum
 * jc_exit after saying what is wrong. */
int jc_mcap_watch_check(const char *name, int *descriptor);

#endif
