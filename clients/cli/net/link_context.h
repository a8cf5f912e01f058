/* System resources of a command's connection: a context of libwebsockets, certificates,
 * signals. */
#ifndef JC_CLI_LINK_CONTEXT_H
#define JC_CLI_LINK_CONTEXT_H

#include <stddef.h>

struct jc_credentials;
struct jc_endpoint;
struct lws_context;
struct lws_protocols;

/* Whether the certificates of --ca can be read. Reports errors and returns enum jc_exit. */
int jc_link_context_check(const struct jc_endpoint *endpoint, const char *url,
	const struct jc_credentials *credentials);

/* A context for a client with these protocols, borrowed; NULL without memory. */
struct lws_context *jc_link_context_create(const struct jc_endpoint *endpoint,
	const struct jc_credentials *credentials, const struct lws_protocols *protocols);

/* Explains an error message of libwebsockets, which does not contain the reasons that libssl
 * found. */
void jc_link_context_explain(char *out_why, size_t capacity, const char *reason, size_t length);

/* A descriptor that reports SIGINT, SIGTERM and SIGHUP, which are blocked from then on; -1: none.
 */
int jc_link_context_signals(void);

#endif
