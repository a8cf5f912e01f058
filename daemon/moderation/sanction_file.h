/* The text form of sanctions: JSON, which operators can read too. */
#ifndef JC_SANCTION_FILE_H
#define JC_SANCTION_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "jointcast/error.h"
#include "moderation/sanctions.h"

/* The text of a file that replaces an earlier one (NULL: none): sanctions of the earlier file with
 * a kind that this version does not know, and such members of the file and of its sanctions, are
 * kept, unless its version is higher. NULL: out of memory. The caller frees the text. */
char *jc_sanction_file_format(
	const struct jc_sanctions *sanctions, const char *earlier, size_t length);

/* Replaces the file at once or not at all, and keeps those. Returns 0, JC_ERROR_UNSUPPORTED for a
 * file of a higher version, which stays, or another negative enum jc_error, with the diagnostic
 * filled. */
int jc_sanction_file_write(
	const char *path, const struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic);

/* Parses the text into an empty list, and counts sanctions of unknown kinds. The list stays empty
 * on an error. Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_sanction_file_parse(const char *bytes, size_t length, struct jc_sanctions *sanctions,
	struct jc_diagnostic *diagnostic);

/* Reads the file into an empty list; a missing file is fine. Returns 0, or a negative enum
 * jc_error with the diagnostic filled. */
int jc_sanction_file_read(
	const char *path, struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic);

/* One sanction as an object of the file. NULL: out of memory. */
json_t *jc_sanction_file_pack(const struct jc_sanction *sanction);

/* Returns false for an invalid one. */
bool jc_sanction_file_unpack(const json_t *entry, struct jc_sanction *out_sanction);

#endif
