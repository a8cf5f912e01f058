/* A motion of known turns on a figure with known limits. The shin bends by 60
 * degrees about +X, its limit is 45; the hips turn about +Y by 40 degrees a frame
 * and stand, in the first frame, 0.1 aside, 0.2 up and 0.3 ahead of rest, all over a
 * height of 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/fitting.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define DEGREE 0.017453292519943295f
#define FRAMES 28 /* three whole turns */

static const char head[] =
	"HIERARCHY\nROOT Hips\n{\nOFFSET 0 100 0\nCHANNELS 6 Xposition Yposition Zposition "
	"Yrotation Xrotation Zrotation\n"
	"JOINT LeftUpLeg\n{\nOFFSET 10 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
	"JOINT LeftLeg\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
	"JOINT LeftFoot\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
	"End Site\n{\nOFFSET 0 0 10\n}\n}\n}\n}\n"
	"JOINT RightUpLeg\n{\nOFFSET -10 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
	"JOINT RightLeg\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
	"JOINT RightFoot\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
	"End Site\n{\nOFFSET 0 0 10\n}\n}\n}\n}\n}\nMOTION\nFrames: 28\nFrame Time: 0.1\n";

enum { HIPS, THIGH, SHIN, NODES };

struct stage {
	struct jc_motion *motion;
	struct jc_skeleton *skeleton;
};

static struct jc_motion *make_motion(void)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion;
	char text[8192];
	size_t at = (size_t)snprintf(text, sizeof(text), "%s", head);

	for (int i = 0; i < FRAMES; i++) {
		at += (size_t)snprintf(text + at, sizeof(text) - at,
			"10 %d 30 %d 0 0  0 0 0  0 0 60  0 0 0  0 0 0  0 0 0  0 0 0\n",
			i == 0 ? 120 : 100, 40 * i);
	}
	if (jc_motion_read(text, at, 0, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return motion;
}

/* One leg, hips 2 m high, no foot. */
static struct jc_skeleton *make_skeleton(void)
{
	struct jc_skeleton_node nodes[NODES] = {
		{ "hips", -1, JC_TRANSFORM_IDENTITY },
		{ "thigh", HIPS, JC_TRANSFORM_IDENTITY },
		{ "shin", THIGH, JC_TRANSFORM_IDENTITY },
	};
	struct jc_joint_limit limit = {
		.node = SHIN, .upper = { 45 * DEGREE, 0, 0 }, .orientation = { 0, 0, 0, 1 }
	};
	struct jc_skeleton_description description;
	struct jc_skeleton *skeleton;

	nodes[HIPS].rest.translation.y = 2.0f;
	nodes[THIGH].rest.translation.x = 0.1f;
	nodes[SHIN].rest.translation.y = -1.0f;
	jc_skeleton_description_init(&description);
	description.node_count = NODES;
	description.nodes = nodes;
	description.bones[JC_BONE_HIPS] = HIPS;
	description.bones[JC_BONE_LEFT_UPPER_LEG] = THIGH;
	description.bones[JC_BONE_LEFT_LOWER_LEG] = SHIN;
	description.limit_count = 1;
	description.limits = &limit;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	return skeleton;
}

static int set_up(void **state)
{
	static struct stage stage;

	stage.motion = make_motion();
	stage.skeleton = make_skeleton();
	*state = &stage;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *stage = *state;

	jc_motion_destroy(stage->motion);
	jc_skeleton_destroy(stage->skeleton);
	return 0;
}

/* The fitting at time 0. */
static struct jc_fitting fit(const struct stage *stage, const struct jc_fitting_options *options)
{
	struct jc_fitting fitting;

	assert_int_equal(jc_fitting_init(&fitting, stage->motion, stage->skeleton, options), JC_OK);
	jc_fitting_pose(&fitting, 0.0);
	return fitting;
}

static void assert_shin(const struct jc_fitting *fitting, float degrees)
{
	struct jc_quat expected =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, degrees * DEGREE);

	assert_float_equal(jc_quat_angle(fitting->locals[SHIN].rotation, expected), 0, 1e-5f);
}

static void limits_are_counted_enforced_or_ignored(void **state)
{
	static const struct {
		enum jc_limits limits;
		size_t past, clamped;
		float degrees;
	} cases[] = {
		{ JC_LIMITS_COUNTED, 1, 0, 60 },
		{ JC_LIMITS_KEPT, 1, 1, 45 },
		{ JC_LIMITS_OFF, 0, 0, 60 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_fitting_options options = JC_FITTING_DEFAULTS;
		struct jc_fitting fitting;

		options.limits = cases[i].limits;
		fitting = fit(*state, &options);
		assert_int_equal(fitting.past_limits, cases[i].past);
		assert_int_equal(fitting.clamped, cases[i].clamped);
		assert_shin(&fitting, cases[i].degrees);
		/* The requested rotation is still reported. */
		assert_float_equal(
			2 * acosf(jc_fitting_normalized(&fitting, JC_BONE_LEFT_LOWER_LEG).w),
			60 * DEGREE, 1e-4f);
		jc_fitting_finish(&fitting);
	}
}

/* 0.1, 0.2, 0.3 of 1 m are 0.2, 0.4, 0.6 of 2 m. */
static void scales_hips_horizontally_and_vertically_apart(void **state)
{
	struct jc_fitting_options options = JC_FITTING_DEFAULTS;
	struct jc_fitting fitting = fit(*state, &options);
	struct jc_vec3 p = fitting.locals[HIPS].translation;

	assert_float_equal(p.x, 0.2f, 1e-5f);
	assert_float_equal(p.y, 2.4f, 1e-5f);
	assert_float_equal(p.z, 0.6f, 1e-5f);
	jc_fitting_finish(&fitting);
	options.horizontal = 0.5f;
	options.vertical = 3.0f;
	fitting = fit(*state, &options);
	p = fitting.locals[HIPS].translation;
	assert_float_equal(p.x, 0.1f, 1e-5f);
	assert_float_equal(p.y, 3.2f, 1e-5f);
	assert_float_equal(p.z, 0.3f, 1e-5f);
	jc_fitting_finish(&fitting);
}

static float dot(struct jc_quat a, struct jc_quat b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* 40 degrees on: half of that between the quaternions. */
static void quaternion_signs_follow_the_previous_frame(void **state)
{
	struct stage *stage = *state;
	struct jc_fitting fitting = fit(stage, &JC_FITTING_DEFAULTS);
	struct jc_quat local = fitting.locals[HIPS].rotation;
	struct jc_quat normalized = jc_fitting_normalized(&fitting, JC_BONE_HIPS);
	struct jc_quat world;

	assert_true(jc_fitting_world_rotation(&fitting, SHIN, &world));
	for (int i = 1; i < FRAMES; i++) {
		struct jc_quat q = world;

		jc_fitting_pose(&fitting, 0.1 * i);
		assert_float_equal(
			dot(local, fitting.locals[HIPS].rotation), cosf(20 * DEGREE), 1e-5f);
		assert_float_equal(dot(normalized, jc_fitting_normalized(&fitting, JC_BONE_HIPS)),
			cosf(20 * DEGREE), 1e-5f);
		assert_true(jc_fitting_world_rotation(&fitting, SHIN, &world));
		assert_true(dot(q, world) > 0.9f);
		local = fitting.locals[HIPS].rotation;
		normalized = jc_fitting_normalized(&fitting, JC_BONE_HIPS);
	}
	jc_fitting_finish(&fitting);
}

/* A spine of ten vertebrae with a branch, unequal segments, and a turned node of the author. */
static const char spine[] =
	"{\"format\":\"h-anim\",\"nodes\":[{\"name\":\"root\",\"translation\":[0,0.9,0]},"
	"{\"name\":\"vl5\",\"parent\":0,\"translation\":[0,0.1,0]},"
	"{\"name\":\"vl4\",\"parent\":1,\"translation\":[0,0.03,0.01]},"
	"{\"name\":\"own\",\"parent\":2,\"rotation\":[0,0.6,0,0.8]},"
	"{\"name\":\"vl3\",\"parent\":3,\"translation\":[0,0.05,0]},"
	"{\"name\":\"vl1\",\"parent\":4,\"translation\":[0,0.04,0]},"
	"{\"name\":\"vt6\",\"parent\":5,\"translation\":[0,0.2,0]},"
	"{\"name\":\"vt4\",\"parent\":6,\"translation\":[0,0.05,0]},"
	"{\"name\":\"l_shoulder\",\"parent\":7,\"translation\":[0.2,0,0]},"
	"{\"name\":\"vt1\",\"parent\":7,\"translation\":[0,0.06,0]},"
	"{\"name\":\"vc7\",\"parent\":9,\"translation\":[0,0.03,0]},"
	"{\"name\":\"vc4\",\"parent\":10,\"translation\":[0,0.04,0]},"
	"{\"name\":\"skullbase\",\"parent\":11,\"translation\":[0,0.06,0]}],"
	"\"bones\":{\"hips\":0,\"spine\":1,\"chest\":5,\"upperChest\":6,"
	"\"leftUpperArm\":8,\"neck\":10,\"head\":12},"
	"\"offsets\":{\"spine\":[0,0,0.28,0.96]}}";

#define SPINE_NODES 13

/* What a receiver computes from N and the hips of a packet, before they are rounded. */
static void receive(const struct jc_fitting *fitting, struct jc_mat4 worlds[SPINE_NODES],
	struct jc_transform locals[SPINE_NODES])
{
	struct jc_quat normalized[JC_BONE_COUNT];
	struct jc_skeleton_pose pose = { .hips_translation = fitting->pose.hips_translation };

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		bool is_there = jc_skeleton_bone_node(fitting->skeleton, (enum jc_bone)b) >= 0;

		normalized[b] = is_there ? jc_fitting_normalized(fitting, (enum jc_bone)b)
					 : JC_QUAT_IDENTITY;
	}
	jc_skeleton_relative(fitting->skeleton, normalized, pose.rotations);
	jc_skeleton_locals(fitting->skeleton, &pose, locals);
	jc_skeleton_split_spine(fitting->skeleton, locals);
	jc_skeleton_worlds(fitting->skeleton, locals, worlds);
}

static void receiver_bends_each_vertebra_as_the_tool_does(void **)
{
	struct jc_transform locals[SPINE_NODES];
	struct jc_mat4 worlds[SPINE_NODES];
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;
	struct jc_fitting fitting;
	float bent = 0.0f;

	assert_int_equal(
		jc_skeleton_read(spine, strlen(spine), 0, NULL, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_node_count(skeleton), SPINE_NODES);
	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	assert_int_equal(jc_fitting_init(&fitting, motion, skeleton, &JC_FITTING_DEFAULTS), JC_OK);
	for (int frame = 0; frame < 20; frame++) {
		jc_fitting_pose(&fitting, 0.1 * frame);
		receive(&fitting, worlds, locals);
		for (int i = 0; i < SPINE_NODES; i++) {
			assert_float_equal(
				jc_quat_angle(locals[i].rotation, fitting.locals[i].rotation), 0.0f,
				1e-5f);
			assert_float_equal(
				jc_vec3_length(jc_vec3_subtract(jc_mat4_translation(worlds[i]),
					jc_mat4_translation(fitting.worlds[i]))),
				0.0f, 1e-5f);
		}
		/* vl3 is no bone, but bends. */
		bent = fmaxf(bent, jc_quat_angle(locals[4].rotation,
					   jc_skeleton_nodes(skeleton)[4].rest.rotation));
	}
	assert_true(bent > DEGREE);
	jc_fitting_finish(&fitting);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			limits_are_counted_enforced_or_ignored, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			scales_hips_horizontally_and_vertically_apart, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			quaternion_signs_follow_the_previous_frame, set_up, tear_down),
		cmocka_unit_test(receiver_bends_each_vertebra_as_the_tool_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
