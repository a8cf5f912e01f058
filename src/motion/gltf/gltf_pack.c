/* Writes glTF containers (glTF 2.0, 4.4 "Binary glTF layout" and 3.6.1 "Buffers"). Floats
 * are written in the byte order of this machine, little-endian. */
#include "gltf_pack.h"

#include <stdint.h>
#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "glTF is little-endian");

#define MAGIC 0x46546c67u /* "glTF" */
#define JSON  0x4e4f534au
#define BIN   0x004e4942u

static void put_words(struct jc_file_buffer *output, const uint32_t *words, size_t count)
{
	jc_file_buffer_put(output, words, count * sizeof(*words));
}

static void put_base64(struct jc_file_buffer *output, const unsigned char *bytes, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < length && !output->error; i += 3) {
		size_t left = length - i;
		uint32_t group = (uint32_t)bytes[i] << 16 |
				 (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
				 (left > 2 ? bytes[i + 2] : 0u);
		const char text[4] = { digits[group >> 18], digits[group >> 12 & 63],
			left > 1 ? digits[group >> 6 & 63] : '=',
			left > 2 ? digits[group & 63] : '=' };

		jc_file_buffer_put(output, text, sizeof(text));
	}
}

static void close_document(
	struct jc_file_buffer *document, size_t length, struct jc_gltf_fallback fallback)
{
	jc_file_buffer_text(document, "%s", length > 0 ? "}" : "");
	if (fallback.extension) {
		jc_file_buffer_text(document,
			",{\"byteLength\":%zu,\"extensions\":{\"%s\":{\"fallback\":true}}}",
			fallback.length, fallback.extension);
	}
	jc_file_buffer_text(document, length > 0 ? "]}" : "}");
}

int jc_gltf_pack(struct jc_file_buffer *document, const void *buffer, size_t length,
	struct jc_gltf_fallback fallback, bool is_binary, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic)
{
	struct jc_file_buffer file = { 0 };
	size_t json;

	/* A buffer has a byte at least ("Buffers"). */
	if (length > 0) {
		jc_file_buffer_text(document, ",\"buffers\":[{\"byteLength\":%zu", length);
	}
	if (!is_binary && length > 0) {
		jc_file_buffer_text(document, ",\"uri\":\"data:application/octet-stream;base64,");
		put_base64(document, buffer, length);
		jc_file_buffer_text(document, "\"");
	}
	close_document(document, length, fallback);
	if (!is_binary) {
		return jc_file_buffer_finish(document, out_file, diagnostic);
	}
	jc_file_buffer_put(document, "   ", -document->length & 3);
	json = document->length;
	file.error = document->error;
	put_words(&file,
		(const uint32_t[]){ MAGIC, 2, (uint32_t)(12 + 8 + json + (length ? 8 + length : 0)),
			(uint32_t)json, JSON },
		5);
	jc_file_buffer_put(&file, document->bytes, json);
	if (length > 0) {
		put_words(&file, (const uint32_t[]){ (uint32_t)length, BIN }, 2);
		jc_file_buffer_put(&file, buffer, length);
	}
	free(document->bytes);
	document->bytes = NULL;
	return jc_file_buffer_finish(&file, out_file, diagnostic);
}
