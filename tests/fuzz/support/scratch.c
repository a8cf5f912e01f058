/* See scratch.h. */
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char folder[PATH_MAX / 2];

static void must(bool holds)
{
	if (!holds) {
		perror("scratch");
		abort();
	}
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void remove_all(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void remove_folder(void)
{
	remove_all(folder);
}

const char *scratch_folder(void)
{
	const char *parent = getenv("TMPDIR");

	if (!folder[0]) {
		snprintf(folder, sizeof(folder), "%s/jointcast-fuzz-XXXXXX",
			parent ? parent : "/tmp");
		must(mkdtemp(folder) != NULL);
		must(atexit(remove_folder) == 0);
	}
	return folder;
}

void scratch_path(const char *name, char out_path[PATH_MAX])
{
	must(snprintf(out_path, PATH_MAX, "%s/%s", scratch_folder(), name) < PATH_MAX);
}

void scratch_make_folder(const char *name)
{
	char path[PATH_MAX];

	scratch_path(name, path);
	must(mkdir(path, 0700) == 0 || errno == EEXIST);
}

void scratch_write(const char *name, const void *bytes, size_t length)
{
	char path[PATH_MAX];

	scratch_path(name, path);
	FILE *file = fopen(path, "wb");

	must(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

void scratch_remove(const char *name)
{
	char path[PATH_MAX];

	scratch_path(name, path);
	remove_all(path);
}
