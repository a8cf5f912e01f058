/* The JSON bodies with which clients make and redeem invitations (proto/INVITATIONS.md). */
#ifndef JC_INVITATION_REQUEST_H
#define JC_INVITATION_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/token.h"
#include "jointcast/error.h"
#include "maxima.h"

struct jc_invitation_request {
	char space[JC_MAX_SPACE_NAME];
	enum jc_role role; /* JC_ROLE_WATCH or JC_ROLE_PUBLISH */
	int64_t seconds;   /* until it expires */
	unsigned uses;
	char note[JC_MAX_INVITATION_NOTE];
	bool pair; /* a pairing code instead of a secret */
};

/* Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_invitation_request_parse(const char *bytes, size_t length,
	struct jc_invitation_request *out_request, struct jc_diagnostic *diagnostic);

struct jc_redemption_request {
	bool is_code;
	char text[JC_MAX_INVITATION_SECRET]; /* the secret, or the code */
};

/* Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_redemption_request_parse(const char *bytes, size_t length,
	struct jc_redemption_request *out_request, struct jc_diagnostic *diagnostic);

#endif
