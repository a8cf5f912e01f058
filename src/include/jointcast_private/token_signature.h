/* Signs JSON Web Tokens (RFC 7519). */
#ifndef JC_PRIVATE_TOKEN_SIGNATURE_H
#define JC_PRIVATE_TOKEN_SIGNATURE_H

#include <stddef.h>

/* Returns the token with these claims, a JSON object as text, signed with a key: the bytes of a
 * secret for HS256, a private key in PEM, which ends with a NUL, for RS256 and ES256. kid: the
 * name of the key in the token's header. NULL: the key cannot sign with that algorithm, or there is
 * no memory. The caller wipes and frees the token. */
char *jc_token_signature_make(
	const char *claims, const char *kid, const char *algorithm, const void *key, size_t length);

#endif
