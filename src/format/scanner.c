/* Scans text and counts lines. strtod is not used, because it depends on the locale, accepts
 * hexadecimal floats, "inf" and "nan", and needs a NUL. */
#include "scanner.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Powers of ten that a double holds exactly. */
static const double exact_powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

#define EXACT_POWER_MAX 22
#define EXPONENT_MAX    9999

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_mark(char c)
{
	return c == '{' || c == '}' || c == ':';
}

void jc_scanner_init(struct jc_scanner *scanner, const char *text, size_t length)
{
	scanner->at = text;
	scanner->end = text + length;
	scanner->line = 1;
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		scanner->at += 3;
	}
}

void jc_scanner_skip_blanks(struct jc_scanner *scanner)
{
	while (scanner->at < scanner->end && is_blank(*scanner->at)) {
		scanner->at++;
	}
}

void jc_scanner_skip_space(struct jc_scanner *scanner)
{
	const char *at = scanner->at;

	while (at < scanner->end && (is_blank(*at) || is_line_end(*at))) {
		if (*at == '\n' || (*at == '\r' && !(at + 1 < scanner->end && at[1] == '\n'))) {
			scanner->line++;
		}
		at++;
	}
	scanner->at = at;
}

bool jc_scanner_at_line_end(const struct jc_scanner *scanner)
{
	return scanner->at == scanner->end || is_line_end(*scanner->at);
}

struct jc_span jc_scanner_word(struct jc_scanner *scanner)
{
	struct jc_span word;
	const char *at;

	jc_scanner_skip_space(scanner);
	at = scanner->at;
	word.start = at;
	if (at < scanner->end && is_mark(*at)) {
		at++;
	} else {
		while (at < scanner->end && !is_blank(*at) && !is_line_end(*at) && !is_mark(*at)) {
			at++;
		}
	}
	word.length = (size_t)(at - word.start);
	scanner->at = at;
	return word;
}

struct jc_span jc_scanner_rest_of_line(struct jc_scanner *scanner, char stop)
{
	struct jc_span rest;
	const char *at;

	jc_scanner_skip_blanks(scanner);
	at = scanner->at;
	rest.start = at;
	while (at < scanner->end && !is_line_end(*at) && *at != stop) {
		at++;
	}
	scanner->at = at;
	while (at > rest.start && is_blank(at[-1])) {
		at--;
	}
	rest.length = (size_t)(at - rest.start);
	return rest;
}

static double scale_by_power(double mantissa, int exponent)
{
	if (mantissa == 0.0) {
		return 0.0;
	}
	if (exponent >= 0 && exponent <= EXACT_POWER_MAX) {
		return mantissa * exact_powers[exponent];
	}
	if (exponent < 0 && exponent >= -EXACT_POWER_MAX) {
		return mantissa / exact_powers[-exponent];
	}
	/* Rare in real files: the wide exponent range of long double keeps the
	 * steps in between from over- or underflowing. */
	return (double)((long double)mantissa * powl(10.0L, (long double)exponent));
}

/* Reads [sign] digits after 'e'; false when there are none. */
static bool read_exponent(const char **at, const char *end, int *out_exponent)
{
	const char *p = *at;
	bool negative = false;
	int exponent = 0;

	if (p < end && (*p == '+' || *p == '-')) {
		negative = *p == '-';
		p++;
	}
	if (p == end || !is_digit(*p)) {
		return false;
	}
	for (; p < end && is_digit(*p); p++) {
		if (exponent < EXPONENT_MAX) {
			exponent = exponent * 10 + (*p - '0');
		}
	}
	*at = p;
	*out_exponent = negative ? -exponent : exponent;
	return true;
}

size_t jc_span_number(struct jc_span span, double *out_value)
{
	const char *at = span.start;
	const char *end = span.start + span.length;
	uint64_t mantissa = 0;
	int exponent = 0;
	bool negative = false;
	bool fraction = false;
	size_t digits = 0;
	double value;

	if (at < end && (*at == '+' || *at == '-')) {
		negative = *at == '-';
		at++;
	}
	for (; at < end; at++) {
		if (*at == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (!is_digit(*at)) {
			break;
		}
		digits++;
		if (mantissa < UINT64_MAX / 10 - 1) {
			mantissa = mantissa * 10 + (uint64_t)(*at - '0');
			exponent -= fraction;
		} else if (!fraction && exponent < EXPONENT_MAX) {
			exponent++; /* digits past the 19th only count */
		}
	}
	if (digits == 0) {
		return 0;
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		int power;

		at++;
		if (!read_exponent(&at, end, &power)) {
			return 0;
		}
		exponent += power;
	}
	value = scale_by_power((double)mantissa, exponent);
	*out_value = negative ? -value : value;
	return (size_t)(at - span.start);
}

bool jc_scanner_number(struct jc_scanner *scanner, double *out_value)
{
	struct jc_span rest;
	const char *at;
	double value;

	jc_scanner_skip_blanks(scanner);
	rest = (struct jc_span){ scanner->at, (size_t)(scanner->end - scanner->at) };
	at = scanner->at + jc_span_number(rest, &value);
	if (at == scanner->at || (at < scanner->end && !is_blank(*at) && !is_line_end(*at) &&
					 *at != '{' && *at != '}')) {
		return false;
	}
	scanner->at = at;
	*out_value = value;
	return true;
}

bool jc_span_is(struct jc_span span, const char *word)
{
	size_t i;

	for (i = 0; i < span.length; i++) {
		char a = span.start[i];
		char b = word[i];

		if (b == '\0') {
			return false;
		}
		if (a >= 'A' && a <= 'Z') {
			a = (char)(a - 'A' + 'a');
		}
		if (b >= 'A' && b <= 'Z') {
			b = (char)(b - 'A' + 'a');
		}
		if (a != b) {
			return false;
		}
	}
	return word[span.length] == '\0';
}
