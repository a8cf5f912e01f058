/* The spaces that a configuration names, at the start and when it is read again. */
#ifndef JC_OPEN_SPACES_H
#define JC_OPEN_SPACES_H

#include "base/log.h"
#include "config/config.h"
#include "space/spaces.h"

/* Opens those that are not there yet, has all be as the configuration says, and logs what
 * of it takes a start. One that it names no more goes when nobody is left. Returns 0, or a
 * negative enum jc_error with the diagnostic filled; then nothing changed unless memory
 * ran out. */
int jc_open_spaces(struct jc_spaces *spaces, const struct jc_config *config,
	const struct jc_log *log, struct jc_diagnostic *diagnostic);

#endif
