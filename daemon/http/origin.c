/* Origins are compared as text: only the form that browsers send counts (RFC 6454, 6.2). */
#include "http/origin.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Removes a prefix. */
static bool skip(struct jc_text *text, const char *prefix)
{
	size_t length = strlen(prefix);

	if (text->length < length || memcmp(text->bytes, prefix, length) != 0) {
		return false;
	}
	text->bytes += length;
	text->length -= length;
	return true;
}

/* Removes a decimal number without leading zeros. */
static bool skip_number(struct jc_text *text, unsigned least, unsigned most)
{
	unsigned value = 0;
	size_t digits = 0;

	while (digits < text->length && isdigit((unsigned char)text->bytes[digits])) {
		value = value * 10 + (unsigned)(text->bytes[digits++] - '0');
		if (value > most) {
			return false;
		}
	}
	if (digits == 0 || value < least || (digits > 1 && text->bytes[0] == '0')) {
		return false;
	}
	text->bytes += digits;
	text->length -= digits;
	return true;
}

static bool skip_port(struct jc_text *text)
{
	return skip(text, ":") && skip_number(text, 1, 65535);
}

/* 127.0.0.0/8. */
static bool skip_loopback_ipv4(struct jc_text *text)
{
	if (!skip(text, "127")) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		if (!skip(text, ".") || !skip_number(text, 0, 255)) {
			return false;
		}
	}
	return true;
}

bool jc_origin_is_of(struct jc_text origin, struct jc_text host, bool any_port)
{
	static const char *const schemes[] = { "http://", "https://" };

	for (size_t i = 0; i < 2; i++) {
		size_t scheme = strlen(schemes[i]);

		if (origin.length < scheme + host.length ||
			strncasecmp(origin.bytes, schemes[i], scheme) != 0 ||
			strncasecmp(origin.bytes + scheme, host.bytes, host.length) != 0) {
			continue;
		}
		struct jc_text rest = { origin.bytes + scheme + host.length,
			origin.length - scheme - host.length };

		if (rest.length == 0 || (any_port && skip_port(&rest) && rest.length == 0)) {
			return true;
		}
	}
	return false;
}

bool jc_origin_is_loopback(struct jc_text origin)
{
	struct jc_text rest = origin;

	if (!origin.bytes || !(skip(&rest, "http://") || skip(&rest, "https://"))) {
		return false;
	}
	if (!skip(&rest, "localhost") && !skip(&rest, "[::1]") && !skip_loopback_ipv4(&rest)) {
		return false;
	}
	return rest.length == 0 || (skip_port(&rest) && rest.length == 0);
}
