/* The keys that verify tokens. Each key has one algorithm; the algorithm in a token's header
 * never selects another. */
#ifndef JC_KEYRING_H
#define JC_KEYRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "maxima.h"

#define JC_KEY_ID    64   /* bytes of a key id, with the NUL */
#define JC_KEY_BYTES 8192 /* of a secret or a PEM file */

/* The id of the daemon's own key, with which it signs the tokens of guests. No key of the
 * configuration has it. */
#define JC_KEY_INVITE "invite"
#define JC_MAX_KEYS   (JC_MAX_CONFIG_KEYS + 1)

enum jc_key_algorithm {
	JC_KEY_HS256, /* a shared secret of 32 bytes or more: the bytes of the file */
	JC_KEY_RS256, /* PEM, a public key of 2048 bits or more */
	JC_KEY_ES256, /* PEM, a public key on P-256 */
	JC_KEY_ALGORITHM_COUNT
};

const char *jc_key_algorithm_name(enum jc_key_algorithm algorithm); /* "HS256" */
int jc_key_algorithm_find(const char *name);                        /* or -1 */

struct jc_key {
	char id[JC_KEY_ID]; /* the token's "kid" */
	enum jc_key_algorithm algorithm;
	bool revoked; /* its tokens are rejected as revoked */
	size_t length;
	uint8_t *bytes; /* owned, followed by a NUL; wiped when freed */
};

/* All zeros: empty, and no token is accepted. */
struct jc_keyring {
	size_t count;
	struct jc_key keys[JC_MAX_KEYS];
};

void jc_keyring_finish(struct jc_keyring *keyring);

/* Copies the key. JC_ERROR_INVALID for a key that is too weak, is not what its algorithm needs,
 * or has an id in use; JC_ERROR_LIMIT, JC_ERROR_MEMORY. */
int jc_keyring_add(struct jc_keyring *keyring, const char *id, enum jc_key_algorithm algorithm,
	const uint8_t *bytes, size_t length, struct jc_diagnostic *diagnostic);

/* JC_ERROR_ABSENT if there is no such key. */
int jc_keyring_revoke(struct jc_keyring *keyring, const char *id);

const struct jc_key *jc_keyring_find(
	const struct jc_keyring *keyring, const char *id); /* or NULL */

#endif
