/* Locates the bytes of buffers: the GLB chunk, data: URIs, or files that the resolver delivers.
 * Missing buffers are not an error until an accessor needs them. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_private.h"
#include "jointcast/limits.h"
#include "jointcast_private/gltf_data_uri.h"
#include "jointcast_private/gltf_uri.h"
#include "jointcast_private/json.h"

static int hex_value(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undoes %XX in place; false for what can be no path: a broken escape or NUL. */
static bool decode_uri(char *uri)
{
	char *out = uri;

	for (const char *in = uri; *in; in++) {
		int high, low;

		if (*in != '%') {
			*out++ = *in;
			continue;
		}
		high = hex_value(in[1]);
		low = high < 0 ? -1 : hex_value(in[2]);
		if (low < 0 || high + low == 0) {
			return false;
		}
		*out++ = (char)(high << 4 | low);
		in += 2;
	}
	*out = '\0';
	return true;
}

int jc_gltf_uri_read(const struct jc_gltf_resolver *resolver, const char *uri,
	const void **out_bytes, size_t *out_length)
{
	const void *bytes = NULL;
	size_t length = 0;
	char *path;
	int error;

	if (!resolver) {
		return JC_ERROR_ABSENT;
	}
	path = strdup(uri);
	if (!path) {
		return JC_ERROR_MEMORY;
	}
	error = decode_uri(path) ? resolver->read(resolver->context, path, &bytes, &length)
				 : JC_ERROR_SYNTAX;
	if (!error) {
		*out_bytes = bytes;
		*out_length = length;
	}
	free(path);
	return error;
}

static int resolve(
	const char *uri, const struct jc_gltf_resolver *resolver, struct jc_gltf_buffer *buffer)
{
	const void *bytes = NULL;
	int error = jc_gltf_uri_read(resolver, uri, &bytes, &buffer->length);

	buffer->bytes = bytes;
	if (!resolver) {
		buffer->missing = "it is in another file, which was not given";
	} else if (error == JC_ERROR_SYNTAX) {
		buffer->missing = "its URI is damaged";
	} else if (error) {
		buffer->missing = "its file cannot be read";
	}
	return error == JC_ERROR_MEMORY ? error : JC_OK;
}

static int read_uri(
	const char *uri, const struct jc_gltf_resolver *resolver, struct jc_gltf_buffer *buffer)
{
	int error;

	if (strncmp(uri, "data:", 5) != 0) {
		return resolve(uri, resolver, buffer);
	}
	error = jc_gltf_data_uri_decode(uri, &buffer->decoded, &buffer->length, &buffer->missing);
	buffer->bytes = buffer->decoded;
	return error == JC_ERROR_MEMORY ? error : JC_OK;
}

static int read_buffer(struct jc_gltf *gltf, const json_t *json, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "buffers" };
	struct jc_json_place place = { .outer = &list, .index = index };
	struct jc_gltf_buffer *buffer = &gltf->buffers[index];
	const char *uri = NULL;
	long long length = 0;
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "not an object");
	}
	error = jc_json_read_integer(
		json, "byteLength", &place, 0, UINT32_MAX, &length, diagnostic);
	if (!error) {
		error = jc_json_read_string(json, "uri", &place, &uri, diagnostic);
	}
	if (error) {
		return error;
	}
	if (uri) {
		error = read_uri(uri, resolver, buffer);
	} else if (index == 0 && gltf->binary) {
		buffer->bytes = gltf->binary;
		buffer->length = gltf->binary_length;
	} else {
		buffer->missing = "it has neither a URI nor a binary chunk";
	}
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	/* Both are upper bounds: padding follows a buffer, and a buffer may have
	 * been cut short. */
	if (buffer->length > (size_t)length) {
		buffer->length = (size_t)length;
	}
	return JC_OK;
}

int jc_gltf_read_buffers(struct jc_gltf *gltf, const struct jc_gltf_resolver *resolver,
	struct jc_diagnostic *diagnostic)
{
	const json_t *buffers = NULL;
	size_t count;
	int error = jc_json_read_array(
		gltf->root, "buffers", NULL, JC_LIMIT_BUFFERS, &buffers, diagnostic);

	if (error) {
		return error;
	}
	count = json_array_size(buffers);
	gltf->buffers = calloc(count + 1, sizeof(*gltf->buffers));
	if (!gltf->buffers) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	gltf->buffer_count = count;
	for (size_t i = 0; !error && i < count; i++) {
		error = read_buffer(gltf, json_array_get(buffers, i), i, resolver, diagnostic);
	}
	return error;
}

size_t jc_gltf_buffer_count(const struct jc_gltf *gltf)
{
	return gltf->buffer_count;
}

int jc_gltf_buffer(const struct jc_gltf *gltf, size_t index, const void **out_bytes,
	size_t *out_length, struct jc_diagnostic *diagnostic)
{
	const struct jc_gltf_buffer *buffer = &gltf->buffers[index];

	if (buffer->missing) {
		struct jc_json_place list = { .key = "buffers" };
		struct jc_json_place place = { .outer = &list, .index = index };

		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, &place, "missing: %s", buffer->missing);
	}
	*out_bytes = buffer->bytes;
	*out_length = buffer->length;
	return JC_OK;
}
