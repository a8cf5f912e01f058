/* Checks keys with OpenSSL when they are loaded: a key that is too weak is an error at the start,
 * not at the first token. */
#include "auth/keyring.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SECRET   32 /* RFC 7518, 3.2: as long as the hash */
#define LEAST_RSA_BITS 2048

static const char *const algorithm_names[] = {
	[JC_KEY_HS256] = "HS256",
	[JC_KEY_RS256] = "RS256",
	[JC_KEY_ES256] = "ES256",
};

const char *jc_key_algorithm_name(enum jc_key_algorithm algorithm)
{
	return algorithm_names[algorithm];
}

int jc_key_algorithm_find(const char *name)
{
	for (int i = 0; i < JC_KEY_ALGORITHM_COUNT; i++) {
		if (strcmp(name, algorithm_names[i]) == 0) {
			return i;
		}
	}
	return -1;
}

void jc_keyring_finish(struct jc_keyring *keyring)
{
	for (size_t i = 0; i < keyring->count; i++) {
		OPENSSL_cleanse(keyring->keys[i].bytes, keyring->keys[i].length);
		free(keyring->keys[i].bytes);
	}
	*keyring = (struct jc_keyring){ 0 };
}

static bool is_on_p256(const EVP_PKEY *key)
{
	char group[64];

	return EVP_PKEY_get_group_name(key, group, sizeof(group), NULL) == 1 &&
	       strcmp(group, "prime256v1") == 0;
}

/* Checks that the key is a public key of the kind that its algorithm needs. */
static int check_public(enum jc_key_algorithm algorithm, const uint8_t *bytes, size_t length,
	struct jc_diagnostic *diagnostic)
{
	BIO *memory = BIO_new_mem_buf(bytes, (int)length);
	EVP_PKEY *key = memory ? PEM_read_bio_PUBKEY(memory, NULL, NULL, NULL) : NULL;
	int status = JC_OK;

	if (!key) {
		status = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"no public key in PEM (-----BEGIN PUBLIC KEY-----)");
	} else if (algorithm == JC_KEY_RS256 && (EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA ||
							EVP_PKEY_get_bits(key) < LEAST_RSA_BITS)) {
		status = jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"RS256 needs an RSA key of %d bits or more", LEAST_RSA_BITS);
	} else if (algorithm == JC_KEY_ES256 && !is_on_p256(key)) {
		status = jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "ES256 needs a key on the curve P-256");
	}
	EVP_PKEY_free(key);
	BIO_free(memory);
	return status;
}

static int check(enum jc_key_algorithm algorithm, const uint8_t *bytes, size_t length,
	struct jc_diagnostic *diagnostic)
{
	if (length > JC_KEY_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "a key of more than %d bytes",
			JC_KEY_BYTES);
	}
	if (algorithm != JC_KEY_HS256) {
		return check_public(algorithm, bytes, length, diagnostic);
	}
	if (length < LEAST_SECRET) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"HS256 needs a secret of %d bytes or more", LEAST_SECRET);
	}
	/* With a public key as the secret, anyone who has the public key could sign tokens. */
	if (length > 5 && memcmp(bytes, "-----", 5) == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"HS256 needs a secret, but this is a PEM file");
	}
	return JC_OK;
}

static bool id_is_valid(const char *id)
{
	size_t length = strlen(id);

	return length > 0 && length < JC_KEY_ID;
}

int jc_keyring_add(struct jc_keyring *keyring, const char *id, enum jc_key_algorithm algorithm,
	const uint8_t *bytes, size_t length, struct jc_diagnostic *diagnostic)
{
	if (keyring->count == JC_MAX_KEYS) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "more than %u keys", JC_MAX_KEYS);
	}
	if (!id_is_valid(id) || jc_keyring_find(keyring, id)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			id_is_valid(id) ? "key '%s' exists twice"
					: "a key's name has 1 to 63 bytes, not '%s'",
			id);
	}
	int status = check(algorithm, bytes, length, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	struct jc_key key = { .algorithm = algorithm, .length = length };

	strcpy(key.id, id);
	key.bytes = calloc(1, length + 1);
	if (!key.bytes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	memcpy(key.bytes, bytes, length);
	keyring->keys[keyring->count++] = key;
	return JC_OK;
}

int jc_keyring_revoke(struct jc_keyring *keyring, const char *id)
{
	for (size_t i = 0; i < keyring->count; i++) {
		if (strcmp(keyring->keys[i].id, id) == 0) {
			keyring->keys[i].revoked = true;
			return JC_OK;
		}
	}
	return JC_ERROR_ABSENT;
}

const struct jc_key *jc_keyring_find(const struct jc_keyring *keyring, const char *id)
{
	for (size_t i = 0; i < keyring->count; i++) {
		if (strcmp(keyring->keys[i].id, id) == 0) {
			return &keyring->keys[i];
		}
	}
	return NULL;
}
