/* Whole files in memory, under a cap. */
#ifndef JC_FILE_H
#define JC_FILE_H

#include <stddef.h>

#include "jointcast/error.h"

/* Reads a regular file of at most `maximum` bytes. *out_bytes is the caller's
 * to free and has a NUL after its last byte. Returns 0 or a negative enum
 * jc_error with the diagnostic filled. */
int jc_file_read(const char *path, size_t maximum, char **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic);

#endif
