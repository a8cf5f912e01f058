/* A motion file of any format that is read as a motion, made into a recording in memory, so that
 * it is replayed as one. */
#ifndef JC_MOTION_RECORDING_H
#define JC_MOTION_RECORDING_H

#include <stddef.h>

#include "replay/replay_file.h"

/* Makes a replay file of the first motion of a file, of all bodies if the file is a recording.
 * name: for messages and people. Any thread. Returns 0 or a negative error with the diagnostic
 * filled; JC_ERROR_LIMIT: more than JC_MAX_MOTION_FRAMES frames, or JC_MAX_MOTION_MESSAGES messages
 * or JC_MAX_MOTION_BYTES bytes in 0.1 s, or a recording that unpacks to more than
 * JC_MAX_MOTION_UNPACKED bytes. */
int jc_motion_recording_open(const void *bytes, size_t length, const char *name,
	struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic);

#endif
