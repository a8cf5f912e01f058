/* Sanctions as a text that outlives a run: JSON, for operators to read too. */
#ifndef JC_SANCTION_FILE_H
#define JC_SANCTION_FILE_H

#include "jointcast/error.h"
#include "moderation/sanctions.h"

/* NULL without memory; else the caller's to free. */
char *jc_sanction_file_format(const struct jc_sanctions *sanctions);

/* Reads the bytes of such a text into a list that is empty, and is empty still when they are
 * refused. Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_sanction_file_parse(const char *bytes, size_t length, struct jc_sanctions *sanctions,
	struct jc_diagnostic *diagnostic);

/* Reads the file into a list that is empty; none is fine. Returns 0, or a negative enum
 * jc_error with the diagnostic filled. */
int jc_sanction_file_read(
	const char *path, struct jc_sanctions *sanctions, struct jc_diagnostic *diagnostic);

#endif
