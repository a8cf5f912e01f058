/* Numbers as data URIs (RFC 2397, RFC 4648); see gltf_text.h. */
#include "gltf_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit_test.h"

static void encode(const uint8_t *bytes, size_t length, char *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < length; i += 3) {
		uint32_t word = (uint32_t)bytes[i] << 16;

		word |= i + 1 < length ? (uint32_t)bytes[i + 1] << 8 : 0;
		word |= i + 2 < length ? bytes[i + 2] : 0;
		*out++ = digits[word >> 18];
		*out++ = digits[word >> 12 & 63];
		*out++ = i + 1 < length ? digits[word >> 6 & 63] : '=';
		*out++ = i + 2 < length ? digits[word & 63] : '=';
	}
	*out = '\0';
}

char *gltf_text_floats(const float *values, size_t count)
{
	size_t length = count * sizeof(*values);
	char *digits = malloc((length + 2) / 3 * 4 + 1);
	char *text = NULL;

	assert_non_null(digits);
	encode((const uint8_t *)values, length, digits);
	assert_true(asprintf(&text,
			    "\"buffers\":[{\"byteLength\":%zu,\"uri\":"
			    "\"data:application/octet-stream;base64,%s\"}],"
			    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}]",
			    length, digits, length) > 0);
	free(digits);
	return text;
}
