/* Repairs recordings that a crash left in the folder, while new recordings begin. */
#ifndef JC_RECORD_REPAIR_H
#define JC_RECORD_REPAIR_H

#include <uv.h>

#include "base/log.h"

struct jc_record_repairing;

/* Every NAME.mcap.part that is in the folder now becomes NAME.mcap, whole, on a thread of
 * the loop's pool, and what was lost is logged. One of which nothing can
 * be kept stays as it is; so does one that somebody writes. The log is borrowed.
 * JC_ERROR_INVALID where the folder cannot be read, JC_ERROR_MEMORY. */
int jc_record_repair(uv_loop_t *loop, const char *folder, const struct jc_log *log,
	struct jc_record_repairing **out_mending, struct jc_diagnostic *diagnostic);

/* Waits until it is done. */
void jc_record_repairing_destroy(struct jc_record_repairing *mending); /* NULL is fine */

#endif
