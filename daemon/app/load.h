/* From the configuration to spaces with bodies in them: the one place that knows which
 * kinds of sink there are. */
#ifndef JC_LOAD_H
#define JC_LOAD_H

#include <uv.h>

#include "app/config_objects.h"
#include "base/log.h"
#include "config/config.h"
#include "space/spaces.h"

struct jc_recordings;

/* What loading needs; borrowed, and the spaces outlive it. */
struct jc_load {
	const struct jc_log *log;
	struct jc_spaces *spaces;
	struct jc_config_objects *config_objects; /* is filled */
	uv_loop_t *loop;                          /* of sources and recordings */
	struct jc_recordings *recordings;
	const char *state; /* directory for what outlives a run; NULL: none */
};

/* Opens every space, registers every skeleton, opens every source and every sink,
 * and begins to record what is to be recorded.
 * Stops at the first that fails, which it logs. Returns 0 or a negative enum
 * jc_error. */
int jc_load(const struct jc_load *load, const struct jc_config *config);

/* Opens the spaces of the configuration that are not open yet, sets the policies of all, and
 * logs which changes need a restart. A space that the configuration no longer names closes
 * when it is empty. Returns 0, or a negative enum jc_error with the diagnostic filled; then
 * nothing has changed, except with JC_ERROR_MEMORY. */
int jc_load_spaces(struct jc_spaces *spaces, const struct jc_config *config,
	const struct jc_log *log, struct jc_diagnostic *diagnostic);

#endif
