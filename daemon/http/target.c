/* Percent-encoding (RFC 3986, 2.1), and application/x-www-form-urlencoded for options. */
#include "http/target.h"

#include <string.h>

struct jc_text jc_target_path(struct jc_text target)
{
	const char *query = memchr(target.bytes, '?', target.length);

	return (struct jc_text){ target.bytes,
		query ? (size_t)(query - target.bytes) : target.length };
}

struct jc_text jc_target_options(struct jc_text target)
{
	size_t path = jc_target_path(target).length;

	return path < target.length
		       ? (struct jc_text){ target.bytes + path + 1, target.length - path - 1 }
		       : (struct jc_text){ NULL, 0 };
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool unescape(struct jc_text text, bool has_blanks, char *out_text, size_t capacity)
{
	size_t length = 0;

	for (size_t i = 0; i < text.length; i++) {
		int byte = (unsigned char)text.bytes[i];

		if (byte == '+' && has_blanks) {
			byte = ' ';
		} else if (byte == '%') {
			int high = text.length - i > 2 ? hex_value(text.bytes[i + 1]) : -1;
			int low = text.length - i > 2 ? hex_value(text.bytes[i + 2]) : -1;

			byte = high < 0 || low < 0 ? 0 : high << 4 | low;
			i += 2;
		}
		if (byte == 0 || length + 1 >= capacity) {
			return false;
		}
		out_text[length++] = (char)byte;
	}
	out_text[length] = '\0';
	return true;
}

bool jc_target_unescape(struct jc_text text, char *out_text, size_t capacity)
{
	return unescape(text, false, out_text, capacity);
}

bool jc_target_value(struct jc_text value, char *out_text, size_t capacity)
{
	return unescape(value, true, out_text, capacity);
}

/* The part before the first `c`, and the one after it. */
static struct jc_text cut(struct jc_text *rest, char c)
{
	const char *at = memchr(rest->bytes, c, rest->length);
	struct jc_text part = { rest->bytes, at ? (size_t)(at - rest->bytes) : rest->length };
	size_t taken = part.length + (at ? 1 : 0);

	rest->bytes += taken;
	rest->length -= taken;
	return part;
}

bool jc_target_next(struct jc_text *rest, struct jc_text *out_key, struct jc_text *out_value)
{
	if (rest->length == 0) {
		return false;
	}
	*out_value = cut(rest, '&');
	*out_key = cut(out_value, '=');
	return true;
}

bool jc_target_number(struct jc_text value, size_t *out_number)
{
	size_t number = 0;

	for (size_t i = 0; i < value.length; i++) {
		if (value.bytes[i] < '0' || value.bytes[i] > '9') {
			return false;
		}
		number = 10 * number + (size_t)(value.bytes[i] - '0');
	}
	if (value.length == 0 || value.length > 6) {
		return false;
	}
	*out_number = number;
	return true;
}
