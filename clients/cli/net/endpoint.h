/* Where a daemon is, as people write it, and a connection to it. */
#ifndef JC_CLI_ENDPOINT_H
#define JC_CLI_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

#define JC_ENDPOINT_DEFAULT "http://127.0.0.1:9871"
#define JC_ENDPOINT_ADMIN   "http://127.0.0.1:9872" /* as jointcastd.conf is installed */

struct jc_endpoint {
	char host[256]; /* a name or a number, without brackets; of a Unix socket its path */
	char port[6];
	char authority[272]; /* for the Host header: [::1]:9871 */
	bool is_secure;      /* TLS */
	bool is_file;        /* a Unix socket */
};

/* http://HOST[:PORT][/], https://, ws:// and wss:// likewise, HOST:PORT, or unix:/PATH.
 * False when it is none. */
bool jc_endpoint_parse(const char *url, struct jc_endpoint *out_endpoint);

/* A connected blocking socket whose reads and writes give up after `seconds`.
 * JC_ERROR_INVALID with the diagnostic filled when there is none. */
int jc_endpoint_connect(const struct jc_endpoint *endpoint, int seconds, int *out_fd,
	struct jc_diagnostic *diagnostic);

struct jc_endpoint_request {
	const char *method, *path;
	const char *token; /* shown as a bearer's; NULL: none */
	const char *body;  /* of a PUT, else NULL */
	size_t length;
};

/* Asks an endpoint, whose certificate `ca` vouches for (see secure.h; NULL: the system's), if
 * it has one. *out_status is that of HTTP; *out_body is the caller's to free, with a NUL
 * behind it. */
int jc_endpoint_ask(const struct jc_endpoint *endpoint, const char *ca,
	const struct jc_endpoint_request *request, int *out_status, char **out_body,
	size_t *out_length, struct jc_diagnostic *diagnostic);

#endif
