/* Tokens: JSON Web Tokens (RFC 7519) signed with a key of the keyring, and the grant that they
 * carry. Beside the registered claims: `spaces` and `bodies`, lists of names or "*" for all;
 * `roles`, a list of role names; `inv`, the invitation of a guest, in tokens of the daemon's own
 * key. */
#ifndef JC_TOKEN_H
#define JC_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "auth/keyring.h"
#include "maxima.h"

#define JC_TOKEN_BYTES 4096 /* of an encoded token */
#define JC_TOKEN_NAMES 16u  /* maximum of a list of names */
#define JC_TOKEN_SKEW  30   /* seconds that clocks may differ */

#define JC_INVITATION_ID 17 /* bytes of the id of an invitation, with the NUL */

enum jc_role {
	JC_ROLE_WATCH = 1 << 0,      /* join and subscribe */
	JC_ROLE_PUBLISH = 1 << 1,    /* publish bodies, and register skeletons */
	JC_ROLE_RECORD = 1 << 2,     /* start and stop recordings */
	JC_ROLE_MODERATE = 1 << 3,   /* mute, hide, kick and ban */
	JC_ROLE_ADMINISTER = 1 << 4, /* open and close spaces, read the status */
	JC_ROLE_ALL = (1 << 5) - 1
};

/* A list of allowed names, or all names. */
struct jc_token_names {
	bool all;
	size_t count;
	char names[JC_TOKEN_NAMES][JC_MAX_BODY_NAME];
};

/* 0: no role has that name. */
unsigned jc_role_find(const char *name);

/* The permissions of a token or of a connection from loopback. Plain data. */
struct jc_grant {
	char subject[JC_MAX_SUBJECT]; /* also the scope of names of skeletons */
	char key_id[JC_KEY_ID];
	char invitation[JC_INVITATION_ID]; /* of a guest: it came with it. Empty: none */
	unsigned roles;                    /* enum jc_role bits */
	struct jc_token_names spaces;
	struct jc_token_names bodies; /* that it may publish */
	int64_t expires_s;            /* Unix time; INT64_MAX: never */
};

/* Why a token is rejected. proto/PROTOCOL.md, "Security", lists the names. */
enum jc_refusal {
	JC_REFUSAL_NONE,
	JC_REFUSAL_MALFORMED, /* no token, too long, or claims of the wrong type */
	JC_REFUSAL_KEY,       /* no "kid", or an unknown one */
	JC_REFUSAL_REVOKED,
	JC_REFUSAL_ALGORITHM, /* not the algorithm of the key */
	JC_REFUSAL_SIGNATURE,
	JC_REFUSAL_EXPIRED,
	JC_REFUSAL_TOO_EARLY, /* "nbf" is in the future */
	JC_REFUSAL_AUDIENCE,
	JC_REFUSAL_COUNT
};

const char *jc_refusal_name(enum jc_refusal refusal); /* "expired" */

/* Everything, without an end and without a subject: the grant of loopback connections if there
 * are no keys. */
extern const struct jc_grant jc_grant_all;

/* Checks a token at Unix time now_s for an audience. "exp" and "sub" are required; without
 * `roles` the token allows watching, without `spaces` or `bodies` none of these. */
enum jc_refusal jc_token_read(const struct jc_keyring *keyring, const char *audience,
	const char *token, size_t length, int64_t now_s, struct jc_grant *out_grant);

/* Reads which invitation a token of a guest names, without verifying it. False: it is no such
 * token. */
bool jc_token_invitation(const char *token, size_t length, char out_id[JC_INVITATION_ID]);

bool jc_token_names_allow(const struct jc_token_names *names, const char *name);

#endif
