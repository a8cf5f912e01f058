/* Writes JSON without building a tree, which would take gigabytes for a long motion, and prints a
 * float with the digits of a float, not of a double. */
#include "report/json_writer.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "jointcast_private/text.h"

static void write_string(FILE *stream, const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	putc('"', stream);
	while (*c) {
		size_t length = jc_utf8_length(c, 4); /* stops at the NUL */

		if (length == 0) {
			fputs("\xef\xbf\xbd", stream);
			c++;
			continue;
		}
		if (*c == '"' || *c == '\\') {
			putc('\\', stream);
			putc(*c, stream);
		} else if (*c < 0x20 || *c == 0x7f) {
			fprintf(stream, "\\u%04x", *c);
		} else {
			fwrite(c, 1, length, stream);
		}
		c += length;
	}
	putc('"', stream);
}

/* Prints the fewest digits that read back as the value: of a float or of a double. */
static void write_number(FILE *stream, double value, bool is_float)
{
	int digits = is_float ? FLT_DIG : DBL_DIG;
	char text[32];

	if (!isfinite(value)) {
		fputs("null", stream);
		return;
	}
	do {
		snprintf(text, sizeof(text), "%.*g", digits, value);
	} while ((is_float ? (double)strtof(text, NULL) : strtod(text, NULL)) != value &&
		 digits++ < (is_float ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG));
	fputs(text, stream);
}

static void write_floats(struct jc_json_writer *json, const float *values, size_t count)
{
	putc('[', json->stream);
	for (size_t i = 0; i < count; i++) {
		if (i > 0) {
			putc(',', json->stream);
		}
		write_number(json->stream, (double)values[i], true);
	}
	putc(']', json->stream);
}

/* Writes the comma and the key before a value. */
static void lead(struct jc_json_writer *json, const char *key)
{
	if (!json->first) {
		putc(',', json->stream);
	}
	json->first = false;
	if (key) {
		write_string(json->stream, key);
		putc(':', json->stream);
	}
}

void jc_json_writer_init(struct jc_json_writer *json, FILE *stream)
{
	json->stream = stream;
	json->first = true;
}

void jc_json_begin_object(struct jc_json_writer *json, const char *key)
{
	lead(json, key);
	putc('{', json->stream);
	json->first = true;
}

void jc_json_end_object(struct jc_json_writer *json)
{
	putc('}', json->stream);
	json->first = false;
}

void jc_json_begin_array(struct jc_json_writer *json, const char *key)
{
	lead(json, key);
	putc('[', json->stream);
	json->first = true;
}

void jc_json_end_array(struct jc_json_writer *json)
{
	putc(']', json->stream);
	json->first = false;
}

void jc_json_line(struct jc_json_writer *json)
{
	if (!json->first) {
		putc(',', json->stream);
	}
	putc('\n', json->stream);
	json->first = true;
}

void jc_json_write_null(struct jc_json_writer *json, const char *key)
{
	lead(json, key);
	fputs("null", json->stream);
}

void jc_json_write_bool(struct jc_json_writer *json, const char *key, bool value)
{
	lead(json, key);
	fputs(value ? "true" : "false", json->stream);
}

void jc_json_write_integer(struct jc_json_writer *json, const char *key, long long value)
{
	lead(json, key);
	fprintf(json->stream, "%lld", value);
}

void jc_json_write_float(struct jc_json_writer *json, const char *key, float value)
{
	lead(json, key);
	write_number(json->stream, (double)value, true);
}

void jc_json_write_double(struct jc_json_writer *json, const char *key, double value)
{
	lead(json, key);
	write_number(json->stream, value, false);
}

void jc_json_write_string(struct jc_json_writer *json, const char *key, const char *value)
{
	lead(json, key);
	write_string(json->stream, value);
}

void jc_json_write_floats(
	struct jc_json_writer *json, const char *key, const float *values, size_t count)
{
	lead(json, key);
	write_floats(json, values, count);
}

/* Prints a rounded number with as many decimals as it needs. Integers are printed several times
 * faster than numbers with a fraction. */
static void write_rounded(FILE *stream, double value, double unit, int decimals)
{
	double scaled = round(value * unit);
	char text[40];

	if (!(fabs(scaled) < 1e15)) {
		write_number(stream, value, false);
		return;
	}
	long long size = (long long)fabs(scaled);
	int length = snprintf(text, sizeof(text), "%s%lld.%0*lld", scaled < 0.0 ? "-" : "",
		size / (long long)unit, decimals, size % (long long)unit);

	while (text[length - 1] == '0') {
		length--;
	}
	length -= text[length - 1] == '.';
	fwrite(text, 1, (size_t)length, stream);
}

void jc_json_write_rounded(struct jc_json_writer *json, const char *key, const float *values,
	size_t count, int decimals)
{
	double unit = pow(10.0, decimals);

	lead(json, key);
	putc('[', json->stream);
	for (size_t i = 0; i < count; i++) {
		if (i > 0) {
			putc(',', json->stream);
		}
		write_rounded(json->stream, (double)values[i], unit, decimals);
	}
	putc(']', json->stream);
}

void jc_json_write_vec3(struct jc_json_writer *json, const char *key, struct jc_vec3 value)
{
	lead(json, key);
	write_floats(json, (const float[]){ value.x, value.y, value.z }, 3);
}

void jc_json_write_quat(struct jc_json_writer *json, const char *key, struct jc_quat value)
{
	lead(json, key);
	write_floats(json, (const float[]){ value.x, value.y, value.z, value.w }, 4);
}
