/* Writes a file beside the target and renames it, so that a reader sees the old file or the new
 * one, even after a power failure. */
#include "files/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_report.h"

#define NAMES 100u /* names to try */

bool jc_output_file_is_same(const char *path, const char *other)
{
	struct stat a;
	struct stat b;

	return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

int jc_output_file_ending(const char *path, const char *const *endings, size_t count)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < count; i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && strcasecmp(path + length - ending, endings[i]) == 0) {
			return (int)i;
		}
	}
	return -1;
}

int jc_output_file_write_all(int file, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length > 0) {
		ssize_t written = write(file, at, length);

		if (written < 0 && errno != EINTR) {
			return -1;
		}
		if (written > 0) {
			at += written;
			length -= (size_t)written;
		}
	}
	return 0;
}

/* The mode that open(2) would choose. The umask can only be read by setting it. */
static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Returns the path under which linkat finds a file without a name. */
static char *link_of(int file)
{
	char *link;

	return asprintf(&link, "/proc/self/fd/%d", file) < 0 ? NULL : link;
}

/* Opens a file without a name, which vanishes if the process ends. Returns -1 on file systems
 * without support. */
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

/* Links the file beside the target, for the rename. */
static int give_name(struct jc_output_file *output)
{
	char *link = link_of(output->file);
	int error = -1;

	for (unsigned i = 0; link && error != 0 && i < NAMES; i++) {
		char *name;

		if (asprintf(&name, "%s.%ld-%u", output->target, (long)getpid(), i) < 0) {
			break;
		}
		error = linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
		if (error == 0) {
			output->name = name;
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

int jc_output_file_begin(const char *path, struct jc_output_file *out_output)
{
	struct jc_output_file output = { .path = path, .file = -1 };
	struct stat old;
	bool exists = stat(path, &old) == 0;

	if (exists && !S_ISREG(old.st_mode)) {
		return jc_report(JC_EXIT_IO, path, "is not a regular file");
	}
	output.mode = exists ? old.st_mode & 07777 : default_mode();
	/* A symbolic link is kept; its target is replaced. */
	output.target = exists ? realpath(path, NULL) : strdup(path);
	if (!output.target) {
		goto error;
	}
	output.file = open_nameless(output.target);
	if (output.file < 0 && asprintf(&output.name, "%s.XXXXXX", output.target) < 0) {
		output.name = NULL;
		goto error;
	}
	if (output.name) {
		output.file = mkstemp(output.name);
	}
	if (output.file < 0) {
		goto error;
	}
	*out_output = output;
	return JC_EXIT_DONE;
error:
	jc_report(JC_EXIT_IO, path, "%s", strerror(errno));
	free(output.target);
	free(output.name);
	return JC_EXIT_IO;
}

int jc_output_file_write(struct jc_output_file *output, const void *bytes, size_t length)
{
	return jc_output_file_write_all(output->file, bytes, length) == 0
		       ? JC_EXIT_DONE
		       : jc_report(JC_EXIT_IO, output->path, "%s", strerror(errno));
}

void jc_output_file_cancel(struct jc_output_file *output)
{
	close(output->file);
	if (output->name) {
		unlink(output->name);
	}
	free(output->name);
	free(output->target);
}

int jc_output_file_commit(struct jc_output_file *output)
{
	if (fchmod(output->file, output->mode) != 0 || fsync(output->file) != 0 ||
		(!output->name && give_name(output) != 0) ||
		rename(output->name, output->target) != 0) {
		jc_report(JC_EXIT_IO, output->path, "%s", strerror(errno));
		jc_output_file_cancel(output);
		return JC_EXIT_IO;
	}
	close(output->file);
	free(output->name);
	free(output->target);
	return JC_EXIT_DONE;
}

int jc_output_file_write_whole(const char *path, const void *bytes, size_t length)
{
	struct jc_output_file output;
	int status = jc_output_file_begin(path, &output);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	status = jc_output_file_write(&output, bytes, length);
	if (status != JC_EXIT_DONE) {
		jc_output_file_cancel(&output);
		return status;
	}
	return jc_output_file_commit(&output);
}
