/* Names in files are written by strangers. */
#include "plain.h"

/* Bytes of the control character at c, 0 where there is none: ASCII's, and
 * U+0080 to U+009F as UTF-8 has them. */
static int control_length(const char *c)
{
	const unsigned char *byte = (const unsigned char *)c;

	if (byte[0] < 0x20 || byte[0] == 0x7f) {
		return 1;
	}
	return byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] <= 0x9f ? 2 : 0;
}

void jc_plain_clean(char *text)
{
	for (char *c = text; *c; c++) {
		int length = control_length(c);

		if (length > 0) {
			c[0] = '?';
		}
		if (length > 1) {
			*++c = '?';
		}
	}
}

void jc_plain_write(FILE *stream, const char *text)
{
	for (const char *c = text; *c; c++) {
		int length = control_length(c);

		putc(length > 0 ? '?' : *c, stream);
		c += length > 1;
	}
}

void jc_plain_write_quoted(FILE *stream, const char *text)
{
	putc('\'', stream);
	jc_plain_write(stream, text);
	putc('\'', stream);
}
