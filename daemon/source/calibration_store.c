/* Stores calibrations as JSON, so that people can read them. */
#include "source/calibration_store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "source/tracked_body.h"

#define FOLDER       "calibration"
#define FILE_BYTES   (256u << 10)
#define NAME_ESCAPED 256 /* 63 bytes of three characters each, and an ending */

static bool find_path(const char *state, const char *name, char out_path[PATH_MAX])
{
	char escaped[NAME_ESCAPED];

	return jc_file_escape(name, escaped, sizeof(escaped)) &&
	       snprintf(out_path, PATH_MAX, "%s/" FOLDER "/%s.json", state, escaped) < PATH_MAX - 8;
}

int jc_calibration_store_load(const char *state, const char *name,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic)
{
	char path[PATH_MAX];
	char *bytes = NULL;
	size_t length;

	if (!find_path(state, name, path) || (access(path, F_OK) != 0 && errno == ENOENT)) {
		*out_record = (struct jc_calibration_record){ .has_current = false };
		return JC_OK;
	}
	int status = jc_file_read(path, FILE_BYTES, &bytes, &length, diagnostic);

	if (status == JC_OK) {
		status = jc_calibration_record_read(bytes, length, out_record, diagnostic);
	}
	free(bytes);
	return status;
}

void jc_calibration_store_restore(
	const char *state, const char *name, struct jc_source *source, const struct jc_log *log)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_calibration_record record;

	if (!state || !source->tracked) {
		return;
	}
	if (jc_calibration_store_load(state, name, &record, &diagnostic) != JC_OK) {
		jc_log_write(log, JC_LOG_WARNING, "the calibration of '%s' cannot be used: %s%s%s",
			name, diagnostic.what, diagnostic.where[0] ? ", " : "", diagnostic.where);
	} else if (record.has_current || record.has_before) {
		jc_tracked_body_calibrate(source->tracked, &record);
	}
}

int jc_calibration_store_save(const char *state, const char *name,
	const struct jc_calibration_record *record, struct jc_diagnostic *diagnostic)
{
	char path[PATH_MAX];
	char folder[PATH_MAX];

	if (!find_path(state, name, path)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "the path is too long");
	}
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	int status = jc_file_make_folder(folder, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	char *earlier = NULL;
	size_t length = 0;

	/* A file that cannot be read is replaced: this calibration is measured anew. */
	if (jc_file_read(path, FILE_BYTES, &earlier, &length, NULL) != JC_OK) {
		earlier = NULL;
	}
	char *text = jc_calibration_record_format(record, earlier, length);

	status = text ? jc_file_replace(path, text, strlen(text), diagnostic)
		      : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");

	free(text);
	free(earlier);
	return status;
}
