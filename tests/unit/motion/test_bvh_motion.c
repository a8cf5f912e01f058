/* BVH motions of generated figures: each is posed in canonical space, written as BVH with
 * the joint axes, unit and world of some rig, and must give the same pose again. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "reference.h"
#include "unit_test.h"

#define PI     3.14159265358979323846
#define JOINTS 22

static struct matrix about(int axis, double degrees)
{
	return matrix_about(axis == 0, axis == 1, axis == 2, degrees);
}

/* X and Z of a frame; Y = Z x X. */
static struct matrix frame(double xx, double xy, double xz, double zx, double zy, double zz)
{
	return (struct matrix){ { { xx, zy * xz - zz * xy, zx }, { xy, zz * xx - zx * xz, zy },
		{ xz, zx * xy - zy * xx, zz } } };
}

enum joint {
	HIPS,
	L_UPLEG,
	L_LEG,
	L_FOOT,
	L_TOE,
	R_UPLEG,
	R_LEG,
	R_FOOT,
	R_TOE,
	SPINE,
	SPINE1,
	SPINE2,
	NECK,
	HEAD,
	L_SHOULDER,
	L_ARM,
	L_FOREARM,
	L_HAND,
	R_SHOULDER,
	R_ARM,
	R_FOREARM,
	R_HAND,
};

static const char *const names[JOINTS] = { "Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe",
	"RightUpLeg", "RightLeg", "RightFoot", "RightToe", "Spine", "Spine1", "Spine2", "Neck",
	"Head", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "RightShoulder", "RightArm",
	"RightForeArm", "RightHand" };
static const int parents[JOINTS] = { -1, HIPS, L_UPLEG, L_LEG, L_FOOT, HIPS, R_UPLEG, R_LEG, R_FOOT,
	HIPS, SPINE, SPINE1, SPINE2, NECK, SPINE2, L_SHOULDER, L_ARM, L_FOREARM, SPINE2, R_SHOULDER,
	R_ARM, R_FOREARM };

/* A clip: world orientation (canonical space) of each joint's axes and offsets
 * in its parent's axes, in centimetres. */
struct rig {
	double offsets[JOINTS][3];
	struct matrix t_pose[JOINTS];
	bool is_nameless; /* joints have names without a meaning */
};

/* The style of LAFAN1: every bone along +X of its joint; hips X up, Y front, Z left.
 * `leg` and `arm` (+1, -1) select the roll of the limbs. */
static void make_stick_rig(struct rig *rig, double leg, double arm)
{
	static const double offsets[JOINTS][3] = { { 0, 0, 0 }, { 0.1, 1.8, 10.5 }, { 43.5, 0, 0 },
		{ 42.4, 0, 0 }, { 17.3, 0, 0 }, { 0.1, 1.8, -10.5 }, { 43.5, 0, 0 }, { 42.4, 0, 0 },
		{ 17.3, 0, 0 }, { 6.9, -2.6, 0 }, { 12.6, 0, 0 }, { 12.3, 0, 0 }, { 25.8, 0, 0 },
		{ 11.8, 0, 0 }, { 19.7, -1.5, 6 }, { 11.3, 0, 0 }, { 33, 0, 0 }, { 25.2, 0, 0 },
		{ 19.7, -1.5, -6 }, { 11.3, 0, 0 }, { 33, 0, 0 }, { 25.2, 0, 0 } };
	struct jc_vec3 foot =
		jc_vec3_normalize(jc_vec3_subtract(jc_bone_rest_position(JC_BONE_LEFT_TOES),
			jc_bone_rest_position(JC_BONE_LEFT_FOOT)));

	rig->is_nameless = false;
	memcpy(rig->offsets, offsets, sizeof(offsets));
	for (int j = 0; j < JOINTS; j++) {
		rig->t_pose[j] = frame(0, 1, 0, 1, 0, 0);
	}
	for (int side = 0; side < 2; side++) {
		int l = side ? R_UPLEG : L_UPLEG;
		int a = side ? R_SHOULDER : L_SHOULDER;
		double x = side ? -1 : 1;

		rig->t_pose[l] = rig->t_pose[l + 1] = frame(0, -1, 0, leg, 0, 0);
		/* The foot without a sideways component, to get orthogonal axes. */
		rig->t_pose[l + 2] = frame(0, foot.y / hypot(foot.y, foot.z),
			foot.z / hypot(foot.y, foot.z), leg, 0, 0);
		rig->t_pose[l + 3] = frame(0, 0, 1, leg, 0, 0);
		for (int j = a; j < a + 4; j++) {
			rig->t_pose[j] = frame(x, 0, 0, 0, arm, 0);
		}
	}
}

/* The style of MotionBuilder: all axes aligned with the world, bones in the T-pose, but
 * legs spread by `splay` degrees at rest, with the feet. */
static void make_plain_rig(struct rig *rig, double splay)
{
	static const double offsets[JOINTS][3] = { { 0, 0, 0 }, { 10, -5, 0 }, { 0, -42, 0 },
		{ 0, -40, 0 }, { 0, -6, 13 }, { -10, -5, 0 }, { 0, -42, 0 }, { 0, -40, 0 },
		{ 0, -6, 13 }, { 0, 8, 0 }, { 0, 18, 0 }, { 0, 10, 0 }, { 0, 18, 0 }, { 0, 12, 0 },
		{ 4, 14, 0 }, { 14, 0, 0 }, { 26, 0, 0 }, { 28, 0, 0 }, { -4, 14, 0 },
		{ -14, 0, 0 }, { -26, 0, 0 }, { -28, 0, 0 } };

	rig->is_nameless = false;
	memcpy(rig->offsets, offsets, sizeof(offsets));
	for (int j = 0; j < JOINTS; j++) {
		rig->t_pose[j] = about(0, 0);
	}
	for (int side = 0; side < 2; side++) {
		struct matrix out = about(2, side ? -splay : splay);
		int upper = side ? R_UPLEG : L_UPLEG;

		/* Offsets below the hip point outwards, so the joint must turn back
		 * inwards to stand straight. */
		for (int j = upper; j < upper + 4; j++) {
			double *o = rig->offsets[j];
			double x = o[0], y = o[1];

			rig->t_pose[j] = matrix_transpose(out);
			if (j > upper) {
				o[0] = out.m[0][0] * x + out.m[0][1] * y;
				o[1] = out.m[1][0] * x + out.m[1][1] * y;
			}
		}
	}
}

/* The file under construction. */
struct text {
	char *bytes;
	size_t length, capacity;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text->length += (size_t)vsnprintf(
		text->bytes + text->length, text->capacity - text->length, format, arguments);
	va_end(arguments);
	assert_true(text->length < text->capacity);
}

static void put_joint(struct text *text, const struct rig *rig, int joint, double unit)
{
	const double *o = rig->offsets[joint];
	bool leaf = true;

	put(text, "%s %s\n{\nOFFSET %.9g %.9g %.9g\n", joint == HIPS ? "ROOT" : "JOINT",
		rig->is_nameless ? "x" : names[joint], o[0] * unit, o[1] * unit, o[2] * unit);
	put(text, joint == HIPS ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3");
	put(text, " Zrotation Yrotation Xrotation\n");
	for (int child = joint + 1; child < JOINTS; child++) {
		if (parents[child] == joint) {
			put_joint(text, rig, child, unit);
			leaf = false;
		}
	}
	if (leaf) {
		put(text, "End Site\n{\nOFFSET 0 0 0\n}\n");
	}
	put(text, "}\n");
}

/* Angles of R = Rz Ry Rx. */
static void put_rotation(struct text *text, struct matrix r)
{
	double b = asin(fmax(-1.0, fmin(1.0, -r.m[2][0])));
	double a, c;

	if (fabs(r.m[2][0]) < 1.0 - 1e-12) {
		a = atan2(r.m[1][0], r.m[0][0]);
		c = atan2(r.m[2][1], r.m[2][2]);
	} else {
		a = atan2(-r.m[0][1], r.m[1][1]);
		c = 0.0;
	}
	put(text, " %.9g %.9g %.9g", a * 180 / PI, b * 180 / PI, c * 180 / PI);
}

/* One frame: the T-pose with bent knees and elbows, turned by `world`, with the hips at
 * x, y, z centimetres in that world. */
static void put_frame(struct text *text, const struct rig *rig, double bend, struct matrix world,
	const double *hips, double unit)
{
	struct matrix posed[JOINTS];

	for (int j = 0; j < JOINTS; j++) {
		struct matrix turn = world;

		if ((j >= L_LEG && j <= L_TOE) || (j >= R_LEG && j <= R_TOE)) {
			turn = matrix_multiply(world, about(0, bend));
		} else if (j == L_FOREARM || j == L_HAND) {
			turn = matrix_multiply(world, about(1, -bend));
		} else if (j == R_FOREARM || j == R_HAND) {
			turn = matrix_multiply(world, about(1, bend));
		}
		posed[j] = matrix_multiply(turn, rig->t_pose[j]);
	}
	put(text, "%.9g %.9g %.9g", hips[0] * unit, hips[1] * unit, hips[2] * unit);
	for (int j = 0; j < JOINTS; j++) {
		put_rotation(text,
			j == HIPS ? posed[j]
				  : matrix_multiply(matrix_transpose(posed[parents[j]]), posed[j]));
	}
	put(text, "\n");
}

struct clip {
	const struct rig *rig;
	double unit;      /* file units per centimetre */
	double most_bend; /* degrees, in the last frame */
	struct matrix world;
	double hips[3];
};

#define FRAMES 10

static struct jc_motion *read_clip(const struct clip *clip, struct jc_lint *lint)
{
	struct text text = { malloc(65536), 0, 65536 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;

	assert_non_null(text.bytes);
	put(&text, "HIERARCHY\n");
	put_joint(&text, clip->rig, HIPS, clip->unit);
	put(&text, "MOTION\nFrames: %d\nFrame Time: 0.1\n", FRAMES);
	for (int i = 0; i < FRAMES; i++) {
		put_frame(&text, clip->rig, clip->most_bend * i / (FRAMES - 1), clip->world,
			clip->hips, clip->unit);
	}
	if (jc_motion_read(text.bytes, text.length, 0, NULL, &motion, lint, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	free(text.bytes);
	return motion;
}

static void assert_rotation(const struct jc_pose *pose, enum jc_bone bone, int axis, double degrees)
{
	struct jc_vec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	struct jc_quat wanted = jc_quat_from_axis_angle(axes[axis], (float)(degrees * PI / 180.0));
	double off = (double)jc_quat_angle(pose->rotations[bone], wanted) * 180.0 / PI;

	if (off > 0.01) {
		struct jc_quat q = pose->rotations[bone];

		fail_msg("%s is %.3f degrees off: %.4f %.4f %.4f %.4f", jc_bone_name(bone), off,
			(double)q.x, (double)q.y, (double)q.z, (double)q.w);
	}
}

/* Every bone in the T-pose except knees and elbows. */
static void assert_bent(const struct jc_motion *motion, double t, double bend)
{
	struct jc_pose pose;

	jc_motion_pose(motion, t, &pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		switch ((enum jc_bone)b) {
		case JC_BONE_LEFT_LOWER_LEG:
		case JC_BONE_RIGHT_LOWER_LEG:
			assert_rotation(&pose, (enum jc_bone)b, 0, bend);
			break;
		case JC_BONE_LEFT_LOWER_ARM:
			assert_rotation(&pose, (enum jc_bone)b, 1, -bend);
			break;
		case JC_BONE_RIGHT_LOWER_ARM:
			assert_rotation(&pose, (enum jc_bone)b, 1, bend);
			break;
		default:
			assert_rotation(&pose, (enum jc_bone)b, 0, 0);
			break;
		}
	}
}

static void knees_and_elbows_of_a_world_aligned_rig_bend_correctly(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 90, about(0, 0), { 0, 93, 0 } };
	struct jc_motion *motion;

	make_plain_rig(&rig, 0);
	motion = read_clip(&clip, NULL);
	assert_string_equal(jc_motion_info(motion)->family, "lafan");
	assert_bent(motion, 0.0, 0);
	assert_bent(motion, 0.9, 90);
	assert_bent(motion, 0.45, 45); /* slerped between frames 4 and 5 */
	jc_motion_destroy(motion);
}

static void feet_inherit_the_correction_of_splayed_legs(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 60, about(0, 0), { 0, 93, 0 } };
	struct jc_motion *motion;

	make_plain_rig(&rig, 20);
	motion = read_clip(&clip, NULL);
	assert_bent(motion, 0.9, 60);
	jc_motion_destroy(motion);
}

static void roll_of_a_straight_rest_comes_from_the_clip(void **)
{
	for (int i = 0; i < 4; i++) {
		struct rig rig;
		struct clip clip = { &rig, 1, 90, about(0, 0), { 0, 95, 0 } };
		struct jc_motion *motion;

		make_stick_rig(&rig, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
		motion = read_clip(&clip, NULL);
		assert_bent(motion, 0.0, 0);
		assert_bent(motion, 0.9, 90);
		jc_motion_destroy(motion);
	}
}

/* In this rest the legs lie along the trunk, which does not look like a body; the first
 * frame does. */
static void recognises_a_straight_rest_without_names_by_the_first_frame(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 90, about(0, 0), { 0, 95, 0 } };
	struct jc_motion *motion;

	make_stick_rig(&rig, 1, 1);
	rig.is_nameless = true;
	motion = read_clip(&clip, NULL);
	assert_string_equal(jc_motion_info(motion)->family, "structure");
	assert_bent(motion, 0.0, 0);
	assert_bent(motion, 0.9, 90);
	jc_motion_destroy(motion);
}

static void straight_rest_without_bending_keeps_the_lateral_axis_of_the_hips(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 0, about(0, 0), { 0, 95, 0 } };
	struct jc_motion *motion;
	struct jc_pose pose;

	make_stick_rig(&rig, 1, 1);
	motion = read_clip(&clip, NULL);
	jc_motion_pose(motion, 0.0, &pose);
	assert_rotation(&pose, JC_BONE_HIPS, 0, 0);
	assert_rotation(&pose, JC_BONE_LEFT_UPPER_LEG, 0, 0);
	assert_rotation(&pose, JC_BONE_RIGHT_LOWER_LEG, 0, 0);
	assert_rotation(&pose, JC_BONE_LEFT_FOOT, 0, 0);
	assert_rotation(&pose, JC_BONE_LEFT_TOES, 0, 0);
	jc_motion_destroy(motion);
}

static void finds_units_by_stature(void **)
{
	static const struct {
		double per_centimetre;
		float metres;
	} cases[] = { { 1, 0.01f }, { 10, 0.001f }, { 0.01, 1.0f }, { 0.1, 0.1f },
		{ 1 / 2.54, 0.0254f }, { 0.45 / 2.54, 0.0254f / 0.45f } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rig rig;
		struct clip clip = { &rig, cases[i].per_centimetre, 90, about(0, 0), { 0, 93, 0 } };
		struct jc_motion *motion;

		make_plain_rig(&rig, 0);
		motion = read_clip(&clip, NULL);
		assert_float_equal(jc_motion_info(motion)->metres_per_unit, cases[i].metres, 1e-6);
		/* Hip joints 5 below the hips, legs of 82, toes 6 below the ankle. */
		assert_float_equal(jc_motion_info(motion)->hips_height, 0.93, 1e-4);
		jc_motion_destroy(motion);
	}
}

static void scales_a_figure_of_no_common_unit_to_human_size(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 50, 90, about(0, 0), { 0, 93, 0 } };
	struct jc_lint lint = { 0 };
	struct jc_motion *motion;

	make_plain_rig(&rig, 0);
	motion = read_clip(&clip, &lint);
	assert_true(jc_motion_info(motion)->hips_height > 0.7f);
	assert_true(jc_motion_info(motion)->hips_height < 1.2f);
	assert_non_null(strstr(find_finding(&lint, "units"), "no common unit"));
	jc_motion_destroy(motion);
}

static void turns_the_world_upright_and_to_the_front(void **)
{
	for (int up = 0; up < 2; up++) {
		for (int yaw = 0; yaw < 4; yaw++) {
			struct rig rig;
			/* Z up: canonical Y is the file's Z. */
			struct matrix upright = about(0, up ? 90 : 0);
			struct clip clip = { &rig, 1, 40,
				matrix_multiply(upright, about(1, 90.0 * yaw)),
				{ 30, up ? 20 : 93, up ? 93 : 20 } };
			struct jc_lint lint = { 0 };
			struct jc_motion *motion;

			make_plain_rig(&rig, 0);
			motion = read_clip(&clip, &lint);
			assert_bent(motion, 0.9, 40);
			assert_int_equal(find_finding(&lint, "axes") != NULL, up || yaw);
			jc_motion_destroy(motion);
		}
	}
}

static bool is_upside_down(double degrees, double hips)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 10, about(0, degrees), { 0, hips, 0 } };
	struct jc_lint lint = { 0 };
	bool is_found = false;

	make_plain_rig(&rig, 0);
	jc_motion_destroy(read_clip(&clip, &lint));
	for (size_t i = 0; i < lint.count; i++) {
		is_found |= strstr(lint.entries[i].text, "feet are above the head") != NULL;
	}
	return is_found;
}

static void only_a_body_on_its_head_has_feet_above_it(void **)
{
	assert_false(is_upside_down(-90, 12));
	assert_false(is_upside_down(-95, 12));
	assert_false(is_upside_down(90, 12));
	assert_true(is_upside_down(180, 110));
	assert_true(is_upside_down(150, 110));
}

static void hips_height_is_relative_to_the_measured_floor(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 0, about(0, 0), { 30, 93 + 15, -20 } };
	struct jc_lint lint = { 0 };
	struct jc_motion *motion;
	struct jc_pose pose;

	make_plain_rig(&rig, 0);
	motion = read_clip(&clip, &lint);
	jc_motion_pose(motion, 0.3, &pose);
	assert_float_equal(pose.hips_translation.x, 0.30f / 0.93f, 1e-4f);
	assert_float_equal(pose.hips_translation.y, 0.0, 1e-4);
	assert_float_equal(pose.hips_translation.z, -0.20f / 0.93f, 1e-4f);
	assert_non_null(strstr(find_finding(&lint, "floor"), "0.15 m"));
	jc_motion_destroy(motion);
}

/* Centimetres; hips, trunk and arms. */
static float hips_of_an_upper_body(int level)
{
	static const char format[] =
		"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n"
		"CHANNELS 3 Xposition Yposition Zposition\n"
		"JOINT Spine\n{\nOFFSET 0 20 0\nCHANNELS 1 Xrotation\n"
		"JOINT Head\n{\nOFFSET 0 40 0\nEnd Site\n{\nOFFSET 0 20 0\n}\n}\n"
		"JOINT LeftArm\n{\nOFFSET 18 30 0\nJOINT LeftForeArm\n{\nOFFSET 28 0 0\n"
		"JOINT LeftHand\n{\nOFFSET 26 0 0\n}\n}\n}\n"
		"JOINT RightArm\n{\nOFFSET -18 30 0\nJOINT RightForeArm\n{\nOFFSET -28 0 0\n"
		"JOINT RightHand\n{\nOFFSET -26 0 0\n}\n}\n}\n}\n}\n"
		"MOTION\nFrames: 1\nFrame Time: 0.1\n0 %d 0 0\n";
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;
	struct jc_pose pose;
	char text[1024];
	int length = snprintf(text, sizeof(text), format, level);

	if (jc_motion_read(text, (size_t)length, 0, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	jc_motion_pose(motion, 0.0, &pose);
	jc_motion_destroy(motion);
	return pose.hips_translation.y;
}

static void hips_without_feet_are_not_on_the_floor(void **)
{
	assert_float_equal(hips_of_an_upper_body(0), 0.0, 1e-6);
	assert_float_equal(hips_of_an_upper_body(-30), 0.0, 1e-6);
	assert_true(fabsf(hips_of_an_upper_body(95)) < 0.1f);
	assert_true(hips_of_an_upper_body(70) < -0.1f);
}

static void info_describes_the_file(void **)
{
	struct rig rig;
	struct clip clip = { &rig, 1, 10, about(0, 0), { 0, 93, 0 } };
	struct jc_motion *motion;
	const struct jc_motion_info *info;

	make_plain_rig(&rig, 0);
	motion = read_clip(&clip, NULL);
	info = jc_motion_info(motion);
	assert_int_equal(info->kind, JC_MOTION_POSES);
	assert_string_equal(info->format, "bvh");
	assert_int_equal(info->frame_count, FRAMES);
	assert_float_equal(info->duration, 0.9, 1e-9);
	assert_float_equal(info->fps, 10.0, 1e-9);
	assert_int_equal(info->bone_mask, (UINT64_C(1) << JC_BONE_LEFT_EYE) - 1);
	jc_motion_destroy(motion);
}

static void rejects_other_figures_naming_missing_parts(void **)
{
	static const char text[] =
		"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT LeftUpLeg\n{\n"
		"OFFSET 1 0 0\nJOINT LeftLeg\n{\nOFFSET 0 -1 0\n}\n}\n}\nMOTION\nFrames: 1\n"
		"Frame Time: 0.1\n0\n";
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;

	assert_int_equal(jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, &diagnostic),
		JC_ERROR_NO_HUMANOID);
	assert_null(motion);
	assert_non_null(strstr(diagnostic.what,
		"missing: spine, head, both legs, both feet, both arms, both hands"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knees_and_elbows_of_a_world_aligned_rig_bend_correctly),
		cmocka_unit_test(feet_inherit_the_correction_of_splayed_legs),
		cmocka_unit_test(roll_of_a_straight_rest_comes_from_the_clip),
		cmocka_unit_test(recognises_a_straight_rest_without_names_by_the_first_frame),
		cmocka_unit_test(straight_rest_without_bending_keeps_the_lateral_axis_of_the_hips),
		cmocka_unit_test(finds_units_by_stature),
		cmocka_unit_test(scales_a_figure_of_no_common_unit_to_human_size),
		cmocka_unit_test(turns_the_world_upright_and_to_the_front),
		cmocka_unit_test(only_a_body_on_its_head_has_feet_above_it),
		cmocka_unit_test(hips_height_is_relative_to_the_measured_floor),
		cmocka_unit_test(hips_without_feet_are_not_on_the_floor),
		cmocka_unit_test(info_describes_the_file),
		cmocka_unit_test(rejects_other_figures_naming_missing_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
