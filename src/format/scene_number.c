/* Reads hexadecimal numbers; the scanner reads decimal ones. */
#include "scene_number.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t jc_scene_number(struct jc_span span, double *out_value)
{
	double value = 0.0;
	size_t at;

	if (span.length < 3 || span.start[0] != '0' || (span.start[1] | 0x20) != 'x') {
		return jc_span_number(span, out_value);
	}
	for (at = 2; at < span.length && hex_digit(span.start[at]) >= 0; at++) {
		value = value * 16.0 + hex_digit(span.start[at]);
	}
	if (at == 2) {
		return 0;
	}
	*out_value = value;
	return at;
}
