/* The server's TLS certificate with its chain and its key. It is read and checked completely
 * before its first use, so that a bad file changes nothing. */
#ifndef JC_CERTIFICATE_H
#define JC_CERTIFICATE_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

#include "jointcast/error.h"

struct jc_certificate;

/* Reads two PEM files: the certificate followed by its chain, and its key without a passphrase.
 * Returns 0, or a negative enum jc_error with the diagnostic filled. Runs on any thread. */
int jc_certificate_read(const char *certificate_path, const char *key_path,
	struct jc_certificate **out_certificate, struct jc_diagnostic *diagnostic);
void jc_certificate_destroy(struct jc_certificate *certificate); /* NULL is fine */

/* TLS 1.2 and 1.3, HTTP/1.1, ciphers with forward secrecy, and little memory for each
 * connection. */
void jc_certificate_prepare(SSL_CTX *context);

/* Handshakes from now on use this certificate. False: it cannot be used, and the earlier one
 * stays in use. */
bool jc_certificate_use(const struct jc_certificate *certificate, SSL_CTX *context);

#define JC_FINGERPRINT_TEXT 96 /* bytes, with the NUL */

/* SHA-256 of the certificate, in hexadecimal with colons, as browsers display it. */
void jc_certificate_fingerprint(
	const struct jc_certificate *certificate, char out_text[JC_FINGERPRINT_TEXT]);

/* Seconds until the certificate expires; negative: since it has expired. */
int64_t jc_certificate_seconds_left(const struct jc_certificate *certificate);

/* Whether the certificate is valid for a host name or an address in text form. */
bool jc_certificate_names(const struct jc_certificate *certificate, const char *host);

#endif
