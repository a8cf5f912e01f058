/* Readers of the output, and whoever pulls the plug, see the old file or the
 * new one, never a part. */
#include "replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "status.h"

bool jc_replace_is_same(const char *path, const char *other)
{
	struct stat a;
	struct stat b;

	return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static int write_all(int file, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(file, bytes, length);

		if (written < 0 && errno != EINTR) {
			return -1;
		}
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return 0;
}

/* As open(2) would have made it; there is no way to ask without setting. */
static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int write_beside(const char *target, mode_t mode, const void *bytes, size_t length)
{
	char *name = malloc(strlen(target) + sizeof(".XXXXXX"));
	int file = -1;
	int failure = 0;

	if (!name) {
		return errno;
	}
	strcpy(name, target);
	strcat(name, ".XXXXXX");
	file = mkstemp(name);
	if (file < 0) {
		failure = errno;
		goto out_name;
	}
	if (write_all(file, bytes, length) != 0 || fchmod(file, mode) != 0 || fsync(file) != 0) {
		failure = errno;
	}
	if (close(file) != 0 && !failure) {
		failure = errno;
	}
	if (!failure && rename(name, target) != 0) {
		failure = errno;
	}
	if (failure) {
		unlink(name);
	}
out_name:
	free(name);
	return failure;
}

int jc_replace_file(const char *path, const void *bytes, size_t length)
{
	struct stat old;
	bool exists = stat(path, &old) == 0;
	char *target;
	int failure;

	if (exists && !S_ISREG(old.st_mode)) {
		return jc_report(JC_EXIT_IO, path, "is not a regular file");
	}
	/* A link stays one: what it leads to is replaced. */
	target = exists ? realpath(path, NULL) : strdup(path);
	if (!target) {
		return jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	}
	failure =
		write_beside(target, exists ? old.st_mode & 07777 : default_mode(), bytes, length);
	free(target);
	return failure ? jc_report(JC_EXIT_IO, path, "%s", strerror(failure)) : JC_EXIT_DONE;
}
