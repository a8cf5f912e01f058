/* Reads an uploaded skeleton of any supported format, within limits for untrusted input. */
#ifndef JC_SKELETON_UPLOAD_H
#define JC_SKELETON_UPLOAD_H

#include <stddef.h>

#include "jointcast/lint.h"
#include "space/skeleton_table.h"

/* Makes the skeleton asset of the index-th humanoid of a file. It contains only the data of its
 * descriptor, so that reading the descriptor again gives the same asset. Opens no other file that
 * the bytes name. Pure: may be called from any thread. lint may be NULL. Returns 0, or a negative
 * enum jc_error with the diagnostic filled. */
int jc_skeleton_upload_read(const char *bytes, size_t length, size_t index,
	struct jc_skeleton_asset **out_asset, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* Estimated memory for reading this many bytes: text needs many times its size. */
size_t jc_skeleton_upload_cost(const char *bytes, size_t length);

#endif
