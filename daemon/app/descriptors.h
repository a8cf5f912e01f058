/* The limit of open files of the process. */
#ifndef JC_DESCRIPTORS_H
#define JC_DESCRIPTORS_H

#include "base/log.h"

/* Allows one descriptor for each connection, and some for files. Logs a warning where the system
 * allows less. */
void jc_descriptors_limit(const struct jc_log *log, unsigned connections);

#endif
