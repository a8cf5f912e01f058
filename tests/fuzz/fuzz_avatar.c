/* Fuzzes the check of avatars with caps that small files reach: a file that passes obeys them and
 * passes the default ones. An input that begins with '#' is JSON, a NUL and a binary chunk, of
 * which a GLB with true lengths is made; any other input is a file. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/avatar.h"
#include "target.h"

/* Small ones: what a check may cost is bounded by them. */
static const struct jc_avatar_caps small = {
	.bytes = 1 << 20,
	.values = 4096,
	.nodes = 64,
	.joints = 64,
	.primitives = 16,
	.triangles = 4096,
	.vertices = 65536,
	.geometry = 1 << 20,
	.materials = 8,
	.textures = 8,
	.images = 8,
	.pixels = 1 << 20,
	.side = 1024,
	.springs = 1024,
	.extent = 10000,
};

static void assert_within(const struct jc_avatar_facts *facts)
{
	assert(facts->bytes <= small.bytes && facts->values <= small.values);
	assert(facts->nodes <= small.nodes && facts->joints <= small.joints);
	assert(facts->primitives <= small.primitives && facts->triangles <= small.triangles);
	assert(facts->vertices <= small.vertices && facts->base_vertices <= facts->vertices);
	assert(facts->geometry <= small.geometry && facts->materials <= small.materials);
	assert(facts->textures <= small.textures && facts->images <= small.images);
	assert(facts->pixels <= small.pixels && facts->side <= small.side);
	assert(facts->springs <= small.springs && facts->extent <= small.extent);
	assert(facts->primitives == 0 || facts->extent >= JC_AVATAR_LEAST_EXTENT);
	assert(memchr(facts->title, '\0', sizeof(facts->title)));
	assert(memchr(facts->author, '\0', sizeof(facts->author)));
	assert(memchr(facts->licence, '\0', sizeof(facts->licence)));
}

static void check(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { "", "" };
	struct jc_avatar_facts facts, again;

	if (jc_avatar_check(bytes, length, &small, &facts, &diagnostic)) {
		assert(diagnostic.what[0] != '\0');
		return;
	}
	assert_within(&facts);
	assert(jc_avatar_check(bytes, length, NULL, &again, NULL) == JC_OK);
	assert(facts.triangles == again.triangles && facts.pixels == again.pixels);
	for (int i = JC_AVATAR_RIGHTS_AUTHOR; i <= JC_AVATAR_RIGHTS_PUBLIC; i++) {
		enum jc_avatar_rights rights = JC_AVATAR_RIGHTS_AUTHOR;

		assert(jc_avatar_rights_find(
			jc_avatar_rights_name((enum jc_avatar_rights)i), &rights));
		assert((int)rights == i);
		(void)jc_avatar_check_rights(&facts, rights, &diagnostic);
	}
}

static void put_u32(uint8_t *bytes, size_t value)
{
	for (int i = 0; i < 4; i++) {
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

static void check_glb(const char *text, size_t length)
{
	const char *end = memchr(text, '\0', length);
	size_t json = end ? (size_t)(end - text) : length;
	size_t binary = end ? length - json - 1 : 0;
	size_t size = 20 + json + (binary > 0 ? 8 + binary : 0);
	uint8_t *bytes = malloc(size);

	if (!bytes) {
		return;
	}
	memcpy(bytes, "glTF\2\0\0", 8);
	put_u32(bytes + 8, size);
	put_u32(bytes + 12, json);
	memcpy(bytes + 16, "JSON", 4);
	memcpy(bytes + 20, text, json);
	if (binary > 0) {
		put_u32(bytes + 20 + json, binary);
		memcpy(bytes + 24 + json, "BIN", 4);
		memcpy(bytes + 28 + json, end + 1, binary);
	}
	check(bytes, size);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (length > 0 && bytes[0] == '#') {
		check_glb((const char *)bytes + 1, length - 1);
	} else {
		check(bytes, length);
	}
	return 0;
}
