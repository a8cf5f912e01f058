/* Recordings that a crash left in the folder: mended before new ones begin. */
#ifndef JC_RECORD_MEND_H
#define JC_RECORD_MEND_H

#include "base/log.h"

/* Every NAME.mcap.part of the folder becomes NAME.mcap, whole, and what was lost is
 * logged. One of which nothing can be kept stays as it is. JC_ERROR_INVALID where
 * the folder cannot be read. */
int jc_record_mend(const char *folder, const struct jc_log *log, struct jc_diagnostic *diagnostic);

#endif
