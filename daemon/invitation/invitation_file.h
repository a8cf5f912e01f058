/* The text form of invitations: JSON. Of secrets it has only hashes. */
#ifndef JC_INVITATION_FILE_H
#define JC_INVITATION_FILE_H

#include "invitation/invitation_list.h"
#include "jointcast/error.h"

/* The text of a file that replaces an earlier one (NULL: none): members of the earlier file and of
 * its invitations that this version does not know are kept, unless its version is higher. NULL: out
 * of memory. The caller frees the text. */
char *jc_invitation_file_format(
	const struct jc_invitation_list *invitations, const char *earlier, size_t length);

/* Replaces the file at once or not at all, and keeps such members. Returns 0, or a negative enum
 * jc_error with the diagnostic filled. */
int jc_invitation_file_write(const char *path, const struct jc_invitation_list *invitations,
	struct jc_diagnostic *diagnostic);

/* Parses the text into an empty list, which stays empty on an error. Returns 0, or a negative
 * enum jc_error with the diagnostic filled. */
int jc_invitation_file_parse(const char *bytes, size_t length,
	struct jc_invitation_list *invitations, struct jc_diagnostic *diagnostic);

/* Reads the file into an empty list; a missing file is fine. Returns 0, or a negative enum
 * jc_error with the diagnostic filled. */
int jc_invitation_file_read(
	const char *path, struct jc_invitation_list *invitations, struct jc_diagnostic *diagnostic);

#endif
