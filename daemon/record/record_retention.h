/* How long recordings are kept. */
#ifndef JC_RECORD_RETENTION_H
#define JC_RECORD_RETENTION_H

#include <time.h>

#include "base/log.h"
#include "record/record_target.h"

/* Removes recordings of the folder that are older than keep_days, and the oldest ones while all
 * use more than keep_bytes. Removes only complete files with a name and a profile of this daemon's
 * recordings. Logs each removal. */
void jc_record_retention_apply(
	const struct jc_record_settings *settings, time_t now, const struct jc_log *log);

#endif
