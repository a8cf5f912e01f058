/* Prints text that other people supplied, without control characters. */
#include "terminal_text.h"

#include <stdbool.h>

#include "jointcast_private/text.h"

void jc_terminal_write(FILE *stream, const char *text)
{
	while (*text) {
		bool plain;
		size_t length = jc_text_next(text, &plain);

		if (plain) {
			fwrite(text, 1, length, stream);
		} else {
			putc('?', stream);
		}
		text += length;
	}
}

void jc_terminal_write_quoted(FILE *stream, const char *text)
{
	putc('\'', stream);
	jc_terminal_write(stream, text);
	putc('\'', stream);
}

const char *jc_terminal_text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}
