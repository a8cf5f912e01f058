/* Fuzzes re-resting of glTF: bakes meshes, converts animations, moves nodes to the reference
 * pose, and reads the result. */
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/gltf.h"
#include "jointcast/rerest.h"
#include "jointcast/skeleton.h"
#include "target.h"

static void read_again(const struct jc_written *file)
{
	struct jc_skeleton *skeleton;

	if (jc_skeleton_read(file->bytes, file->length, 0, NULL, &skeleton, NULL, NULL)) {
		abort(); /* our own output cannot be read */
	}
	jc_skeleton_destroy(skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton, *mended;
	struct jc_gltf *gltf = NULL;
	struct jc_written file;

	if (jc_skeleton_read(bytes, length, 0, NULL, &skeleton, &lint, &diagnostic)) {
		return 0;
	}
	if (jc_gltf_read(bytes, length, NULL, &gltf, NULL, NULL)) {
		gltf = NULL;
	}
	if (!jc_rerest_gltf(
		    skeleton, JC_BONE_AXES_ANATOMIC, gltf, 0, true, &file, &lint, &diagnostic)) {
		read_again(&file);
		free(file.bytes);
	}
	if (!jc_rerest_skeleton(skeleton, JC_BONE_AXES_CHILD, &mended, &lint, &diagnostic)) {
		jc_skeleton_destroy(mended);
	}
	jc_gltf_destroy(gltf);
	jc_skeleton_destroy(skeleton);
	return 0;
}
