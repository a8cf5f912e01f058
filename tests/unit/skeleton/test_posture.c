/* Posture of figures whose joints are placed in this file. tests/cli/lint.test.mjs tests
 * single findings. */
#include <math.h>

#include "figures.h"
#include "jointcast/transform.h"
#include "jointcast_private/posture.h"
#include "unit_test.h"

static const float degree = 0.01745329252f;

static struct jc_transform at(float x, float y, float z)
{
	struct jc_transform t = JC_TRANSFORM_IDENTITY;

	t.translation = (struct jc_vec3){ x, y, z };
	return t;
}

/* EXT_skeleton_humanoid, "Reference pose": the bone node directs the +Y axis from
 * the parent joint to the child joint. */
static void reference_directions_match_the_reference_axes(void **)
{
	const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	size_t count = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		struct jc_vec3 direction = jc_posture_direction((enum jc_bone)b);
		struct jc_vec3 axis =
			jc_quat_rotate(jc_bone_reference_rotation((enum jc_bone)b), up);

		if (jc_vec3_length(direction) > 0.0f) {
			assert_float_equal(jc_vec3_dot(direction, axis), 1.0f, 1e-6f);
			count++;
		}
	}
	assert_int_equal(count, 5 + 2 * (1 + 3 + 3 + 2 + 8));
}

static void built_in_figure_is_in_the_t_pose(void **)
{
	struct jc_skeleton *skeleton;
	struct jc_posture posture;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	assert_int_equal(jc_posture_measure(skeleton, &posture), JC_OK);
	assert_int_equal(posture.kind, JC_REST_T);
	assert_true(posture.has_facing);
	assert_false(posture.is_swapped);
	assert_float_equal(posture.turn, 0.0f, 1e-6f);
	/* From its table: head at 1.56, toes at 0.015, hips at 0.96 m. */
	assert_float_equal(posture.head_height, 1.545f, 1e-6f);
	assert_float_equal(posture.feet_level, 0.015f, 1e-6f);
	assert_float_equal(posture.hips.y, 0.96f, 1e-6f);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (posture.bones[b].has_direction) {
			assert_true(posture.bones[b].t_angle <= posture.bones[b].tolerance);
		}
	}
	jc_skeleton_destroy(skeleton);
}

/* An upper arm that hangs by `angle`, corrected by K if is_corrected. */
static void measure_arm(float angle, bool is_corrected, struct jc_posture *out_posture)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	int hips, arm;

	figure_init(&figure);
	hips = figure_add(&figure, "hips", -1, at(0.0f, 1.0f, 0.0f));
	arm = figure_add(&figure, "arm", hips, at(0.2f, 0.4f, 0.0f));
	figure.description.bones[JC_BONE_HIPS] = hips;
	figure.description.bones[JC_BONE_LEFT_UPPER_ARM] = arm;
	figure.description.bones[JC_BONE_LEFT_LOWER_ARM] = figure_add(
		&figure, "elbow", arm, at(0.3f * cosf(angle), -0.3f * sinf(angle), 0.0f));
	if (is_corrected) {
		figure.description.corrections[JC_BONE_LEFT_UPPER_ARM] =
			jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.0f, 1.0f }, angle);
	}
	skeleton = figure_make(&figure);
	assert_int_equal(jc_posture_measure(skeleton, out_posture), JC_OK);
	jc_skeleton_destroy(skeleton);
}

static void arms_distinguish_t_a_and_i_poses(void **)
{
	static const struct {
		float degrees;
		enum jc_rest_kind kind;
	} cases[] = { { 0, JC_REST_T }, { 14, JC_REST_T }, { 16, JC_REST_A }, { 45, JC_REST_A },
		{ 69, JC_REST_A }, { 71, JC_REST_I }, { 95, JC_REST_I }, { -40, JC_REST_OTHER } };
	struct jc_posture posture;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		measure_arm(cases[i].degrees * degree, false, &posture);
		assert_int_equal(posture.kind, cases[i].kind);
	}
	measure_arm(40.0f * degree, false, &posture);
	assert_float_equal(posture.arm_angle, 40.0f * degree, 1e-5f);
	assert_float_equal(posture.bones[JC_BONE_LEFT_UPPER_ARM].length, 0.3f, 1e-6f);
	assert_false(posture.bones[JC_BONE_LEFT_LOWER_ARM].has_direction);
}

static void corrections_change_the_t_pose_and_not_the_rest(void **)
{
	struct jc_posture posture;

	measure_arm(40.0f * degree, true, &posture);
	assert_int_equal(posture.kind, JC_REST_A);
	assert_float_equal(posture.bones[JC_BONE_LEFT_UPPER_ARM].rest_angle, 40.0f * degree, 1e-5f);
	assert_float_equal(posture.bones[JC_BONE_LEFT_UPPER_ARM].t_angle, 0.0f, 1e-5f);
}

static void all_normalised_rotations_are_identity_in_the_t_pose(void **)
{
	uint32_t seed = 17;

	for (int i = 0; i < 20; i++) {
		struct figure figure;
		struct jc_skeleton *skeleton;
		struct jc_transform locals[FIGURE_NODES];
		struct jc_pose pose;

		figure_init_random(&figure, &seed);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			figure.description.offsets[b] = JC_QUAT_IDENTITY;
		}
		skeleton = figure_make(&figure);
		jc_posture_t_pose(skeleton, locals);
		jc_skeleton_normalize(skeleton, locals, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert_true(jc_quat_angle(pose.rotations[b], JC_QUAT_IDENTITY) < 1e-4f);
		}
		jc_skeleton_destroy(skeleton);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reference_directions_match_the_reference_axes),
		cmocka_unit_test(built_in_figure_is_in_the_t_pose),
		cmocka_unit_test(arms_distinguish_t_a_and_i_poses),
		cmocka_unit_test(corrections_change_the_t_pose_and_not_the_rest),
		cmocka_unit_test(all_normalised_rotations_are_identity_in_the_t_pose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
