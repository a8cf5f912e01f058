/* Reads certificates: libcrypto parses the files, and libssl tests them, since it rejects what a
 * context cannot use. */
#include "tls/certificate.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

#define FILE_BYTES (1u << 20)
#define MOST_LINKS 16

struct jc_certificate {
	X509 *leaf;
	STACK_OF(X509) * chain;
	EVP_PKEY *key;
};

/* Without this callback, OpenSSL would ask for a passphrase on the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
	(void)buffer;
	(void)size;
	(void)writing;
	(void)context;
	return -1;
}

static BIO *open_file(
	const char *path, char **out_bytes, size_t *out_length, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	int status = jc_file_read(path, FILE_BYTES, out_bytes, out_length, &reason);

	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, path, "%s", reason.what);
		return NULL;
	}
	return BIO_new_mem_buf(*out_bytes, (int)*out_length);
}

static int read_certificates(
	struct jc_certificate *certificate, const char *path, struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	size_t length;
	BIO *file = open_file(path, &bytes, &length, diagnostic);
	X509 *link;

	if (!file) {
		return JC_ERROR_ABSENT;
	}
	certificate->leaf = PEM_read_bio_X509(file, NULL, no_passphrase, NULL);
	certificate->chain = sk_X509_new_null();
	while (certificate->leaf && sk_X509_num(certificate->chain) < MOST_LINKS &&
		(link = PEM_read_bio_X509(file, NULL, no_passphrase, NULL))) {
		sk_X509_push(certificate->chain, link);
	}
	ERR_clear_error();
	BIO_free(file);
	free(bytes);
	return certificate->leaf ? JC_OK
				 : jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
					   "not a certificate in PEM");
}

static int read_key(
	struct jc_certificate *certificate, const char *path, struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	size_t length;
	BIO *file = open_file(path, &bytes, &length, diagnostic);

	if (!file) {
		return JC_ERROR_ABSENT;
	}
	certificate->key = PEM_read_bio_PrivateKey(file, NULL, no_passphrase, NULL);
	ERR_clear_error();
	BIO_free(file);
	OPENSSL_cleanse(bytes, length);
	free(bytes);
	return certificate->key ? JC_OK
				: jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
					  "not a private key in PEM without a passphrase");
}

/* Finds a key of another certificate, or one too weak for the context. */
static int check(const struct jc_certificate *certificate, const char *path,
	struct jc_diagnostic *diagnostic)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());
	int status = JC_OK;

	if (!context) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_certificate_prepare(context);
	if (X509_check_private_key(certificate->leaf, certificate->key) != 1) {
		status = jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
			"the key does not belong to the certificate");
	} else if (!jc_certificate_use(certificate, context)) {
		status = jc_diagnose(diagnostic, JC_ERROR_INVALID, path,
			"the certificate cannot be used: %s",
			ERR_reason_error_string(ERR_peek_last_error()));
	}
	ERR_clear_error();
	SSL_CTX_free(context);
	return status;
}

int jc_certificate_read(const char *certificate_path, const char *key_path,
	struct jc_certificate **out_certificate, struct jc_diagnostic *diagnostic)
{
	struct jc_certificate *certificate = calloc(1, sizeof(*certificate));

	if (!certificate) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	int status = read_certificates(certificate, certificate_path, diagnostic);

	if (status == JC_OK) {
		status = read_key(certificate, key_path, diagnostic);
	}
	if (status == JC_OK) {
		status = check(certificate, certificate_path, diagnostic);
	}
	if (status != JC_OK) {
		jc_certificate_destroy(certificate);
		return status;
	}
	*out_certificate = certificate;
	return JC_OK;
}

void jc_certificate_destroy(struct jc_certificate *certificate)
{
	if (!certificate) {
		return;
	}
	X509_free(certificate->leaf);
	sk_X509_pop_free(certificate->chain, X509_free);
	EVP_PKEY_free(certificate->key);
	free(certificate);
}

void jc_certificate_prepare(SSL_CTX *context)
{
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
	SSL_CTX_set_options(context,
		SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
			SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
	/* Returning clients present a ticket; the server keeps no sessions. */
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_num_tickets(context, 1);
}

bool jc_certificate_use(const struct jc_certificate *certificate, SSL_CTX *context)
{
	return SSL_CTX_use_cert_and_key(
		       context, certificate->leaf, certificate->key, certificate->chain, 1) == 1;
}

void jc_certificate_fingerprint(
	const struct jc_certificate *certificate, char out_text[JC_FINGERPRINT_TEXT])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned length = 0;

	out_text[0] = '\0';
	X509_digest(certificate->leaf, EVP_sha256(), digest, &length);
	for (unsigned i = 0; i < length; i++) {
		snprintf(out_text + 3 * i - (i > 0), 4, i > 0 ? ":%02X" : "%02X", digest[i]);
	}
}

int64_t jc_certificate_seconds_left(const struct jc_certificate *certificate)
{
	int days = 0;
	int seconds = 0;

	ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate->leaf));
	return (int64_t)days * 86400 + seconds;
}

bool jc_certificate_names(const struct jc_certificate *certificate, const char *host)
{
	return X509_check_ip_asc(certificate->leaf, host, 0) == 1 ||
	       X509_check_host(certificate->leaf, host, 0, 0, NULL) == 1;
}
