/* The private key is a hash of the secret, taken modulo the order of the curve. A hash of 512 bits
 * leaves no bias that counts (FIPS 186-5, A.2.1, asks for 64 bits more than the order). */
#include "invitation/guest_key.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <stdbool.h>
#include <string.h>

#include "jointcast/error.h"

#define CURVE       "prime256v1"
#define POINT_BYTES 65

#define HASH_BYTES 64

/* The purposes of the secret: each has a hash of its own. */
static const char signing[] = "jointcast guest key 1";
static const char people[] = "jointcast people 1";

static bool hash(
	const char *purpose, const void *secret, size_t length, uint8_t out_hash[HASH_BYTES])
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool is_made = context && EVP_DigestInit_ex(context, EVP_sha512(), NULL) == 1 &&
		       EVP_DigestUpdate(context, purpose, strlen(purpose) + 1) == 1 &&
		       EVP_DigestUpdate(context, secret, length) == 1 &&
		       EVP_DigestFinal_ex(context, out_hash, NULL) == 1;

	EVP_MD_CTX_free(context);
	return is_made;
}

bool jc_guest_key_people(const void *secret, size_t length, uint8_t out_secret[JC_PEOPLE_SECRET])
{
	uint8_t bytes[HASH_BYTES];
	bool is_made = hash(people, secret, length, bytes);

	if (is_made) {
		memcpy(out_secret, bytes, JC_PEOPLE_SECRET);
	}
	OPENSSL_cleanse(bytes, sizeof(bytes));
	return is_made;
}

/* 1 to the order - 1. NULL: libcrypto has failed. */
static BIGNUM *make_scalar(
	const EC_GROUP *group, const void *secret, size_t length, BN_CTX *context)
{
	uint8_t bytes[HASH_BYTES];
	BIGNUM *scalar = NULL, *most = BN_dup(EC_GROUP_get0_order(group));
	bool is_made = most && BN_sub_word(most, 1) == 1 && hash(signing, secret, length, bytes);

	if (is_made) {
		scalar = BN_bin2bn(bytes, sizeof(bytes), NULL);
		is_made = scalar && BN_nnmod(scalar, scalar, most, context) == 1 &&
			  BN_add_word(scalar, 1) == 1;
	}
	OPENSSL_cleanse(bytes, sizeof(bytes));
	BN_free(most);
	if (!is_made) {
		BN_clear_free(scalar);
		return NULL;
	}
	return scalar;
}

static EVP_PKEY *make_pair(const BIGNUM *scalar, const uint8_t point[POINT_BYTES])
{
	OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
	OSSL_PARAM *parameters = NULL;
	EVP_PKEY *pair = NULL;

	if (builder && context &&
		OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0) ==
			1 &&
		OSSL_PARAM_BLD_push_octet_string(
			builder, OSSL_PKEY_PARAM_PUB_KEY, point, POINT_BYTES) == 1 &&
		OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1) {
		parameters = OSSL_PARAM_BLD_to_param(builder);
	}
	if (!parameters || EVP_PKEY_fromdata_init(context) != 1 ||
		EVP_PKEY_fromdata(context, &pair, EVP_PKEY_KEYPAIR, parameters) != 1) {
		pair = NULL;
	}
	OSSL_PARAM_free(parameters);
	OSSL_PARAM_BLD_free(builder);
	EVP_PKEY_CTX_free(context);
	return pair;
}

static EVP_PKEY *derive(const void *secret, size_t length)
{
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	BN_CTX *context = BN_CTX_secure_new();
	BIGNUM *scalar = group && context ? make_scalar(group, secret, length, context) : NULL;
	EC_POINT *point = scalar ? EC_POINT_new(group) : NULL;
	uint8_t bytes[POINT_BYTES];
	EVP_PKEY *pair = NULL;

	if (point && EC_POINT_mul(group, point, scalar, NULL, NULL, context) == 1 &&
		EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, bytes,
			sizeof(bytes), context) == sizeof(bytes)) {
		pair = make_pair(scalar, bytes);
	}
	EC_POINT_free(point);
	BN_clear_free(scalar);
	BN_CTX_free(context);
	EC_GROUP_free(group);
	return pair;
}

static bool copy_text(BIO *memory, char out_text[JC_GUEST_KEY_PEM])
{
	char *bytes;
	long length = BIO_get_mem_data(memory, &bytes);

	if (length <= 0 || length >= JC_GUEST_KEY_PEM) {
		return false;
	}
	memcpy(out_text, bytes, (size_t)length);
	out_text[length] = '\0';
	return true;
}

int jc_guest_key_derive(const void *secret, size_t length, struct jc_guest_key *out_key)
{
	EVP_PKEY *pair = derive(secret, length);
	BIO *own = BIO_new(BIO_s_secmem()), *shown = BIO_new(BIO_s_mem());
	struct jc_guest_key key = { .private_pem = "" };
	bool is_made = pair && own && shown &&
		       PEM_write_bio_PrivateKey(own, pair, NULL, NULL, 0, NULL, NULL) == 1 &&
		       PEM_write_bio_PUBKEY(shown, pair) == 1 && copy_text(own, key.private_pem) &&
		       copy_text(shown, key.public_pem);

	if (is_made) {
		*out_key = key;
	}
	OPENSSL_cleanse(&key, sizeof(key));
	BIO_free(shown);
	BIO_free(own);
	EVP_PKEY_free(pair);
	return is_made ? JC_OK : JC_ERROR_UNSUPPORTED;
}
