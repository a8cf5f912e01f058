/* The client's end of TLS over a connected socket, for what does not go through
 * libwebsockets. */
#ifndef JC_CLI_TLS_CLIENT_H
#define JC_CLI_TLS_CLIENT_H

#include <openssl/ssl.h>

#include "jointcast/error.h"

/* Believes the certificates of a PEM file, or where that is NULL what the system does.
 * Returns 0 or JC_ERROR_INVALID with the diagnostic filled. */
int jc_tls_client_create(const char *ca, SSL_CTX **out_context, struct jc_diagnostic *diagnostic);

/* The handshake on a blocking socket, which stays the caller's: the other end is who it
 * is asked for as. Likewise. */
int jc_tls_client_connect(SSL_CTX *context, int fd, const char *host, SSL **out_tls,
	struct jc_diagnostic *diagnostic);

#endif
