/* Writes the sanctions to their file. Each change has a number. Only one write runs at a time and
 * contains all changes so far; the next write contains changes made meanwhile. A pause of 50 times
 * the processor time of the write follows each write, so that many requests cost little
 * processor time for writes. */
#include "moderation/moderation.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/job.h"
#include "moderation/sanction_file.h"

#define RETRY_MS      1000u
#define RETRY_MOST_MS 60000u

/* The pause after a write, in processor times of that write: writes take at most 2 % of a core. */
#define PAUSE_TIMES INT64_C(50)
#define MS          INT64_C(1000000)

struct jc_moderation {
	struct jc_moderation_options options;
	struct jc_sanctions sanctions;
	char path[PATH_MAX];
	uint64_t changed, stored; /* the newest change, and the newest in the file */
	uint64_t tried;           /* the newest change in any write, also a failed one */
	uint64_t writing;         /* the newest change in the running write; 0: no write */
	struct jc_moderation_wait *first, **end; /* borrowed */
	size_t waiting;
	struct jc_diagnostic problem; /* of the last write; empty if it succeeded */
	bool is_failing;
	bool is_stopping;
	bool has_timers; /* true: the timers are handles of the loop */
	uv_timer_t retry, pause;
	uint64_t delay_ms; /* until the next try */
	/* The running write, on another thread: formatting 4096 sanctions takes 17 ms of
	 * processor time, copying them 4 ms. */
	struct jc_job job;
	struct jc_sanctions copy; /* owned */
	int status;               /* of the copy, then of the write */
	int64_t spent_ns;         /* processor time of the write */
	struct jc_diagnostic diagnostic;
};

int jc_moderation_create(const struct jc_moderation_options *options,
	struct jc_moderation **out_moderation, struct jc_diagnostic *diagnostic)
{
	struct jc_moderation *moderation = calloc(1, sizeof(*moderation));

	if (!moderation) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	moderation->options = *options;
	if (options->retry_ms == 0) {
		moderation->options.retry_ms = RETRY_MS;
	}
	moderation->delay_ms = moderation->options.retry_ms;
	moderation->end = &moderation->first;
	if (options->state) {
		snprintf(moderation->path, sizeof(moderation->path), "%s/sanctions.json",
			options->state);
		int status =
			jc_sanction_file_read(moderation->path, &moderation->sanctions, diagnostic);

		if (status != JC_OK) {
			jc_moderation_destroy(moderation);
			return status;
		}
	}
	*out_moderation = moderation;
	return JC_OK;
}

void jc_moderation_destroy(struct jc_moderation *moderation)
{
	if (moderation) {
		assert(!moderation->writing && !moderation->has_timers && !moderation->first);
		jc_sanctions_finish(&moderation->sanctions);
		free(moderation);
	}
}

struct jc_sanctions *jc_moderation_sanctions(struct jc_moderation *moderation)
{
	return &moderation->sanctions;
}

bool jc_moderation_has_file(const struct jc_moderation *moderation)
{
	return moderation->options.state != NULL;
}

const struct jc_diagnostic *jc_moderation_problem(const struct jc_moderation *moderation)
{
	return moderation->is_failing ? &moderation->problem : NULL;
}

bool jc_moderation_is_awaited(const struct jc_moderation *moderation, uint64_t asker)
{
	for (const struct jc_moderation_wait *at = moderation->first; at; at = at->next) {
		if (at->asker == asker) {
			return true;
		}
	}
	return false;
}

/* Ends all waits for changes up to that one. */
static void end_waits(struct jc_moderation *moderation, uint64_t change, bool is_stored)
{
	while (moderation->first && moderation->first->change <= change) {
		struct jc_moderation_wait *wait = moderation->first;

		moderation->first = wait->next;
		if (!moderation->first) {
			moderation->end = &moderation->first;
		}
		moderation->waiting--;
		wait->done(wait, is_stored);
	}
}

static bool is_pausing(const struct jc_moderation *moderation)
{
	return moderation->has_timers && uv_is_active((const uv_handle_t *)&moderation->pause);
}

void jc_moderation_await(struct jc_moderation *moderation, struct jc_moderation_wait *wait)
{
	assert(moderation->writing || is_pausing(moderation));
	wait->next = NULL;
	wait->change = moderation->changed;
	*moderation->end = wait;
	moderation->end = &wait->next;
	if (++moderation->waiting > JC_MAX_MODERATION_REQUESTS_WAITING) {
		end_waits(moderation, moderation->changed, false);
	}
}

static int write_copy(struct jc_moderation *moderation)
{
	struct jc_diagnostic *diagnostic = &moderation->diagnostic;

	if (moderation->status != JC_OK) { /* of the copy */
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	int status = jc_file_make_folder(moderation->options.state, diagnostic);

	return status == JC_OK
		       ? jc_sanction_file_write(moderation->path, &moderation->copy, diagnostic)
		       : status;
}

static void on_write(void *data)
{
	struct jc_moderation *moderation = data;
	int64_t begun_ns = jc_clock_thread_ns();

	moderation->status = write_copy(moderation);
	moderation->spent_ns = jc_clock_thread_ns() - begun_ns;
}

static void on_written(void *data);

static const struct jc_job_ops writing = { .work = on_write, .done = on_written };

static void begin(struct jc_moderation *moderation)
{
	moderation->writing = moderation->changed;
	moderation->tried = moderation->changed;
	moderation->status = jc_sanctions_copy(&moderation->sanctions, &moderation->copy);
	jc_job_start(&moderation->job, moderation->options.loop, &writing, moderation);
}

static void on_retry(uv_timer_t *timer)
{
	struct jc_moderation *moderation = timer->data;

	if (!moderation->writing) {
		begin(moderation);
	}
}

static void on_pause_over(uv_timer_t *timer)
{
	struct jc_moderation *moderation = timer->data;

	if (!moderation->writing && moderation->changed > moderation->tried) {
		begin(moderation);
	}
}

/* Not before the first write has ended: only a running loop can close the handles, and a start
 * may fail. */
static void make_timers(struct jc_moderation *moderation)
{
	if (!moderation->has_timers) {
		uv_timer_init(moderation->options.loop, &moderation->retry);
		uv_timer_init(moderation->options.loop, &moderation->pause);
		moderation->retry.data = moderation;
		moderation->pause.data = moderation;
		moderation->has_timers = true;
	}
}

/* Changes made meanwhile are written after the pause. */
static void begin_pause(struct jc_moderation *moderation)
{
	uint64_t pause_ms = (uint64_t)(moderation->spent_ns * PAUSE_TIMES / MS);

	if (pause_ms > 0) {
		uv_timer_start(&moderation->pause, on_pause_over, pause_ms, 0);
	} else if (moderation->changed > moderation->tried) {
		begin(moderation);
	}
}

static void succeed(struct jc_moderation *moderation, uint64_t change)
{
	moderation->stored = change;
	if (!moderation->is_failing) {
		return;
	}
	moderation->is_failing = false;
	moderation->delay_ms = moderation->options.retry_ms;
	if (moderation->has_timers) {
		uv_timer_stop(&moderation->retry);
	}
	jc_log_write(moderation->options.log, JC_LOG_INFO, "the sanctions are on the disk again");
}

/* Logs the first failure, and the last try when the daemon ends. */
static void fail(struct jc_moderation *moderation)
{
	moderation->problem = moderation->diagnostic;
	if (moderation->is_stopping) {
		jc_log_diagnostic(moderation->options.log, "the newest sanctions are lost",
			&moderation->problem);
	} else if (!moderation->is_failing) {
		jc_log_diagnostic(moderation->options.log,
			"the newest sanctions would end with this run", &moderation->problem);
	}
	moderation->is_failing = true;
	if (moderation->is_stopping) {
		return;
	}
	/* A write for another change does not delay the next try. */
	if (!uv_is_active((uv_handle_t *)&moderation->retry)) {
		uv_timer_start(&moderation->retry, on_retry, moderation->delay_ms, 0);
		moderation->delay_ms = moderation->delay_ms < RETRY_MOST_MS / 2
					       ? 2 * moderation->delay_ms
					       : RETRY_MOST_MS;
	}
}

static void on_written(void *data)
{
	struct jc_moderation *moderation = data;
	uint64_t change = moderation->writing;
	bool is_stored = moderation->status == JC_OK;

	jc_sanctions_finish(&moderation->copy);
	moderation->writing = 0;
	if (!moderation->is_stopping) {
		make_timers(moderation);
	}
	if (is_stored) {
		succeed(moderation, change);
	} else {
		fail(moderation);
	}
	if (!moderation->is_stopping) {
		begin_pause(moderation);
	} else if (moderation->changed > change) {
		begin(moderation);
	}
	end_waits(moderation, change, is_stored);
}

void jc_moderation_save(struct jc_moderation *moderation)
{
	if (!moderation->options.state) {
		return;
	}
	moderation->changed++;
	if (!moderation->writing && !is_pausing(moderation)) {
		begin(moderation);
	}
}

/* The loop closes both timers in the same iteration. */
static void on_timers_closed(uv_handle_t *timer)
{
	struct jc_moderation *moderation = timer->data;

	moderation->has_timers = false;
}

void jc_moderation_stop(struct jc_moderation *moderation)
{
	assert(!moderation->is_stopping);
	moderation->is_stopping = true;
	if (moderation->has_timers) {
		uv_close((uv_handle_t *)&moderation->retry, NULL);
		uv_close((uv_handle_t *)&moderation->pause, on_timers_closed);
	}
	if (!moderation->writing && moderation->stored < moderation->changed) {
		begin(moderation);
	}
}
