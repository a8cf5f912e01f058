/* A folder for files that functions open by path; removed at the end of the program. */
#ifndef JC_FUZZ_SCRATCH_H
#define JC_FUZZ_SCRATCH_H

#include <limits.h>
#include <stddef.h>

/* Made with the first call, in $TMPDIR or /tmp. */
const char *scratch_folder(void);

/* The path of a file or folder in it. */
void scratch_path(const char *name, char out_path[PATH_MAX]);

/* Makes a folder in it, whose parent is there; fine when it is there. */
void scratch_make_folder(const char *name);

/* Writes a file in it, in the place of the one that was there. */
void scratch_write(const char *name, const void *bytes, size_t length);

/* Removes a file or a folder with its content, if it exists. */
void scratch_remove(const char *name);

#endif
