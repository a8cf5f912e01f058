/* Reads an uploaded skeleton of any supported format, within limits for untrusted input. */
#ifndef JC_SKELETON_UPLOAD_H
#define JC_SKELETON_UPLOAD_H

#include <stddef.h>

#include "jointcast/lint.h"
#include "space/skeleton_table.h"

/* Makes the skeleton asset of the index-th humanoid of a file, which holds nothing but what its
 * descriptor says: the same that is there when that is read again. Nothing beside the
 * bytes is read, whatever they name. Pure: may be called from any thread. lint may be
 * NULL. Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_skeleton_upload_read(const char *bytes, size_t length, size_t index,
	struct jc_skeleton_asset **out_asset, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* What reading so many bytes takes, as if all were binary: text takes many times its size,
 * and time. */
size_t jc_skeleton_upload_cost(const char *bytes, size_t length);

#endif
