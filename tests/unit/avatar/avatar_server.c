/* Checks avatars on a pipe, for the test that compares C with JavaScript. Reads files from stdin,
 * each after its length as a little-endian u32, and writes a line for each: "ok" and the facts that
 * have caps, or "error" and the reason. Accepts trusted lengths only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/avatar.h"

static void give(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { "", "" };
	struct jc_avatar_facts f;

	if (jc_avatar_check(bytes, length, NULL, &f, &diagnostic)) {
		printf("error %s: %s\n", diagnostic.where, diagnostic.what);
		return;
	}
	printf("ok %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %d %d\n", f.bytes,
		f.values, f.nodes, f.joints, f.primitives, f.triangles, f.vertices, f.geometry,
		f.materials, f.textures, f.images, f.pixels, f.side, f.springs, f.extent,
		(int)f.permission, f.may_redistribute);
}

int main(void)
{
	uint8_t head[4];

	while (fread(head, 1, sizeof(head), stdin) == sizeof(head)) {
		size_t length = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 |
				(size_t)head[3] << 24;
		uint8_t *bytes = malloc(length + 1);

		if (!bytes || fread(bytes, 1, length, stdin) != length) {
			free(bytes);
			fputs("a file ends\n", stderr);
			return 1;
		}
		give(bytes, length);
		free(bytes);
	}
	return 0;
}
