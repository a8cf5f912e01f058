/* A figure whose hips joint lies below its hip joints: where its hip joints are after a turn of the
 * hips, worked out by hand. */
#include "expect.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* Hips at 0.3, hip joints at 0.5 and 0.05 ahead, foot at 0. */
static struct jc_skeleton *make_low_hips(enum jc_skeleton_format format)
{
	struct jc_skeleton_node nodes[4] = {
		{ "hips", -1, JC_TRANSFORM_IDENTITY },
		{ "left", 0, JC_TRANSFORM_IDENTITY },
		{ "right", 0, JC_TRANSFORM_IDENTITY },
		{ "foot", 1, JC_TRANSFORM_IDENTITY },
	};
	struct jc_skeleton_description description;
	struct jc_skeleton *skeleton;

	nodes[0].rest.translation = (struct jc_vec3){ 0.0f, 0.3f, 0.0f };
	nodes[1].rest.translation = (struct jc_vec3){ 0.1f, 0.2f, 0.05f };
	nodes[2].rest.translation = (struct jc_vec3){ -0.1f, 0.2f, 0.05f };
	nodes[3].rest.translation = (struct jc_vec3){ 0.0f, -0.5f, 0.0f };
	jc_skeleton_description_init(&description);
	description.format = format;
	description.has_floor = format == JC_SKELETON_VRM1;
	description.node_count = 4;
	description.nodes = nodes;
	description.bones[JC_BONE_HIPS] = 0;
	description.bones[JC_BONE_LEFT_UPPER_LEG] = 1;
	description.bones[JC_BONE_RIGHT_UPPER_LEG] = 2;
	description.bones[JC_BONE_LEFT_FOOT] = 3;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	return skeleton;
}

/* Where a pose puts hips and hip joints; then the pose of the nodes is the same again. */
static void pose_low_hips(enum jc_skeleton_format format, struct jc_vec3 out_points[3])
{
	struct jc_skeleton *skeleton = make_low_hips(format);
	struct jc_retargeter *retargeter;
	struct jc_skeleton_pose fitted;
	struct jc_transform locals[4];
	struct jc_mat4 worlds[4];
	struct jc_pose pose, again;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_HIPS] =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 1.57079633f);
	pose.hips_translation = (struct jc_vec3){ 0.2f, -0.8f, 0.4f };
	assert_int_equal(jc_retargeter_create(skeleton, &retargeter), JC_OK);
	jc_retargeter_apply(retargeter, &pose, &fitted);
	jc_skeleton_locals(skeleton, &fitted, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	for (int i = 0; i < 3; i++) {
		out_points[i] = jc_mat4_translation(worlds[i]);
	}
	jc_skeleton_normalize(skeleton, locals, &again);
	assert_vec3(again.hips_translation, pose.hips_translation);
	jc_retargeter_destroy(retargeter);
	jc_skeleton_destroy(skeleton);
}

/* Hips height 0.5: the middle of the hip joints moves from (0, 0.5, 0.05) by half the
 * translation, although the hips turn below it. */
static void hips_below_the_hip_joints_move_by_the_hip_joints(void **)
{
	struct jc_vec3 points[3];

	pose_low_hips(JC_SKELETON_GLTF, points);
	assert_vec3(points[1], (struct jc_vec3){ 0.2f, 0.1f, 0.25f });
	assert_vec3(points[2], (struct jc_vec3){ 0.0f, 0.1f, 0.25f });
}

/* Hips height 0.3: the joint itself moves. */
static void hips_of_vrm_move_by_their_joint(void **)
{
	struct jc_vec3 points[3];

	pose_low_hips(JC_SKELETON_VRM1, points);
	assert_vec3(points[0], (struct jc_vec3){ 0.06f, 0.06f, 0.12f });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hips_below_the_hip_joints_move_by_the_hip_joints),
		cmocka_unit_test(hips_of_vrm_move_by_their_joint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
