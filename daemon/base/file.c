/* Reads and writes whole files, with one diagnostic for each kind of failure. */
#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until the end of the file or until `size` bytes are there. */
static int read_all(int fd, char *bytes, size_t size, size_t *out_length)
{
	size_t length = 0;

	while (length < size) {
		ssize_t count = read(fd, bytes + length, size - length);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			return -1;
		}
		if (count == 0) {
			break;
		}
		length += (size_t)count;
	}
	*out_length = length;
	return 0;
}

static int refuse_size(size_t maximum, struct jc_diagnostic *diagnostic)
{
	bool is_large = maximum >= 1u << 20;

	return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "larger than %zu %s",
		is_large              ? maximum >> 20
		: maximum >= 1u << 10 ? maximum >> 10
				      : maximum,
		is_large              ? "MiB"
		: maximum >= 1u << 10 ? "KiB"
				      : "bytes");
}

int jc_file_read(const char *path, size_t maximum, char **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic)
{
	int result = JC_OK;
	struct stat status;
	char *bytes = NULL;
	/* O_NONBLOCK: a FIFO must not block the start. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot be opened: %s",
			strerror(errno));
	}
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		result = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "not a regular file");
		goto out;
	}
	if ((uint64_t)status.st_size > maximum) {
		result = refuse_size(maximum, diagnostic);
		goto out;
	}
	size_t length = 0;
	bytes = malloc((size_t)status.st_size + 1);
	if (!bytes) {
		result = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	if (read_all(fd, bytes, (size_t)status.st_size, &length) != 0) {
		result = jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "cannot be read: %s", strerror(errno));
		goto out;
	}
	bytes[length] = '\0';
	*out_bytes = bytes;
	*out_length = length;
	bytes = NULL;
out:
	free(bytes);
	close(fd);
	return result;
}

bool jc_file_write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t count = write(fd, bytes, length);

		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			return false;
		}
		bytes += count;
		length -= (size_t)count;
	}
	return true;
}

/* Syncs the folder, so that the new name survives a loss of power. */
static bool sync_folder(const char *path)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	bool is_synced;
	int fd;

	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 1,
		slash ? path : ".");
	fd = open(slash == path ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		return false;
	}
	is_synced = fsync(fd) == 0;
	close(fd);
	return is_synced;
}

int jc_file_replace(
	const char *path, const char *bytes, size_t length, struct jc_diagnostic *diagnostic)
{
	char beside[PATH_MAX];
	bool is_written = false;

	if (snprintf(beside, sizeof(beside), "%s.new", path) >= (int)sizeof(beside)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "the path is too long");
	}
	int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		is_written = jc_file_write_all(fd, bytes, length) && fsync(fd) == 0;
		is_written = close(fd) == 0 && is_written;
	}
	if (!is_written || rename(beside, path) != 0) {
		jc_diagnose(diagnostic, JC_ERROR_INVALID, path, "cannot be written: %s",
			strerror(errno));
		unlink(beside);
		return JC_ERROR_INVALID;
	}
	if (!sync_folder(path)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
			"is written, but cannot sync its folder: %s", strerror(errno));
	}
	return JC_OK;
}

static int cannot_be_made(const char *path, int error, struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(
		diagnostic, JC_ERROR_INVALID, path, "cannot be made: %s", strerror(error));
}

int jc_file_make_folder(const char *path, struct jc_diagnostic *diagnostic)
{
	if (mkdir(path, 0700) == 0) {
		return JC_OK;
	}
	return errno == EEXIST ? jc_file_check_folder(path, diagnostic)
			       : cannot_be_made(path, errno, diagnostic);
}

int jc_file_check_folder(const char *path, struct jc_diagnostic *diagnostic)
{
	struct stat status;

	if (stat(path, &status) == 0) {
		return S_ISDIR(status.st_mode) ? JC_OK : cannot_be_made(path, ENOTDIR, diagnostic);
	}
	if (errno != ENOENT) {
		return cannot_be_made(path, errno, diagnostic);
	}
	char *copy = strdup(path);

	if (!copy) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	int error = access(dirname(copy), W_OK | X_OK) == 0 ? 0 : errno;

	free(copy);
	return error ? cannot_be_made(path, error, diagnostic) : JC_OK;
}

bool jc_file_escape(const char *text, char *out_name, size_t size)
{
	size_t length = 0;

	for (const char *c = text; *c; c++) {
		bool plain = isalnum((unsigned char)*c) || *c == '-' || *c == '_';

		if (length + 4 > size) {
			return false;
		}
		length += (size_t)snprintf(out_name + length, 4, plain ? "%c" : "%%%02X",
			plain ? *c : (unsigned char)*c);
	}
	return length > 0;
}
