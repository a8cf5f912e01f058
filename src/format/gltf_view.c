/* Buffer views (3.6.2): bytes of a buffer, proven to lie inside of it. */
#include "jointcast_private/gltf_view.h"

#include <limits.h>

#include <jansson.h>

#include "gltf_private.h"

int jc_gltf_view_read(const struct jc_gltf *gltf, int index, const struct jc_json_place *user,
	struct jc_gltf_view *out_view, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "bufferViews" };
	struct jc_json_place place = { .outer = &list, .index = (size_t)index };
	const json_t *json = index < 0 ? NULL
				       : json_array_get(json_object_get(gltf->root, "bufferViews"),
						 (size_t)index);
	const json_t *extensions = json_object_get(json, "extensions");
	const struct jc_gltf_buffer *buffer;
	long long offset = 0, length = -1, stride = 0;
	int buffer_index = -1;
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, user, "there is no buffer view %d", index);
	}
	if (json_object_get(extensions, "EXT_meshopt_compression") ||
		json_object_get(extensions, "KHR_meshopt_compression")) {
		return jc_json_refuse(diagnostic, JC_ERROR_UNSUPPORTED, user,
			"buffer view is compressed with meshopt, which is not supported");
	}
	error = jc_json_read_index(
		json, "buffer", &place, 0, gltf->buffer_count, &buffer_index, diagnostic);
	if (!error) {
		error = jc_json_read_integer(
			json, "byteOffset", &place, 0, UINT_MAX, &offset, diagnostic);
	}
	if (!error) {
		error = jc_json_read_integer(
			json, "byteLength", &place, 1, UINT_MAX, &length, diagnostic);
	}
	if (!error) {
		error = jc_json_read_integer(
			json, "byteStride", &place, 1, 252, &stride, diagnostic);
	}
	if (error) {
		return error;
	}
	if (buffer_index < 0 || length < 0) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place,
			"'buffer' or 'byteLength' is missing");
	}
	buffer = &gltf->buffers[buffer_index];
	if (buffer->missing) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, user,
			"buffers[%d] is missing: %s", buffer_index, buffer->missing);
	}
	if ((size_t)offset > buffer->length || (size_t)length > buffer->length - (size_t)offset) {
		return jc_json_refuse(diagnostic, JC_ERROR_TRUNCATED, &place,
			"ends past buffers[%d]: %lld + %lld of %zu bytes", buffer_index, offset,
			length, buffer->length);
	}
	*out_view = (struct jc_gltf_view){
		.bytes = buffer->bytes + offset, .length = (size_t)length, .stride = (size_t)stride
	};
	return JC_OK;
}
