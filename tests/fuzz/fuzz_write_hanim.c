/* Fuzzes writing of H-Anim: a written figure is read with the same bones. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/hanim.h"
#include "jointcast_private/scene.h"
#include "target.h"

static void pose(void *context, size_t index, struct jc_pose *out_pose)
{
	const struct jc_vec3 axis = { 0.6f, 0.0f, 0.8f };

	(void)context;
	jc_pose_init(out_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_pose->states[b] = JC_TRACKED;
		out_pose->rotations[b] =
			jc_quat_from_axis_angle(axis, 0.1f * (float)b * (float)index);
	}
}

static void check_file(const struct jc_written *file)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_scene *scene;
	struct jc_hanim *hanim;
	struct jc_skeleton *skeleton;
	int error = jc_scene_read(file->bytes, file->length, &scene, NULL, &diagnostic);

	/* Shapes lie deeper than the joints that carry them. */
	assert(error == JC_OK || error == JC_ERROR_LIMIT);
	if (error) {
		return;
	}
	assert(jc_hanim_read(scene, 0, &hanim, NULL, &diagnostic) == JC_OK);
	assert(jc_hanim_skeleton(hanim, &skeleton, &diagnostic) == JC_OK);
	assert(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS) >= 0);
	jc_skeleton_destroy(skeleton);
	jc_hanim_destroy(hanim);
	jc_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_clip clip = { .frame_count = 2, .frame_seconds = 0.5, .pose = pose };
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;

	if (jc_skeleton_read(bytes, length, 0, NULL, &skeleton, NULL, &diagnostic) != JC_OK) {
		return 0;
	}
	assert(jc_motion_create_demo("idle", &motion, &diagnostic) == JC_OK);
	clip.motion = motion;
	clip.skeleton = skeleton;
	for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
		struct jc_written file;

		if (jc_write_hanim(&clip, (enum jc_scene_syntax)syntax, &file, NULL, &diagnostic) ==
			JC_OK) {
			check_file(&file);
			free(file.bytes);
		}
	}
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
	return 0;
}
