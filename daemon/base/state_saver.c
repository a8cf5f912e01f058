/* Keeps a file of the state directory in step with the memory. Each change has a number. Only one
 * write runs at a time and contains all changes so far; the next write contains changes made
 * meanwhile. A pause of 50 times the processor time of the write follows each write, so that many
 * requests cost little processor time for writes. */
#include "base/state_saver.h"

#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"

#define RETRY_MS      1000u
#define RETRY_MOST_MS 60000u

/* The pause after a write, in processor times of that write: writes take at most 2 % of a core. */
#define PAUSE_TIMES INT64_C(50)
#define MS          INT64_C(1000000)

void jc_state_saver_init(struct jc_state_saver *saver, const struct jc_state_saver_options *options)
{
	*saver = (struct jc_state_saver){ .options = *options };
	if (options->retry_ms == 0) {
		saver->options.retry_ms = RETRY_MS;
	}
	saver->delay_ms = saver->options.retry_ms;
	saver->end = &saver->first;
}

void jc_state_saver_finish(struct jc_state_saver *saver)
{
	assert(!saver->writing && !saver->has_timers && !saver->first);
	(void)saver;
}

const struct jc_diagnostic *jc_state_saver_problem(const struct jc_state_saver *saver)
{
	return saver->is_failing ? &saver->problem : NULL;
}

bool jc_state_saver_is_awaited(const struct jc_state_saver *saver, uint64_t asker)
{
	for (const struct jc_state_wait *at = saver->first; at; at = at->next) {
		if (at->asker == asker) {
			return true;
		}
	}
	return false;
}

/* Ends all waits for changes up to that one. */
static void end_waits(struct jc_state_saver *saver, uint64_t change, bool is_stored)
{
	while (saver->first && saver->first->change <= change) {
		struct jc_state_wait *wait = saver->first;

		saver->first = wait->next;
		if (!saver->first) {
			saver->end = &saver->first;
		}
		saver->waiting--;
		wait->done(wait, is_stored);
	}
}

static bool is_pausing(const struct jc_state_saver *saver)
{
	return saver->has_timers && uv_is_active((const uv_handle_t *)&saver->pause);
}

void jc_state_saver_await(struct jc_state_saver *saver, struct jc_state_wait *wait)
{
	assert(saver->writing || is_pausing(saver));
	wait->next = NULL;
	wait->change = saver->changed;
	*saver->end = wait;
	saver->end = &wait->next;
	if (++saver->waiting > saver->options.most) {
		end_waits(saver, saver->changed, false);
	}
}

static int write_copy(struct jc_state_saver *saver)
{
	const struct jc_state_saver_options *options = &saver->options;
	struct jc_diagnostic *diagnostic = &saver->diagnostic;

	if (saver->status != JC_OK) { /* of the copy */
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	int status = jc_file_make_folder(options->folder, diagnostic);

	return status == JC_OK ? options->ops->write(options->context, diagnostic) : status;
}

static void on_write(void *data)
{
	struct jc_state_saver *saver = data;
	int64_t begun_ns = jc_clock_thread_ns();

	saver->status = write_copy(saver);
	saver->spent_ns = jc_clock_thread_ns() - begun_ns;
}

static void on_written(void *data);

static const struct jc_job_ops writing = { .work = on_write, .done = on_written };

static void begin(struct jc_state_saver *saver)
{
	saver->writing = saver->changed;
	saver->tried = saver->changed;
	saver->status = saver->options.ops->copy(saver->options.context);
	jc_job_start(&saver->job, saver->options.loop, &writing, saver);
}

static void on_retry(uv_timer_t *timer)
{
	struct jc_state_saver *saver = timer->data;

	if (!saver->writing) {
		begin(saver);
	}
}

static void on_pause_over(uv_timer_t *timer)
{
	struct jc_state_saver *saver = timer->data;

	if (!saver->writing && saver->changed > saver->tried) {
		begin(saver);
	}
}

/* Not before the first write has ended: only a running loop can close the handles, and a start
 * may fail. */
static void make_timers(struct jc_state_saver *saver)
{
	if (!saver->has_timers) {
		uv_timer_init(saver->options.loop, &saver->retry);
		uv_timer_init(saver->options.loop, &saver->pause);
		saver->retry.data = saver;
		saver->pause.data = saver;
		saver->has_timers = true;
	}
}

/* Changes made meanwhile are written after the pause. */
static void begin_pause(struct jc_state_saver *saver)
{
	uint64_t pause_ms = (uint64_t)(saver->spent_ns * PAUSE_TIMES / MS);

	if (pause_ms > 0) {
		uv_timer_start(&saver->pause, on_pause_over, pause_ms, 0);
	} else if (saver->changed > saver->tried) {
		begin(saver);
	}
}

static void succeed(struct jc_state_saver *saver, uint64_t change)
{
	saver->stored = change;
	if (!saver->is_failing) {
		return;
	}
	saver->is_failing = false;
	saver->delay_ms = saver->options.retry_ms;
	if (saver->has_timers) {
		uv_timer_stop(&saver->retry);
	}
	jc_log_write(saver->options.log, JC_LOG_INFO, "the %s are on the disk again",
		saver->options.what);
}

/* Logs the first failure, and the last try when the daemon ends. */
static void fail(struct jc_state_saver *saver)
{
	bool is_first = !saver->is_failing;
	char subject[96];

	saver->problem = saver->diagnostic;
	snprintf(subject, sizeof(subject),
		saver->is_stopping ? "the newest %s are lost"
				   : "the newest %s would end with this run",
		saver->options.what);
	if (saver->is_stopping || is_first) {
		jc_log_diagnostic(saver->options.log, subject, &saver->problem);
	}
	saver->is_failing = true;
	if (saver->is_stopping) {
		return;
	}
	/* A write for another change does not delay the next try. */
	if (!uv_is_active((uv_handle_t *)&saver->retry)) {
		uv_timer_start(&saver->retry, on_retry, saver->delay_ms, 0);
		saver->delay_ms =
			saver->delay_ms < RETRY_MOST_MS / 2 ? 2 * saver->delay_ms : RETRY_MOST_MS;
	}
}

static void on_written(void *data)
{
	struct jc_state_saver *saver = data;
	uint64_t change = saver->writing;
	bool is_stored = saver->status == JC_OK;

	saver->options.ops->drop(saver->options.context);
	saver->writing = 0;
	if (!saver->is_stopping) {
		make_timers(saver);
	}
	if (is_stored) {
		succeed(saver, change);
	} else {
		fail(saver);
	}
	if (!saver->is_stopping) {
		begin_pause(saver);
	} else if (saver->changed > change) {
		begin(saver);
	}
	end_waits(saver, change, is_stored);
}

void jc_state_saver_save(struct jc_state_saver *saver)
{
	if (!saver->options.folder) {
		return;
	}
	saver->changed++;
	if (!saver->writing && !is_pausing(saver)) {
		begin(saver);
	}
}

/* The loop closes both timers in the same iteration. */
static void on_timers_closed(uv_handle_t *timer)
{
	struct jc_state_saver *saver = timer->data;

	saver->has_timers = false;
}

void jc_state_saver_stop(struct jc_state_saver *saver)
{
	assert(!saver->is_stopping);
	saver->is_stopping = true;
	if (saver->has_timers) {
		uv_close((uv_handle_t *)&saver->retry, NULL);
		uv_close((uv_handle_t *)&saver->pause, on_timers_closed);
	}
	if (!saver->writing && saver->stored < saver->changed) {
		begin(saver);
	}
}
