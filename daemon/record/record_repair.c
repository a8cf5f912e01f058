/* Repairs into a second file, then renames it: after a power cut the old file or the new one
 * exists. */
#include "record/record_repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/job.h"
#include "base/mcap_file.h"
#include "jointcast/mcap_recovery.h"

#define ENDING ".mcap.part"
#define FILES  4096u /* maximum per run */

struct jc_record_repairing {
	const struct jc_log *log; /* borrowed */
	struct jc_job job;
	char folder[PATH_MAX];
	size_t count;
	char *names[FILES]; /* owned */
};

static int recover_file(int in, int out, const char *path, const struct jc_log *log,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mcap_sink sink = jc_mcap_file_sink(&out);
	struct jc_mcap_recovery recovery;
	struct jc_mcap_input input;
	int error;

	if (!jc_mcap_file_input(&in, &input)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "%s", strerror(errno));
	}
	error = jc_mcap_recover(&input, "jointcastd", &sink, &recovery, diagnostic);
	if (!error && fdatasync(out) != 0) {
		error = jc_diagnose(diagnostic, JC_ERROR_SPACE, NULL, "%s", strerror(errno));
	}
	if (!error) {
		jc_log_write(log, JC_LOG_WARNING,
			"recording '%s' was not complete: repaired, %.3f s kept, %s%.3f s lost",
			path, (double)(recovery.end_time - recovery.start_time) * 1e-9,
			recovery.is_estimate ? "about " : "", (double)recovery.lost_ns * 1e-9);
	}
	return error;
}

static void repair_file(const char *path, const struct jc_log *log)
{
	struct jc_diagnostic diagnostic = { 0 };
	char target[PATH_MAX], beside[PATH_MAX + 8];
	/* Follows no symbolic link and does not block on a pipe. */
	int in = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int out = -1;
	int error = JC_ERROR_INVALID;

	snprintf(target, sizeof(target), "%.*s", (int)(strlen(path) - strlen(".part")), path);
	snprintf(beside, sizeof(beside), "%s.mend", target);
	/* Another daemon is writing this file. */
	if (in >= 0 && flock(in, LOCK_EX | LOCK_NB) != 0) {
		close(in);
		return;
	}
	/* An earlier attempt may have left this file. */
	unlink(beside);
	out = in >= 0 ? open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640) : -1;
	if (out < 0) {
		jc_diagnose(&diagnostic, error, NULL, "%s", strerror(errno));
	} else {
		error = recover_file(in, out, path, log, &diagnostic);
		close(out);
	}
	if (!error && (rename(beside, target) != 0 || unlink(path) != 0)) {
		error = jc_diagnose(&diagnostic, JC_ERROR_SPACE, NULL, "%s", strerror(errno));
	}
	if (error) {
		unlink(beside);
		jc_log_diagnostic(log, path, &diagnostic);
	}
	if (in >= 0) {
		close(in);
	}
}

static void work(void *data)
{
	struct jc_record_repairing *repair = data;

	for (size_t i = 0; i < repair->count; i++) {
		char path[PATH_MAX];

		if (snprintf(path, sizeof(path), "%s/%s", repair->folder, repair->names[i]) <
			(int)sizeof(path)) {
			repair_file(path, repair->log);
		}
	}
}

static void on_worked(void *data)
{
	(void)data;
}

static const struct jc_job_ops repairing = { .work = work, .done = on_worked };

/* Lists the unfinished files; new recordings get other names. */
static void list(struct jc_record_repairing *repair, DIR *directory)
{
	const struct dirent *entry;

	while ((entry = readdir(directory)) != NULL && repair->count < FILES) {
		size_t length = strlen(entry->d_name);

		if (length > strlen(ENDING) &&
			strcmp(entry->d_name + length - strlen(ENDING), ENDING) == 0) {
			repair->names[repair->count] = strdup(entry->d_name);
			repair->count += repair->names[repair->count] != NULL;
		}
	}
}

int jc_record_repair(uv_loop_t *loop, const char *folder, const struct jc_log *log,
	struct jc_record_repairing **out_repair, struct jc_diagnostic *diagnostic)
{
	DIR *directory = opendir(folder);
	struct jc_record_repairing *repair;

	if (!directory) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "'%s': %s", folder, strerror(errno));
	}
	repair = calloc(1, sizeof(*repair));
	if (!repair) {
		closedir(directory);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	repair->log = log;
	snprintf(repair->folder, sizeof(repair->folder), "%s", folder);
	list(repair, directory);
	closedir(directory);
	if (repair->count > 0) {
		jc_job_start(&repair->job, loop, &repairing, repair);
	}
	*out_repair = repair;
	return JC_OK;
}

void jc_record_repairing_destroy(struct jc_record_repairing *repair)
{
	if (!repair) {
		return;
	}
	jc_job_wait(&repair->job);
	for (size_t i = 0; i < repair->count; i++) {
		free(repair->names[i]);
	}
	free(repair);
}
