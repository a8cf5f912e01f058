/* Readers of the output, and whoever pulls the plug, see the old file or the
 * new one, never a part. */
#include "files/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_report.h"

#define NAMES 100u /* that are tried */

bool jc_output_file_is_same(const char *path, const char *other)
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

/* Where a file that has no name can be given one. */
static char *link_of(int file)
{
	char *link;

	return asprintf(&link, "/proc/self/fd/%d", file) < 0 ? NULL : link;
}

/* Without a name it is gone with whoever writes it, however that ends. Not every file
 * system has such files; below 0 there. */
static int open_nameless(const char *target)
{
	char *folder = strdup(target);
	int file = folder ? open(dirname(folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
	char *link = file < 0 ? NULL : link_of(file);

	if (file >= 0 && (!link || access(link, F_OK) != 0)) {
		close(file);
		file = -1;
	}
	free(link);
	free(folder);
	return file;
}

/* A name beside the target, for as long as it takes to rename it. */
static int give_name(struct jc_output_file *replacement)
{
	char *link = link_of(replacement->file);
	int error = -1;

	for (unsigned i = 0; link && error != 0 && i < NAMES; i++) {
		char *name;

		if (asprintf(&name, "%s.%ld-%u", replacement->target, (long)getpid(), i) < 0) {
			break;
		}
		error = linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
		if (error == 0) {
			replacement->name = name;
			break;
		}
		free(name);
		if (errno != EEXIST) {
			break;
		}
	}
	free(link);
	return error;
}

int jc_output_file_begin(const char *path, struct jc_output_file *out_replacement)
{
	struct jc_output_file replacement = { .path = path, .file = -1 };
	struct stat old;
	bool exists = stat(path, &old) == 0;

	if (exists && !S_ISREG(old.st_mode)) {
		return jc_report(JC_EXIT_IO, path, "is not a regular file");
	}
	replacement.mode = exists ? old.st_mode & 07777 : default_mode();
	/* A link stays one: what it leads to is replaced. */
	replacement.target = exists ? realpath(path, NULL) : strdup(path);
	if (!replacement.target) {
		goto error;
	}
	replacement.file = open_nameless(replacement.target);
	if (replacement.file < 0 &&
		asprintf(&replacement.name, "%s.XXXXXX", replacement.target) < 0) {
		replacement.name = NULL;
		goto error;
	}
	if (replacement.name) {
		replacement.file = mkstemp(replacement.name);
	}
	if (replacement.file < 0) {
		goto error;
	}
	*out_replacement = replacement;
	return JC_EXIT_DONE;
error:
	jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	free(replacement.target);
	free(replacement.name);
	return JC_EXIT_IO;
}

int jc_output_file_write(struct jc_output_file *replacement, const void *bytes, size_t length)
{
	return write_all(replacement->file, bytes, length) == 0
		       ? JC_EXIT_DONE
		       : jc_report(JC_EXIT_IO, replacement->path, "%s", strerror(errno));
}

void jc_output_file_cancel(struct jc_output_file *replacement)
{
	close(replacement->file);
	if (replacement->name) {
		unlink(replacement->name);
	}
	free(replacement->name);
	free(replacement->target);
}

int jc_output_file_commit(struct jc_output_file *replacement)
{
	if (fchmod(replacement->file, replacement->mode) != 0 || fsync(replacement->file) != 0 ||
		(!replacement->name && give_name(replacement) != 0) ||
		rename(replacement->name, replacement->target) != 0) {
		jc_report(JC_EXIT_IO, replacement->path, "%s", strerror(errno));
		jc_output_file_cancel(replacement);
		return JC_EXIT_IO;
	}
	close(replacement->file);
	free(replacement->name);
	free(replacement->target);
	return JC_EXIT_DONE;
}

int jc_output_file_write_whole(const char *path, const void *bytes, size_t length)
{
	struct jc_output_file replacement;
	int status = jc_output_file_begin(path, &replacement);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	status = jc_output_file_write(&replacement, bytes, length);
	if (status != JC_EXIT_DONE) {
		jc_output_file_cancel(&replacement);
		return status;
	}
	return jc_output_file_commit(&replacement);
}
