/* Splits the options of a URI. */
#include "base/query.h"

#include <string.h>

char *jc_query_cut(char *text)
{
	char *options = strrchr(text, '?');

	if (options) {
		*options++ = '\0';
	}
	return options;
}

bool jc_query_next(char **rest, const char **out_key, const char **out_value)
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
