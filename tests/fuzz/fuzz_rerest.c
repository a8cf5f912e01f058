/* Fuzzes changes of glTF files. Re-resting bakes meshes, converts animations and moves nodes to the
 * reference pose; an avatar gets one more animation. Both results are read again. */
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/gltf.h"
#include "jointcast/motion.h"
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

static const struct jc_transform *pose(void *context, size_t index)
{
	struct jc_transform *locals = context;

	locals[0].translation.x += (float)index;
	return locals;
}

/* Writes the rest of the skeleton as a motion whose first node moves. */
static void animate(const struct jc_skeleton *skeleton, const struct jc_gltf *gltf)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;
	struct jc_avatar_clip clip = {
		.skeleton = skeleton,
		.frame_count = 3,
		.frame_seconds = 0.1,
		.pose = pose,
		.context = locals,
	};
	struct jc_written file;

	if (!locals || jc_motion_create_demo("idle", &motion, &diagnostic)) {
		abort();
	}
	for (size_t i = 0; i < count; i++) {
		locals[i] = jc_skeleton_nodes(skeleton)[i].rest;
	}
	clip.motion = motion;
	if (!jc_write_avatar(&clip, gltf, true, NULL, true, &file, &lint, &diagnostic)) {
		read_again(&file);
		free(file.bytes);
	}
	jc_motion_destroy(motion);
	free(locals);
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
	if (!jc_rerest_gltf_with_drafts(
		    skeleton, JC_BONE_AXES_CHILD, gltf, 0, true, &file, &lint, &diagnostic)) {
		read_again(&file);
		free(file.bytes);
	}
	if (!jc_rerest_skeleton(skeleton, JC_BONE_AXES_CHILD, &mended, &lint, &diagnostic)) {
		jc_skeleton_destroy(mended);
	}
	if (gltf) {
		animate(skeleton, gltf);
	}
	jc_gltf_destroy(gltf);
	jc_skeleton_destroy(skeleton);
	return 0;
}
