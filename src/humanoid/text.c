/* UTF-8 checked by the table of RFC 3629, section 4: overlong forms, surrogates
 * and values past U+10FFFF are not well-formed. */
#include "jointcast_private/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* First and last, in ascending order. */
static const struct range {
	uint32_t first, last;
} not_plain[] = {
	{ 0x0000, 0x001f },
	{ 0x007f, 0x009f },
	{ 0x00ad, 0x00ad },
	{ 0x061c, 0x061c },
	{ 0x180e, 0x180e },
	{ 0x200b, 0x200f },
	{ 0x2028, 0x202e },
	{ 0x2060, 0x206f },
	{ 0xfeff, 0xfeff },
	{ 0xfff9, 0xfffb },
	{ 0xe0000, 0xe007f },
};

static bool is_plain(uint32_t code)
{
	for (size_t i = 0; i < sizeof(not_plain) / sizeof(not_plain[0]); i++) {
		if (code <= not_plain[i].last) {
			return code < not_plain[i].first;
		}
	}
	return true;
}

/* Length of the well-formed sequence at `s`, 0 where there is none. */
static size_t sequence_length(const unsigned char *s)
{
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t length;

	if (s[0] < 0x80) {
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		length = 2;
	} else if (s[0] >= 0xe0 && s[0] <= 0xef) {
		length = 3;
		low = s[0] == 0xe0 ? 0xa0 : low;
		high = s[0] == 0xed ? 0x9f : high;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		length = 4;
		low = s[0] == 0xf0 ? 0x90 : low;
		high = s[0] == 0xf4 ? 0x8f : high;
	} else {
		return 0;
	}
	if (s[1] < low || s[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < length; i++) {
		if (s[i] < 0x80 || s[i] > 0xbf) {
			return 0;
		}
	}
	return length;
}

/* Of a well-formed sequence. */
static uint32_t code_of(const unsigned char *s, size_t length)
{
	uint32_t code = length == 1 ? s[0] : s[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		code = code << 6 | (s[i] & 0x3fu);
	}
	return code;
}

size_t jc_text_next(const char *text, bool *out_is_plain)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length = sequence_length(s);

	*out_is_plain = length > 0 && is_plain(code_of(s, length));
	return length > 0 ? length : 1;
}

void jc_text_clean(char *text)
{
	while (*text) {
		bool plain;
		size_t length = jc_text_next(text, &plain);

		if (!plain) {
			memset(text, '?', length);
		}
		text += length;
	}
}

#define ESCAPE_BYTES 11 /* "\U000e0001" */

/* The character of `length` bytes at `s`, which is not plain. */
static size_t write_escape(const unsigned char *s, size_t length, char out[ESCAPE_BYTES])
{
	uint32_t code = code_of(s, length);
	const char *format = length == 1 ? "\\x%02x" : code <= 0xffff ? "\\u%04x" : "\\U%08x";

	return (size_t)snprintf(out, ESCAPE_BYTES, format, code);
}

size_t jc_text_escape(const char *text, char *out, size_t capacity)
{
	size_t used = 0;

	while (*text) {
		char escape[ESCAPE_BYTES];
		bool plain;
		size_t length = jc_text_next(text, &plain);
		size_t needed =
			plain ? length : write_escape((const unsigned char *)text, length, escape);

		if (needed >= capacity - used) {
			break;
		}
		memcpy(out + used, plain ? text : escape, needed);
		used += needed;
		text += length;
	}
	out[used] = '\0';
	return used;
}
