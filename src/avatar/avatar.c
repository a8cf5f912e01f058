/* Checks a file part by part: those that bound the cost of the later ones come first. */
#include "jointcast/avatar.h"

#include <stdint.h>

#include <jansson.h>

#include "avatar_private.h"

struct jc_avatar_caps jc_avatar_default_caps(void)
{
	return (struct jc_avatar_caps){
		.bytes = 32u << 20,
		.values = 262144,
		.nodes = 2048,
		.joints = 4096,
		.primitives = 128,
		.triangles = 150000,
		.vertices = 4000000,
		.geometry = 64u << 20,
		.materials = 64,
		.textures = 64,
		.images = 64,
		.pixels = 64u << 20,
		.side = 4096,
		.springs = 32768,
		.extent = 20000,
	};
}

size_t jc_avatar_add(size_t a, size_t b)
{
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

size_t jc_avatar_multiply(size_t a, size_t b)
{
	return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

int jc_avatar_cap(const struct jc_avatar_reader *reader, const char *where, size_t value,
	size_t cap, const char *what)
{
	if (value <= cap) {
		return JC_OK;
	}
	return jc_diagnose(reader->diagnostic, JC_ERROR_LIMIT, where, "%zu %s, more than %zu",
		value, what, cap);
}

static int check_parts(struct jc_avatar_reader *reader)
{
	int error = jc_avatar_document_check(reader);

	if (!error) {
		error = jc_avatar_geometry_check(reader);
	}
	if (!error) {
		error = jc_avatar_images_check(reader);
	}
	if (!error) {
		jc_avatar_meta_read(reader);
		error = jc_avatar_springs_check(reader);
	}
	return error;
}

int jc_avatar_check(const void *bytes, size_t length, const struct jc_avatar_caps *caps,
	struct jc_avatar_facts *out_facts, struct jc_diagnostic *diagnostic)
{
	struct jc_avatar_caps defaults = jc_avatar_default_caps();
	struct jc_avatar_reader reader = {
		.caps = caps ? caps : &defaults,
		.facts = { .bytes = length },
		.diagnostic = diagnostic,
	};
	struct jc_gltf *gltf;
	int error = jc_avatar_cap(&reader, NULL, length, reader.caps->bytes, "bytes");

	if (!error) {
		error = jc_avatar_container_check(&reader, bytes, length);
	}
	if (!error) {
		error = jc_gltf_read(bytes, length, NULL, &gltf, NULL, diagnostic);
	}
	if (error) {
		return error;
	}
	reader.gltf = gltf;
	reader.root = jc_gltf_json(gltf);
	error = check_parts(&reader);
	jc_gltf_destroy(gltf);
	if (!error) {
		*out_facts = reader.facts;
	}
	return error;
}
