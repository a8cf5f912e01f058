/* H-Anim figures as skeletons, at rest and posed. Expected values: joint centers of the
 * 1.0 specification and formulas for its I-pose; posed joints from a forward kinematics
 * in double precision that uses only bone lengths, the T-pose and D_b = D_parent N_b. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_figure.h"
#include "jointcast/transform.h"
#include "jointcast_private/hanim.h"
#include "unit_test.h"

static void bones_of_a_1_0_figure_are_at_joint_centers(void **)
{
	char *text = hanim_make_figure();
	struct jc_skeleton *skeleton = hanim_read(text, 0);
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(skeleton);

	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_HANIM);
	assert_string_equal(jc_skeleton_format_name(JC_SKELETON_HANIM), "h-anim");
	assert_string_equal(jc_skeleton_name(skeleton), "someone");
	assert_int_equal(__builtin_popcountll(jc_skeleton_bone_mask(skeleton)), 15);
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_HIPS), "HumanoidRoot");
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_LEFT_LOWER_ARM), "l_elbow");
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_SPINE), "vl5");
	/* The translations and rotations of joints in the file are not part of the rest pose. */
	hanim_assert_vec3(
		jc_mat4_translation(worlds[jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_HAND)]),
		-0.213, 0.811, -0.0338, 1e-6);
	/* No bone is mapped to the joint sacroiliac above the hip joints, so that the next mapped
	 * bone above the legs is the hips, HumanoidRoot. */
	assert_int_equal(jc_skeleton_mapped_parent(skeleton, JC_BONE_LEFT_UPPER_LEG), JC_BONE_HIPS);
	/* The middle of the hip joints, (0.9124 + 0.9171) / 2, above the ankle at 0.0656. */
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.84915, 1e-6);
	jc_skeleton_destroy(skeleton);
	free(text);
}

/* The upper arm of the specification points along (0.029, -0.29, 0): atan 0.1 off the
 * vertical, so it turns by that much less than a right angle. */
static void measured_directions_turn_the_i_pose_into_the_t_pose(void **)
{
	char *text = hanim_make_figure();
	struct jc_skeleton *skeleton = hanim_read(text, 0);
	const double half = (1.5707963267948966 - atan(0.1)) / 2.0;
	struct jc_quat left = { 0.0f, 0.0f, (float)sin(half), (float)cos(half) };
	struct jc_quat right = { 0.0f, 0.0f, (float)-sin(half), (float)cos(half) };
	struct jc_quat hand = { 0.0f, 0.0f, (float)sqrt(0.5), (float)sqrt(0.5) };
	struct jc_vec3 forearm = { 0.213f - 0.196f, 0.811f - 1.07f, -0.0338f + 0.0518f };
	struct jc_vec3 thumb = { 0.0027f, -0.0246f, 0.078f };
	struct jc_vec3 turned;

	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_UPPER_ARM), left), 0.0,
		1e-6);
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_RIGHT_UPPER_ARM), right), 0.0,
		1e-6);
	turned = jc_quat_rotate(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_LOWER_ARM), forearm);
	hanim_assert_vec3(turned, jc_vec3_length(forearm), 0.0, 0.0, 1e-6);
	/* A hand without fingers cannot be measured: exactly a right angle. */
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_HAND), hand), 0.0, 1e-6);
	turned = jc_quat_rotate(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_THUMB_METACARPAL), thumb);
	hanim_assert_vec3(turned, jc_vec3_length(thumb) * sqrt(0.5), 0.0,
		jc_vec3_length(thumb) * sqrt(0.5), 1e-6);
	/* The shin leans by design and does not turn; neither does the trunk. */
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_LOWER_LEG).w, 1.0, 1e-7);
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_SPINE).w, 1.0, 1e-7);
	jc_skeleton_destroy(skeleton);
	free(text);
}

struct double3 {
	double x, y, z;
};

struct double4 {
	double x, y, z, w;
};

static struct double4 product(struct double4 a, struct double4 b)
{
	return (struct double4){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static struct double3 turn(struct double4 q, struct double3 v)
{
	struct double4 p = product(product(q, (struct double4){ v.x, v.y, v.z, 0 }),
		(struct double4){ -q.x, -q.y, -q.z, q.w });

	return (struct double3){ p.x, p.y, p.z };
}

static struct double3 plus(struct double3 a, struct double3 b)
{
	return (struct double3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static double length(double x, double y, double z)
{
	return sqrt(x * x + y * y + z * z);
}

/* Fixed seed; uniform enough to cover the sphere. */
static double next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (double)(*state >> 8) / (double)(1u << 23) - 1.0;
}

static struct double4 random_rotation(uint32_t *state)
{
	struct double4 q = { next_random(state), next_random(state), next_random(state),
		next_random(state) };
	double size = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) + 1e-9;

	return (struct double4){ q.x / size, q.y / size, q.z / size, q.w / size };
}

static void set_bone(const struct jc_skeleton *skeleton, struct jc_skeleton_pose *pose,
	enum jc_bone bone, struct double4 n)
{
	struct jc_quat w = jc_skeleton_t_pose(skeleton, bone);
	struct jc_quat p = jc_skeleton_parent_t_pose(skeleton, bone);
	struct jc_quat turned = { (float)n.x, (float)n.y, (float)n.z, (float)n.w };

	/* local = L R = P^-1 N W, and L is identity in H-Anim. */
	pose->rotations[bone] = jc_quat_multiply(jc_quat_conjugate(p), jc_quat_multiply(turned, w));
}

/* The arm in the T-pose lies along +X from the shoulder; each bone turns by its D. The
 * hips turn about HumanoidRoot, the spine about vl5. */
static struct double3 expected_wrist(
	struct double4 hips, struct double4 spine, struct double4 upper, struct double4 lower)
{
	const struct double3 root = { 0.0, 0.824, 0.0277 };
	const struct double3 to_spine = { 0.0028, 1.0568 - 0.824, -0.0776 - 0.0277 };
	const struct double3 to_shoulder = { 0.167 - 0.0028, 1.36 - 1.0568, -0.0518 + 0.0776 };
	const struct double3 to_elbow = { length(0.029, 0.29, 0.0), 0.0, 0.0 };
	const struct double3 to_wrist = { length(0.017, 0.259, 0.018), 0.0, 0.0 };
	struct double4 d = hips;
	struct double3 at = plus(root, turn(d, to_spine));

	d = product(d, spine);
	at = plus(at, turn(d, to_shoulder));
	d = product(d, upper);
	at = plus(at, turn(d, to_elbow));
	d = product(d, lower);
	return plus(at, turn(d, to_wrist));
}

static void posed_wrist_matches_the_rotated_t_pose(void **)
{
	char *text = hanim_make_figure();
	struct jc_skeleton *skeleton = hanim_read(text, 0);
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	uint32_t seed = 1;

	for (int i = 0; i < 1000; i++) {
		struct double4 hips = random_rotation(&seed);
		struct double4 spine = random_rotation(&seed);
		struct double4 upper = random_rotation(&seed);
		struct double4 lower = random_rotation(&seed);
		struct double3 wrist = expected_wrist(hips, spine, upper, lower);
		struct jc_skeleton_pose pose = { .hips_translation = { 0, 0, 0 } };

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			set_bone(skeleton, &pose, (enum jc_bone)b, (struct double4){ 0, 0, 0, 1 });
		}
		set_bone(skeleton, &pose, JC_BONE_HIPS, hips);
		set_bone(skeleton, &pose, JC_BONE_SPINE, spine);
		set_bone(skeleton, &pose, JC_BONE_LEFT_UPPER_ARM, upper);
		set_bone(skeleton, &pose, JC_BONE_LEFT_LOWER_ARM, lower);
		jc_skeleton_locals(skeleton, &pose, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		hanim_assert_vec3(
			jc_mat4_translation(
				worlds[jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_HAND)]),
			wrist.x, wrist.y, wrist.z, 2e-6);
	}
	free(locals);
	free(worlds);
	jc_skeleton_destroy(skeleton);
	free(text);
}

/* The skeleton that subscribers get must have the rest and the sizes of the file. */
static void descriptor_of_a_figure_reads_back_the_same(void **)
{
	char *text = hanim_make_figure();
	struct jc_skeleton *skeleton = hanim_read(text, 0);
	struct jc_skeleton *again;
	char *json;

	assert_int_equal(jc_skeleton_write_descriptor(skeleton, &json), JC_OK);
	again = hanim_read(json, 0);
	assert_true(jc_skeleton_hips_height(again) == jc_skeleton_hips_height(skeleton));
	assert_true(jc_skeleton_bone_mask(again) == jc_skeleton_bone_mask(skeleton));
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		assert_float_equal(jc_quat_angle(jc_skeleton_t_pose(again, (enum jc_bone)b),
					   jc_skeleton_t_pose(skeleton, (enum jc_bone)b)),
			0.0f, 1e-6f);
	}
	assert_string_equal(jc_skeleton_hash(again), jc_skeleton_hash(skeleton));
	free(json);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
	free(text);
}

static void joints_keep_mass_and_limits(void **)
{
	char *text = hanim_make_figure();
	struct jc_diagnostic diagnostic;
	struct jc_lint lint = { 0 };
	struct jc_scene *scene;
	struct jc_hanim *hanim;
	const struct jc_hanim_joint *hip = NULL;

	assert_int_equal(jc_scene_read(text, strlen(text), &scene, NULL, &diagnostic), JC_OK);
	assert_int_equal(jc_hanim_read(scene, 0, &hanim, &lint, &diagnostic), JC_OK);
	assert_string_equal(hanim->version, "1.0"); /* the default of the PROTO */
	assert_int_equal(hanim->info_count, 1);
	assert_string_equal(hanim->info[0], "authorName=no one");
	assert_int_equal(hanim->joint_count, 17);
	for (size_t i = 0; i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		assert_true(joint->parent < (int)i);
		if (strcmp(joint->name, "l_hip") == 0) {
			hip = joint;
		}
		if (strcmp(joint->name, "tail1") == 0) {
			assert_false(joint->is_standard);
			assert_int_equal(joint->bone, JC_BONE_NONE);
		}
		if (strcmp(joint->name, "vl5") == 0) {
			assert_int_equal(joint->vertebra, 0);
		}
	}
	assert_non_null(hip);
	assert_string_equal(hip->node->def, "hanim_l_hip");
	assert_true(hip->has_limits);
	hanim_assert_vec3(hip->lower_limit, -0.5, 0.0, -0.25, 0.0);
	hanim_assert_vec3(hip->upper_limit, 1.5, 0.0, 0.5, 0.0);
	assert_false(hanim->joints[0].has_limits); /* all six zero: unspecified */
	assert_int_equal(hanim->segment_count, 1);
	assert_float_equal(hanim->segments[0].mass, 11.5, 0.0);
	/* 0.95 - 0.9149 above its joint, 0.0016 behind it. */
	hanim_assert_vec3(hanim->segments[0].center_of_mass, 0.0, 0.0351, -0.0016, 1e-6);
	assert_string_equal(hanim->nodes[hanim->segments[0].node].name, "sacroiliac");
	assert_int_equal(hanim->virtual_transform_count, 1);
	assert_string_equal(hanim->virtual_transforms[0].name, "hanim_CyclopeanView");
	assert_string_equal(hanim->virtual_transforms[0].tags[0], "viewpoint");
	/* 1.65 - 1.6209 above its joint, 0.1 - 0.0236 in front of it. */
	hanim_assert_vec3(
		hanim->virtual_transforms[0].offset.translation, -0.0044, 0.0291, 0.0764, 1e-6);
	/* The tail; the rotations of two joints; the translation of the root. */
	assert_int_equal(lint.count, 3);
	assert_string_equal(lint.entries[0].code, "hanim-extra");
	assert_string_equal(lint.entries[1].code, "hanim-not-neutral");
	assert_string_equal(lint.entries[2].code, "hanim-not-neutral");
	jc_hanim_destroy(hanim);
	jc_scene_destroy(scene);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_of_a_1_0_figure_are_at_joint_centers),
		cmocka_unit_test(measured_directions_turn_the_i_pose_into_the_t_pose),
		cmocka_unit_test(posed_wrist_matches_the_rotated_t_pose),
		cmocka_unit_test(descriptor_of_a_figure_reads_back_the_same),
		cmocka_unit_test(joints_keep_mass_and_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
