/* Contacts of feet on other figures. Positions come from nodes, which the stage does not use. */
#include <math.h>
#include <string.h>

#include "jointcast/contacts.h"
#include "jointcast/fitting.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define RATE   60.0
#define DEGREE 0.017453292519943295f

/* Sizes of a figure relative to the built-in one. */
struct proportions {
	float thigh, shin, foot, trunk;
	float knee_limit; /* degrees; 0: none */
	float knock;      /* metres that the knees stand inwards of hips and ankles */
};

static const struct proportions short_legs = { .thigh = 0.6f, 0.5f, 0.8f, 1.0f };
static const struct proportions long_legs = { .thigh = 1.2f, 1.5f, 1.4f, 0.8f };
static const struct proportions stiff_knees = {
	.thigh = 0.7f, 0.5f, 0.8f, 1.0f, .knee_limit = 20.0f
};
static const struct proportions knock_knees = { .thigh = 0.9f, 0.9f, 0.9f, 1.0f, .knock = 0.05f };

static float size_of(const struct proportions *proportions, enum jc_bone bone)
{
	switch (jc_bone_left_of(bone)) {
	case JC_BONE_LEFT_LOWER_LEG:
		return proportions->thigh;
	case JC_BONE_LEFT_FOOT:
		return proportions->shin;
	case JC_BONE_LEFT_TOES:
		return proportions->foot;
	default:
		return proportions->trunk;
	}
}

/* The built-in figure with other lengths, on the ground. */
static struct jc_skeleton *make_figure(const struct proportions *proportions)
{
	struct jc_skeleton_node nodes[JC_BONE_COUNT];
	struct jc_joint_limit limits[2] = { 0 };
	struct jc_skeleton_description description;
	struct jc_skeleton *skeleton;
	float leg = 0.0f;

	jc_skeleton_description_init(&description);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b, parent = jc_bone_parent(bone);
		struct jc_vec3 at = jc_bone_rest_position(bone);

		nodes[b] = (struct jc_skeleton_node){ jc_bone_name(bone),
			parent == JC_BONE_NONE ? -1 : (int)parent, JC_TRANSFORM_IDENTITY };
		if (parent != JC_BONE_NONE) {
			at = jc_vec3_scale(jc_vec3_subtract(at, jc_bone_rest_position(parent)),
				size_of(proportions, bone));
		}
		nodes[b].rest.translation = at;
		description.bones[b] = b;
	}
	for (int b = JC_BONE_LEFT_TOES; b != JC_BONE_HIPS;
		b = (int)jc_bone_parent((enum jc_bone)b)) {
		leg -= nodes[b].rest.translation.y;
	}
	nodes[JC_BONE_HIPS].rest.translation.y = leg + jc_bone_rest_position(JC_BONE_LEFT_TOES).y;
	nodes[JC_BONE_LEFT_LOWER_LEG].rest.translation.x -= proportions->knock;
	nodes[JC_BONE_LEFT_FOOT].rest.translation.x += proportions->knock;
	nodes[JC_BONE_RIGHT_LOWER_LEG].rest.translation.x += proportions->knock;
	nodes[JC_BONE_RIGHT_FOOT].rest.translation.x -= proportions->knock;
	for (int side = 0; side < 2; side++) {
		limits[side] = (struct jc_joint_limit){
			.node = side ? JC_BONE_RIGHT_LOWER_LEG : JC_BONE_LEFT_LOWER_LEG,
			.upper = { proportions->knee_limit * DEGREE, 0.0f, 0.0f },
			.orientation = JC_QUAT_IDENTITY,
		};
	}
	description.node_count = JC_BONE_COUNT;
	description.nodes = nodes;
	description.limits = limits;
	description.limit_count = proportions->knee_limit > 0.0f ? 2 : 0;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	return skeleton;
}

static struct jc_fitting fit(
	const struct jc_motion *motion, const struct jc_skeleton *skeleton, bool contacts)
{
	struct jc_fitting_options options = JC_FITTING_DEFAULTS;
	struct jc_fitting fitting;

	options.contacts = contacts;
	assert_int_equal(jc_fitting_init(&fitting, motion, skeleton, &options), JC_OK);
	return fitting;
}

static struct jc_vec3 place_of(const struct jc_fitting *fitting, enum jc_bone bone)
{
	return jc_mat4_translation(fitting->worlds[bone]);
}

static float slide(struct jc_vec3 a, struct jc_vec3 b)
{
	return hypotf(a.x - b.x, a.z - b.z);
}

/* How far the balls of the feet slide on the figure while those of the source stand; all three
 * figures walk the same motion. */
struct slides {
	float source, exact, kept;
	size_t steps;
};

static struct slides measure_slides(const struct proportions *proportions)
{
	static const enum jc_bone balls[2] = { JC_BONE_LEFT_TOES, JC_BONE_RIGHT_TOES };
	struct jc_skeleton *skeleton = make_figure(proportions), *builtin;
	struct slides slides = { 0 };
	struct jc_vec3 past[3][2] = { 0 };
	struct jc_fitting fittings[3];
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	assert_int_equal(jc_skeleton_create_builtin(&builtin), JC_OK);
	fittings[0] = fit(motion, builtin, false);
	fittings[1] = fit(motion, skeleton, false);
	fittings[2] = fit(motion, skeleton, true);
	for (int frame = 0; frame < 180; frame++) {
		for (int f = 0; f < 3; f++) {
			jc_fitting_pose(&fittings[f], frame / RATE);
		}
		for (int side = 0; side < 2; side++) {
			struct jc_vec3 at[3];
			float level;

			for (int f = 0; f < 3; f++) {
				at[f] = place_of(&fittings[f], balls[side]);
			}
			level = at[0].y - jc_bone_rest_position(balls[side]).y;
			if (frame > 0 && level < 0.01f && slide(at[0], past[0][side]) < 0.001f) {
				slides.source += slide(at[0], past[0][side]);
				slides.exact += slide(at[1], past[1][side]);
				slides.kept += slide(at[2], past[2][side]);
				slides.steps++;
			}
			for (int f = 0; f < 3; f++) {
				past[f][side] = at[f];
			}
		}
	}
	for (int f = 0; f < 3; f++) {
		jc_fitting_finish(&fittings[f]);
	}
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
	jc_skeleton_destroy(builtin);
	return slides;
}

static void a_standing_foot_stands_on_short_legs(void **state)
{
	struct slides slides = measure_slides(&short_legs);

	(void)state;
	assert_true(slides.steps > 50);
	assert_true(slides.exact > 0.0005f * (float)slides.steps);
	assert_true(slides.kept < slides.source + 0.0001f * (float)slides.steps);
}

static void a_standing_foot_stands_on_long_legs(void **state)
{
	struct slides slides = measure_slides(&long_legs);

	(void)state;
	assert_true(slides.exact > 0.001f * (float)slides.steps);
	assert_true(slides.kept < 1.5f * slides.source + 0.0003f * (float)slides.steps);
}

/* A crouch and back up in two seconds: knees bend by 120 degrees, thighs by 60, and the hips sink
 * so that the feet of the built-in figure stand. */
static void crouch(float phase, struct jc_pose *out_pose)
{
	static const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f };
	float bend = 60.0f * DEGREE * 0.5f * (1.0f - cosf(2.0f * 3.14159265f * phase));
	struct jc_vec3 hip = jc_bone_rest_position(JC_BONE_LEFT_UPPER_LEG);
	struct jc_vec3 knee = jc_bone_rest_position(JC_BONE_LEFT_LOWER_LEG);
	struct jc_vec3 ankle = jc_bone_rest_position(JC_BONE_LEFT_FOOT);
	struct jc_quat thigh = jc_quat_from_axis_angle(x, -bend);
	struct jc_quat shin = jc_quat_from_axis_angle(x, bend);
	struct jc_vec3 moved;

	jc_pose_init(out_pose);
	for (int side = 0; side < 2; side++) {
		out_pose->rotations[side ? JC_BONE_RIGHT_UPPER_LEG : JC_BONE_LEFT_UPPER_LEG] =
			thigh;
		out_pose->rotations[side ? JC_BONE_RIGHT_LOWER_LEG : JC_BONE_LEFT_LOWER_LEG] =
			jc_quat_multiply(shin, shin);
		out_pose->rotations[side ? JC_BONE_RIGHT_FOOT : JC_BONE_LEFT_FOOT] = thigh;
	}
	moved = jc_vec3_add(jc_quat_displace(thigh, jc_vec3_subtract(knee, hip)),
		jc_quat_displace(shin, jc_vec3_subtract(ankle, knee)));
	out_pose->hips_translation =
		jc_vec3_scale(moved, -1.0f / (jc_bone_rest_position(JC_BONE_HIPS).y -
						     jc_bone_rest_position(JC_BONE_LEFT_TOES).y));
}

/* One figure that keeps contacts of poses. */
struct keeper {
	struct jc_skeleton *skeleton;
	struct jc_retargeter *retargeter;
	struct jc_contacts *contacts;
	struct jc_skeleton_pose exact, kept; /* rotations are N until keep returns */
	struct jc_transform locals[JC_BONE_COUNT];
	struct jc_mat4 worlds[JC_BONE_COUNT];
	bool changed;
};

static void scale_hips(struct keeper *keeper)
{
	float stride = jc_contacts_stride(keeper->contacts);

	jc_retargeter_scale_hips(keeper->retargeter, stride, stride);
}

static void keeper_init(struct keeper *keeper, const struct proportions *proportions)
{
	keeper->skeleton = make_figure(proportions);
	assert_int_equal(jc_retargeter_create(keeper->skeleton, &keeper->retargeter), JC_OK);
	assert_int_equal(jc_contacts_create(NULL, keeper->skeleton, &keeper->contacts), JC_OK);
	scale_hips(keeper);
}

static void keeper_finish(struct keeper *keeper)
{
	jc_contacts_destroy(keeper->contacts);
	jc_retargeter_destroy(keeper->retargeter);
	jc_skeleton_destroy(keeper->skeleton);
}

static void fold(struct keeper *keeper, const struct jc_pose *pose)
{
	jc_retargeter_fold(keeper->retargeter, pose, keeper->exact.rotations, keeper->exact.states,
		&keeper->exact.hips_translation);
}

static void keep(struct keeper *keeper, const struct jc_pose *pose)
{
	fold(keeper, pose);
	keeper->kept = keeper->exact;
	keeper->changed = jc_contacts_keep(keeper->contacts, pose, 1.0 / RATE,
		keeper->kept.rotations, &keeper->kept.hips_translation);
}

static void stand(struct keeper *keeper, const struct jc_skeleton_pose *folded)
{
	struct jc_skeleton_pose pose = *folded;

	jc_retargeter_relate(keeper->retargeter, pose.rotations);
	jc_skeleton_locals(keeper->skeleton, &pose, keeper->locals);
	jc_skeleton_worlds(keeper->skeleton, keeper->locals, keeper->worlds);
}

/* Height of a joint of the left leg over where it stands. */
static float height_of(
	struct keeper *keeper, const struct jc_skeleton_pose *pose, enum jc_bone joint)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(keeper->skeleton);
	float level = nodes[JC_BONE_HIPS].rest.translation.y;

	stand(keeper, pose);
	for (enum jc_bone b = joint; b != JC_BONE_HIPS; b = jc_bone_parent(b)) {
		level += nodes[b].rest.translation.y;
	}
	return jc_mat4_translation(keeper->worlds[joint]).y - level;
}

static void feet_neither_sink_nor_float_in_a_crouch(void **state)
{
	const struct proportions *figures[2] = { &short_legs, &long_legs };

	(void)state;
	for (int f = 0; f < 2; f++) {
		float farthest = 0.0f;
		struct keeper keeper;
		struct jc_pose pose;

		keeper_init(&keeper, figures[f]);
		for (int i = 0; i < 120; i++) {
			crouch((float)i / 120.0f, &pose);
			keep(&keeper, &pose);
			assert_float_equal(
				height_of(&keeper, &keeper.kept, JC_BONE_LEFT_TOES), 0.0f, 0.003f);
			jc_retargeter_scale_hips(keeper.retargeter, 1.0f, 1.0f);
			fold(&keeper, &pose);
			farthest = fmaxf(farthest,
				fabsf(height_of(&keeper, &keeper.exact, JC_BONE_LEFT_TOES)));
			scale_hips(&keeper);
		}
		assert_true(farthest > 0.01f);
		keeper_finish(&keeper);
	}
}

/* Knees that stand inwards bend forward as others do. */
static void a_knee_only_turns_about_its_hinge(void **state)
{
	struct keeper keeper;
	struct jc_pose pose;

	(void)state;
	keeper_init(&keeper, &knock_knees);
	jc_pose_init(&pose);
	for (int i = 0; i < 40; i++) {
		struct jc_quat knee;

		pose.hips_translation.y = -0.001f * (float)i;
		keep(&keeper, &pose);
		knee = keeper.kept.rotations[JC_BONE_LEFT_LOWER_LEG];
		assert_true(knee.x >= 0.0f && fabsf(knee.y) + fabsf(knee.z) < 1e-3f);
		assert_float_equal(
			height_of(&keeper, &keeper.kept, JC_BONE_LEFT_TOES), 0.0f, 0.003f);
	}
	assert_true(keeper.kept.rotations[JC_BONE_LEFT_LOWER_LEG].x > 0.1f);
	keeper_finish(&keeper);
}

/* The ball of the source is 5 % of the hips height below the ground, its ankle stands. */
static void a_ball_below_the_ground_does_not_raise_the_heel(void **state)
{
	struct keeper keeper;
	struct jc_pose pose;
	float height;

	(void)state;
	keeper_init(&keeper, &long_legs);
	height = jc_skeleton_hips_height(keeper.skeleton);
	jc_pose_init(&pose);
	pose.rotations[JC_BONE_LEFT_FOOT] =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 20.0f * DEGREE);
	for (int i = 0; i < 60; i++) {
		keep(&keeper, &pose);
	}
	assert_true(height_of(&keeper, &keeper.exact, JC_BONE_LEFT_TOES) < -0.03f * height);
	assert_true(height_of(&keeper, &keeper.kept, JC_BONE_LEFT_TOES) > -0.005f * height);
	assert_true(height_of(&keeper, &keeper.kept, JC_BONE_LEFT_FOOT) < 0.02f * height);
	keeper_finish(&keeper);
}

static void hips_move_by_at_most_two_percent(void **state)
{
	struct keeper keeper;
	struct jc_pose pose;

	(void)state;
	keeper_init(&keeper, &short_legs);
	for (int i = 0; i < 120; i++) {
		crouch((float)i / 120.0f, &pose);
		pose.hips_translation.y += 0.1f; /* farther than legs reach */
		keep(&keeper, &pose);
		assert_true(jc_vec3_length(jc_vec3_subtract(
				    keeper.kept.hips_translation, keeper.exact.hips_translation)) <=
			    0.02f * jc_skeleton_hips_height(keeper.skeleton));
	}
	keeper_finish(&keeper);
}

static void knees_turn_without_jumps(void **state)
{
	struct jc_quat past = JC_QUAT_IDENTITY, past_exact = JC_QUAT_IDENTITY;
	struct keeper keeper;
	struct jc_pose pose;

	(void)state;
	keeper_init(&keeper, &short_legs);
	for (int i = 0; i < 240; i++) {
		struct jc_quat knee, exact;

		crouch((float)i / 120.0f, &pose);
		keep(&keeper, &pose);
		knee = keeper.kept.rotations[JC_BONE_LEFT_LOWER_LEG];
		exact = keeper.exact.rotations[JC_BONE_LEFT_LOWER_LEG];
		if (i > 0) {
			assert_true(jc_quat_angle(knee, past) <
				    3.0f * jc_quat_angle(exact, past_exact) + 2.0f * DEGREE);
		}
		past = knee;
		past_exact = exact;
	}
	keeper_finish(&keeper);
}

static void a_motion_without_contact_is_the_same_to_the_bit(void **state)
{
	struct keeper keeper;
	struct jc_pose pose;

	(void)state;
	keeper_init(&keeper, &short_legs);
	for (int i = 0; i < 120; i++) {
		crouch((float)i / 120.0f, &pose);
		pose.hips_translation.y += 0.8f;
		keep(&keeper, &pose);
		assert_false(keeper.changed);
		assert_memory_equal(&keeper.kept, &keeper.exact, sizeof(keeper.kept));
	}
	keeper_finish(&keeper);
}

static void lying_bodies_and_steps_are_left_alone(void **state)
{
	struct keeper keeper;
	struct jc_pose pose;

	(void)state;
	keeper_init(&keeper, &long_legs);
	jc_pose_init(&pose);
	pose.rotations[JC_BONE_HIPS] =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, -90.0f * DEGREE);
	pose.hips_translation.y = -0.9f;
	keep(&keeper, &pose);
	assert_false(keeper.changed);
	jc_pose_init(&pose);
	pose.hips_translation.y = 0.19f; /* on the next step of stairs, up and then down */
	keep(&keeper, &pose);
	assert_false(keeper.changed);
	pose.hips_translation.y = -0.19f;
	keep(&keeper, &pose);
	assert_false(keeper.changed);
	keeper_finish(&keeper);
}

static void a_reset_forgets_what_was_before(void **state)
{
	struct keeper fresh, used;
	struct jc_pose pose;

	(void)state;
	keeper_init(&fresh, &short_legs);
	keeper_init(&used, &short_legs);
	for (int i = 0; i < 40; i++) {
		crouch((float)i / 120.0f, &pose);
		keep(&used, &pose);
	}
	jc_contacts_reset(used.contacts);
	for (int i = 0; i < 10; i++) {
		crouch((float)i / 60.0f, &pose);
		keep(&used, &pose);
		keep(&fresh, &pose);
		assert_memory_equal(&used.kept, &fresh.kept, sizeof(fresh.kept));
	}
	keeper_finish(&used);
	keeper_finish(&fresh);
}

/* The exact knee is past its limit in the crouch: the stage goes no farther than either. */
static void joint_limits_hold(void **state)
{
	struct keeper keeper, free_knees;
	struct jc_pose pose;
	float limit = stiff_knees.knee_limit * DEGREE, farthest = 0.0f;
	struct proportions same = stiff_knees;

	(void)state;
	same.knee_limit = 0.0f;
	keeper_init(&keeper, &stiff_knees);
	keeper_init(&free_knees, &same);
	for (int i = 0; i < 120; i++) {
		struct jc_quat knee, exact;

		crouch((float)i / 120.0f, &pose);
		pose.hips_translation.y -= 0.06f; /* deeper than the exact legs */
		keep(&keeper, &pose);
		keep(&free_knees, &pose);
		knee = keeper.kept.rotations[JC_BONE_LEFT_LOWER_LEG];
		exact = keeper.exact.rotations[JC_BONE_LEFT_LOWER_LEG];
		assert_true(2.0f * asinf(knee.x) <= fmaxf(limit, 2.0f * asinf(exact.x)) + 1e-3f);
		assert_true(fabsf(knee.y) < 1e-3f && fabsf(knee.z) < 1e-3f);
		farthest = fmaxf(farthest,
			jc_quat_angle(knee, free_knees.kept.rotations[JC_BONE_LEFT_LOWER_LEG]));
	}
	assert_true(farthest > 5.0f * DEGREE);
	keeper_finish(&keeper);
	keeper_finish(&free_knees);
}

static void a_figure_without_legs_is_left_alone(void **state)
{
	struct jc_skeleton_node node = { "hips", -1, JC_TRANSFORM_IDENTITY };
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips = { 0.0f, 0.0f, 0.0f };
	struct jc_skeleton_description description;
	struct jc_contacts *contacts;
	struct jc_skeleton *skeleton;
	struct jc_pose pose;

	(void)state;
	jc_skeleton_description_init(&description);
	node.rest.translation.y = 1.0f;
	description.node_count = 1;
	description.nodes = &node;
	description.bones[JC_BONE_HIPS] = 0;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	assert_int_equal(jc_contacts_create(NULL, skeleton, &contacts), JC_OK);
	assert_float_equal(jc_contacts_stride(contacts), 1.0f, 0.0f);
	jc_pose_init(&pose);
	memcpy(rotations, pose.rotations, sizeof(rotations));
	assert_false(jc_contacts_keep(contacts, &pose, 1.0 / RATE, rotations, &hips));
	jc_contacts_destroy(contacts);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_standing_foot_stands_on_short_legs),
		cmocka_unit_test(a_standing_foot_stands_on_long_legs),
		cmocka_unit_test(feet_neither_sink_nor_float_in_a_crouch),
		cmocka_unit_test(a_knee_only_turns_about_its_hinge),
		cmocka_unit_test(a_ball_below_the_ground_does_not_raise_the_heel),
		cmocka_unit_test(hips_move_by_at_most_two_percent),
		cmocka_unit_test(knees_turn_without_jumps),
		cmocka_unit_test(a_motion_without_contact_is_the_same_to_the_bit),
		cmocka_unit_test(lying_bodies_and_steps_are_left_alone),
		cmocka_unit_test(a_reset_forgets_what_was_before),
		cmocka_unit_test(joint_limits_hold),
		cmocka_unit_test(a_figure_without_legs_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
