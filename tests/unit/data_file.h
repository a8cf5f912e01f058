/* Reads public data files, which some tests use if they are present. */
#ifndef JC_TESTS_DATA_FILE_H
#define JC_TESTS_DATA_FILE_H

#include <stddef.h>

/* The bytes of a file below $JOINTCAST_DATA or ../shared/data, or NULL with a message if
 * it is missing. The caller frees them. */
char *data_file_read(const char *folder, const char *name, size_t *out_length);

#endif
