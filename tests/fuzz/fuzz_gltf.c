/* Fuzzes glTF as JSON or GLB: reads all accessors and skins, and poses any humanoid. External
 * buffers are requested by a path without escapes; those with an 'x' in their path exist. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/gltf.h"
#include "jointcast/skeleton.h"
#include "target.h"

static int read_buffer(void *context, const char *uri, const void **out_bytes, size_t *out_length)
{
	static const uint8_t bytes[128];

	(void)context;
	if (!strchr(uri, 'x')) {
		return JC_ERROR_ABSENT;
	}
	*out_bytes = bytes;
	*out_length = sizeof(bytes);
	return JC_OK;
}

static void read_gltf(const uint8_t *bytes, size_t length)
{
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic;
	struct jc_gltf *gltf;

	const struct jc_gltf_resolver resolver = { .read = read_buffer };

	if (jc_gltf_read(bytes, length, &resolver, &gltf, &lint, &diagnostic)) {
		return;
	}
	for (int accessor = 0; accessor < 16; accessor++) {
		size_t count, components;
		float *values;

		if (!jc_gltf_accessor_floats(
			    gltf, accessor, &count, &components, &values, &diagnostic)) {
			free(values);
		}
	}
	jc_gltf_destroy(gltf);
}

static void pose_skeleton(const struct jc_skeleton *skeleton)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	struct jc_skeleton_pose pose = { .hips_translation = { 0.1f, 0.2f, 0.3f } };
	struct jc_pose back;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = (struct jc_quat){ 0.5f, 0.5f, 0.5f, 0.5f };
	}
	if (locals && worlds) {
		jc_skeleton_locals(skeleton, &pose, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		jc_skeleton_normalize(skeleton, locals, &back);
	}
	free(locals);
	free(worlds);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;

	read_gltf(bytes, length);
	if (!jc_skeleton_read(bytes, length, 0, NULL, &skeleton, &lint, &diagnostic)) {
		pose_skeleton(skeleton);
		jc_skeleton_destroy(skeleton);
	}
	lint.count = 0;
	if (!jc_skeleton_read_prop(bytes, length, &skeleton, &lint, &diagnostic)) {
		pose_skeleton(skeleton);
		jc_skeleton_destroy(skeleton);
	}
	return 0;
}
