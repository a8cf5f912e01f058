/* Checks UTF-8 and escapes text for people. */
#include "jointcast_private/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* First and last, in ascending order. */
static const struct range {
	uint32_t first, last;
} not_printable[] = {
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

static bool is_printable(uint32_t code)
{
	for (size_t i = 0; i < sizeof(not_printable) / sizeof(not_printable[0]); i++) {
		if (code <= not_printable[i].last) {
			return code < not_printable[i].first;
		}
	}
	return true;
}

size_t jc_utf8_length(const void *bytes, size_t length)
{
	const unsigned char *s = bytes;
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t wanted;

	if (s[0] < 0x80) {
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		wanted = 2;
	} else if (s[0] >= 0xe0 && s[0] <= 0xef) {
		wanted = 3;
		low = s[0] == 0xe0 ? 0xa0 : low;   /* overlong below */
		high = s[0] == 0xed ? 0x9f : high; /* surrogates above */
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		wanted = 4;
		low = s[0] == 0xf0 ? 0x90 : low;
		high = s[0] == 0xf4 ? 0x8f : high; /* past U+10FFFF above */
	} else {
		return 0;
	}
	for (size_t i = 1; i < wanted; i++) {
		if (i == length || s[i] < low || s[i] > high) {
			return 0;
		}
		low = 0x80;
		high = 0xbf;
	}
	return wanted;
}

bool jc_utf8_is_valid(const void *bytes, size_t length)
{
	const unsigned char *s = bytes;

	while (length > 0) {
		size_t step = jc_utf8_length(s, length);

		if (step == 0) {
			return false;
		}
		s += step;
		length -= step;
	}
	return true;
}

size_t jc_utf8_cut(const char *text, size_t most)
{
	size_t length = strnlen(text, most);

	while (length == most && length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
		most = --length;
	}
	return length;
}

void jc_utf8_repair(char *text)
{
	if (jc_utf8_is_valid(text, strlen(text))) {
		return;
	}
	for (; *text; text++) {
		if ((unsigned char)*text > 0x7f) {
			*text = '?';
		}
	}
}

/* Code point of a well-formed sequence. */
static uint32_t code_of(const unsigned char *s, size_t length)
{
	uint32_t code = length == 1 ? s[0] : s[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		code = code << 6 | (s[i] & 0x3fu);
	}
	return code;
}

size_t jc_text_next(const char *text, bool *out_is_printable)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length = jc_utf8_length(s, 4); /* stops at the NUL */

	*out_is_printable = length > 0 && is_printable(code_of(s, length));
	return length > 0 ? length : 1;
}

void jc_text_clean(char *text)
{
	while (*text) {
		bool printable;
		size_t length = jc_text_next(text, &printable);

		if (!printable) {
			memset(text, '?', length);
		}
		text += length;
	}
}

#define ESCAPE_BYTES 11 /* "\U000e0001" */

/* The character of `length` bytes at `s`, which is not printable. */
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
		bool printable;
		size_t length = jc_text_next(text, &printable);
		size_t needed = printable
					? length
					: write_escape((const unsigned char *)text, length, escape);

		if (needed >= capacity - used) {
			break;
		}
		memcpy(out + used, printable ? text : escape, needed);
		used += needed;
		text += length;
	}
	out[used] = '\0';
	return used;
}
