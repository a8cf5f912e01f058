/* The sanctions that hold, and the file that has them outlive the daemon. */
#ifndef JC_MODERATION_H
#define JC_MODERATION_H

#include <uv.h>

#include "base/log.h"
#include "jointcast/error.h"
#include "moderation/sanctions.h"

struct jc_moderation;

/* Borrowed. */
struct jc_moderation_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *state; /* directory for what outlives a run; NULL: nothing does */
};

/* Reads what an earlier run left. Returns 0, or a negative enum jc_error with the
 * diagnostic filled. */
int jc_moderation_create(const struct jc_moderation_options *options,
	struct jc_moderation **out_moderation, struct jc_diagnostic *diagnostic);

/* After the loop has ended, which it does once all is written. NULL is fine. */
void jc_moderation_destroy(struct jc_moderation *moderation);

struct jc_sanctions *jc_moderation_sanctions(struct jc_moderation *moderation);

/* Whether they outlive the daemon. */
bool jc_moderation_is_stored(const struct jc_moderation *moderation);

/* They are others now: the file follows, written on libuv's pool. */
void jc_moderation_save(struct jc_moderation *moderation);

#endif
