/* Spines with more joints than bones. Expected values: angles about one axis add up, and
 * a share is the length of the segment relative to the sum. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* From vl5 to vl1 segments of 0.1, 0.2 and 0.2; from vt6 to vc7 0.1 to the joint of the
 * shoulders and 0.1 above it; from vc7 to skullbase 0.03 and 0.09. A Transform of the
 * author turns everything from vl3 upwards. */
static const char figure[] =
	"#X3D V4.0 utf8\nPROFILE Immersive\n"
	"HAnimHumanoid { version \"2.0\" rotation 0 1 0 0.4 skeleton [\n"
	" HAnimJoint { name \"humanoid_root\" center 0 0.9 0 children [\n"
	"  HAnimJoint { name \"l_hip\" center 0.1 0.9 0 }\n"
	"  HAnimJoint { name \"vl5\" center 0 1 0 children [\n"
	"   HAnimJoint { name \"vl4\" center 0 1.1 0 children [\n"
	"    Transform { rotation 0 1 0 0.3 children [\n"
	"     HAnimJoint { name \"vl3\" center 0 1.3 0 children [\n"
	"      HAnimJoint { name \"vl1\" center 0 1.5 0 children [\n"
	"       HAnimJoint { name \"vt6\" center 0 1.6 0 children [\n"
	"        HAnimJoint { name \"vt4\" center 0 1.7 0 children [\n"
	"         HAnimJoint { name \"l_shoulder\" center 0.2 1.7 0 children [\n"
	"          HAnimJoint { name \"l_elbow\" center 0.2 1.4 0 } ] }\n"
	"         HAnimJoint { name \"vt1\" center 0 1.8 0 children [\n"
	"          HAnimJoint { name \"vc7\" center 0 1.9 0 children [\n"
	"           HAnimJoint { name \"vc4\" center 0 1.93 0 children [\n"
	"            HAnimJoint { name \"skullbase\" center 0 2.02 0 }\n"
	"           ] } ] } ] } ] } ] } ] } ] } ] } ] } ] } ] } ] }\n";

/* Chest and neck are on two branches above vl4. */
static const char branches[] = "{\"format\":\"h-anim\",\"nodes\":[{\"name\":\"HumanoidRoot\"},"
			       "{\"name\":\"vl5\",\"parent\":0,\"translation\":[0,0.1,0]},"
			       "{\"name\":\"vl4\",\"parent\":1,\"translation\":[0,0.1,0]},"
			       "{\"name\":\"vl1\",\"parent\":2,\"translation\":[0,0.1,0]},"
			       "{\"name\":\"vc7\",\"parent\":2,\"translation\":[0,0.1,0]}],"
			       "\"bones\":{\"hips\":0,\"spine\":1,\"chest\":3,\"neck\":4}}";

#define NODES_MAX 32

struct spine_test {
	struct jc_skeleton *skeleton;
	struct jc_transform locals[NODES_MAX];
	struct jc_mat4 worlds[NODES_MAX];
};

static int set_up_text(void **state, const char *text)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct spine_test *test = calloc(1, sizeof(*test));

	assert_non_null(test);
	if (jc_skeleton_read(text, strlen(text), 0, NULL, &test->skeleton, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	assert_true(jc_skeleton_node_count(test->skeleton) <= NODES_MAX);
	*state = test;
	return 0;
}

static int set_up(void **state)
{
	return set_up_text(state, figure);
}

static int set_up_branches(void **state)
{
	return set_up_text(state, branches);
}

static int tear_down(void **state)
{
	struct spine_test *test = *state;

	jc_skeleton_destroy(test->skeleton);
	free(test);
	return 0;
}

static size_t find_node(const struct spine_test *test, const char *name)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(test->skeleton);

	for (size_t i = 0; i < jc_skeleton_node_count(test->skeleton); i++) {
		if (strcmp(nodes[i].name, name) == 0) {
			return i;
		}
	}
	fail_msg("there is no '%s'", name);
	return 0;
}

/* R = L^-1 P^-1 N W. */
static void set_locals(struct spine_test *test, const struct jc_quat normalised[JC_BONE_COUNT])
{
	const struct jc_skeleton *skeleton = test->skeleton;
	struct jc_skeleton_pose pose = { .hips_translation = { 0.0f, 0.0f, 0.0f } };

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		struct jc_quat before;

		pose.rotations[b] = JC_QUAT_IDENTITY;
		if (node < 0) {
			continue;
		}
		before = jc_quat_multiply(jc_skeleton_parent_t_pose(skeleton, (enum jc_bone)b),
			jc_skeleton_nodes(skeleton)[node].rest.rotation);
		pose.rotations[b] = jc_quat_multiply(jc_quat_conjugate(before),
			jc_quat_multiply(
				normalised[b], jc_skeleton_t_pose(skeleton, (enum jc_bone)b)));
	}
	jc_skeleton_locals(skeleton, &pose, test->locals);
}

static void bend(struct jc_quat normalised[JC_BONE_COUNT], enum jc_bone bone, float radians)
{
	const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		normalised[b] = JC_QUAT_IDENTITY;
	}
	normalised[bone] = jc_quat_from_axis_angle(left, radians);
}

static double bent(const struct spine_test *test, const char *name)
{
	size_t node = find_node(test, name);

	return (double)jc_quat_angle(
		test->locals[node].rotation, jc_skeleton_nodes(test->skeleton)[node].rest.rotation);
}

static void each_vertebra_turns_by_its_share_of_the_length(void **state)
{
	struct spine_test *test = *state;
	struct jc_quat normalised[JC_BONE_COUNT];

	bend(normalised, JC_BONE_SPINE, 1.0f);
	set_locals(test, normalised);
	assert_float_equal(bent(test, "vl5"), 1.0, 1e-5);
	jc_skeleton_split_spine(test->skeleton, test->locals);
	assert_float_equal(bent(test, "vl5"), 0.2, 1e-5);
	assert_float_equal(bent(test, "vl4"), 0.4, 1e-5);
	assert_float_equal(bent(test, "vl3"), 0.4, 1e-5);
	assert_float_equal(bent(test, "vl1"), 0.0, 1e-5);

	bend(normalised, JC_BONE_NECK, 0.8f);
	set_locals(test, normalised);
	jc_skeleton_split_spine(test->skeleton, test->locals);
	assert_float_equal(bent(test, "vc7"), 0.2, 1e-5);
	assert_float_equal(bent(test, "vc4"), 0.6, 1e-5);
}

/* vt1 is above the shoulders, so its share would not reach them. */
static void joints_above_a_branch_get_no_share(void **state)
{
	struct spine_test *test = *state;
	struct jc_quat normalised[JC_BONE_COUNT];

	bend(normalised, JC_BONE_UPPER_CHEST, 1.0f);
	set_locals(test, normalised);
	jc_skeleton_split_spine(test->skeleton, test->locals);
	assert_float_equal(bent(test, "vt6"), 0.5, 1e-5);
	assert_float_equal(bent(test, "vt4"), 0.5, 1e-5);
	assert_float_equal(bent(test, "vt1"), 0.0, 1e-5);
}

static void two_bones_above_one_share_its_rotation_once(void **state)
{
	struct spine_test *test = *state;
	struct jc_quat normalised[JC_BONE_COUNT];

	bend(normalised, JC_BONE_SPINE, 1.0f);
	set_locals(test, normalised);
	jc_skeleton_split_spine(test->skeleton, test->locals);
	assert_float_equal(bent(test, "vl5"), 0.5, 1e-5);
	assert_float_equal(bent(test, "vl4"), 0.5, 1e-5);
}

/* The rotations are about the left axis of the figure, whatever that is in the axes of
 * the file: a world rotation turns by the same angle about that axis. */
static void vertebrae_turn_about_the_same_axis(void **state)
{
	struct spine_test *test = *state;
	struct jc_quat normalised[JC_BONE_COUNT];
	const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
	struct jc_vec3 axis = jc_quat_rotate(jc_skeleton_facing(test->skeleton), left);
	size_t vl3 = find_node(test, "vl3");
	struct jc_vec3 offset, expected;
	const struct jc_mat4 *rest = jc_skeleton_rest_worlds(test->skeleton);

	bend(normalised, JC_BONE_SPINE, 1.0f);
	set_locals(test, normalised);
	jc_skeleton_split_spine(test->skeleton, test->locals);
	jc_skeleton_worlds(test->skeleton, test->locals, test->worlds);
	/* vl3 is 0.2 above vl4, which has turned by 0.6 in total. */
	offset = jc_vec3_subtract(jc_mat4_translation(test->worlds[vl3]),
		jc_mat4_translation(test->worlds[find_node(test, "vl4")]));
	expected = jc_quat_rotate(jc_quat_from_axis_angle(axis, 0.6f),
		jc_vec3_subtract(jc_mat4_translation(rest[vl3]),
			jc_mat4_translation(rest[find_node(test, "vl4")])));
	assert_float_equal(jc_vec3_length(jc_vec3_subtract(offset, expected)), 0.0, 1e-6);
}

/* Fixed seed. */
static float next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (float)(*seed >> 8) / (float)(1u << 23) - 1.0f;
}

static void normalizing_sums_the_shares(void **state)
{
	const double hundredth_degree = 1.7453e-4;
	struct spine_test *test = *state;
	uint32_t seed = 7;

	for (int i = 0; i < 1000; i++) {
		struct jc_quat normalised[JC_BONE_COUNT];
		struct jc_pose pose;

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			normalised[b] = jc_quat_normalize((struct jc_quat){ next_random(&seed),
				next_random(&seed), next_random(&seed), next_random(&seed) });
		}
		set_locals(test, normalised);
		jc_skeleton_split_spine(test->skeleton, test->locals);
		jc_skeleton_normalize(test->skeleton, test->locals, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			if (pose.states[b] == JC_TRACKED) {
				assert_float_equal(jc_quat_angle(pose.rotations[b], normalised[b]),
					0.0, hundredth_degree);
			}
		}
	}
}

static void a_descriptor_keeps_its_vertebrae(void **state)
{
	struct spine_test *test = *state;
	struct jc_skeleton *again;
	struct jc_quat normalised[JC_BONE_COUNT];
	char *json;

	assert_int_equal(jc_skeleton_write_descriptor(test->skeleton, &json), JC_OK);
	assert_int_equal(jc_skeleton_read(json, strlen(json), 0, NULL, &again, NULL, NULL), JC_OK);
	free(json);
	jc_skeleton_destroy(test->skeleton);
	test->skeleton = again;
	bend(normalised, JC_BONE_SPINE, 1.0f);
	set_locals(test, normalised);
	jc_skeleton_split_spine(test->skeleton, test->locals);
	assert_float_equal(bent(test, "vl4"), 0.4, 1e-5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			each_vertebra_turns_by_its_share_of_the_length, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			joints_above_a_branch_get_no_share, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			two_bones_above_one_share_its_rotation_once, set_up_branches, tear_down),
		cmocka_unit_test_setup_teardown(
			vertebrae_turn_about_the_same_axis, set_up, tear_down),
		cmocka_unit_test_setup_teardown(normalizing_sums_the_shares, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_descriptor_keeps_its_vertebrae, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
