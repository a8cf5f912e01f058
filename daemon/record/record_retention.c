/* Removes old recordings. Their age is read from the name, which copying a file does not
 * change. */
#include "record/record_retention.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jointcast/mcap.h"
#include "jointcast/recording.h"

#define FILES   65536u /* maximum number read from one folder */
#define DAY_S   86400
#define HEAD    64 /* bytes that identify a recording */
#define STAMP   "-0000-00-00T000000Z-"
#define ENDING  ".mcap"
#define WRITING ".mcap.part"

struct found {
	char name[NAME_MAX + 1];
	char stamp[20]; /* "20261121T101500Z" */
	uint64_t bytes;
};

struct folder {
	int fd;
	size_t count, capacity;
	struct found *files; /* owned */
	uint64_t bytes;      /* of all files, also of unfinished ones */
};

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name);

	return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* Finds the time stamp in NAME-20261121T101500Z-0.mcap or …-0-1.mcap. NULL: none. */
static const char *find_stamp(const char *name)
{
	static const char pattern[] = "dddddddd"
				      "T"
				      "dddddd"
				      "Z-";
	const char *last = NULL;

	for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
		size_t i = 0;

		while (pattern[i] && (pattern[i] == 'd' ? at[1 + i] >= '0' && at[1 + i] <= '9'
							: at[1 + i] == pattern[i])) {
			i++;
		}
		last = pattern[i] || at == name ? last : at + 1;
	}
	if (!last) {
		return NULL;
	}
	const char *rest = last + strlen(pattern);
	size_t tail = strspn(rest, "0123456789-");

	return tail > 0 && strcmp(rest + tail, ENDING) == 0 ? last : NULL;
}

/* Recognises a recording by MCAP's magic and the profile in its header. */
static bool is_recording(int folder, const char *name, uint64_t *out_bytes)
{
	static const char profile[] = { sizeof(JC_RECORDING_PROFILE) - 1, 0, 0, 0 };
	char head[HEAD];
	struct stat status;
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool is = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
		  pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
		  jc_mcap_is(head, sizeof(head)) && head[8] == 1 &&
		  memcmp(head + 17, profile, sizeof(profile)) == 0 &&
		  memcmp(head + 21, JC_RECORDING_PROFILE, strlen(JC_RECORDING_PROFILE)) == 0;

	if (fd >= 0) {
		close(fd);
	}
	*out_bytes = is ? (uint64_t)status.st_size : 0;
	return is;
}

static void add(struct folder *folder, const char *name, const char *stamp, uint64_t bytes)
{
	if (folder->count == folder->capacity) {
		size_t capacity = folder->capacity * 2 + 64;
		struct found *files = folder->count < FILES
					      ? realloc(folder->files, capacity * sizeof(*files))
					      : NULL;

		if (!files) {
			return;
		}
		folder->files = files;
		folder->capacity = capacity;
	}
	struct found *file = &folder->files[folder->count++];

	snprintf(file->name, sizeof(file->name), "%s", name);
	snprintf(file->stamp, sizeof(file->stamp), "%.16s", stamp);
	file->bytes = bytes;
}

static void look(struct folder *folder, DIR *directory)
{
	const struct dirent *entry;

	while ((entry = readdir(directory)) != NULL) {
		const char *stamp = find_stamp(entry->d_name);
		struct stat status;
		uint64_t bytes;

		if (stamp && is_recording(folder->fd, entry->d_name, &bytes)) {
			add(folder, entry->d_name, stamp, bytes);
			folder->bytes += bytes;
		} else if (ends_with(entry->d_name, WRITING) &&
			   fstatat(folder->fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
			folder->bytes += (uint64_t)status.st_size;
		}
	}
}

static int compare(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = strcmp(x->stamp, y->stamp);

	return order ? order : strcmp(x->name, y->name);
}

static void let_go(struct folder *folder, const struct jc_record_settings *settings, time_t now,
	const struct jc_log *log)
{
	time_t oldest_time = now - (time_t)settings->keep_days * DAY_S;
	struct tm utc;
	char oldest[20] = "";

	if (settings->keep_days > 0 && gmtime_r(&oldest_time, &utc)) {
		strftime(oldest, sizeof(oldest), "%Y%m%dT%H%M%SZ", &utc);
	}
	qsort(folder->files, folder->count, sizeof(*folder->files), compare);
	for (size_t i = 0; i < folder->count; i++) {
		const struct found *file = &folder->files[i];
		bool is_old = strcmp(file->stamp, oldest) < 0;
		bool is_much = settings->keep_bytes > 0 && folder->bytes > settings->keep_bytes;

		if (!is_old && !is_much) {
			break;
		}
		if (unlinkat(folder->fd, file->name, 0) == 0) {
			folder->bytes -= file->bytes;
			jc_log_write(log, JC_LOG_INFO, "record '%s': '%s' is removed: %s",
				settings->folder, file->name,
				is_old ? "older than keep_days" : "more than keep_bytes");
		}
	}
}

void jc_record_retention_apply(
	const struct jc_record_settings *settings, time_t now, const struct jc_log *log)
{
	struct folder folder = { .fd = -1 };
	DIR *directory;

	if (settings->keep_days == 0 && settings->keep_bytes == 0) {
		return;
	}
	directory = opendir(settings->folder);
	if (!directory) {
		return;
	}
	folder.fd = dirfd(directory);
	look(&folder, directory);
	if (folder.count > 0) {
		let_go(&folder, settings, now, log);
	}
	closedir(directory);
	free(folder.files);
}
