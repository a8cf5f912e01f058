/* The recorder of a space: a sink that has what sources deliver written to files,
 * away from the loop. proto/RECORDING.md says what is in them. */
#ifndef JC_RECORDER_H
#define JC_RECORDER_H

#include <limits.h>
#include <uv.h>

#include "base/clock.h"
#include "base/log.h"
#include "maxima.h"
#include "sink/sink.h"

/* What --record says: FOLDER[?option&…]. */
struct jc_record_target {
	char folder[PATH_MAX];
	char space[JC_MAX_SPACE_NAME];
	unsigned split_s; /* 0: by size only */
};

/* Options: space=NAME (default lobby), split=SECONDS (10 to 86400, default 3600).
 * Returns 0 or JC_ERROR_INVALID with the diagnostic filled. */
int jc_record_target_parse(
	const char *text, struct jc_record_target *out_target, struct jc_diagnostic *diagnostic);

struct jc_recorder_options {
	const struct jc_record_target *target; /* copied */
	uv_loop_t *loop;                       /* whose pool writes */
	const struct jc_clock *clock;          /* borrowed, as is log */
	const struct jc_log *log;
	uint64_t epoch; /* of the space, as its tick rate */
	uint32_t hz;
};

/* Mends what an earlier run left in the folder, then records bodies that have not
 * asked not to be. To be destroyed when its loop runs no more: what is left is
 * written then. */
int jc_recorder_create(const struct jc_recorder_options *options, struct jc_sink **out_sink,
	struct jc_diagnostic *diagnostic);

#endif
