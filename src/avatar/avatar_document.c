/* The JSON of an avatar as a whole. URIs are searched in every object, because extensions that
 * are unknown here may have some too: a file that refers to an address makes each viewer reveal
 * its own one there. */
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "avatar_private.h"
#include "jointcast/limits.h"
#include "jointcast_private/gltf_view.h"

#define DEPTH_MAX 64

/* Compressions that viewers do not read: their decoders are larger than a viewer. */
static const char *const unread[] = {
	"KHR_draco_mesh_compression",
	"EXT_meshopt_compression",
	"KHR_meshopt_compression",
	"KHR_texture_basisu",
};

static bool is_uri_key(const char *key)
{
	size_t length = strlen(key);

	return length >= 3 && strcasecmp(key + length - 3, "uri") == 0;
}

/* RFC 4648, section 4, with padding: decoders differ in what else they take. */
static bool is_base64(const char *text)
{
	size_t length = strlen(text);
	size_t digits =
		strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
	size_t padding = strspn(text + digits, "=");

	return digits + padding == length && padding <= 2 && length % 4 == 0;
}

static int check_uri(const struct jc_avatar_reader *reader, const json_t *value,
	const struct jc_json_place *place)
{
	const char *uri = json_string_value(value);
	const char *comma = uri ? strchr(uri, ',') : NULL;

	if (!uri || strncmp(uri, "data:", 5) != 0) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_UNSUPPORTED, place,
			"refers to another file; an avatar holds all its data");
	}
	if (!comma || comma - uri < 12 || memcmp(comma - 7, ";base64", 7) != 0 ||
		!is_base64(comma + 1)) {
		return jc_json_refuse(
			reader->diagnostic, JC_ERROR_INVALID, place, "data: URI is not base64");
	}
	return JC_OK;
}

/* Counts values, and checks nesting and URIs. */
static int walk(struct jc_avatar_reader *reader, const json_t *value,
	const struct jc_json_place *place, unsigned depth)
{
	const char *key;
	json_t *member;
	int error = JC_OK;

	reader->facts.values++;
	if (depth > DEPTH_MAX) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_LIMIT, NULL,
			"values are nested more than %d deep", DEPTH_MAX);
	}
	for (size_t i = 0; !error && i < json_array_size(value); i++) {
		struct jc_json_place inner = { .outer = place, .index = i };

		error = walk(reader, json_array_get(value, i), &inner, depth + 1);
	}
	json_object_foreach((json_t *)value, key, member)
	{
		struct jc_json_place inner = { .outer = place, .key = key };

		error = walk(reader, member, &inner, depth + 1);
		if (!error && is_uri_key(key)) {
			error = check_uri(reader, member, &inner);
		}
		if (error) {
			break;
		}
	}
	return error;
}

static bool lists(const json_t *root, const char *list, const char *name)
{
	const json_t *array = json_object_get(root, list);

	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *entry = json_string_value(json_array_get(array, i));

		if (entry && strcmp(entry, name) == 0) {
			return true;
		}
	}
	return false;
}

/* Loaders refuse each file that mentions Draco, even if it is not required. */
static int check_extensions(const struct jc_avatar_reader *reader)
{
	for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++) {
		const char *list = i == 0 && lists(reader->root, "extensionsUsed", unread[i])
					   ? "extensionsUsed"
					   : "extensionsRequired";

		if (lists(reader->root, list, unread[i])) {
			return jc_diagnose(reader->diagnostic, JC_ERROR_UNSUPPORTED, list,
				"needs %s, which viewers do not read", unread[i]);
		}
	}
	return JC_OK;
}

/* Each buffer has the declared length; up to three bytes of padding may follow in a GLB (4.4.3.3),
 * so that a file holds nothing beside its avatar. */
static int check_buffer(const struct jc_avatar_reader *reader, size_t index)
{
	struct jc_json_place list = { .key = "buffers" };
	struct jc_json_place place = { .outer = &list, .index = index };
	const json_t *json = json_array_get(json_object_get(reader->root, "buffers"), index);
	const char *uri = json_string_value(json_object_get(json, "uri"));
	const void *bytes;
	size_t length, held;
	long long declared = -1;
	int error = jc_gltf_buffer(reader->gltf, index, &bytes, &length, reader->diagnostic);

	if (!error) {
		error = jc_json_read_integer(
			json, "byteLength", &place, 1, UINT32_MAX, &declared, reader->diagnostic);
	}
	if (error) {
		return error;
	}
	if (uri) {
		const char *text = strchr(uri, ',') + 1;

		held = strcspn(text, "=") * 3 / 4;
	} else {
		held = reader->binary_length;
	}
	if (declared < 0 || length != (size_t)declared || held - length > (uri ? 0u : 3u)) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, &place,
			"declares %lld bytes and has %zu", declared, held);
	}
	return JC_OK;
}

static int check_buffers(const struct jc_avatar_reader *reader)
{
	struct jc_json_place list = { .key = "bufferViews" };
	const json_t *views = NULL;
	int error = JC_OK;

	for (size_t i = 0; !error && i < jc_gltf_buffer_count(reader->gltf); i++) {
		error = check_buffer(reader, i);
	}
	if (!error && reader->binary_length > 3 && jc_gltf_buffer_count(reader->gltf) == 0) {
		error = jc_diagnose(reader->diagnostic, JC_ERROR_INVALID, "GLB chunk 1",
			"no buffer uses the binary chunk");
	}
	if (!error) {
		error = jc_json_read_array(reader->root, "bufferViews", NULL, JC_LIMIT_ACCESSORS,
			&views, reader->diagnostic);
	}
	for (size_t i = 0; !error && i < json_array_size(views); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };
		struct jc_gltf_view view;

		error = jc_gltf_view_read(reader->gltf, (int)i, &place, &view, reader->diagnostic);
	}
	return error;
}

int jc_avatar_document_check(struct jc_avatar_reader *reader)
{
	int error = walk(reader, reader->root, NULL, 1);

	if (!error) {
		error = jc_avatar_cap(
			reader, NULL, reader->facts.values, reader->caps->values, "values of JSON");
	}
	if (!error) {
		error = check_extensions(reader);
	}
	return error ? error : check_buffers(reader);
}
