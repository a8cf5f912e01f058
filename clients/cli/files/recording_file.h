/* Recordings as inputs: read where needed, so that they may be of any size. */
#ifndef JC_CLI_RECORDING_FILE_H
#define JC_CLI_RECORDING_FILE_H

#include <stdbool.h>

#include "files/output_file.h"
#include "jointcast/mcap_writer.h"
#include "jointcast/recording_reader.h"

struct jc_recording_file {
	int descriptor;
	struct jc_mcap_input input;
	struct jc_recording *recording;
};

/* Whether a path leads to a regular file that begins as MCAP files do. */
bool jc_recording_file_is(const char *path);

/* Reports what goes wrong and returns enum jc_exit. The struct stays where it is
 * until it is closed. */
int jc_recording_file_open(const char *path, struct jc_recording_file *file);
void jc_recording_file_close(struct jc_recording_file *file);

struct jc_recording_progress {
	struct jc_mcap_input input; /* what is to be read: counts as it is */
	struct jc_mcap_input file;  /* where that comes from */
	const char *label;          /* "recovering" */
	bool is_shown;
	int percent;
};

/* The descriptor is borrowed, the watch stays where it is. False, and errno set, where
 * it is no file. */
bool jc_recording_progress_begin(
	struct jc_recording_progress *watch, int *descriptor, const char *label);
void jc_recording_progress_end(struct jc_recording_progress *watch); /* clears the line */

/* A file that is being written takes the bytes of an MCAP writer. Its status is enum
 * jc_exit after saying what failed. */
struct jc_recording_output {
	struct jc_output_file *replacement; /* borrowed */
	int status;
};

/* The output stays where it is. */
struct jc_mcap_sink jc_recording_output_sink(struct jc_recording_output *output);

/* Reads a file that was just written as anybody would, all CRCs checked. Returns enum
 * jc_exit after saying what is wrong. */
int jc_recording_file_check(const char *name, int *descriptor);

#endif
