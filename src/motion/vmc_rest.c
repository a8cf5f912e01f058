/* A skeleton posed so that every bone stands as in the T-pose, offsets aside. */
#include "vmc_rest.h"

#include <stdlib.h>

#include "jointcast/transform.h"

int jc_vmc_rest_positions(
	const struct jc_skeleton *skeleton, struct jc_vec3 out_positions[JC_BONE_COUNT])
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(skeleton));
	struct jc_skeleton_pose pose = { .rotations = { { 0 } } };
	int status = JC_ERROR_MEMORY;

	if (!locals || !worlds) {
		goto out;
	}
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)i);

		pose.rotations[i] = JC_QUAT_IDENTITY;
		if (node >= 0) {
			struct jc_quat rest = jc_quat_multiply(
				jc_skeleton_parent_t_pose(skeleton, (enum jc_bone)i),
				jc_skeleton_nodes(skeleton)[node].rest.rotation);

			pose.rotations[i] =
				jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(rest),
					jc_skeleton_t_pose(skeleton, (enum jc_bone)i)));
		}
	}
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)i);

		if (node >= 0) {
			out_positions[i] =
				jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node]));
		}
	}
	status = JC_OK;
out:
	free(worlds);
	free(locals);
	return status;
}
