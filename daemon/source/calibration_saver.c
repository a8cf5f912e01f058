/* Keeps waiting saves in a ring; the first one runs on the thread pool. */
#include "source/calibration_saver.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/job.h"

#define WAITING_MOST 32u

struct save {
	char name[JC_MAX_BODY_NAME];
	struct jc_calibration_record record;
	struct jc_calibration_saved saved;
};

struct jc_calibration_saver {
	struct jc_calibration_saver_options options;
	struct jc_job job;
	int status; /* written by the running save, like its diagnostic */
	struct jc_diagnostic diagnostic;
	size_t first, count;
	struct save saves[WAITING_MOST];
};

int jc_calibration_saver_create(
	const struct jc_calibration_saver_options *options, struct jc_calibration_saver **out_saver)
{
	struct jc_calibration_saver *saver = calloc(1, sizeof(*saver));

	if (!saver) {
		return JC_ERROR_MEMORY;
	}
	saver->options = *options;
	*out_saver = saver;
	return JC_OK;
}

void jc_calibration_saver_destroy(struct jc_calibration_saver *saver)
{
	assert(!saver || saver->count == 0);
	free(saver);
}

static void on_save(void *data)
{
	struct jc_calibration_saver *saver = data;
	const struct save *save = &saver->saves[saver->first];

	saver->status = jc_calibration_store_save(
		saver->options.state, save->name, &save->record, &saver->diagnostic);
}

static void on_done(void *data);

static const struct jc_job_ops saving = { .work = on_save, .done = on_done };

static void begin(struct jc_calibration_saver *saver)
{
	saver->diagnostic = (struct jc_diagnostic){ 0 };
	jc_job_start(&saver->job, saver->options.loop, &saving, saver);
}

static void on_done(void *data)
{
	struct jc_calibration_saver *saver = data;
	struct jc_calibration_saved saved = saver->saves[saver->first].saved;

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
				"the calibration of '%s' is not stored: %u others wait for the "
				"disk",
				name, WAITING_MOST);
		}
		saver->options.on_saved(saved);
		return;
	}
	struct save *save = &saver->saves[(saver->first + saver->count) % WAITING_MOST];

	*save = (struct save){ .record = *record, .saved = *saved };
	snprintf(save->name, sizeof(save->name), "%s", name);
	if (saver->count++ == 0) {
		begin(saver);
	}
}

void jc_calibration_saver_forget(struct jc_calibration_saver *saver, const void *asker)
{
	for (size_t i = 0; i < saver->count; i++) {
		struct save *save = &saver->saves[(saver->first + i) % WAITING_MOST];

		if (save->saved.asker == asker) {
			save->saved.asker = NULL;
		}
	}
}
