/* UTF-8 checked by the table of RFC 3629, section 4: overlong forms, surrogates
 * and values past U+10FFFF are not well-formed. */
#include "text.h"

#include <stddef.h>

/* Length of the well-formed sequence at `s`, 0 where there is none. */
static size_t sequence_length(const unsigned char *s)
{
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t length;

	if (s[0] < 0x80) {
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		length = 2;
	} else if (s[0] >= 0xe0 && s[0] <= 0xef) {
		length = 3;
		low = s[0] == 0xe0 ? 0xa0 : low;
		high = s[0] == 0xed ? 0x9f : high;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		length = 4;
		low = s[0] == 0xf0 ? 0x90 : low;
		high = s[0] == 0xf4 ? 0x8f : high;
	} else {
		return 0;
	}
	if (s[1] < low || s[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < length; i++) {
		if (s[i] < 0x80 || s[i] > 0xbf) {
			return 0;
		}
	}
	return length;
}

void jc_text_clean(char *text)
{
	unsigned char *s = (unsigned char *)text;

	while (*s) {
		size_t length = sequence_length(s);

		if (length == 0 || *s < 0x20 || *s == 0x7f) {
			*s = '?';
			length = 1;
		} else if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0) {
			s[0] = '?'; /* C1 controls move terminals as C0 ones do */
			s[1] = '?';
		}
		s += length;
	}
}
