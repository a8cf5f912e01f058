/* Finds <script> elements without src and hashes their text (CSP Level 3, 2.3.1,
 * hash-source). A scan, not an HTML parser: a script that it misses is not allowed to run. */
#include "http/page_policy.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_INLINE_SCRIPTS 8

static const char policy_head[] = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
static const char policy_tail[] =
	"; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss: data: blob:"
	"; img-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'"
	"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* The first occurrence of `word` in any case, or NULL. */
static const char *find(const char *text, const char *end, const char *word)
{
	size_t length = strlen(word);

	for (; (size_t)(end - text) >= length; text++) {
		if (strncasecmp(text, word, length) == 0) {
			return text;
		}
	}
	return NULL;
}

/* Does the tag (from its name to its '>') have a src attribute? */
static bool has_source(const char *tag, const char *end)
{
	for (const char *at = tag; (at = find(at, end, "src")) != NULL; at += 3) {
		if (isspace((unsigned char)at[-1]) && at + 3 < end &&
			(at[3] == '=' || isspace((unsigned char)at[3]))) {
			return true;
		}
	}
	return false;
}

static size_t add_hash(const char *text, size_t length, char *out, size_t capacity)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int digest_length;
	unsigned char base64[EVP_MAX_MD_SIZE * 2];

	if (!EVP_Digest(text, length, digest, &digest_length, EVP_sha256(), NULL)) {
		return 0;
	}
	EVP_EncodeBlock(base64, digest, (int)digest_length);
	int written = snprintf(out, capacity, " 'sha256-%s'", base64);

	return written > 0 && (size_t)written < capacity ? (size_t)written : 0;
}

size_t jc_page_policy(const char *html, size_t length, char *out_policy, size_t capacity)
{
	const char *at = html;
	const char *end = html ? html + length : NULL;
	size_t used = sizeof(policy_head) - 1;

	if (capacity < sizeof(policy_head) + sizeof(policy_tail)) {
		return 0;
	}
	memcpy(out_policy, policy_head, used);
	for (int scripts = 0; html && scripts < MAX_INLINE_SCRIPTS; scripts++) {
		const char *tag = find(at, end, "<script");
		const char *text = tag ? memchr(tag, '>', (size_t)(end - tag)) : NULL;
		const char *close = text ? find(text, end, "</script") : NULL;

		if (!close) {
			break;
		}
		at = close;
		if (has_source(tag, text)) {
			continue;
		}
		used += add_hash(text + 1, (size_t)(close - text - 1), out_policy + used,
			capacity - used - sizeof(policy_tail));
	}
	memcpy(out_policy + used, policy_tail, sizeof(policy_tail));
	return used + sizeof(policy_tail) - 1;
}
