/* Writes a file of the state directory on libuv's pool after each change of what it contains,
 * repeats failed writes, and reports to waiting requests when their change is on the disk. */
#ifndef JC_STATE_SAVER_H
#define JC_STATE_SAVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "base/job.h"
#include "base/log.h"
#include "jointcast/error.h"

struct jc_state_saver_ops {
	/* On the loop: copies the content that `write` needs. Returns 0 or JC_ERROR_MEMORY. */
	int (*copy)(void *context);
	/* On a thread of the pool: writes the copy. Returns 0, or a negative enum jc_error with the
	 * diagnostic filled. */
	int (*write)(void *context, struct jc_diagnostic *diagnostic);
	/* On the loop, after each write: frees the copy. */
	void (*drop)(void *context);
};

/* Borrowed. */
struct jc_state_saver_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *folder; /* of the file; made before a write. NULL: nothing is written */
	const char *what;   /* the content in messages: "sanctions" */
	const struct jc_state_saver_ops *ops;
	void *context;
	size_t most;       /* waits at a time */
	uint64_t retry_ms; /* delay before the second try of a failed write; 0: one second */
};

/* Waits until the newest content is written. The caller owns it, sets `asker` and `done` and keeps
 * it until `done` is called. */
struct jc_state_wait {
	uint64_t asker; /* identifies the waiting client, for jc_state_saver_is_awaited */
	/* is_stored: the file contains all changes that were made before the wait began. */
	void (*done)(struct jc_state_wait *wait, bool is_stored);
	struct jc_state_wait *next; /* for the saver */
	uint64_t change;
};

/* Fields are for state_saver.c. */
struct jc_state_saver {
	struct jc_state_saver_options options;
	uint64_t changed, stored; /* the newest change, and the newest in the file */
	uint64_t tried;           /* the newest change in any write, also a failed one */
	uint64_t writing;         /* the newest change in the running write; 0: no write */
	struct jc_state_wait *first, **end; /* borrowed */
	size_t waiting;
	struct jc_diagnostic problem; /* of the last write; empty if it succeeded */
	bool is_failing;
	bool is_stopping;
	bool has_timers; /* true: the timers are handles of the loop */
	uv_timer_t retry, pause;
	uint64_t delay_ms; /* until the next try */
	/* The running write, on another thread. */
	struct jc_job job;
	int status;       /* of the copy, then of the write */
	int64_t spent_ns; /* processor time of the write */
	struct jc_diagnostic diagnostic;
};

void jc_state_saver_init(
	struct jc_state_saver *saver, const struct jc_state_saver_options *options);

/* Tries once more to write what the file lacks, and lets the loop end. Called while the loop runs;
 * the content does not change afterwards. */
void jc_state_saver_stop(struct jc_state_saver *saver);

/* Called after the loop has ended. */
void jc_state_saver_finish(struct jc_state_saver *saver);

/* Called after each change: writes the file, at once or after the pause that follows the last
 * write, which lasts 50 times the processor time of that write. A failed write is repeated after
 * one second, two, four and so on up to a minute, until it succeeds. */
void jc_state_saver_save(struct jc_state_saver *saver);

/* Begins to wait; a change was saved just before, or the asker waits already. Waits end in the
 * order in which they began, on the loop, when the write that contains their changes succeeds or
 * fails. If more than options.most would wait, all end at once as not stored. */
void jc_state_saver_await(struct jc_state_saver *saver, struct jc_state_wait *wait);

bool jc_state_saver_is_awaited(const struct jc_state_saver *saver, uint64_t asker);

/* The error of the last write if the file lacks the newest changes. NULL: it has them, or their
 * first write runs, or there is no file. */
const struct jc_diagnostic *jc_state_saver_problem(const struct jc_state_saver *saver);

#endif
