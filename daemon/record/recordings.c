/* A stopped recorder stays in the list until its file is complete. */
#include "record/recordings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "record/record_repair.h"

struct jc_recordings {
	struct jc_recordings_options options;
	struct jc_record_settings settings;
	size_t repair_count;
	struct jc_record_repairing *repairs[JC_MAX_RECORDERS]; /* owned; NULL in a check */
	size_t count;
	struct jc_recorder *recorders[JC_MAX_RECORDERS]; /* owned */
	size_t checked_count;
	const struct jc_space *checked[JC_MAX_RECORDERS]; /* the start would record them */
	size_t stopped_count;
	struct jc_recorder_totals stopped[JC_MAX_RECORDERS]; /* a ring */
};

int jc_recordings_create(
	const struct jc_recordings_options *options, struct jc_recordings **out_recordings)
{
	struct jc_recordings *recordings = calloc(1, sizeof(*recordings));

	if (!recordings) {
		return JC_ERROR_MEMORY;
	}
	recordings->options = *options;
	recordings->settings = JC_RECORD_DEFAULTS;
	*out_recordings = recordings;
	return JC_OK;
}

void jc_recordings_destroy(struct jc_recordings *recordings)
{
	if (!recordings) {
		return;
	}
	for (size_t i = 0; i < recordings->repair_count; i++) {
		if (recordings->repairs[i]) {
			jc_record_repairing_destroy(recordings->repairs[i]);
		}
	}
	for (size_t i = 0; i < recordings->count; i++) {
		jc_recorder_destroy(recordings->recorders[i]);
	}
	free(recordings);
}

/* Whether recordings can be read and written in a folder that exists or could be made. */
static int check_folder(const char *folder, struct jc_diagnostic *diagnostic)
{
	int error = jc_file_check_folder(folder, diagnostic);

	if (!error && access(folder, R_OK | W_OK | X_OK) != 0 && errno != ENOENT) {
		error = jc_diagnose(diagnostic, JC_ERROR_INVALID, folder,
			"the folder to record to cannot be read and written: %s", strerror(errno));
	}
	return error;
}

int jc_recordings_repair(
	struct jc_recordings *recordings, const char *folder, struct jc_diagnostic *diagnostic)
{
	int error;

	if (recordings->repair_count == JC_MAX_RECORDERS) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"more than %u folders of recordings", JC_MAX_RECORDERS);
	}
	error = recordings->options.is_check ? check_folder(folder, diagnostic)
					     : jc_file_make_folder(folder, diagnostic);
	if (!error && !recordings->options.is_check) {
		error = jc_record_repair(recordings->options.loop, folder, recordings->options.log,
			&recordings->repairs[recordings->repair_count], diagnostic);
	}
	recordings->repair_count += error == JC_OK;
	return error;
}

int jc_recordings_set(struct jc_recordings *recordings, const struct jc_record_settings *settings,
	struct jc_diagnostic *diagnostic)
{
	int error = settings->folder[0]
			    ? jc_recordings_repair(recordings, settings->folder, diagnostic)
			    : JC_OK;

	if (!error) {
		recordings->settings = *settings;
	}
	return error;
}

const struct jc_record_settings *jc_recordings_settings(const struct jc_recordings *recordings)
{
	return &recordings->settings;
}

/* The name of the file when complete: without .part. */
static void copy_name(const char *path, char out_name[NAME_MAX + 1])
{
	static const char part[] = ".part";
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : "";
	size_t length = strlen(name);

	if (length >= strlen(part) && strcmp(name + length - strlen(part), part) == 0) {
		length -= strlen(part);
	}
	snprintf(out_name, NAME_MAX + 1, "%.*s", (int)length, name);
}

static void copy_totals(struct jc_recorder_totals *recorded, const struct jc_recorder_state *state)
{
	copy_name(state->path, recorded->file);
	recorded->bytes = state->bytes;
	recorded->captures = state->captures;
	recorded->dropped = state->dropped;
}

/* After the last write. */
static void complete(struct jc_recordings *recordings, const struct jc_recorder *recorder,
	const struct jc_recorder_state *state)
{
	for (size_t i = 0; i < JC_MAX_RECORDERS; i++) {
		if (recordings->stopped[i].recorder == recorder) {
			copy_totals(&recordings->stopped[i], state);
			recordings->stopped[i].recorder = NULL;
		}
	}
}

static void on_ended(void *context, struct jc_recorder *recorder)
{
	struct jc_recordings *recordings = context;
	struct jc_recorder_state state;
	size_t i = 0;

	while (recordings->recorders[i] != recorder) {
		i++;
	}
	recordings->recorders[i] = recordings->recorders[--recordings->count];
	jc_recorder_report(recorder, &state);
	complete(recordings, recorder, &state);
	jc_log_event(recordings->options.log, JC_LOG_INFO,
		&(struct jc_log_about){ .state = "ended" },
		"recording '%s' ends: %llu captures, %llu dropped", state.name,
		(unsigned long long)state.captures, (unsigned long long)state.dropped);
	jc_recorder_destroy(recorder);
}

struct jc_recorder *jc_recordings_find(
	const struct jc_recordings *recordings, const struct jc_space *space)
{
	for (size_t i = 0; i < recordings->count; i++) {
		struct jc_recorder_state state;

		jc_recorder_report(recordings->recorders[i], &state);
		if (state.space == space) {
			return recordings->recorders[i];
		}
	}
	return NULL;
}

const struct jc_recorder_totals *jc_recordings_last(
	const struct jc_recordings *recordings, const struct jc_space *space)
{
	uint32_t id = jc_space_options(space)->id;

	for (size_t i = 1; i <= recordings->stopped_count && i <= JC_MAX_RECORDERS; i++) {
		const struct jc_recorder_totals *recorded =
			&recordings->stopped[(recordings->stopped_count - i) % JC_MAX_RECORDERS];

		if (recorded->space == id) {
			return recorded;
		}
	}
	return NULL;
}

static bool is_taken(const struct jc_recordings *recordings, const struct jc_space *space)
{
	for (size_t i = 0; i < recordings->checked_count; i++) {
		if (recordings->checked[i] == space) {
			return true;
		}
	}
	return jc_recordings_find(recordings, space) != NULL;
}

/* Whether a recording of the space in a folder can begin. */
static int check_begin(const struct jc_recordings *recordings, const struct jc_space *space,
	const char *folder, struct jc_diagnostic *diagnostic)
{
	if (is_taken(recordings, space)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"space '%s' is recorded already", jc_space_options(space)->name);
	}
	if (recordings->count + recordings->checked_count == JC_MAX_RECORDERS) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"more than %u spaces are recorded at a time", JC_MAX_RECORDERS);
	}
	if (!folder[0]) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "there is no folder to record to");
	}
	/* A check has found that a missing folder could be made. */
	if (access(folder, W_OK | X_OK) != 0 &&
		!(recordings->options.is_check && errno == ENOENT)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"the folder to record to cannot be written: %s", strerror(errno));
	}
	return JC_OK;
}

int jc_recordings_begin(struct jc_recordings *recordings, struct jc_space *space,
	const struct jc_record_settings *settings, const char *name,
	struct jc_diagnostic *diagnostic)
{
	const char *space_name = jc_space_options(space)->name;
	const struct jc_recorder_options options = {
		.settings = settings ? settings : &recordings->settings,
		.name = name ? name : space_name,
		.space = space,
		.loop = recordings->options.loop,
		.clock = recordings->options.clock,
		.log = recordings->options.log,
		.disk = &jc_record_real_disk,
		.on_ended = on_ended,
		.context = recordings,
	};
	const char *folder = options.settings->folder;
	int error = check_begin(recordings, space, folder, diagnostic);

	if (error) {
		return error;
	}
	if (recordings->options.is_check) {
		recordings->checked[recordings->checked_count++] = space;
		return JC_OK;
	}
	error = jc_recorder_create(&options, &recordings->recorders[recordings->count]);
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	recordings->count++;
	jc_log_event(recordings->options.log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = space_name, .state = "recording" },
		"record '%s': space '%s'%s", folder, space_name,
		options.settings->raw ? ", body frames of persons who consent" : "");
	jc_space_set_recorded(space, true);
	return JC_OK;
}

void jc_recordings_end(struct jc_recordings *recordings, struct jc_recorder *recorder)
{
	struct jc_recorder_state state;

	jc_recorder_report(recorder, &state);
	if (state.space) {
		struct jc_recorder_totals *recorded =
			&recordings->stopped[recordings->stopped_count++ % JC_MAX_RECORDERS];

		recorded->space = jc_space_options(state.space)->id;
		recorded->recorder = recorder;
		copy_totals(recorded, &state);
		jc_space_set_recorded(state.space, false);
	}
	jc_recorder_stop(recorder);
}
