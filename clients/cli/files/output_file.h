/* An output file that appears whole or not at all. */
#ifndef JC_CLI_OUTPUT_FILE_H
#define JC_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether both paths lead to one existing file. */
bool jc_output_file_is_same(const char *path, const char *other);

/* A file beside path that is being written. */
struct jc_output_file {
	const char *path; /* borrowed */
	char *target;     /* owned: what path leads to */
	char *name;       /* owned: of the file beside it; NULL: it has none yet */
	int file;         /* read and write */
	unsigned mode;
};

/* Begin, write, and commit or cancel, which end it. All report what goes wrong and
 * return enum jc_exit; after a write that failed it is to be cancelled. */
int jc_output_file_begin(const char *path, struct jc_output_file *out_replacement);
int jc_output_file_write(struct jc_output_file *replacement, const void *bytes, size_t length);
int jc_output_file_commit(struct jc_output_file *replacement);
void jc_output_file_cancel(struct jc_output_file *replacement);

/* Writes a file beside path and renames it into place; what stood there is kept
 * until then, its mode goes on. Reports what goes wrong; returns enum jc_exit. */
int jc_output_file_write_whole(const char *path, const void *bytes, size_t length);

#endif
