/* An output file that appears complete or not at all. */
#ifndef JC_CLI_OUTPUT_FILE_H
#define JC_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether both paths lead to the same existing file. */
bool jc_output_file_is_same(const char *path, const char *other);

/* The index of the ending of a path, in capitals or not, in a list such as ".glb", ".gltf"; -1:
 * none. A name that is nothing but an ending has none. */
int jc_output_file_ending(const char *path, const char *const *endings, size_t count);

/* Writes all bytes to a descriptor. Returns 0, or -1 with errno. */
int jc_output_file_write_all(int file, const void *bytes, size_t length);

/* A file that is being written beside its target. */
struct jc_output_file {
	const char *path; /* borrowed */
	char *target;     /* owned: the target of path */
	char *name;       /* owned: name of the file beside it; NULL: no name yet */
	int file;         /* open for reading and writing */
	unsigned mode;
};

/* begin, then write, then commit or cancel, which release the struct. They report errors and return
 * enum jc_exit. After a failed write, call cancel. */
int jc_output_file_begin(const char *path, struct jc_output_file *out_output);
int jc_output_file_write(struct jc_output_file *output, const void *bytes, size_t length);
int jc_output_file_commit(struct jc_output_file *output);
void jc_output_file_cancel(struct jc_output_file *output);

/* Writes a whole file beside path and renames it into place, with the mode of the old file. Reports
 * errors; returns enum jc_exit. */
int jc_output_file_write_whole(const char *path, const void *bytes, size_t length);

#endif
