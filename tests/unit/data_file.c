/* Reads public data files; JC_DATA_FOLDER comes from the build. */
#include "data_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit_test.h"

char *data_file_read(const char *folder, const char *name, size_t *out_length)
{
	const char *data = getenv("JOINTCAST_DATA");
	char path[4096];
	char *bytes;
	FILE *file;
	long length;

	snprintf(path, sizeof(path), "%s/%s/%s", data ? data : JC_DATA_FOLDER, folder, name);
	file = fopen(path, "rb");
	if (!file) {
		print_message("no '%s': skipped\n", path);
		return NULL;
	}
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	length = ftell(file);
	assert_true(length > 0);
	rewind(file);
	bytes = malloc((size_t)length);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
	fclose(file);
	*out_length = (size_t)length;
	return bytes;
}
