/* One write at a time, of all there are; what changes meanwhile is in the next. */
#include "moderation/moderation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "moderation/sanction_file.h"

struct jc_moderation {
	struct jc_moderation_options options;
	struct jc_sanctions sanctions;
	char path[PATH_MAX];
	uv_work_t work;
	char *text;  /* owned: that is being written; NULL: none is */
	bool is_due; /* another one, after that */
	int status;
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
	moderation->work.data = moderation;
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
		jc_sanctions_finish(&moderation->sanctions);
		free(moderation->text);
		free(moderation);
	}
}

struct jc_sanctions *jc_moderation_sanctions(struct jc_moderation *moderation)
{
	return &moderation->sanctions;
}

bool jc_moderation_is_stored(const struct jc_moderation *moderation)
{
	return moderation->options.state != NULL;
}

static void on_write(uv_work_t *work)
{
	struct jc_moderation *moderation = work->data;

	moderation->status =
		jc_file_make_folder(moderation->options.state, &moderation->diagnostic);
	if (moderation->status == JC_OK) {
		moderation->status = jc_file_replace(moderation->path, moderation->text,
			strlen(moderation->text), &moderation->diagnostic);
	}
}

static void on_written(uv_work_t *work, int status)
{
	struct jc_moderation *moderation = work->data;

	(void)status; /* nothing cancels it */
	free(moderation->text);
	moderation->text = NULL;
	if (moderation->status != JC_OK) {
		jc_log_diagnostic(moderation->options.log, "sanctions will not outlive this run",
			&moderation->diagnostic);
	}
	if (moderation->is_due) {
		jc_moderation_save(moderation);
	}
}

void jc_moderation_save(struct jc_moderation *moderation)
{
	if (!moderation->options.state) {
		return;
	}
	moderation->is_due = moderation->text != NULL;
	if (moderation->is_due) {
		return;
	}
	moderation->text = jc_sanction_file_format(&moderation->sanctions);
	if (!moderation->text) {
		jc_log_write(moderation->options.log, JC_LOG_ERROR,
			"sanctions will not outlive this run: out of memory");
		return;
	}
	uv_queue_work(moderation->options.loop, &moderation->work, on_write, on_written);
}
