/* Embeds images. A buffer view needs the image's type, which its first bytes show. */
#include "gltf_images.h"

#include <string.h>

#include <jansson.h>

#include "jointcast_private/gltf_uri.h"

static const char *find_type(const void *bytes, size_t length)
{
	static const struct {
		size_t at;
		const char *bytes, *type;
	} types[] = {
		{ 0, "\x89PNG\r\n\x1a\n", "image/png" },
		{ 0, "\xff\xd8\xff", "image/jpeg" },
		{ 0, "\xabKTX 20\xbb\r\n\x1a\n", "image/ktx2" },
		{ 8, "WEBP", "image/webp" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		size_t count = strlen(types[i].bytes);

		if (length >= types[i].at + count &&
			memcmp((const char *)bytes + types[i].at, types[i].bytes, count) == 0) {
			return types[i].type;
		}
	}
	return NULL;
}

static void embed(struct jc_gltf_edit *edit, json_t *image, const struct jc_gltf_resolver *resolver,
	struct jc_lint *lint)
{
	const char *uri = json_string_value(json_object_get(image, "uri"));
	const void *bytes;
	size_t length;
	const char *type;

	if (!uri || strncmp(uri, "data:", 5) == 0) {
		return;
	}
	if (jc_gltf_uri_read(resolver, uri, &bytes, &length)) {
		jc_lint_add(lint, JC_WARNING, "image-apart",
			"the image '%.80s' cannot be read and stays a file of its own", uri);
		return;
	}
	type = find_type(bytes, length);
	if (!type) {
		jc_lint_add(lint, JC_WARNING, "image-apart",
			"the image '%.80s' is not PNG, JPEG, WebP or KTX 2 and stays a file of its "
			"own",
			uri);
		return;
	}
	jc_gltf_edit_set(edit, image, "bufferView",
		json_integer(jc_gltf_edit_add_bytes(edit, bytes, length)));
	jc_gltf_edit_set(edit, image, "mimeType", json_string(type));
	json_object_del(image, "uri");
}

void jc_gltf_images_embed(
	struct jc_gltf_edit *edit, const struct jc_gltf_resolver *resolver, struct jc_lint *lint)
{
	json_t *image;
	size_t i;

	json_array_foreach(json_object_get(edit->root, "images"), i, image)
	{
		embed(edit, image, resolver, lint);
	}
}
