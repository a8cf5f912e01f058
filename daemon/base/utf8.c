/* Checks bytes against the table of well-formed sequences of RFC 3629, section 4. */
#include "base/utf8.h"

bool jc_utf8_is_valid(const uint8_t *bytes, size_t length)
{
	size_t i = 0;

	while (i < length) {
		uint8_t lead = bytes[i++];
		uint8_t low = 0x80;
		uint8_t high = 0xbf;
		size_t more;

		if (lead < 0x80) {
			continue;
		}
		if (lead >= 0xc2 && lead <= 0xdf) {
			more = 1;
		} else if (lead >= 0xe0 && lead <= 0xef) {
			more = 2;
		} else if (lead >= 0xf0 && lead <= 0xf4) {
			more = 3;
		} else {
			return false;
		}
		if (lead == 0xe0) {
			low = 0xa0; /* else overlong */
		} else if (lead == 0xed) {
			high = 0x9f; /* else a surrogate */
		} else if (lead == 0xf0) {
			low = 0x90;
		} else if (lead == 0xf4) {
			high = 0x8f; /* else past U+10FFFF */
		}
		for (; more > 0; more--) {
			if (i == length || bytes[i] < low || bytes[i] > high) {
				return false;
			}
			i++;
			low = 0x80;
			high = 0xbf;
		}
	}
	return true;
}
