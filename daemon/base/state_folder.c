/* The names of owners and things become names of files, whatever bytes they have. */
#include "base/state_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define SUFFIX       ".jsonl"
#define LOCAL        "@local" /* never the escaped name of a subject */
#define NAME_ESCAPED 256      /* 63 bytes, three characters each, and some */

bool jc_state_folder_path(const char *state, const char *folder, const char *subject,
	const char *name, char out_path[PATH_MAX])
{
	char owner[NAME_ESCAPED] = LOCAL;
	char file[NAME_ESCAPED] = "";

	if ((subject[0] && !jc_file_escape(subject, owner, sizeof(owner))) ||
		!jc_file_escape(name, file, sizeof(file))) {
		return false;
	}
	return snprintf(out_path, PATH_MAX, "%s/%s/%s/%s" SUFFIX, state, folder, owner, file) <
	       PATH_MAX - 8;
}

int jc_state_folder_make(
	const char *state, const char *folder, const char *path, struct jc_diagnostic *diagnostic)
{
	char made[PATH_MAX];

	if (snprintf(made, sizeof(made), "%s/%s", state, folder) >= (int)sizeof(made)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "the path is too long");
	}
	int status = jc_file_make_folder(made, diagnostic);

	if (status == JC_OK) {
		snprintf(made, sizeof(made), "%.*s", (int)(strrchr(path, '/') - path), path);
		status = jc_file_make_folder(made, diagnostic);
	}
	return status;
}

void jc_state_folder_touch(const char *path, int64_t last_used_ns)
{
	struct timespec time = { last_used_ns / 1000000000, last_used_ns % 1000000000 };
	struct timespec times[2] = { time, time };

	utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int64_t jc_state_folder_time(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0
		       ? (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec
		       : 0;
}

int jc_state_folder_remove(const char *path, struct jc_diagnostic *diagnostic)
{
	char owner[PATH_MAX];

	if (unlink(path) != 0 && errno != ENOENT) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, path, "cannot be removed: %s",
			strerror(errno));
	}
	/* Fails where the owner has other files. */
	if (snprintf(owner, sizeof(owner), "%.*s", (int)(strrchr(path, '/') - path), path) <
		(int)sizeof(owner)) {
		rmdir(owner);
	}
	return JC_OK;
}

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name);

	return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

struct walk {
	int (*each)(void *context, const char *path);
	void *context;
};

/* Calls `each` with every path in a folder; a missing folder counts as empty. */
static int walk(struct walk *walking, const char *folder,
	int (*each)(struct walk *walking, const char *path))
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	char path[PATH_MAX];
	int status = JC_OK;

	while (directory && status == JC_OK && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.' && snprintf(path, sizeof(path), "%s/%s", folder,
						       entry->d_name) < (int)sizeof(path)) {
			status = each(walking, path);
		}
	}
	if (directory) {
		closedir(directory);
	}
	return status;
}

static int walk_file(struct walk *walking, const char *path)
{
	if (ends_with(path, SUFFIX ".new")) {
		unlink(path);
		return JC_OK;
	}
	return ends_with(path, SUFFIX) ? walking->each(walking->context, path) : JC_OK;
}

static int walk_folder(struct walk *walking, const char *path)
{
	int status = walk(walking, path, walk_file);

	rmdir(path); /* of an owner without files */
	return status;
}

int jc_state_folder_walk(const char *state, const char *folder,
	int (*each)(void *context, const char *path), void *context)
{
	struct walk walking = { .each = each, .context = context };
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", state, folder) < (int)sizeof(path)
		       ? walk(&walking, path, walk_folder)
		       : JC_OK;
}

void jc_state_folder_set_aside(const char *path, const char *what, bool is_damaged,
	const struct jc_diagnostic *diagnostic, const struct jc_log *log)
{
	char aside[PATH_MAX];

	if (is_damaged && snprintf(aside, sizeof(aside), "%s.damaged", path) < (int)sizeof(aside)) {
		rename(path, aside);
	}
	jc_log_write(log, JC_LOG_WARNING, "%s '%s' is %s: %s%s%s", what, path,
		is_damaged ? "set aside" : "not loaded", diagnostic->what,
		diagnostic->where[0] ? ", " : "", diagnostic->where);
}
