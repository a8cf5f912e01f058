/* Whole files in memory, up to a maximum size. */
#ifndef JC_FILE_H
#define JC_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

/* Reads a regular file of at most `maximum` bytes. The caller frees *out_bytes, which has a NUL
 * after its last byte. Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_file_read(const char *path, size_t maximum, char **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic);

/* Replaces a file by a new one (mode 0600) in one step: at any time either the whole old file or
 * the whole new file exists. Waits until the file and its folder are on the disk. Returns 0, or a
 * negative enum jc_error with the diagnostic filled; if only the sync of the folder failed, the
 * new file is in place. */
int jc_file_replace(
	const char *path, const char *bytes, size_t length, struct jc_diagnostic *diagnostic);

/* Writes all bytes to a descriptor. False, with errno, if it cannot. */
bool jc_file_write_all(int fd, const char *bytes, size_t length);

/* Makes a directory (mode 0700); an existing one is fine. */
int jc_file_make_folder(const char *path, struct jc_diagnostic *diagnostic);
/* Whether jc_file_make_folder() would succeed: the directory exists, or its parent can be written.
 * Writes nothing. Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_file_check_folder(const char *path, struct jc_diagnostic *diagnostic);

/* Turns any text into a file name: keeps letters, digits, '-' and '_', and writes other bytes as
 * %XX. False: it does not fit. */
bool jc_file_escape(const char *text, char *out_name, size_t size);

#endif
