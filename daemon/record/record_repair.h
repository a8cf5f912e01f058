/* Repairs recordings that a crash left in the folder, while new recordings begin. */
#ifndef JC_RECORD_REPAIR_H
#define JC_RECORD_REPAIR_H

#include <uv.h>

#include "base/log.h"

struct jc_record_repairing;

/* Renames each NAME.mcap.part of the folder to NAME.mcap after repair, on the thread pool, and
 * logs what was lost. Leaves files without usable data and files that another process writes.
 * Borrows the log. JC_ERROR_INVALID if the folder cannot be read, JC_ERROR_MEMORY. */
int jc_record_repair(uv_loop_t *loop, const char *folder, const struct jc_log *log,
	struct jc_record_repairing **out_repair, struct jc_diagnostic *diagnostic);

/* Waits for the job. */
void jc_record_repairing_destroy(struct jc_record_repairing *repair); /* NULL is fine */

#endif
