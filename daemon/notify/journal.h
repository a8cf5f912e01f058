/* Lines of the log as entries of the journal, whose fields say what they are about:
 * JOINTCAST_SPACE, JOINTCAST_BODY, JOINTCAST_SOURCE and JOINTCAST_STATE. */
#ifndef JC_JOURNAL_H
#define JC_JOURNAL_H

#include "base/log.h"

/* Has a log that leads to the journal send entries, where that is to be had. */
void jc_journal_attach(struct jc_log *log);

#endif
