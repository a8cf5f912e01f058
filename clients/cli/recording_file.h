/* Recordings as inputs: read where needed, so that they may be of any size. */
#ifndef JC_CLI_RECORDING_FILE_H
#define JC_CLI_RECORDING_FILE_H

#include <stdbool.h>

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

#endif
