/* The sanctions in force, and their file, which keeps them between runs. */
#ifndef JC_MODERATION_H
#define JC_MODERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/log.h"
#include "base/state_saver.h"
#include "jointcast/error.h"
#include "moderation/sanction_history.h"

struct jc_moderation;

/* Borrowed. */
struct jc_moderation_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *state; /* directory of the file; NULL: sanctions end with the daemon */
	bool keeps_ended;  /* other hosts may serve the same spaces */
	uint64_t retry_ms; /* delay before the second try of a failed write; 0: one second */
};

/* Reads the file of an earlier run. Returns 0, or a negative enum jc_error with the
 * diagnostic filled. */
int jc_moderation_create(const struct jc_moderation_options *options,
	struct jc_moderation **out_moderation, struct jc_diagnostic *diagnostic);

/* Tries once more to write what the file lacks, and lets the loop end. Called while the loop
 * runs; sanctions do not change afterwards. */
void jc_moderation_stop(struct jc_moderation *moderation);

/* Called after the loop has ended. NULL is fine. */
void jc_moderation_destroy(struct jc_moderation *moderation);

/* Those in force. */
struct jc_sanctions *jc_moderation_sanctions(struct jc_moderation *moderation);

/* For changes; jc_moderation_save follows each. */
struct jc_sanction_history *jc_moderation_history(struct jc_moderation *moderation);

/* Whether there is a file. */
bool jc_moderation_has_file(const struct jc_moderation *moderation);

/* The calls of the saver (state_saver.h). At most JC_MAX_MODERATION_REQUESTS_WAITING wait; the
 * asker of a wait is not 0. */
void jc_moderation_save(struct jc_moderation *moderation);
void jc_moderation_await(struct jc_moderation *moderation, struct jc_state_wait *wait);
bool jc_moderation_is_awaited(const struct jc_moderation *moderation, uint64_t asker);
const struct jc_diagnostic *jc_moderation_problem(const struct jc_moderation *moderation);

#endif
