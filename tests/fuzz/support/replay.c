/* Runs a fuzz target over the files of a corpus folder, so that every finding
 * that was ever made is a test in builds without libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../target.h"

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long length = -1;
	int status = -1;

	if (!file) {
		goto out;
	}
	if (fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0) {
		goto out;
	}
	rewind(file);
	/* Exactly the length, so that a sanitizer sees the first byte past it. */
	bytes = malloc((size_t)length ? (size_t)length : 1);
	if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
		goto out;
	}
	LLVMFuzzerTestOneInput(bytes, (size_t)length);
	status = 0;
out:
	free(bytes);
	if (file) {
		fclose(file);
	}
	if (status != 0) {
		fprintf(stderr, "%s: cannot be read\n", path);
	}
	return status;
}

int main(int argc, char **argv)
{
	DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
	struct dirent *entry;
	int count = 0;

	if (!folder) {
		fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
		return 2;
	}
	while ((entry = readdir(folder))) {
		char path[4096];

		if (entry->d_name[0] == '.') {
			continue;
		}
		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		if (replay(path) != 0) {
			closedir(folder);
			return 1;
		}
		count++;
	}
	closedir(folder);
	printf("%d inputs\n", count);
	return count > 0 ? 0 : 1;
}
