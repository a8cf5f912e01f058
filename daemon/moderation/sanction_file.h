/* The text form of sanctions: JSON, which operators can read too. */
#ifndef JC_SANCTION_FILE_H
#define JC_SANCTION_FILE_H

#include "jointcast/error.h"
#include "moderation/sanctions.h"

/* NULL: out of memory. The caller frees the text. */
char *jc_sanction_file_format(const struct jc_sanctions *sanctions);

/* Parses the text into an empty list, which stays empty on an error. Returns 0, or a negative
 * enum jc_error with the diagnostic filled. */
int jc_sanction_file_parse(const char *bytes, size_t length, struct jc_sanctions *sanctions,
	struct jc_diagnostic *diagnostic);

/* Reads the file into an empty list; a missing file is fine. Returns 0, or a negative enum
 * jc_error with the diagnostic filled. */
int jc_sanction_file_read(
	const char *path, struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic);

#endif
