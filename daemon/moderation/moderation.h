/* The sanctions in force, and their file, which keeps them between runs. */
#ifndef JC_MODERATION_H
#define JC_MODERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/log.h"
#include "jointcast/error.h"
#include "moderation/sanctions.h"

struct jc_moderation;

/* Borrowed. */
struct jc_moderation_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *state; /* directory of the file; NULL: sanctions end with the daemon */
	uint64_t retry_ms; /* delay before the second try of a failed write; 0: one second */
};

/* Waits until the newest sanctions are written. The caller owns it, sets `asker` and `done` and
 * keeps it until `done` is called. */
struct jc_moderation_wait {
	uint64_t asker; /* identifies the waiting client; not 0 */
	/* is_stored: the file contains all sanctions that were in force when the wait began. */
	void (*done)(struct jc_moderation_wait *wait, bool is_stored);
	struct jc_moderation_wait *next; /* for the moderation module */
	uint64_t change;
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

struct jc_sanctions *jc_moderation_sanctions(struct jc_moderation *moderation);

/* Whether there is a file. */
bool jc_moderation_has_file(const struct jc_moderation *moderation);

/* Called after each change of the sanctions: writes the file on libuv's pool, at once or after the
 * pause that follows the last write, which lasts 50 times the processor time of that write. A
 * failed write is repeated after one second, two, four and so on up to a minute, until it
 * succeeds. */
void jc_moderation_save(struct jc_moderation *moderation);

/* Begins to wait; a change was saved just before, or the asker waits already. Waits end in the
 * order in which they began, on the loop, when the write that contains their sanctions succeeds
 * or fails. If more than JC_MAX_MODERATION_REQUESTS_WAITING would wait, all end at once as not
 * stored. */
void jc_moderation_await(struct jc_moderation *moderation, struct jc_moderation_wait *wait);

bool jc_moderation_is_awaited(const struct jc_moderation *moderation, uint64_t asker);

/* The error of the last write if the file lacks the newest sanctions. NULL: it has them, or their
 * first write runs, or there is no file. */
const struct jc_diagnostic *jc_moderation_problem(const struct jc_moderation *moderation);

#endif
