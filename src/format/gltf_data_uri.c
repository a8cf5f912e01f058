/* Decodes data: URIs, which hold buffers and images within a glTF document. */
#include "jointcast_private/gltf_data_uri.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z') {
		return c - 'A';
	}
	if (c >= 'a' && c <= 'z') {
		return c - 'a' + 26;
	}
	if (c >= '0' && c <= '9') {
		return c - '0' + 52;
	}
	if (c == '+' || c == '-') {
		return 62; /* '-' and '_' are RFC 4648's URL alphabet */
	}
	return c == '/' || c == '_' ? 63 : -1;
}

static int decode_base64(const char *text, size_t length, uint8_t *out, size_t *out_length)
{
	uint32_t bits = 0;
	size_t count = 0;

	for (size_t i = 0; i < length; i++) {
		int value = base64_value(text[i]);

		if (value < 0) {
			return JC_ERROR_INVALID;
		}
		bits = bits << 6 | (uint32_t)value;
		if (i % 4 != 0) {
			out[count++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
		}
	}
	*out_length = count;
	return JC_OK;
}

int jc_gltf_data_uri_decode(
	const char *uri, void **out_bytes, size_t *out_length, const char **out_fault)
{
	const char *text = strchr(uri, ',');
	size_t length;
	uint8_t *bytes;

	if (strncmp(uri, "data:", 5) != 0 || !text || text - uri < 12 ||
		memcmp(text - 7, ";base64", 7) != 0) {
		*out_fault = "its data: URI is not base64";
		return JC_ERROR_INVALID;
	}
	text++;
	length = strcspn(text, "=");
	if (length % 4 == 1 || text[length + strspn(text + length, "=")] != '\0') {
		*out_fault = "its base64 is damaged";
		return JC_ERROR_INVALID;
	}
	bytes = malloc(length / 4 * 3 + 3);
	if (!bytes) {
		return JC_ERROR_MEMORY;
	}
	if (decode_base64(text, length, bytes, out_length)) {
		free(bytes);
		*out_fault = "its base64 is damaged";
		return JC_ERROR_INVALID;
	}
	*out_bytes = bytes;
	return JC_OK;
}
