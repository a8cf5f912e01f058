/* Who may do a thing, as an operator says it in the configuration: "anyone",
 * "nobody", "role:NAME", "subject:NAME". A token is bounded by the spaces that it
 * names whatever a permit says. */
#ifndef JC_PERMIT_H
#define JC_PERMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "auth/token.h"

#define JC_PERMIT_SUBJECTS 8u

/* All zeros: nobody. */
struct jc_permit {
	bool anyone;    /* with a token or without */
	unsigned roles; /* enum jc_role bits: whose token has one of them */
	size_t count;
	char subjects[JC_PERMIT_SUBJECTS][JC_MAX_SUBJECT]; /* whose token is of one of them */
};

/* Adds what a text says. Returns 0, or JC_ERROR_INVALID or JC_ERROR_LIMIT with the
 * diagnostic filled. */
int jc_permit_add(struct jc_permit *permit, const char *text, struct jc_diagnostic *diagnostic);

/* Whether it allows that in a space to whoever was granted this; NULL: who has shown
 * no token. */
bool jc_permit_allows(
	const struct jc_permit *permit, const struct jc_grant *grant, const char *space);

#endif
