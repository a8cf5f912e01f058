/* A ring of what waits; the first of it is on the pool. */
#include "source/calibration_saver.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define WAITING_MOST 32u

struct job {
	char name[JC_MAX_BODY_NAME];
	struct jc_calibration_record record;
	struct jc_calibration_saved saved;
};

struct jc_calibration_saver {
	struct jc_calibration_saver_options options;
	uv_work_t work;
	int status; /* of the job on the pool, with its diagnostic */
	struct jc_diagnostic diagnostic;
	size_t first, count;
	struct job jobs[WAITING_MOST];
};

int jc_calibration_saver_create(
	const struct jc_calibration_saver_options *options, struct jc_calibration_saver **out_saver)
{
	struct jc_calibration_saver *saver = calloc(1, sizeof(*saver));

	if (!saver) {
		return JC_ERROR_MEMORY;
	}
	saver->options = *options;
	saver->work.data = saver;
	*out_saver = saver;
	return JC_OK;
}

void jc_calibration_saver_destroy(struct jc_calibration_saver *saver)
{
	assert(!saver || saver->count == 0);
	free(saver);
}

static void on_save(uv_work_t *work)
{
	struct jc_calibration_saver *saver = work->data;
	const struct job *job = &saver->jobs[saver->first];

	saver->status = jc_calibration_store_save(
		saver->options.state, job->name, &job->record, &saver->diagnostic);
}

static void on_done(uv_work_t *work, int status);

static void begin(struct jc_calibration_saver *saver)
{
	saver->diagnostic = (struct jc_diagnostic){ 0 };
	uv_queue_work(saver->options.loop, &saver->work, on_save, on_done);
}

static void on_done(uv_work_t *work, int status)
{
	struct jc_calibration_saver *saver = work->data;
	struct jc_calibration_saved saved = saver->jobs[saver->first].saved;

	(void)status; /* nothing cancels it */
	saved.stored = saver->status == JC_OK;
	if (!saved.stored) {
		jc_log_diagnostic(saver->options.log, "calibration", &saver->diagnostic);
	}
	saver->first = (saver->first + 1) % WAITING_MOST;
	saver->count--;
	if (saver->count > 0) {
		begin(saver);
	}
	if (saved.asker) {
		saver->options.on_saved(&saved);
	}
}

void jc_calibration_saver_save(struct jc_calibration_saver *saver, const char *name,
	const struct jc_calibration_record *record, const struct jc_calibration_saved *saved)
{
	if (!saver->options.state || saver->count == WAITING_MOST) {
		if (saver->options.state) {
			jc_log_write(saver->options.log, JC_LOG_WARNING,
				"the calibration of '%s' is not kept: %u others wait for the disk",
				name, WAITING_MOST);
		}
		saver->options.on_saved(saved);
		return;
	}
	struct job *job = &saver->jobs[(saver->first + saver->count) % WAITING_MOST];

	*job = (struct job){ .record = *record, .saved = *saved };
	snprintf(job->name, sizeof(job->name), "%s", name);
	if (saver->count++ == 0) {
		begin(saver);
	}
}

void jc_calibration_saver_forget(struct jc_calibration_saver *saver, const void *asker)
{
	for (size_t i = 0; i < saver->count; i++) {
		struct job *job = &saver->jobs[(saver->first + i) % WAITING_MOST];

		if (job->saved.asker == asker) {
			job->saved.asker = NULL;
		}
	}
}
