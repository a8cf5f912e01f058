/* Tokens. The first byte selects the input: 'r', a token as it is sent; 'h', 's' or 'e', a
 * header and, from the second line on, a payload that the target signs with the key for
 * HS256, RS256 or ES256, so that mutations get past the signature; 'k', the file of a key. An
 * accepted token comes from a key of the keyring, its grant is well-formed, and it is refused
 * when one bit of its signature changes. */
#include <assert.h>
#include <openssl/ec.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "auth/permit.h"
#include "auth/token.h"
#include "target.h"

#define NOW       INT64_C(1700000000)
#define AUDIENCE  "jointcast"
#define SIGNATURE 256 /* bytes of the longest, of RSA */
#define P256      32  /* bytes of a number */

static const uint8_t secret[] = "0123456789abcdef0123456789abcdef";
static struct jc_keyring keyring;
static EVP_PKEY *rsa, *ec;

static void add_public(const char *id, enum jc_key_algorithm algorithm, EVP_PKEY *key)
{
	struct jc_diagnostic diagnostic;
	BIO *rewind_buffer = BIO_new(BIO_s_mem());
	char *bytes;

	assert(PEM_write_bio_PUBKEY(rewind_buffer, key) == 1);
	long length = BIO_get_mem_data(rewind_buffer, &bytes);
	int status = jc_keyring_add(
		&keyring, id, algorithm, (const uint8_t *)bytes, (size_t)length, &diagnostic);

	assert(status == JC_OK);
	BIO_free(rewind_buffer);
}

static void make_keys(void)
{
	struct jc_diagnostic diagnostic;
	int status = jc_keyring_add(
		&keyring, "h", JC_KEY_HS256, secret, sizeof(secret) - 1, &diagnostic);

	assert(status == JC_OK);
	status = jc_keyring_add(
		&keyring, "old", JC_KEY_HS256, secret, sizeof(secret) - 1, &diagnostic);
	assert(status == JC_OK && jc_keyring_revoke(&keyring, "old") == JC_OK);
	rsa = EVP_RSA_gen(8 * SIGNATURE);
	ec = EVP_EC_gen("P-256");
	assert(rsa && ec);
	add_public("s", JC_KEY_RS256, rsa);
	add_public("e", JC_KEY_ES256, ec);
}

/* Base64 with the alphabet of URLs, without padding (RFC 7515, 2). Returns the length. */
static size_t encode(const uint8_t *bytes, size_t length, char *out_text)
{
	size_t count = (size_t)EVP_EncodeBlock((unsigned char *)out_text, bytes, (int)length);

	while (count > 0 && out_text[count - 1] == '=') {
		count--;
	}
	for (size_t i = 0; i < count; i++) {
		out_text[i] = out_text[i] == '+' ? '-' : out_text[i] == '/' ? '_' : out_text[i];
	}
	return count;
}

/* RFC 7518, 3.4: both numbers at their full length, not the DER of OpenSSL. */
static size_t unpack_ecdsa(const uint8_t *der, size_t length, uint8_t *out_signature)
{
	ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &der, (long)length);

	assert(pair);
	BN_bn2binpad(ECDSA_SIG_get0_r(pair), out_signature, P256);
	BN_bn2binpad(ECDSA_SIG_get0_s(pair), out_signature + P256, P256);
	ECDSA_SIG_free(pair);
	return (size_t)2 * P256;
}

static size_t sign(char mode, const char *text, size_t length, uint8_t out_signature[SIGNATURE])
{
	const uint8_t *bytes = (const uint8_t *)text;
	uint8_t der[SIGNATURE];
	size_t count = SIGNATURE;
	unsigned hashed;

	if (mode == 'h') {
		HMAC(EVP_sha256(), secret, sizeof(secret) - 1, bytes, length, out_signature,
			&hashed);
		return hashed;
	}
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	int done =
		EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, mode == 's' ? rsa : ec) &&
		EVP_DigestSign(context, mode == 's' ? out_signature : der, &count, bytes, length);

	assert(done == 1);
	EVP_MD_CTX_free(context);
	return mode == 's' ? count : unpack_ecdsa(der, count, out_signature);
}

static bool is_utf8(const char *text)
{
	for (const uint8_t *c = (const uint8_t *)text; *c; c++) {
		int more = *c < 0x80 ? 0 : *c < 0xc2 ? -1 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : 3;

		if (more < 0 || *c > 0xf4) {
			return false;
		}
		for (; more > 0; more--) {
			if ((*++c & 0xc0) != 0x80) {
				return false;
			}
		}
	}
	return true;
}

static void check_text(const char *text, size_t size)
{
	assert(memchr(text, '\0', size) && is_utf8(text));
}

static void check_names(const struct jc_token_names *names)
{
	assert(names->count <= JC_TOKEN_NAMES && (!names->all || names->count == 0));
	for (size_t i = 0; i < names->count; i++) {
		check_text(names->names[i], sizeof(names->names[i]));
		assert(jc_token_names_allow(names, names->names[i]));
	}
}

static void check_permits(const struct jc_grant *grant)
{
	const struct jc_permit nobody = { .anyone = false };
	struct jc_diagnostic diagnostic;
	struct jc_permit permit = { .anyone = false };
	char text[JC_MAX_SUBJECT + 16] = "subject:";

	strcat(text, grant->subject);
	assert(jc_permit_add(&permit, text, &diagnostic) == JC_OK);
	assert(jc_permit_allows(&permit, grant, "a space") ==
		jc_token_names_allow(&grant->spaces, "a space"));
	assert(!jc_permit_allows(&nobody, grant, "a space"));
}

static void check_grant(const struct jc_grant *grant, char mode)
{
	const struct jc_key *key = jc_keyring_find(&keyring, grant->key_id);

	check_text(grant->subject, sizeof(grant->subject));
	assert(grant->subject[0] && key && !key->revoked);
	assert(mode == 'r' || grant->key_id[0] == mode);
	assert(!(grant->roles & ~(unsigned)JC_ROLE_ALL));
	assert(grant->expires_s >= NOW - JC_TOKEN_SKEW);
	check_names(&grant->spaces);
	check_names(&grant->bodies);
	check_permits(grant);
}

static enum jc_refusal judge(const char *token, size_t length, struct jc_grant *out_grant)
{
	/* Exactly the length, so that a sanitizer sees the first byte past it. */
	char *exact = malloc(length + !length);

	assert(exact);
	memcpy(exact, token, length);
	enum jc_refusal refusal = jc_token_read(&keyring, AUDIENCE, exact, length, NOW, out_grant);

	assert(refusal < JC_REFUSAL_COUNT && jc_refusal_name(refusal));
	free(exact);
	return refusal;
}

static void judge_raw(const char *token, size_t length)
{
	struct jc_grant grant;

	if (judge(token, length, &grant) == JC_REFUSAL_NONE) {
		char changed[JC_TOKEN_BYTES];

		check_grant(&grant, 'r');
		/* Bits of the first character of a signature are all of its first byte. */
		memcpy(changed, token, length);
		char *first = (char *)memrchr(changed, '.', length) + 1;

		*first = *first == 'A' ? 'B' : 'A';
		assert(judge(changed, length, &grant) != JC_REFUSAL_NONE);
	}
}

static void judge_signed(char mode, const uint8_t *bytes, size_t length)
{
	const uint8_t *end = memchr(bytes, '\n', length);
	size_t header = end ? (size_t)(end - bytes) : length;
	char token[2 * JC_TOKEN_BYTES];
	uint8_t signature[SIGNATURE];
	struct jc_grant grant;

	if (length > JC_TOKEN_BYTES) {
		return;
	}
	size_t signed_length = encode(bytes, header, token);

	token[signed_length++] = '.';
	if (end) {
		signed_length += encode(end + 1, length - header - 1, token + signed_length);
	}
	size_t signature_length = sign(mode, token, signed_length, signature);

	token[signed_length] = '.';
	size_t total =
		signed_length + 1 + encode(signature, signature_length, token + signed_length + 1);

	if (judge(token, total, &grant) == JC_REFUSAL_NONE) {
		check_grant(&grant, mode);
		signature[length % signature_length] ^= (uint8_t)(1 << (header % 8));
		encode(signature, signature_length, token + signed_length + 1);
		assert(judge(token, total, &grant) != JC_REFUSAL_NONE);
	}
}

/* For each algorithm: a key that is accepted is found, and one that is refused has a reason. */
static void judge_key(const uint8_t *bytes, size_t length)
{
	for (int i = 0; i < JC_KEY_ALGORITHM_COUNT; i++) {
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_keyring other = { 0 };
		enum jc_key_algorithm algorithm = (enum jc_key_algorithm)i;

		if (jc_keyring_add(&other, "key", algorithm, bytes, length, &diagnostic) == JC_OK) {
			assert(jc_keyring_find(&other, "key")->algorithm == algorithm);
			/* The name is taken. */
			assert(jc_keyring_add(&other, "key", algorithm, bytes, length,
				       &diagnostic) != JC_OK);
		}
		assert(other.count == 1 || diagnostic.what[0]);
		jc_keyring_finish(&other);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (keyring.count == 0) {
		make_keys();
	}
	if (size > 0 && memchr("hse", data[0], 3)) {
		judge_signed((char)data[0], data + 1, size - 1);
	} else if (size > 0 && data[0] == 'k') {
		judge_key(data + 1, size - 1);
	} else if (size > 0) {
		judge_raw((const char *)data + 1, size - 1);
	}
	return 0;
}
