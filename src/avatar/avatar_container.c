/* The container of an avatar. A GLB has one JSON chunk and at most one binary chunk, and their
 * lengths add up to that of the file: readers differ in which of several chunks they use. */
#include <stdint.h>
#include <string.h>

#include "avatar_private.h"

#define GLB_HEADER 12u
#define GLB_CHUNK  8u
#define GLB_BIN    "BIN\0"

static uint32_t read_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/* The first chunk's type and the version are left to jc_gltf_read. */
static int check_glb(struct jc_avatar_reader *reader, const uint8_t *bytes, size_t length)
{
	size_t json, end;

	if (length < GLB_HEADER + GLB_CHUNK) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_TRUNCATED, "GLB header",
			"file ends within its header");
	}
	if (read_u32(bytes + 8) != length) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_INVALID, "GLB header",
			"length in the header is %u bytes, file has %zu", read_u32(bytes + 8),
			length);
	}
	json = read_u32(bytes + GLB_HEADER);
	if (json > length - GLB_HEADER - GLB_CHUNK) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_TRUNCATED, "GLB chunk 0",
			"chunk ends past the file");
	}
	end = GLB_HEADER + GLB_CHUNK + json;
	if (end == length) {
		return JC_OK;
	}
	if (length - end < GLB_CHUNK || memcmp(bytes + end + 4, GLB_BIN, 4) != 0 ||
		read_u32(bytes + end) != length - end - GLB_CHUNK) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_INVALID, "GLB chunk 1",
			"not a binary chunk that ends with the file");
	}
	reader->binary_length = length - end - GLB_CHUNK;
	return JC_OK;
}

/* JSON text begins with an object; jc_gltf_read checks the rest. */
static int check_text(struct jc_avatar_reader *reader, const uint8_t *bytes, size_t length)
{
	size_t at = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < length && memchr(" \t\r\n", bytes[at], 4)) {
		at++;
	}
	if (at == length || bytes[at] != '{') {
		return jc_diagnose(reader->diagnostic, JC_ERROR_SYNTAX, NULL,
			"not a glTF file: begins with neither 'glTF' nor '{'");
	}
	return JC_OK;
}

int jc_avatar_container_check(struct jc_avatar_reader *reader, const void *bytes, size_t length)
{
	reader->facts.is_binary = length >= 4 && memcmp(bytes, "glTF", 4) == 0;
	return reader->facts.is_binary ? check_glb(reader, bytes, length)
				       : check_text(reader, bytes, length);
}
