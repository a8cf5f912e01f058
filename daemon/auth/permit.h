/* A permit: the clients that may do something in a space, as the configuration states it:
 * "anyone", "nobody", "role:NAME", "subject:NAME". A token holds only for the spaces that it
 * lists. */
#ifndef JC_PERMIT_H
#define JC_PERMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "auth/token.h"

#define JC_PERMIT_SUBJECTS 8u

/* All zeros: no client. */
struct jc_permit {
	bool anyone;    /* with or without a token */
	unsigned roles; /* enum jc_role bits: tokens with one of these roles */
	size_t count;
	char subjects[JC_PERMIT_SUBJECTS][JC_MAX_SUBJECT]; /* tokens of one of these subjects */
};

/* Adds one text of the configuration. Returns 0, or JC_ERROR_INVALID or JC_ERROR_LIMIT with the
 * diagnostic filled. */
int jc_permit_add(struct jc_permit *permit, const char *text, struct jc_diagnostic *diagnostic);

/* Whether the permit allows the action to a client with this grant in a space; grant NULL: no
 * token. */
bool jc_permit_allows(
	const struct jc_permit *permit, const struct jc_grant *grant, const char *space);

#endif
