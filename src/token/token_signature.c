/* Signs with libjwt, which reads a PEM private key as text. */
#include "jointcast_private/token_signature.h"

#include <jwt.h>

char *jc_token_signature_make(
	const char *claims, const char *kid, const char *algorithm, const void *key, size_t length)
{
	jwt_t *jwt = NULL;
	char *token = NULL;

	if (jwt_new(&jwt) == 0 && jwt_add_grants_json(jwt, claims) == 0 &&
		jwt_add_header(jwt, "kid", kid) == 0 &&
		jwt_set_alg(jwt, jwt_str_alg(algorithm), key, (int)length) == 0) {
		token = jwt_encode_str(jwt);
	}
	jwt_free(jwt);
	return token;
}
