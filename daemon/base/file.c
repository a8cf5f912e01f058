/* open, fstat, read: with every way in which they fail said in one line. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
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

int jc_file_read(const char *path, size_t maximum, char **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic)
{
	int result = JC_OK;
	struct stat status;
	char *bytes = NULL;
	/* O_NONBLOCK: a FIFO must not hold up the start. */
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
		result = jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "larger than %zu MiB", maximum >> 20);
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
