/* Random bytes, SHA-256 and the comparison are those of libcrypto. */
#include "invitation/secret.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

struct jc_digest jc_digest_of(const void *bytes, size_t length)
{
	struct jc_digest digest;

	SHA256(bytes, length, digest.bytes);
	return digest;
}

bool jc_digest_equals(const struct jc_digest *digest, const struct jc_digest *other)
{
	return CRYPTO_memcmp(digest->bytes, other->bytes, sizeof(digest->bytes)) == 0;
}

bool jc_secret_draw(void *out_bytes, size_t length)
{
	return RAND_priv_bytes(out_bytes, (int)length) == 1;
}

bool jc_secret_make(char out_secret[JC_SECRET_TEXT])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789-_";
	uint8_t bytes[JC_SECRET_BYTES + 2] = { 0 };

	if (!jc_secret_draw(bytes, JC_SECRET_BYTES)) {
		return false;
	}
	for (size_t i = 0; i < JC_SECRET_TEXT - 1; i++) {
		const uint8_t *at = &bytes[i / 4 * 3];
		unsigned three = (unsigned)at[0] << 16 | (unsigned)at[1] << 8 | at[2];

		out_secret[i] = digits[three >> (18 - 6 * (i % 4)) & 63];
	}
	out_secret[JC_SECRET_TEXT - 1] = '\0';
	jc_secret_wipe(bytes, sizeof(bytes));
	return true;
}

bool jc_secret_make_hex(char *out_text, size_t length)
{
	uint8_t bytes[32];

	assert(length % 2 == 0 && length <= 2 * sizeof(bytes));
	if (!jc_secret_draw(bytes, length / 2)) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		out_text[i] = "0123456789abcdef"[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
	}
	out_text[length] = '\0';
	return true;
}

void jc_secret_wipe(void *bytes, size_t length)
{
	OPENSSL_cleanse(bytes, length);
}
