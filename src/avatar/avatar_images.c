/* Images and textures of an avatar. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "avatar_private.h"
#include "image_head.h"
#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "jointcast_private/gltf_data_uri.h"
#include "jointcast_private/gltf_view.h"

/* Checks the type that the file states against the one of the bytes. */
static int check_type(const struct jc_avatar_reader *reader, const char *stated, size_t length,
	const char *type, const struct jc_json_place *place)
{
	if (strlen(type) == length && strncmp(stated, type, length) == 0) {
		return JC_OK;
	}
	return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place,
		"is %s, and not '%.*s' as stated", type, length > 32 ? 32 : (int)length, stated);
}

static int read_head(const struct jc_avatar_reader *reader, const json_t *json, const void *bytes,
	size_t length, const struct jc_json_place *place, struct jc_image_head *out_head)
{
	const char *stated = NULL;
	const char *uri = json_string_value(json_object_get(json, "uri"));
	const char *fault = jc_image_head_read(bytes, length, out_head);
	int error;

	if (fault) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_UNSUPPORTED, place, "%s", fault);
	}
	error = jc_json_read_string(json, "mimeType", place, &stated, reader->diagnostic);
	if (!error && !stated && !uri) {
		return jc_json_refuse(
			reader->diagnostic, JC_ERROR_INVALID, place, "states no mimeType");
	}
	if (!error && stated) {
		error = check_type(reader, stated, strlen(stated), out_head->type, place);
	}
	if (!error && uri) {
		error = check_type(reader, uri + 5, strcspn(uri + 5, ";"), out_head->type, place);
	}
	return error;
}

static int open_image(const struct jc_avatar_reader *reader, const json_t *json,
	const struct jc_json_place *place, struct jc_image_head *out_head)
{
	const char *uri = json_string_value(json_object_get(json, "uri"));
	struct jc_gltf_view view;
	const char *fault;
	void *bytes;
	size_t length;
	int index = -1;
	int error = jc_json_read_index(
		json, "bufferView", place, 0, INT32_MAX, &index, reader->diagnostic);

	if (error) {
		return error;
	}
	if ((uri != NULL) == (index >= 0)) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place,
			"needs either a data: URI or a bufferView");
	}
	if (!uri) {
		error = jc_gltf_view_read(reader->gltf, index, place, &view, reader->diagnostic);
		return error ? error
			     : read_head(reader, json, view.bytes, view.length, place, out_head);
	}
	error = jc_gltf_data_uri_decode(uri, &bytes, &length, &fault);
	if (error) {
		return jc_json_refuse(reader->diagnostic, error, place, "%s",
			error == JC_ERROR_MEMORY ? "out of memory" : fault);
	}
	error = read_head(reader, json, bytes, length, place, out_head);
	free(bytes);
	return error;
}

static int count_pixels(struct jc_avatar_reader *reader, size_t pixels)
{
	reader->facts.pixels = jc_avatar_add(reader->facts.pixels, pixels);
	return jc_avatar_cap(
		reader, "images", reader->facts.pixels, reader->caps->pixels, "pixels");
}

/* Fills pixels[i] of each image. */
static int check_images(struct jc_avatar_reader *reader, const json_t *images, size_t *pixels)
{
	struct jc_json_place list = { .key = "images" };
	int error = JC_OK;

	for (size_t i = 0; !error && i < json_array_size(images); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };
		struct jc_image_head head;
		size_t side;

		error = open_image(reader, json_array_get(images, i), &place, &head);
		if (error) {
			break;
		}
		side = head.width > head.height ? head.width : head.height;
		if (side > reader->caps->side) {
			return jc_json_refuse(reader->diagnostic, JC_ERROR_LIMIT, &place,
				"%zu x %zu pixels, more than %zu on a side", head.width,
				head.height, reader->caps->side);
		}
		reader->facts.side = side > reader->facts.side ? side : reader->facts.side;
		pixels[i] = jc_avatar_multiply(head.width, head.height);
		error = count_pixels(reader, pixels[i]);
	}
	return error;
}

/* An image as one sampler reads it. */
struct pair {
	int image, sampler;
};

/* The pairs that textures use. */
struct pairs {
	struct jc_avatar_reader *reader;
	const size_t *pixels; /* of each image */
	size_t count, capacity;
	struct pair *items; /* owned */
};

/* A renderer uploads an image once for each sampler: further ones are counted here. */
static int add_pair(struct pairs *pairs, int image, int sampler)
{
	bool is_first = true;

	for (size_t i = 0; i < pairs->count; i++) {
		if (pairs->items[i].image == image) {
			if (pairs->items[i].sampler == sampler) {
				return JC_OK;
			}
			is_first = false;
		}
	}
	/* There are at most as many as images times textures, both capped. */
	if (!jc_array_grow(&pairs->items, &pairs->capacity, pairs->count + 1, JC_LIMIT_ACCESSORS,
		    sizeof(*pairs->items))) {
		return jc_diagnose(
			pairs->reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	pairs->items[pairs->count++] = (struct pair){ image, sampler };
	return is_first ? JC_OK : count_pixels(pairs->reader, pairs->pixels[image]);
}

/* Adds the image that the field `source` of a texture or of one of its extensions names. */
static int add_source(
	struct pairs *pairs, const json_t *json, const struct jc_json_place *place, int sampler)
{
	int image = -1;
	int error = jc_json_read_index(json, "source", place, 0, pairs->reader->facts.images,
		&image, pairs->reader->diagnostic);

	return error || image < 0 ? error : add_pair(pairs, image, sampler);
}

/* Loaders take the source of an extension that they know, else that of the texture. */
static int add_texture(struct pairs *pairs, const json_t *json, const struct jc_json_place *place)
{
	struct jc_json_place list = { .outer = place, .key = "extensions" };
	const char *key;
	json_t *extension;
	int sampler = -1;
	int error = jc_json_read_index(
		json, "sampler", place, 0, INT32_MAX, &sampler, pairs->reader->diagnostic);

	if (!error) {
		error = add_source(pairs, json, place, sampler);
	}
	if (error) {
		return error;
	}
	json_object_foreach(json_object_get(json, "extensions"), key, extension)
	{
		struct jc_json_place inner = { .outer = &list, .key = key };

		error = add_source(pairs, extension, &inner, sampler);
		if (error) {
			break;
		}
	}
	return error;
}

static int check_textures(
	struct jc_avatar_reader *reader, const json_t *textures, const size_t *pixels)
{
	struct pairs pairs = { .reader = reader, .pixels = pixels };
	struct jc_json_place list = { .key = "textures" };
	int error = JC_OK;

	for (size_t i = 0; !error && i < json_array_size(textures); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };

		error = add_texture(&pairs, json_array_get(textures, i), &place);
	}
	free(pairs.items);
	return error;
}

int jc_avatar_images_check(struct jc_avatar_reader *reader)
{
	const json_t *images = json_object_get(reader->root, "images");
	const json_t *textures = json_object_get(reader->root, "textures");
	size_t *pixels;
	int error;

	reader->facts.images = json_array_size(images);
	reader->facts.textures = json_array_size(textures);
	error = jc_avatar_cap(
		reader, "images", reader->facts.images, reader->caps->images, "images");
	if (!error) {
		error = jc_avatar_cap(reader, "textures", reader->facts.textures,
			reader->caps->textures, "textures");
	}
	if (error) {
		return error;
	}
	pixels = calloc(reader->facts.images + 1, sizeof(*pixels));
	if (!pixels) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = check_images(reader, images, pixels);
	if (!error) {
		error = check_textures(reader, textures, pixels);
	}
	free(pixels);
	return error;
}
