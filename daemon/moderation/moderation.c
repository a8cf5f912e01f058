/* Writes the sanctions to their file. Each change has a number. Only one write runs at a time and
 * contains all changes so far; the next write contains changes made meanwhile. */
#include "moderation/moderation.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/job.h"
#include "moderation/sanction_file.h"

#define RETRY_MS      1000u
#define RETRY_MOST_MS 60000u

struct jc_moderation {
	struct jc_moderation_options options;
	struct jc_sanctions sanctions;
	char path[PATH_MAX];
	uint64_t changed, stored; /* the newest change, and the newest in the file */
	uint64_t writing;         /* the newest change in the running write; 0: no write */
	struct jc_moderation_wait *first, **end; /* borrowed */
	size_t waiting;
	struct jc_diagnostic problem; /* of the last write; empty if it succeeded */
	bool is_failing;
	bool is_stopping;
	bool has_timer; /* true: the timer is a handle of the loop */
	uv_timer_t timer;
	uint64_t delay_ms; /* until the next try */
	/* The running write, on another thread: formatting 4096 sanctions takes 17 ms of
	 * processor time, copying them 4 ms. */
	struct jc_job job;
	struct jc_sanctions copy; /* owned */
	int status;               /* of the copy, then of the write */
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
		assert(!moderation->writing && !moderation->has_timer && !moderation->first);
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

void jc_moderation_await(struct jc_moderation *moderation, struct jc_moderation_wait *wait)
{
	assert(moderation->writing);
	wait->next = NULL;
	wait->change = moderation->changed;
	*moderation->end = wait;
	moderation->end = &wait->next;
	if (++moderation->waiting > JC_MAX_MODERATION_REQUESTS_WAITING) {
		end_waits(moderation, moderation->changed, false);
	}
}

static void on_write(void *data)
{
	struct jc_moderation *moderation = data;
	struct jc_diagnostic *diagnostic = &moderation->diagnostic;
	char *text =
		moderation->status == JC_OK ? jc_sanction_file_format(&moderation->copy) : NULL;

	if (!text) {
		moderation->status =
			jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		return;
	}
	moderation->status = jc_file_make_folder(moderation->options.state, diagnostic);
	if (moderation->status == JC_OK) {
		moderation->status =
			jc_file_replace(moderation->path, text, strlen(text), diagnostic);
	}
	free(text);
}

static void on_written(void *data);

static const struct jc_job_ops writing = { .work = on_write, .done = on_written };

static void begin(struct jc_moderation *moderation)
{
	moderation->writing = moderation->changed;
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

static void succeed(struct jc_moderation *moderation, uint64_t change)
{
	moderation->stored = change;
	if (!moderation->is_failing) {
		return;
	}
	moderation->is_failing = false;
	moderation->delay_ms = moderation->options.retry_ms;
	if (moderation->has_timer) {
		uv_timer_stop(&moderation->timer);
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
	/* Not earlier: only a running loop can close the handle, and a start may fail. */
	if (!moderation->has_timer) {
		uv_timer_init(moderation->options.loop, &moderation->timer);
		moderation->timer.data = moderation;
		moderation->has_timer = true;
	}
	/* A write for another change does not delay the next try. */
	if (!uv_is_active((uv_handle_t *)&moderation->timer)) {
		uv_timer_start(&moderation->timer, on_retry, moderation->delay_ms, 0);
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
	if (is_stored) {
		succeed(moderation, change);
	} else {
		fail(moderation);
	}
	if (moderation->changed > change) {
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
	if (!moderation->writing) {
		begin(moderation);
	}
}

static void on_timer_closed(uv_handle_t *timer)
{
	struct jc_moderation *moderation = timer->data;

	moderation->has_timer = false;
}

void jc_moderation_stop(struct jc_moderation *moderation)
{
	assert(!moderation->is_stopping);
	moderation->is_stopping = true;
	if (moderation->has_timer) {
		uv_close((uv_handle_t *)&moderation->timer, on_timer_closed);
	}
	if (!moderation->writing && moderation->stored < moderation->changed) {
		begin(moderation);
	}
}
