/* Lists the names first, then opens the newest files to read their space and duration. */
#include "replay/replay_folder.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mcap_file.h"
#include "jointcast/recording_reader.h"

#define SUFFIX ".mcap"
#define FILES  65536u /* maximum number read from the folder */

bool jc_replay_is_name(const char *name)
{
	size_t length = name ? strlen(name) : 0;
	size_t suffix = sizeof(SUFFIX) - 1;

	return length > suffix && length <= NAME_MAX && name[0] != '.' && !strchr(name, '/') &&
	       strcmp(name + length - suffix, SUFFIX) == 0;
}

static int compare(const void *a, const void *b)
{
	const struct jc_replay_entry *left = a;
	const struct jc_replay_entry *right = b;

	if (left->changed_s != right->changed_s) {
		return left->changed_s < right->changed_s ? 1 : -1;
	}
	return strcmp(right->name, left->name);
}

/* Returns false without memory. */
static bool add(struct jc_replay_folder *folder, const char *name, const struct stat *status)
{
	if (folder->count % 64 == 0) {
		struct jc_replay_entry *entries =
			realloc(folder->entries, (folder->count + 64) * sizeof(folder->entries[0]));

		if (!entries) {
			return false;
		}
		folder->entries = entries;
	}
	struct jc_replay_entry *entry = &folder->entries[folder->count++];

	*entry = (struct jc_replay_entry){ .bytes = (uint64_t)status->st_size,
		.changed_s = status->st_mtim.tv_sec };
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	return true;
}

static int gather(DIR *directory, struct jc_replay_folder *folder, struct jc_diagnostic *diagnostic)
{
	const struct dirent *item;
	struct stat status;

	while (folder->count < FILES && (item = readdir(directory))) {
		if (jc_replay_is_name(item->d_name) &&
			fstatat(dirfd(directory), item->d_name, &status, AT_SYMLINK_NOFOLLOW) ==
				0 &&
			S_ISREG(status.st_mode) && !add(folder, item->d_name, &status)) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
	}
	return JC_OK;
}

/* A name has no slash, so a link is the one way out of the folder; a pipe does not wait for
 * a writer. Returns -1 with errno. */
static int open_entry(int folder, const char *name)
{
	return openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

/* Returns false if the file cannot be read. */
static bool describe(int folder, struct jc_replay_entry *entry)
{
	int fd = open_entry(folder, entry->name);
	struct jc_diagnostic diagnostic;
	struct jc_recording *recording;
	struct jc_mcap_input input;

	if (fd < 0) {
		return false;
	}
	bool is_read = jc_mcap_file_input(&fd, &input) &&
		       jc_recording_open(&input, &recording, &diagnostic) == JC_OK;

	if (is_read) {
		const struct jc_recording_session *session = jc_recording_session(recording);

		snprintf(entry->space, sizeof(entry->space), "%s", session->space);
		entry->seconds = (double)(session->until_us - session->from_us) * 1e-6;
		jc_recording_close(recording);
	}
	close(fd);
	return is_read;
}

/* Opens the newest files of the list and removes unreadable ones. */
static void keep_newest(int directory, struct jc_replay_folder *folder)
{
	size_t gathered = folder->count;

	qsort(folder->entries, gathered, sizeof(folder->entries[0]), compare);
	folder->count = 0;
	for (size_t i = 0; i < gathered && folder->count < JC_MAX_REPLAY_ENTRIES; i++) {
		if (describe(directory, &folder->entries[i])) {
			folder->entries[folder->count++] = folder->entries[i];
		}
	}
}

int jc_replay_folder_read(
	const char *path, struct jc_replay_folder *out_folder, struct jc_diagnostic *diagnostic)
{
	struct jc_replay_folder folder = { 0 };
	DIR *directory = opendir(path);
	int error;

	if (!directory) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"the folder of recordings cannot be read: %s", strerror(errno));
	}
	error = gather(directory, &folder, diagnostic);
	if (!error && folder.count > 0) {
		keep_newest(dirfd(directory), &folder);
	}
	closedir(directory);
	if (error) {
		jc_replay_folder_finish(&folder);
		return error;
	}
	*out_folder = folder;
	return JC_OK;
}

int jc_replay_folder_open(const char *path, const char *name, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = -1, problem;

	assert(jc_replay_is_name(name));
	if (folder < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"the folder of recordings cannot be read: %s", strerror(errno));
	}
	fd = open_entry(folder, name);
	problem = errno;
	close(folder);
	if (fd < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL, "%s",
			problem == ELOOP ? "is a symbolic link" : strerror(problem));
	}
	return jc_replay_file_open_descriptor(fd, name, out_file, diagnostic);
}

void jc_replay_folder_finish(struct jc_replay_folder *folder)
{
	free(folder->entries);
	*folder = (struct jc_replay_folder){ 0 };
}
