/* Measures the T-pose of a skeleton for the figures that keep contacts. */
#include "contact_t_pose.h"

#include <stdlib.h>

#include "jointcast/transform.h"

static void measure(struct jc_contact_t_pose *t_pose, const struct jc_mat4 *worlds)
{
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(t_pose->skeleton));

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(t_pose->skeleton, (enum jc_bone)b);

		if (node >= 0) {
			t_pose->joints[b] =
				jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node]));
			t_pose->joints[b].y -= jc_skeleton_floor(t_pose->skeleton);
		}
	}
}

int jc_contact_t_pose_init(struct jc_contact_t_pose *t_pose, const struct jc_skeleton *skeleton)
{
	size_t nodes = jc_skeleton_node_count(skeleton);
	struct jc_quat normalised[JC_BONE_COUNT];
	struct jc_skeleton_pose pose = { 0 };
	struct jc_transform *locals = calloc(nodes + 1, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(nodes + 1, sizeof(*worlds));
	int error = locals && worlds ? JC_OK : JC_ERROR_MEMORY;

	if (error) {
		goto out;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		normalised[b] = JC_QUAT_IDENTITY;
	}
	jc_skeleton_relative(skeleton, normalised, pose.rotations);
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	*t_pose = (struct jc_contact_t_pose){ .skeleton = skeleton };
	measure(t_pose, worlds);
out:
	free(locals);
	free(worlds);
	return error;
}
