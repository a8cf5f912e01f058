/* Splits the options of a URI. */
#include "base/query.h"

#include <ctype.h>
#include <string.h>

char *jc_query_cut(char *text)
{
	char *options = strrchr(text, '?');

	if (options) {
		*options++ = '\0';
	}
	return options;
}

bool jc_query_next(char **rest, const char **out_key, char **out_value)
{
	char *option = strsep(rest, "&");

	while (option && !*option) {
		option = strsep(rest, "&");
	}
	if (!option) {
		return false;
	}
	char *value = strchr(option, '=');

	if (value) {
		*value++ = '\0';
	}
	*out_key = option;
	*out_value = value;
	return true;
}

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

bool jc_query_unescape(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		char byte = *in;

		if (byte == '%') {
			if (!isxdigit((unsigned char)in[1]) || !isxdigit((unsigned char)in[2])) {
				return false;
			}
			byte = (char)(hex_value(in[1]) << 4 | hex_value(in[2]));
			if (iscntrl((unsigned char)byte)) {
				return false;
			}
			in += 2;
		}
		*out++ = byte;
	}
	*out = '\0';
	return true;
}
