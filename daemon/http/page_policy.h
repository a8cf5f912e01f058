/* The content security policy of an HTML page. It allows the page's inline scripts by their
 * hashes, so that an import map works and injected scripts do not run. */
#ifndef JC_PAGE_POLICY_H
#define JC_PAGE_POLICY_H

#include <stddef.h>

/* Writes the value of Content-Security-Policy for a page; html may be NULL
 * (no inline scripts). Returns its length, or 0 when capacity is too small. */
size_t jc_page_policy(const char *html, size_t length, char *out_policy, size_t capacity);

#endif
