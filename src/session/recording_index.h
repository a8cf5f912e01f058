/* What a recording says of itself, beside captures. */
#ifndef JC_SESSION_RECORDING_INDEX_H
#define JC_SESSION_RECORDING_INDEX_H

#include "recording_private.h"

/* Fills session, groups, rosters, events, skeletons and bodies from the file's index.
 * Chunks that are damaged are noted and passed over. */
int jc_recording_read_index(struct jc_recording *recording, struct jc_diagnostic *diagnostic);
void jc_recording_finish_index(struct jc_recording *recording);

#endif
