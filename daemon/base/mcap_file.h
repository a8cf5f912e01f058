/* MCAP files on disk. They may be far larger than memory, so only requested parts are read. */
#ifndef JC_MCAP_FILE_H
#define JC_MCAP_FILE_H

#include <stdbool.h>

#include "jointcast/mcap.h"
#include "jointcast/mcap_writer.h"

/* Makes an input from an open descriptor, which the caller still owns. False, with errno set: it
 * is not a regular file. */
bool jc_mcap_file_input(int *descriptor, struct jc_mcap_input *out_input);

/* Makes a sink that appends to an open descriptor, which the caller still owns. */
struct jc_mcap_sink jc_mcap_file_sink(int *descriptor);

#endif
