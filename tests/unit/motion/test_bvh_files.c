/* Public BVH files: the limbs of the pose have the directions of an independent forward
 * kinematics in double precision. Skipped if $JOINTCAST_DATA and ../shared/data are
 * missing. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../data_file.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/bvh.h"
#include "reference.h"
#include "unit_test.h"

#define PI          3.14159265358979323846
#define MAX_JOINTS  128
#define FRAMES_SEEN 40

static struct matrix about(int axis, double degrees)
{
	return matrix_about(axis == 0, axis == 1, axis == 2, degrees);
}

/* World positions of a frame, file units and axes. */
static void place(const struct jc_bvh *bvh, size_t frame, struct vector *positions)
{
	struct matrix rotations[MAX_JOINTS];

	for (size_t i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];
		const float *values = bvh->values + frame * bvh->value_count + joint->first_value;
		struct vector t = { { joint->offset.x, joint->offset.y, joint->offset.z } };
		struct matrix r = about(0, 0);

		for (int c = 0; c < joint->channel_count; c++) {
			if (joint->channels[c] < JC_BVH_X_ROTATION) {
				t.v[joint->channels[c]] = values[c];
			} else {
				r = matrix_multiply(r,
					about(joint->channels[c] - JC_BVH_X_ROTATION, values[c]));
			}
		}
		if (joint->parent >= 0) {
			t = vector_add(positions[joint->parent],
				matrix_apply(rotations[joint->parent], t));
			r = matrix_multiply(rotations[joint->parent], r);
		}
		rotations[i] = r;
		positions[i] = t;
	}
}

static int joint_named(const struct jc_bvh *bvh, const char *name)
{
	for (size_t i = 0; i < bvh->joint_count; i++) {
		if (strcmp(bvh->joints[i].name, name) == 0) {
			return (int)i;
		}
	}
	fail_msg("no joint '%s'", name);
	return -1;
}

/* Facts about a file from its documentation. */
struct expected {
	const char *file, *family;
	float metres_per_unit;
	bool z_up;
	int yaw; /* degrees that turn it to face +Z */
	/* Hips, head, and left upper leg, lower leg, foot, upper arm, lower
	 * arm, hand; the right ones by `right`. */
	const char *names[8];
	const char *left, *right;
};

#define MOTIONBUILDER                                                                              \
	{ "Hips", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm",            \
		"LeftHand" },                                                                      \
		"Left", "Right"
#define DAZ { "hip", "head", "lThigh", "lShin", "lFoot", "lShldr", "lForeArm", "lHand" }, "l", "r"
#define BIOVISION                                                                                  \
	{ "Hips", "Head", "LeftHip", "LeftKnee", "LeftAnkle", "LeftShoulder", "LeftElbow",         \
		"LeftWrist" },                                                                     \
		"Left", "Right"

static const struct expected files[] = {
	{ "cmu_01_01.bvh", "cmu", 0.0254f / 0.45f, false, 0, MOTIONBUILDER },
	{ "cmu_12_01_walk.bvh", "cmu", 0.0254f / 0.45f, false, 0, MOTIONBUILDER },
	{ "cmu_02_02_daz.bvh", "daz", 0.01f, false, 0, DAZ },
	{ "threejs_pirouette.bvh", "daz", 0.01f, false, 180, DAZ },
	{ "walk01_24fps.bvh", "motionbuilder", 0.01f, false, 0, MOTIONBUILDER },
	{ "univrm_vrm10viewer_motion.bvh", "motionbuilder", 0.01f, false, 0, MOTIONBUILDER },
	{ "pymo_AV_8Walk_Meredith.bvh", "motionbuilder", 0.0254f, false, 0, MOTIONBUILDER },
	{ "geno_stance_lafan_fingers.bvh", "lafan", 0.01f, false, 0, MOTIONBUILDER },
	{ "mixed_orders_fingers_zup.bvh", "motionbuilder", 0.0254f, true, 180, MOTIONBUILDER },
	{ "boxing_toes_extra_line.bvh", "biovision", 0.01f, false, 180, BIOVISION },
	{ "xsens_mvn_style_yxz.bvh", "xsens", 0.01f, false, 180, BIOVISION },
};

/* The joint of a bone on one side. */
static int side_joint(const struct jc_bvh *bvh, const struct expected *e, int name, bool right)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s", right ? e->right : e->left,
		e->names[name] + strlen(e->left));
	return joint_named(bvh, text);
}

static double angle_to(
	struct vector from, struct vector to, struct matrix axes, struct jc_vec3 direction)
{
	struct vector d = matrix_apply(axes, vector_subtract(to, from));
	struct vector unit = vector_scale(d, 1.0 / vector_distance(d, (struct vector){ 0 }));

	/* From the chord, because the arc cosine is inexact near zero. */
	return 2.0 * asin(fmin(1.0, 0.5 * vector_distance(unit, vector_from(direction)))) * 180.0 /
	       PI;
}

static void check_frame(const struct expected *e, const struct jc_bvh *bvh,
	const struct jc_motion *motion, size_t frame)
{
	struct matrix axes = matrix_multiply(about(1, e->yaw), about(0, e->z_up ? -90 : 0));
	struct vector positions[MAX_JOINTS];
	struct jc_quat global[JC_BONE_COUNT];
	struct jc_pose pose;

	place(bvh, frame, positions);
	jc_motion_pose(motion, (double)frame * bvh->frame_seconds, &pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone above = jc_bone_parent((enum jc_bone)b);

		global[b] = above == JC_BONE_NONE
				    ? pose.rotations[b]
				    : jc_quat_multiply(global[above], pose.rotations[b]);
	}
	for (int limb = 0; limb < 8; limb++) {
		static const enum jc_bone bones[] = { JC_BONE_LEFT_UPPER_LEG,
			JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM };
		static const int names[] = { 2, 3, 5, 6 };
		bool right = limb >= 4;
		enum jc_bone bone = right ? jc_bone_mirror(bones[limb - 4]) : bones[limb];
		struct jc_vec3 rest = { 0.0f, -1.0f, 0.0f };
		double off;

		if (names[limb % 4] >= 5) {
			rest = (struct jc_vec3){ right ? -1.0f : 1.0f, 0.0f, 0.0f };
		}
		off = angle_to(positions[side_joint(bvh, e, names[limb % 4], right)],
			positions[side_joint(bvh, e, names[limb % 4] + 1, right)], axes,
			jc_quat_rotate(global[bone], rest));
		if (off > 0.01) {
			fail_msg("%s: %s of frame %zu is %.4f degrees off", e->file,
				jc_bone_name(bone), frame, off);
		}
	}
	/* The line of the hip joints has the orientation of the hips. */
	assert_true(angle_to(positions[side_joint(bvh, e, 2, true)],
			    positions[side_joint(bvh, e, 2, false)], axes,
			    jc_quat_rotate(global[0], (struct jc_vec3){ 1.0f, 0.0f, 0.0f })) < 5.0);
}

static void check_file(const struct expected *e, const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	const struct jc_motion_info *info;
	struct jc_motion *motion;
	struct jc_bvh *bvh;

	if (jc_motion_read(bytes, length, 0, NULL, &motion, NULL, &diagnostic) != JC_OK) {
		fail_msg("%s: %s, %s", e->file, diagnostic.what, diagnostic.where);
	}
	assert_int_equal(jc_bvh_read(bytes, length, &bvh, NULL, NULL), JC_OK);
	assert_true(bvh->joint_count <= MAX_JOINTS);
	info = jc_motion_info(motion);
	assert_string_equal(info->family, e->family);
	assert_float_equal(info->metres_per_unit, e->metres_per_unit, 1e-7f);
	assert_true(info->hips_height > 0.7f && info->hips_height < 1.1f);
	for (size_t i = 0; i < FRAMES_SEEN; i++) {
		check_frame(e, bvh, motion, (bvh->frame_count - 1) * i / (FRAMES_SEEN - 1));
	}
	jc_bvh_destroy(bvh);
	jc_motion_destroy(motion);
}

static void limbs_have_the_directions_of_the_file(void **)
{
	size_t read = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		size_t length;
		char *bytes = data_file_read("bvh", files[i].file, &length);

		if (bytes) {
			check_file(&files[i], bytes, length);
			free(bytes);
			read++;
		}
	}
	if (read == 0) {
		skip();
	}
}

static void rejects_files_without_a_humanoid(void **)
{
	static const struct {
		const char *file;
		int error;
	} cases[] = {
		{ "sinusoidal_4joint_nonhumanoid.bvh", JC_ERROR_NO_HUMANOID },
		{ "rotation_first_root.bvh", JC_ERROR_NO_HUMANOID },
		{ "perception_neuron_hierarchy_only.bvh", JC_ERROR_TRUNCATED },
	};
	size_t read = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_motion *motion;
		size_t length;
		char *bytes = data_file_read("bvh", cases[i].file, &length);

		if (bytes) {
			assert_int_equal(
				jc_motion_read(bytes, length, 0, NULL, &motion, NULL, &diagnostic),
				cases[i].error);
			assert_true(diagnostic.what[0] != '\0');
			free(bytes);
			read++;
		}
	}
	if (read == 0) {
		skip();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limbs_have_the_directions_of_the_file),
		cmocka_unit_test(rejects_files_without_a_humanoid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
