/* Log lines as journal entries with the fields JOINTCAST_SPACE, JOINTCAST_BODY, JOINTCAST_SOURCE
 * and JOINTCAST_STATE. */
#ifndef JC_JOURNAL_H
#define JC_JOURNAL_H

#include "base/log.h"

/* Makes a log that leads to the journal send entries, if libsystemd is available. */
void jc_journal_attach(struct jc_log *log);

#endif
