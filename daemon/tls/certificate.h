/* Who the daemon says that it is through TLS: a certificate, those that vouch for it,
 * and its key. Read and judged whole before anything uses it, so that a bad file changes
 * nothing. */
#ifndef JC_CERTIFICATE_H
#define JC_CERTIFICATE_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

#include "jointcast/error.h"

struct jc_certificate;

/* Two PEM files: the certificate with those that vouch for it behind it, and its key,
 * which has no passphrase. Returns 0, or a negative enum jc_error with the diagnostic
 * filled. Fit for any thread. */
int jc_certificate_read(const char *certificate_path, const char *key_path,
	struct jc_certificate **out_certificate, struct jc_diagnostic *diagnostic);
void jc_certificate_destroy(struct jc_certificate *certificate); /* NULL is fine */

/* TLS 1.2 and 1.3, HTTP/1.1, ciphers with forward secrecy, and little memory for each
 * connection. */
void jc_certificate_prepare(SSL_CTX *context);

/* Handshakes that begin from now on show this one. False: it cannot be used, and the one
 * before still is. */
bool jc_certificate_use(const struct jc_certificate *certificate, SSL_CTX *context);

#define JC_FINGERPRINT_TEXT 96 /* bytes, with the NUL */

/* SHA-256 of the certificate, in hexadecimal with colons, as browsers show it. */
void jc_certificate_fingerprint(
	const struct jc_certificate *certificate, char out_text[JC_FINGERPRINT_TEXT]);

/* How long it is still good; negative: since when it is not. */
int64_t jc_certificate_seconds_left(const struct jc_certificate *certificate);

/* Whether it is made out to a name or an address, as text. */
bool jc_certificate_names(const struct jc_certificate *certificate, const char *host);

#endif
