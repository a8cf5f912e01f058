/* Limits of H-Anim joints. Expected values: rotations about one axis, whose rotation
 * vector is the angle along it. */
#include <math.h>
#include <string.h>

#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* Nodes: 0 the humanoid, 1 root (no limits), 2 hip (y locked), 3 knee (axes turned by a
 * right angle about z, so that its x is the figure's y). */
static const char figure[] =
	"#X3D V4.0 utf8\nPROFILE Immersive\nHAnimHumanoid { skeleton [\n"
	" HAnimJoint { name \"humanoid_root\" ulimit [ 0 0 0 ] llimit [ 0 0 0 ] children [\n"
	"  HAnimJoint { name \"l_hip\" center 0.1 0.9 0 ulimit [ 1 0 0.5 ] llimit [ -2 0 -0.5 ]\n"
	"   children [ HAnimJoint { name \"l_knee\" center 0.1 0.5 0\n"
	"    limitOrientation 0 0 1 1.5707963267948966 ulimit [ 0.25 1 1 ] llimit [ 0 -1 -1 ]\n"
	"   } ] } ] } ] }\n";

enum { ROOT = 1, HIP, KNEE, NODES };

static const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f }, y = { 0.0f, 1.0f, 0.0f },
			    z = { 0.0f, 0.0f, 1.0f };

static int set_up(void **state)
{
	struct jc_skeleton *skeleton;
	struct jc_diagnostic diagnostic = { .what = "" };

	if (jc_skeleton_read(figure, strlen(figure), 0, NULL, &skeleton, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	assert_int_equal(jc_skeleton_node_count(skeleton), NODES);
	*state = skeleton;
	return 0;
}

static int tear_down(void **state)
{
	jc_skeleton_destroy(*state);
	return 0;
}

/* The figure at rest except for one joint. */
static void turn_one(const struct jc_skeleton *skeleton, int node, struct jc_vec3 axis,
	float radians, struct jc_transform out_locals[NODES])
{
	for (size_t i = 0; i < NODES; i++) {
		out_locals[i] = jc_skeleton_nodes(skeleton)[i].rest;
	}
	out_locals[node].rotation = jc_quat_from_axis_angle(axis, radians);
}

static void assert_clamped(const struct jc_skeleton *skeleton, int node, struct jc_vec3 axis,
	float radians, float expected)
{
	struct jc_transform locals[NODES];
	size_t past = radians == expected ? 0 : 1;

	turn_one(skeleton, node, axis, radians, locals);
	assert_int_equal(jc_skeleton_count_past_limits(skeleton, locals), past);
	assert_int_equal(jc_skeleton_clamp_to_limits(skeleton, locals), past);
	assert_float_equal(
		jc_quat_angle(locals[node].rotation, jc_quat_from_axis_angle(axis, expected)), 0.0,
		1e-6);
	assert_int_equal(jc_skeleton_count_past_limits(skeleton, locals), 0);
}

static void clamps_rotations_outside_their_limits(void **state)
{
	assert_clamped(*state, HIP, x, 0.9f, 0.9f);
	assert_clamped(*state, HIP, x, 1.1f, 1.0f);
	assert_clamped(*state, HIP, x, -2.5f, -2.0f);
	assert_clamped(*state, HIP, z, -0.7f, -0.5f);
}

static void two_zeros_lock_an_axis(void **state)
{
	assert_clamped(*state, HIP, y, 0.3f, 0.0f);
}

static void six_zeros_mean_no_limit(void **state)
{
	assert_int_equal(jc_skeleton_limit_count(*state), 2);
	assert_clamped(*state, ROOT, y, 3.0f, 3.0f);
}

static void limits_use_their_own_axes(void **state)
{
	assert_clamped(*state, KNEE, y, 0.2f, 0.2f);
	assert_clamped(*state, KNEE, y, 0.4f, 0.25f);
	assert_clamped(*state, KNEE, y, -0.1f, 0.0f);
	assert_clamped(*state, KNEE, x, 0.9f, 0.9f);
}

/* A rotation about an oblique axis: its vector (1.2, 0, 0.9) is clamped to (1, 0, 0.5). */
static void clamps_each_axis_separately(void **state)
{
	const struct jc_vec3 slanted = { 0.8f, 0.0f, 0.6f };
	struct jc_vec3 left = { 1.0f, 0.0f, 0.5f };
	struct jc_transform locals[NODES];
	float size = sqrtf(1.25f);

	turn_one(*state, HIP, slanted, 1.5f, locals);
	assert_int_equal(jc_skeleton_clamp_to_limits(*state, locals), 1);
	assert_float_equal(jc_quat_angle(locals[HIP].rotation,
				   jc_quat_from_axis_angle(jc_vec3_scale(left, 1.0f / size), size)),
		0.0, 1e-6);
}

/* A joint whose stiffness alone is known may turn as far as it can. */
static void stiffness_alone_limits_nothing(void **)
{
	static const char stiff[] =
		"#X3D V4.0 utf8\nPROFILE Immersive\nHAnimHumanoid { skeleton [\n"
		" HAnimJoint { name \"humanoid_root\" stiffness [ 1 1 1 ] children [\n"
		"  HAnimJoint { name \"l_hip\" center 0.1 0.9 0 ulimit [ 1 0 0 ] } ] } ] }\n";
	struct jc_transform locals[3];
	struct jc_skeleton *skeleton;

	assert_int_equal(
		jc_skeleton_read(stiff, strlen(stiff), 0, NULL, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_limit_count(skeleton), 2);
	assert_int_equal(jc_skeleton_range_count(skeleton), 1);
	for (int node = 0; node < 3; node++) {
		locals[node] = jc_skeleton_nodes(skeleton)[node].rest;
	}
	locals[1].rotation = jc_quat_from_axis_angle(x, 2.0f);
	assert_int_equal(jc_skeleton_count_past_limits(skeleton, locals), 0);
	assert_int_equal(jc_skeleton_clamp_to_limits(skeleton, locals), 0);
	locals[2].rotation = jc_quat_from_axis_angle(x, 2.0f);
	assert_int_equal(jc_skeleton_clamp_to_limits(skeleton, locals), 1);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clamps_rotations_outside_their_limits),
		cmocka_unit_test(two_zeros_lock_an_axis),
		cmocka_unit_test(six_zeros_mean_no_limit),
		cmocka_unit_test(limits_use_their_own_axes),
		cmocka_unit_test(clamps_each_axis_separately),
		cmocka_unit_test(stiffness_alone_limits_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
