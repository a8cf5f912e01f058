/* strtod and strtoull accept more than a person means to write; this does not. */
#include "number_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number at text that ends at a character of `ends` or at the NUL. */
static bool parse_prefix(const char *text, char end, double *out_value, const char **out_rest)
{
	char *rest;
	double value;

	/* Leading blanks, "nan", "inf" and hexadecimal are none of ours. */
	if (!isdigit((unsigned char)text[0]) && !strchr("+-.", text[0])) {
		return false;
	}
	if (strspn(text, "+-.0123456789eE") < strcspn(text, (const char[]){ end, '\0' })) {
		return false;
	}
	value = strtod(text, &rest);
	if (rest == text || !isfinite(value) || (*rest && *rest != end)) {
		return false;
	}
	*out_value = value;
	*out_rest = rest;
	return true;
}

bool jc_number_parse(const char *text, double *out_value)
{
	const char *rest;

	return parse_prefix(text, '\0', out_value, &rest);
}

bool jc_number_parse_count(const char *text, size_t maximum, size_t *out_count)
{
	unsigned long long value;
	char *rest;

	if (!isdigit((unsigned char)text[0])) {
		return false;
	}
	errno = 0;
	value = strtoull(text, &rest, 10);
	if (errno || *rest || value > maximum) {
		return false;
	}
	*out_count = (size_t)value;
	return true;
}

bool jc_number_parse_list(const char *text, double **out_values, size_t *out_count)
{
	size_t capacity = 1;
	size_t count = 0;
	double *values;

	for (const char *c = text; *c; c++) {
		capacity += *c == ',';
	}
	values = calloc(capacity, sizeof(*values));
	if (!values) {
		return false;
	}
	for (;;) {
		if (!parse_prefix(text, ',', &values[count], &text)) {
			free(values);
			return false;
		}
		count++;
		if (!*text) {
			break;
		}
		text++;
	}
	*out_values = values;
	*out_count = count;
	return true;
}
