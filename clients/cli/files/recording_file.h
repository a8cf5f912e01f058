/* Recordings as inputs. They are read in pieces, so they may be of any size. */
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

/* Whether the path leads to a regular file that starts with the MCAP magic. */
bool jc_recording_file_is(const char *path);

/* Reports errors and returns enum jc_exit. The struct must not move before it is closed. */
int jc_recording_file_open(const char *path, struct jc_recording_file *file);
void jc_recording_file_close(struct jc_recording_file *file);

struct jc_recording_progress {
	struct jc_mcap_input input; /* reads `file` and prints the progress */
	struct jc_mcap_input file;
	const char *label; /* such as "recovering" */
	bool is_shown;
	int percent;
};

/* Starts a pass over a file with progress on a terminal. The descriptor is borrowed; `progress`
 * must not move. False, with errno, unless the file is a regular one. */
bool jc_recording_progress_begin(
	struct jc_recording_progress *progress, int *descriptor, const char *label);
void jc_recording_progress_end(
	struct jc_recording_progress *progress); /* erases the progress line */

/* The destination of an MCAP writer: an output file. `status` is enum jc_exit of the last write. */
struct jc_recording_output {
	struct jc_output_file *file; /* borrowed */
	int status;
};

/* `output` must not move while the sink is used. */
struct jc_mcap_sink jc_recording_output_sink(struct jc_recording_output *output);

/* Writes the file `out` with the result of `rewrite`, a pass over the file `in` with progress, and
 * checks it as jc_recording_file_check does before it appears. `rewrite` returns enum jc_error.
 * Reports errors and returns enum jc_exit. */
int jc_recording_file_rewrite(const char *in, const char *out, const char *label,
	int (*rewrite)(void *context, const struct jc_mcap_input *input,
		const struct jc_mcap_sink *sink, struct jc_diagnostic *diagnostic),
	void *context);

/* Reads a complete recording that was just written, and checks all CRCs. Reports errors and returns
 * enum jc_exit. */
int jc_recording_file_check(const char *name, int *descriptor);

#endif
