/* Parses the address of a daemon, and sends HTTP requests to it. */
#ifndef JC_CLI_ENDPOINT_H
#define JC_CLI_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

#define JC_ENDPOINT_DEFAULT "http://127.0.0.1:9871"
#define JC_ENDPOINT_ADMIN   "http://127.0.0.1:9872" /* the default of jointcastd.conf */

struct jc_endpoint {
	char host[256]; /* a name or an address, without brackets; the path of a Unix socket */
	char port[6];
	char authority[272]; /* for the Host header: [::1]:9871 */
	bool is_secure;      /* TLS */
	bool is_file;        /* Unix socket */
};

/* Parses http://HOST[:PORT][/], https://, ws://, wss://, HOST:PORT, or unix:/PATH. Returns false
 * for any other text. */
bool jc_endpoint_parse(const char *url, struct jc_endpoint *out_endpoint);

struct jc_endpoint_request {
	const char *method, *path;
	const char *token; /* sent as a bearer token; NULL: none */
	const char *body;  /* of a PUT or POST; NULL: none */
	size_t length;
};

/* Sends a request and reads the answer. `ca` is the PEM file of trusted certificates for TLS, NULL
 * the system's. *out_status is the HTTP status. The caller frees *out_body, which ends with a NUL.
 * Fills the diagnostic and returns a negative error on failure. */
int jc_endpoint_ask(const struct jc_endpoint *endpoint, const char *ca,
	const struct jc_endpoint_request *request, int *out_status, char **out_body,
	size_t *out_length, struct jc_diagnostic *diagnostic);

#endif
