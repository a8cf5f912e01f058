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
#include "unit_test.h"

#define PI          3.14159265358979323846
#define MAX_JOINTS  128
#define FRAMES_SEEN 40

struct v3 {
	double v[3];
};

struct m3 {
	double m[3][3];
};

static struct m3 multiply(struct m3 a, struct m3 b)
{
	struct m3 r;

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] +
				    a.m[i][2] * b.m[2][j];
		}
	}
	return r;
}

static struct v3 apply(struct m3 a, struct v3 b)
{
	struct v3 r;

	for (int i = 0; i < 3; i++) {
		r.v[i] = a.m[i][0] * b.v[0] + a.m[i][1] * b.v[1] + a.m[i][2] * b.v[2];
	}
	return r;
}

static struct m3 about(int axis, double degrees)
{
	double c = cos(degrees * PI / 180.0);
	double s = sin(degrees * PI / 180.0);
	int i = (axis + 1) % 3;
	int j = (axis + 2) % 3;
	struct m3 r = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

	r.m[i][i] = c;
	r.m[j][j] = c;
	r.m[i][j] = -s;
	r.m[j][i] = s;
	return r;
}

/* World positions of a frame, file units and axes. */
static void place(const struct jc_bvh *bvh, size_t frame, struct v3 *positions)
{
	struct m3 rotations[MAX_JOINTS];

	for (size_t i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];
		const float *values = bvh->values + frame * bvh->value_count + joint->first_value;
		struct v3 t = { { joint->offset.x, joint->offset.y, joint->offset.z } };
		struct m3 r = about(0, 0);

		for (int c = 0; c < joint->channel_count; c++) {
			if (joint->channels[c] < JC_BVH_X_ROTATION) {
				t.v[joint->channels[c]] = values[c];
			} else {
				r = multiply(r,
					about(joint->channels[c] - JC_BVH_X_ROTATION, values[c]));
			}
		}
		if (joint->parent >= 0) {
			t = apply(rotations[joint->parent], t);
			for (int k = 0; k < 3; k++) {
				t.v[k] += positions[joint->parent].v[k];
			}
			r = multiply(rotations[joint->parent], r);
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

static double angle_to(struct v3 from, struct v3 to, struct m3 axes, struct jc_vec3 direction)
{
	struct v3 d = { { to.v[0] - from.v[0], to.v[1] - from.v[1], to.v[2] - from.v[2] } };
	double length;

	d = apply(axes, d);
	length = sqrt(d.v[0] * d.v[0] + d.v[1] * d.v[1] + d.v[2] * d.v[2]);
	/* From the chord, because the arc cosine is inexact near zero. */
	return 2.0 *
	       asin(fmin(1.0, 0.5 * sqrt(pow(d.v[0] / length - (double)direction.x, 2) +
					    pow(d.v[1] / length - (double)direction.y, 2) +
					    pow(d.v[2] / length - (double)direction.z, 2)))) *
	       180.0 / PI;
}

static void check_frame(const struct expected *e, const struct jc_bvh *bvh,
	const struct jc_motion *motion, size_t frame)
{
	struct m3 axes = multiply(about(1, e->yaw), about(0, e->z_up ? -90 : 0));
	struct v3 positions[MAX_JOINTS];
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
