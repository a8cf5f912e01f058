/* The client side of TLS on a connected socket, for connections without libwebsockets. */
#ifndef JC_CLI_TLS_CLIENT_H
#define JC_CLI_TLS_CLIENT_H

#include <openssl/ssl.h>

#include "jointcast/error.h"

/* Creates a context that trusts the certificates of a PEM file, or with NULL those of the system.
 * Returns JC_OK, or JC_ERROR_INVALID with the diagnostic filled. */
int jc_tls_client_create(const char *ca, SSL_CTX **out_context, struct jc_diagnostic *diagnostic);

/* Performs the handshake on a blocking socket, which the caller still owns, and checks that the
 * certificate is valid for `host`. Returns JC_OK, or JC_ERROR_INVALID with the diagnostic
 * filled. */
int jc_tls_client_connect(SSL_CTX *context, int fd, const char *host, SSL **out_tls,
	struct jc_diagnostic *diagnostic);

#endif
