/* An output file that appears whole or not at all. */
#ifndef JC_CLI_REPLACE_H
#define JC_CLI_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether both paths lead to one existing file. */
bool jc_replace_is_same(const char *path, const char *other);

/* Writes a file beside path and renames it into place; what stood there is kept
 * until then, its mode goes on. Reports what goes wrong; returns enum jc_exit. */
int jc_replace_file(const char *path, const void *bytes, size_t length);

#endif
