/* URLs of NATS servers, checked before use and shown without their passwords, and names of hosts
 * on NATS. */
#ifndef JC_NATS_URL_H
#define JC_NATS_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "maxima.h"

#define JC_MAX_NATS_URLS 16u

struct jc_nats_urls {
	size_t count;
	char *urls[JC_MAX_NATS_URLS]; /* owned */
	bool is_tls;                  /* one of them is tls:// */
};

/* Reads a list separated by commas: nats://HOST, tls://HOST, each with an optional :PORT and
 * USER:PASSWORD@ or TOKEN@. Returns 0, or JC_ERROR_INVALID, JC_ERROR_LIMIT or JC_ERROR_MEMORY with
 * the diagnostic filled: it contains no URL that may have a password. */
int jc_nats_urls_parse(
	const char *list, struct jc_nats_urls *out_urls, struct jc_diagnostic *diagnostic);
void jc_nats_urls_finish(struct jc_nats_urls *urls);

/* Copies a text, without what stands between "://" and an '@' that follows it in the same word. */
void jc_nats_url_hide_passwords(const char *text, char *out_text, size_t size);

/* Whether a text is the name of an origin or edge: 1 to 63 letters, digits, '_' and '-'. */
bool jc_host_id_is_valid(const char *text);

#endif
