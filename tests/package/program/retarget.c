/* An external program with the installed library: a left arm that is raised by a quarter turn
 * has its hand above the shoulder. */
#include <jointcast/retarget.h>
#include <jointcast/transform.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
	static struct jc_transform locals[JC_BONE_COUNT]; /* node = bone in the built-in one */
	static struct jc_mat4 worlds[JC_BONE_COUNT];
	struct jc_skeleton_pose worn;
	struct jc_pose pose;
	struct jc_skeleton *skeleton;
	struct jc_retargeter *retargeter;

	if (jc_skeleton_create_builtin(&skeleton) != JC_OK ||
		jc_skeleton_node_count(skeleton) != JC_BONE_COUNT ||
		jc_retargeter_create(skeleton, &retargeter) != JC_OK) {
		return 1;
	}
	jc_pose_init(&pose);
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] = (struct jc_quat){ 0, 0, sqrtf(0.5f), sqrtf(0.5f) };
	pose.states[JC_BONE_LEFT_UPPER_ARM] = JC_TRACKED;
	jc_retargeter_apply(retargeter, &pose, &worn);
	jc_skeleton_locals(skeleton, &worn, locals);
	jc_skeleton_split_spine(skeleton, locals); /* of figures with vertebrae, unlike this one */
	jc_skeleton_worlds(skeleton, locals, worlds);

	const struct jc_mat4 *rest = jc_skeleton_rest_worlds(skeleton);
	struct jc_vec3 shoulder = jc_mat4_translation(rest[JC_BONE_LEFT_UPPER_ARM]);
	struct jc_vec3 at_rest = jc_mat4_translation(rest[JC_BONE_LEFT_HAND]);
	struct jc_vec3 hand = jc_mat4_translation(worlds[JC_BONE_LEFT_HAND]);
	float arm = at_rest.x - shoulder.x;

	printf("the arm is %.3f m long\n", arm);
	jc_retargeter_destroy(retargeter);
	jc_skeleton_destroy(skeleton);
	return arm > 0.3f && fabsf(hand.x - shoulder.x) < 1e-5f &&
			       fabsf(hand.y - shoulder.y - arm) < 1e-5f
		       ? 0
		       : 1;
}
