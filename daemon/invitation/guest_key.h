/* The key pair of a daemon for the tokens of guests: ES256, so that edges can verify tokens which
 * they cannot sign. */
#ifndef JC_GUEST_KEY_H
#define JC_GUEST_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JC_GUEST_KEY_PEM 512 /* bytes of a key in PEM, with its NUL */

struct jc_guest_key {
	char private_pem[JC_GUEST_KEY_PEM]; /* PKCS #8 */
	char public_pem[JC_GUEST_KEY_PEM];
};

#define JC_PEOPLE_SECRET 16 /* bytes */

/* Derives another secret, for persons in spaces (space/people/people.h). False: libcrypto has
 * failed. */
bool jc_guest_key_people(const void *secret, size_t length, uint8_t out_secret[JC_PEOPLE_SECRET]);

/* Derives the pair from a secret: one secret always gives one pair, so a daemon keeps the secret
 * alone. Returns 0, or JC_ERROR_UNSUPPORTED if libcrypto has failed. The caller wipes the key. */
int jc_guest_key_derive(const void *secret, size_t length, struct jc_guest_key *out_key);

#endif
