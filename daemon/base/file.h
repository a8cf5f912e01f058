/* Whole files in memory, under a cap. */
#ifndef JC_FILE_H
#define JC_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

/* Reads a regular file of at most `maximum` bytes. *out_bytes is the caller's
 * to free and has a NUL after its last byte. Returns 0 or a negative enum
 * jc_error with the diagnostic filled. */
int jc_file_read(const char *path, size_t maximum, char **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic);

/* Replaces a file by a new one (mode 0600) in one step: at any time the old file or the new
 * one is there, whole. Waits until both the file and its folder are on the disk. Returns 0,
 * or a negative enum jc_error with the diagnostic filled; the new file may be in place when
 * only the folder could not be synchronised. */
int jc_file_replace(
	const char *path, const char *bytes, size_t length, struct jc_diagnostic *diagnostic);

/* A directory for its owner alone; fine when it is there. */
int jc_file_make_folder(const char *path, struct jc_diagnostic *diagnostic);

/* Any text as the name of a file: letters, digits, '-' and '_' as they are, other
 * bytes as %XX. False when it does not fit. */
bool jc_file_escape(const char *text, char *out_name, size_t size);

#endif
