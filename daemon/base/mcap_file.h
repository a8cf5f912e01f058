/* MCAP files on disk, read where asked: they may be far larger than memory. */
#ifndef JC_MCAP_FILE_H
#define JC_MCAP_FILE_H

#include <stdbool.h>

#include "jointcast/mcap.h"

/* An input over an open descriptor, which stays the caller's. False, with errno,
 * where it is none of a regular file. */
bool jc_mcap_file_input(int *descriptor, struct jc_mcap_input *out_input);

#endif
