/* Collects the bytes of a file; doubles its size up to the limit of the readers. */
#include "file_buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"

static int reserve(struct jc_file_buffer *output, size_t length)
{
	if (output->error) {
		return output->error;
	}
	if (length > JC_LIMIT_FILE_BYTES - output->length) {
		return output->error = JC_ERROR_LIMIT;
	}
	if (!jc_array_grow(&output->bytes, &output->capacity, output->length + length,
		    JC_LIMIT_FILE_BYTES, 1)) {
		return output->error = JC_ERROR_MEMORY;
	}
	return JC_OK;
}

void jc_file_buffer_put(struct jc_file_buffer *output, const void *bytes, size_t length)
{
	if (length > 0 && reserve(output, length) == JC_OK) {
		memcpy(output->bytes + output->length, bytes, length);
		output->length += length;
	}
}

void jc_file_buffer_text(struct jc_file_buffer *output, const char *format, ...)
{
	char text[512];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(text)) {
		output->error = output->error ? output->error : JC_ERROR_LIMIT;
		return;
	}
	jc_file_buffer_put(output, text, (size_t)length);
}

/* Replaces the decimal sign of the locale by a point. */
static void put_number(struct jc_file_buffer *output, char *number)
{
	size_t length = strlen(number);

	for (size_t i = 0; i < length; i++) {
		if (!strchr("0123456789+-e", number[i])) {
			number[i] = '.';
		}
	}
	jc_file_buffer_put(output, number, length);
}

void jc_file_buffer_number(struct jc_file_buffer *output, double value, int digits)
{
	char number[40];

	snprintf(number, sizeof(number), "%.*g", digits, value == 0.0 ? 0.0 : value);
	put_number(output, number);
}

void jc_file_buffer_fixed(struct jc_file_buffer *output, double value, int decimals)
{
	char number[352]; /* DBL_MAX without exponent */

	snprintf(number, sizeof(number), "%.*f", decimals, value);
	put_number(output, number);
}

int jc_file_buffer_finish(struct jc_file_buffer *output, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic)
{
	if (output->error) {
		free(output->bytes);
		output->bytes = NULL;
		if (output->error == JC_ERROR_LIMIT) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
				"too long: the file would exceed %u bytes", JC_LIMIT_FILE_BYTES);
		}
		return jc_diagnose(diagnostic, output->error, NULL, "out of memory");
	}
	*out_file = (struct jc_written){ output->bytes, output->length };
	return JC_OK;
}
