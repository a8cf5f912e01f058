/* Splits a glTF file into JSON text and binary chunk: bare JSON, or the chunks of GLB (4.4). */
#include <string.h>

#include "gltf_private.h"
#include "jointcast/limits.h"

#define GLB_HEADER 12u
#define GLB_CHUNK  8u

#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN  0x004e4942u

static uint32_t read_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

struct chunk {
	uint32_t type;
	const uint8_t *bytes;
	size_t length;
};

/* Takes the chunk at *at; end is that of the file. */
static int take_chunk(const uint8_t *bytes, size_t end, size_t *at, const char *where,
	struct chunk *out_chunk, struct jc_diagnostic *diagnostic)
{
	size_t left = end - *at;

	if (left < GLB_CHUNK) {
		return jc_diagnose(
			diagnostic, JC_ERROR_TRUNCATED, where, "file ends within a chunk header");
	}
	out_chunk->length = read_u32(bytes + *at);
	out_chunk->type = read_u32(bytes + *at + 4);
	out_chunk->bytes = bytes + *at + GLB_CHUNK;
	if (out_chunk->length > left - GLB_CHUNK) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, where,
			"chunk length is %zu bytes, but %zu are left in the file",
			out_chunk->length, left - GLB_CHUNK);
	}
	*at += GLB_CHUNK + out_chunk->length;
	return JC_OK;
}

static int split_glb(const uint8_t *bytes, size_t length, const char **out_text,
	size_t *out_text_length, const uint8_t **out_binary, size_t *out_binary_length,
	struct jc_diagnostic *diagnostic)
{
	size_t at = GLB_HEADER;
	size_t end;
	struct chunk json, binary;
	int error;

	if (length < GLB_HEADER) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, "GLB header",
			"file ends within its header");
	}
	if (read_u32(bytes + 4) != 2) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, "GLB header",
			"container version is %u, not 2", read_u32(bytes + 4));
	}
	end = read_u32(bytes + 8);
	if (end > length) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, "GLB header",
			"length in the header is %zu bytes, file has %zu", end, length);
	}
	if (end < GLB_HEADER) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "GLB header",
			"length in the header is %zu bytes, less than the header", end);
	}
	error = take_chunk(bytes, end, &at, "GLB chunk 0", &json, diagnostic);
	if (error) {
		return error;
	}
	if (json.type != CHUNK_JSON) {
		return jc_diagnose(
			diagnostic, JC_ERROR_SYNTAX, "GLB chunk 0", "first chunk is not JSON");
	}
	*out_text = (const char *)json.bytes;
	*out_text_length = json.length;
	if (at == end) {
		return JC_OK;
	}
	error = take_chunk(bytes, end, &at, "GLB chunk 1", &binary, diagnostic);
	if (!error && binary.type == CHUNK_BIN) {
		*out_binary = binary.bytes;
		*out_binary_length = binary.length;
	}
	return error; /* what follows is for extensions (4.4.3.1) */
}

int jc_gltf_split(const void *bytes, size_t length, const char **out_text, size_t *out_text_length,
	const uint8_t **out_binary, size_t *out_binary_length, struct jc_diagnostic *diagnostic)
{
	if (length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "file is too large");
	}
	if (length == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "file is empty");
	}
	*out_binary = NULL;
	*out_binary_length = 0;
	if (length >= 4 && memcmp(bytes, "glTF", 4) == 0) {
		return split_glb(bytes, length, out_text, out_text_length, out_binary,
			out_binary_length, diagnostic);
	}
	*out_text = bytes;
	*out_text_length = length;
	return JC_OK;
}
