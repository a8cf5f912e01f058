/* The token of a guest: personal, for the space and the role of an invitation. */
#ifndef JC_GUEST_TOKEN_H
#define JC_GUEST_TOKEN_H

#include "invitation/invitation_list.h"

/* Signs a token with the daemon's own key (guest_key.h), for a fresh subject, "guest-" and 20
 * hexadecimal digits. It expires with the invitation. NULL: out of memory or of random bytes. The
 * caller frees it with jc_guest_token_free. */
char *jc_guest_token_make(const struct jc_invitation *invitation, const char *private_pem,
	const char *audience, int64_t now_s, char out_subject[JC_MAX_SUBJECT]);

/* Wipes it first; NULL is fine. */
void jc_guest_token_free(char *token);

#endif
