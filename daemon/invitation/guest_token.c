/* The claims are those of every token (proto/PROTOCOL.md, "Tokens"), and `inv`. */
#include "invitation/guest_token.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast_private/token_signature.h"

#define PREFIX "guest-"
#define DIGITS 20u

static char *pack_claims(const struct jc_invitation *invitation, const char *audience,
	int64_t now_s, const char *subject)
{
	bool publishes = invitation->role == JC_ROLE_PUBLISH;
	json_t *claims = json_pack("{ss ss sI sI s[s] s[s s*] ss* ss}", "sub", subject, "aud",
		audience, "iat", (json_int_t)now_s, "exp", (json_int_t)invitation->expires_s,
		"spaces", invitation->space, "roles", "watch", publishes ? "publish" : NULL,
		"bodies", publishes ? "*" : NULL, "inv", invitation->id);
	char *text = claims ? json_dumps(claims, JSON_COMPACT) : NULL;

	json_decref(claims);
	return text;
}

char *jc_guest_token_make(const struct jc_invitation *invitation, const char *private_pem,
	const char *audience, int64_t now_s, char out_subject[JC_MAX_SUBJECT])
{
	char subject[JC_MAX_SUBJECT] = PREFIX;

	if (!jc_secret_make_hex(subject + strlen(PREFIX), DIGITS)) {
		return NULL;
	}
	char *claims = pack_claims(invitation, audience, now_s, subject);
	char *token = claims ? jc_token_signature_make(claims, JC_KEY_INVITE, "ES256", private_pem,
				       strlen(private_pem) + 1)
			     : NULL;

	free(claims);
	if (token) {
		strcpy(out_subject, subject);
	}
	return token;
}

void jc_guest_token_free(char *token)
{
	if (token) {
		jc_secret_wipe(token, strlen(token));
		free(token);
	}
}
