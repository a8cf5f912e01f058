/* How long recordings are kept. */
#ifndef JC_RECORD_RETENTION_H
#define JC_RECORD_RETENTION_H

#include <time.h>

#include "base/log.h"
#include "record/record_target.h"

/* Removes recordings of the folder that are older than keep_days, and the oldest beyond
 * keep_bytes in all: whole files that were ended, have a name as this daemon gives it and
 * say that they are recordings. Other files are not changed. Logs what it removes. */
void jc_record_retention_apply(
	const struct jc_record_settings *settings, time_t now, const struct jc_log *log);

#endif
