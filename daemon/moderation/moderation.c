/* The list of sanctions, and what a saver needs to write it to its file. */
#include "moderation/moderation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "moderation/sanction_file.h"

struct jc_moderation {
	struct jc_sanction_history history;
	char path[PATH_MAX];
	bool has_file;
	struct jc_state_saver saver;
	/* Of the running write, on another thread: formatting 4096 sanctions takes 17 ms of
	 * processor time, copying them 4 ms. */
	struct jc_sanctions copy; /* owned */
};

static int copy_sanctions(void *context)
{
	struct jc_moderation *moderation = context;

	return jc_sanction_history_copy(&moderation->history, &moderation->copy);
}

static int write_sanctions(void *context, struct jc_diagnostic *diagnostic)
{
	const struct jc_moderation *moderation = context;

	return jc_sanction_file_write(moderation->path, &moderation->copy, diagnostic);
}

static void drop_copy(void *context)
{
	struct jc_moderation *moderation = context;

	jc_sanctions_finish(&moderation->copy);
}

static const struct jc_state_saver_ops saving = {
	.copy = copy_sanctions, .write = write_sanctions, .drop = drop_copy
};

static void warn_of_unknown(const struct jc_moderation *moderation, const struct jc_log *log)
{
	size_t count = moderation->history.in_force.unknown;

	if (count > 0) {
		jc_log_write(log, JC_LOG_WARNING,
			"'%s' has %zu sanction%s of a kind that a newer jointcastd wrote: not in "
			"force; the file keeps %s",
			moderation->path, count, count == 1 ? "" : "s", count == 1 ? "it" : "them");
	}
}

int jc_moderation_create(const struct jc_moderation_options *options,
	struct jc_moderation **out_moderation, struct jc_diagnostic *diagnostic)
{
	struct jc_moderation *moderation = calloc(1, sizeof(*moderation));

	if (!moderation) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_state_saver_init(
		&moderation->saver, &(struct jc_state_saver_options){ .loop = options->loop,
					    .log = options->log,
					    .folder = options->state,
					    .what = "sanctions",
					    .ops = &saving,
					    .context = moderation,
					    .most = JC_MAX_MODERATION_REQUESTS_WAITING,
					    .retry_ms = options->retry_ms });
	moderation->has_file = options->state != NULL;
	moderation->history.keeps_ended = options->keeps_ended;
	if (options->state) {
		snprintf(moderation->path, sizeof(moderation->path), "%s/sanctions.json",
			options->state);
		int status = jc_sanction_file_read(
			moderation->path, &moderation->history.in_force, diagnostic);

		if (status != JC_OK) {
			jc_moderation_destroy(moderation);
			return status;
		}
		warn_of_unknown(moderation, options->log);
	}
	*out_moderation = moderation;
	return JC_OK;
}

void jc_moderation_destroy(struct jc_moderation *moderation)
{
	if (moderation) {
		jc_state_saver_finish(&moderation->saver);
		jc_sanction_history_finish(&moderation->history);
		free(moderation);
	}
}

struct jc_sanctions *jc_moderation_sanctions(struct jc_moderation *moderation)
{
	return &moderation->history.in_force;
}

struct jc_sanction_history *jc_moderation_history(struct jc_moderation *moderation)
{
	return &moderation->history;
}

bool jc_moderation_has_file(const struct jc_moderation *moderation)
{
	return moderation->has_file;
}

const struct jc_diagnostic *jc_moderation_problem(const struct jc_moderation *moderation)
{
	return jc_state_saver_problem(&moderation->saver);
}

bool jc_moderation_is_awaited(const struct jc_moderation *moderation, uint64_t asker)
{
	return jc_state_saver_is_awaited(&moderation->saver, asker);
}

void jc_moderation_await(struct jc_moderation *moderation, struct jc_state_wait *wait)
{
	jc_state_saver_await(&moderation->saver, wait);
}

void jc_moderation_save(struct jc_moderation *moderation)
{
	jc_state_saver_save(&moderation->saver);
}

void jc_moderation_stop(struct jc_moderation *moderation)
{
	jc_state_saver_stop(&moderation->saver);
}
