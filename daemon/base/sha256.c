/* libcrypto provides SHA-256. */
#include "base/sha256.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

bool jc_sha256_hex(const void *bytes, size_t length, char out_hash[JC_HASH_TEXT])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned size = 0;

	if (EVP_Digest(bytes, length, digest, &size, EVP_sha256(), NULL) != 1) {
		return false;
	}
	for (unsigned i = 0; i < (JC_HASH_TEXT - 1) / 2; i++) {
		snprintf(out_hash + (size_t)2 * i, 3, "%02x", digest[i]);
	}
	return true;
}

bool jc_sha256_is_hex(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!strchr("0123456789abcdef", text[i]) || text[i] == '\0') {
			return false;
		}
	}
	return length == JC_HASH_TEXT - 1;
}
