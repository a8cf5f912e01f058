/* Creates the objects that the configuration describes. Of the whole daemon, only this module
 * knows the kinds of sinks. */
#ifndef JC_LOAD_H
#define JC_LOAD_H

#include <uv.h>

#include "app/config_objects.h"
#include "base/log.h"
#include "config/config.h"
#include "space/spaces.h"

struct jc_recordings;

/* Borrowed; the spaces outlive it. */
struct jc_load {
	const struct jc_log *log;
	struct jc_spaces *spaces;
	struct jc_config_objects *config_objects; /* empty; jc_load() fills it */
	struct jc_avatars *avatars;
	uv_loop_t *loop; /* of sources and recordings */
	struct jc_recordings *recordings;
	const char *state; /* directory for state between runs; NULL: none */
	bool is_check;     /* checks everything, and opens no socket; so do `recordings` */
};

/* Opens all spaces, registers all skeletons, opens all sources and sinks, and starts recordings.
 * Stops at the first error and logs it. Returns 0 or a negative enum jc_error. */
int jc_load(const struct jc_load *load, const struct jc_config *config);

/* Opens the spaces of the configuration that are not open yet, sets the policies of all, and
 * logs which changes need a restart. A space that the configuration no longer names closes
 * when it is empty. Returns 0, or a negative enum jc_error with the diagnostic filled; then
 * nothing has changed, except with JC_ERROR_MEMORY. */
int jc_load_spaces(struct jc_spaces *spaces, const struct jc_config *config,
	const struct jc_log *log, struct jc_diagnostic *diagnostic);

#endif
