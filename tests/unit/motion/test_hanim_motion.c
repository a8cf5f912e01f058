/* Motions of H-Anim files. Expected values: formulas for rotations about one axis,
 * products of such rotations, and numbers from the files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../data_file.h"
#include "expect.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define PI 3.14159265358979323846

/* Spine and left leg of a figure whose hip joints are 0.8 above its ankle, an arm that
 * hangs straight, and a head that is bent in the file. */
#define FIGURE                                                                                     \
	"#X3D V4.0 utf8\nPROFILE Immersive\n"                                                      \
	"DEF one HAnimHumanoid { name \"one\" version \"2.0\" skeleton [\n"                        \
	" DEF root HAnimJoint { name \"humanoid_root\" center 0 0.85 0 children [\n"               \
	"  DEF hip HAnimJoint { name \"l_hip\" center 0.1 0.9 0 children [\n"                      \
	"   HAnimJoint { name \"l_talocrural\" center 0.1 0.1 0 } ] }\n"                           \
	"  HAnimJoint { name \"r_hip\" center -0.1 0.9 0 }\n"                                      \
	"  DEF spine HAnimJoint { name \"vl5\" center 0 1 0 children [\n"                          \
	"   DEF shoulder HAnimJoint { name \"l_shoulder\" center 0.2 1.4 0 children [\n"           \
	"    HAnimJoint { name \"l_elbow\" center 0.2 1.1 0 } ] }\n"                               \
	"   DEF head HAnimJoint { name \"skullbase\" center 0 1.6 0 rotation 2 0 0 0.5 } ] }\n"    \
	"  DEF tail HAnimJoint { name \"tail\" center 0 0.8 -0.1 }\n"                              \
	" ] } ]\n"

#define TIMER(name, seconds) "DEF " name " TimeSensor { cycleInterval " seconds " }\n"
#define TURN(name, keys, values)                                                                   \
	"DEF " name " OrientationInterpolator { key [ " keys " ] keyValue [ " values " ] }\n"
#define SHIFT(name, keys, values)                                                                  \
	"DEF " name " PositionInterpolator { key [ " keys " ] keyValue [ " values " ] }\n"
#define ROUTE(timer, name, joint, field)                                                           \
	"ROUTE " timer ".fraction_changed TO " name ".set_fraction\n"                              \
	"ROUTE " name ".value_changed TO " joint "." field "\n"

static struct jc_motion *read_motion(const char *text, size_t index)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion = NULL;

	if (jc_motion_read(text, strlen(text), index, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return motion;
}

static void assert_refused(const char *text, size_t index, int expected, const char *what)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion;
	int error = jc_motion_read(text, strlen(text), index, NULL, &motion, NULL, &diagnostic);

	assert_int_equal(error, expected);
	if (!strstr(diagnostic.what, what)) {
		fail_msg("'%s' lacks '%s'", diagnostic.what, what);
	}
}

static struct jc_quat about(double x, double y, double z, double radians)
{
	double sine = sin(radians / 2.0) / sqrt(x * x + y * y + z * z);

	return (struct jc_quat){ (float)(x * sine), (float)(y * sine), (float)(z * sine),
		(float)cos(radians / 2.0) };
}

static void assert_turn(
	const struct jc_motion *motion, double t, enum jc_bone bone, struct jc_quat expected)
{
	struct jc_pose pose;

	jc_motion_pose(motion, t, &pose);
	assert_int_equal(pose.states[bone], JC_TRACKED);
	assert_float_equal(jc_quat_angle(pose.rotations[bone], expected), 0.0, 2e-6);
}

static void interpolates_a_quarter_turn_evenly(void **)
{
	struct jc_motion *motion = read_motion(FIGURE
		"}\n" TIMER("clock", "4")
			TURN("bend", "0 0.5 1", "0 0 1 0 0 0 1 1.5707963267948966 0 0 1 0")
				ROUTE("clock", "bend", "spine", "set_rotation"),
		0);
	const struct jc_motion_info *info = jc_motion_info(motion);

	assert_string_equal(info->format, "h-anim");
	assert_string_equal(info->family, "2.0");
	assert_string_equal(info->name, "clock");
	assert_float_equal(info->duration, 4.0, 1e-12);
	assert_float_equal(info->hips_height, 0.8, 1e-6);
	assert_turn(motion, 0.0, JC_BONE_SPINE, JC_QUAT_IDENTITY);
	assert_turn(motion, 1.0, JC_BONE_SPINE, about(0, 0, 1, PI / 4));
	assert_turn(motion, 2.0, JC_BONE_SPINE, about(0, 0, 1, PI / 2));
	assert_turn(motion, 3.5, JC_BONE_SPINE, about(0, 0, 1, PI / 8));
	jc_motion_destroy(motion);
}

static void first_and_last_keys_extend_outside_their_span(void **)
{
	struct jc_motion *motion = read_motion(FIGURE
		"}\n" TIMER("clock", "10") TURN("bend", "0.25 0.75", "1 0 0 0.2 3 0 0 0.6")
			ROUTE("clock", "bend", "spine", "rotation"),
		0);

	assert_turn(motion, 0.0, JC_BONE_SPINE, about(1, 0, 0, 0.2));
	assert_turn(motion, 5.0, JC_BONE_SPINE, about(1, 0, 0, 0.4));
	assert_turn(motion, 10.0, JC_BONE_SPINE, about(1, 0, 0, 0.6));
	jc_motion_destroy(motion);
}

/* Three quarters of a turn forward are one quarter back. */
static void rotations_take_the_short_way(void **)
{
	struct jc_motion *motion = read_motion(FIGURE
		"}\n" TIMER("clock", "1") TURN("bend", "0 1", "0 1 0 0 0 1 0 4.71238898038469")
			ROUTE("clock", "bend", "spine", "rotation"),
		0);

	assert_turn(motion, 0.5, JC_BONE_SPINE, about(0, 1, 0, -PI / 4));
	jc_motion_destroy(motion);
}

static void equal_keys_make_a_jump(void **)
{
	struct jc_motion *motion = read_motion(FIGURE
		"}\n" TIMER("clock", "1")
			TURN("bend", "0 0.5 0.5 1", "0 1 0 0  0 1 0 0  0 1 0 1  0 1 0 1")
				ROUTE("clock", "bend", "spine", "rotation"),
		0);

	assert_turn(motion, 0.49, JC_BONE_SPINE, JC_QUAT_IDENTITY);
	assert_turn(motion, 0.51, JC_BONE_SPINE, about(0, 1, 0, 1));
	jc_motion_destroy(motion);
}

/* The rest has default fields: the field begins with the stored rotation. */
static void a_joint_without_a_route_keeps_its_fields(void **)
{
	struct jc_motion *motion =
		read_motion(FIGURE "}\n" TIMER("clock", "1") TURN("bend", "0", "0 1 0 0.3")
				    ROUTE("clock", "bend", "spine", "rotation"),
			0);

	assert_turn(motion, 0.7, JC_BONE_SPINE, about(0, 1, 0, 0.3));
	assert_turn(motion, 0.7, JC_BONE_HEAD, about(1, 0, 0, 0.5));
	jc_motion_destroy(motion);
}

static void a_hanging_arm_is_a_quarter_turn_from_the_t_pose(void **)
{
	struct jc_motion *motion = read_motion(FIGURE
		"}\n" TIMER("clock", "1") TURN("lift", "0 1", "0 0 1 0 0 0 1 1.5707963267948966")
			ROUTE("clock", "lift", "shoulder", "rotation"),
		0);

	assert_turn(motion, 0.0, JC_BONE_LEFT_UPPER_ARM, about(0, 0, 1, -PI / 2));
	assert_turn(motion, 0.0, JC_BONE_LEFT_LOWER_ARM, JC_QUAT_IDENTITY);
	assert_turn(motion, 1.0, JC_BONE_LEFT_UPPER_ARM, JC_QUAT_IDENTITY);
	jc_motion_destroy(motion);
}

/* A rotation about its own center does not move the root. */
static void root_translation_is_in_hips_heights(void **)
{
	struct jc_motion *motion = read_motion(FIGURE
		"}\n" TIMER("clock", "2") SHIFT("go", "0 1", "0 0 0 0.4 -0.2 1.6") TURN("spin",
			"0 1", "0 1 0 0 0 1 0 1") ROUTE("clock", "go", "root", "set_translation")
			ROUTE("clock", "spin", "root", "set_rotation"),
		0);
	struct jc_pose pose;

	jc_motion_pose(motion, 1.0, &pose);
	assert_float_equal(pose.hips_translation.x, 0.25, 1e-6);
	assert_float_equal(pose.hips_translation.y, -0.125, 1e-6);
	assert_float_equal(pose.hips_translation.z, 1.0, 1e-6);
	assert_turn(motion, 1.0, JC_BONE_HIPS, about(0, 1, 0, 0.5));
	jc_motion_destroy(motion);
}

/* The center is at 0.85, the hip joints 0.8 above the ankle. An actor who is 0.16 taller
 * and crouches for a moment still stands on the ground. */
static void reads_translations_of_a_floating_root_as_positions(void **)
{
	struct jc_motion *motion =
		read_motion(FIGURE "}\n" TIMER("clock", "1") SHIFT("go", "0 0.4 0.5 0.6 1",
				    "0.4 1.01 0 0.4 1.01 0 0 0.61 0 0.8 1.01 -1.6 0.8 1.01 -1.6")
				    ROUTE("clock", "go", "root", "set_translation"),
			0);
	struct jc_motion *jump =
		read_motion(FIGURE "}\n" TIMER("clock", "1") SHIFT("go", "0 1", "0 0 0 0 0.85 0")
				    ROUTE("clock", "go", "root", "set_translation"),
			0);
	struct jc_pose pose;

	jc_motion_pose(motion, 0.0, &pose);
	assert_float_equal(pose.hips_translation.x, 0.5, 1e-6);
	assert_float_equal(pose.hips_translation.y, 0.0, 1e-6);
	jc_motion_pose(motion, 0.5, &pose);
	assert_float_equal(pose.hips_translation.y, -0.5, 1e-6);
	jc_motion_pose(motion, 1.0, &pose);
	assert_float_equal(pose.hips_translation.y, 0.0, 1e-6);
	assert_float_equal(pose.hips_translation.z, -2.0, 1e-6);
	jc_motion_pose(jump, 1.0, &pose);
	assert_float_equal(pose.hips_translation.y, 1.0625, 1e-6);
	jc_motion_destroy(motion);
	jc_motion_destroy(jump);
}

static void each_time_sensor_is_a_motion(void **)
{
	const char text[] = FIGURE "}\n" TIMER("idle", "9") TIMER("left", "1") TIMER("right", "2")
		TURN("a", "0", "0 1 0 0.3") TURN("b", "0", "0 1 0 -0.3")
			ROUTE("right", "b", "spine", "rotation")
				ROUTE("left", "a", "spine", "rotation")
					ROUTE("idle", "a", "tail", "rotation");
	struct jc_motion *left, *right;

	left = read_motion(text, 1);
	right = read_motion(text, 2);
	assert_string_equal(jc_motion_info(left)->name, "left");
	assert_string_equal(jc_motion_info(right)->name, "right");
	assert_float_equal(jc_motion_info(right)->duration, 2.0, 1e-12);
	assert_turn(left, 0.0, JC_BONE_SPINE, about(0, 1, 0, 0.3));
	assert_turn(right, 0.0, JC_BONE_SPINE, about(0, 1, 0, -0.3));
	assert_refused(text, 3, JC_ERROR_ABSENT, "the file has 3");
	jc_motion_destroy(left);
	jc_motion_destroy(right);
}

/* The sensor of the second figure is first in the file. */
static void counts_motions_figure_by_figure(void **)
{
	const char text[] = FIGURE
		"}\n"
		"DEF two HAnimHumanoid { name \"two\" skeleton [\n"
		" HAnimJoint { name \"humanoid_root\" children [\n"
		"  DEF other HAnimJoint { name \"vl5\" center 0 1 0 } ] } ] }\n" TIMER(
			"second", "2") TIMER("first", "1") TURN("a", "0", "0 1 0 0.3")
			TURN("b", "0", "0 1 0 -0.3") ROUTE("second", "b", "other", "rotation")
				ROUTE("first", "a", "spine", "rotation");
	struct jc_motion *first = read_motion(text, 0);
	struct jc_motion *second = read_motion(text, 1);

	assert_string_equal(jc_motion_info(first)->name, "first");
	assert_string_equal(jc_motion_info(second)->name, "second");
	assert_turn(second, 0.0, JC_BONE_SPINE, about(0, 1, 0, -0.3));
	assert_refused(text, 2, JC_ERROR_ABSENT, "the file has 2");
	jc_motion_destroy(first);
	jc_motion_destroy(second);
}

/* The first and the third of four figures have no joints. */
static void figures_that_cannot_be_used_hide_no_motions(void **)
{
	const char text[] = "#X3D V4.0 utf8\nPROFILE Immersive\n"
			    "HAnimHumanoid { name \"empty\" }\n"
			    "HAnimHumanoid { name \"two\" skeleton [\n"
			    " HAnimJoint { name \"humanoid_root\" children [\n"
			    "  DEF spine HAnimJoint { name \"vl5\" center 0 1 0 } ] } ] }\n"
			    "HAnimHumanoid { name \"empty\" }\n"
			    "HAnimHumanoid { name \"four\" skeleton [\n"
			    " HAnimJoint { name \"humanoid_root\" children [\n"
			    "  DEF other HAnimJoint { name \"vl5\" center 0 1 0 } ] } ] }\n";
	const char clips[] = TIMER("first", "1") TIMER("second", "2") TURN("a", "0", "0 1 0 0.3")
		TURN("b", "0", "0 1 0 -0.3") ROUTE("first", "a", "spine", "rotation")
			ROUTE("second", "b", "other", "rotation");
	char whole[sizeof(text) + sizeof(clips)];
	struct jc_motion *motion;

	snprintf(whole, sizeof(whole), "%s%s", text, clips);
	motion = read_motion(whole, 1);
	assert_turn(motion, 0.0, JC_BONE_SPINE, about(0, 1, 0, -0.3));
	assert_refused(whole, 2, JC_ERROR_ABSENT, "the file has 2");
	assert_refused(text, 0, JC_ERROR_NO_HUMANOID, "no joints");
	jc_motion_destroy(motion);
}

static void rejects_invalid_keys_with_the_reason(void **)
{
	assert_refused(FIGURE "}\n", 0, JC_ERROR_ABSENT, "has no motion");
	assert_refused(FIGURE "}\n" TIMER("clock", "1")
			       TURN("bend", "0 0.6 0.5", "0 1 0 0 0 1 0 0 0 1 0 0")
				       ROUTE("clock", "bend", "spine", "rotation"),
		0, JC_ERROR_INVALID, "ascending order");
	assert_refused(FIGURE "}\n" TIMER("clock", "1") TURN("bend", "0 1", "0 1 0 0 0 1 0")
			       ROUTE("clock", "bend", "spine", "rotation"),
		0, JC_ERROR_INVALID, "7 key values for 2 keys; 8 are needed");
	assert_refused(FIGURE "}\n" TIMER("clock", "0") TURN("bend", "0", "0 1 0 0")
			       ROUTE("clock", "bend", "spine", "rotation"),
		0, JC_ERROR_INVALID, "cycleInterval");
}

/* The spine rests, and the hips turn. */
static void an_invalid_interpolator_does_not_stop_the_clip(void **)
{
	const char text[] =
		FIGURE "}\n" TIMER("clock", "1") TURN("bad", "0 0.6 0.5", "0 1 0 0 0 1 0 0 0 1 0 0")
			TURN("good", "0", "0 1 0 0.3") ROUTE("clock", "bad", "spine", "rotation")
				ROUTE("clock", "good", "root", "rotation");
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic;
	struct jc_motion *motion;

	assert_int_equal(
		jc_motion_read(text, sizeof(text) - 1, 0, NULL, &motion, &lint, &diagnostic),
		JC_OK);
	assert_turn(motion, 0.0, JC_BONE_HIPS, about(0, 1, 0, 0.3));
	assert_turn(motion, 0.0, JC_BONE_SPINE, about(0, 1, 0, 0.0));
	assert_non_null(strstr(find_finding(&lint, "hanim-interpolator"),
		"'bad' has keys that are not in ascending order, line"));
	jc_motion_destroy(motion);
}

#define FRAMES                                                                                     \
	"motions HAnimMotion { name \"clip\" frameDuration 0.5\n"                                  \
	" joints \"HumanoidRoot, IGNORED vl5\"\n"                                                  \
	" channels \"6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"              \
	"  1 Xrotation 3 Zrotation Xrotation Yrotation\"\n"                                        \
	" values [ 0 0 0  0 0 0  7  0 0 0   0.8 0 0  0 0 90  7  90 90 0\n"                         \
	"  0 0 1.6  0 0 0  7  0 0 -90 ]\n"

/* Z, then X about the turned axis: the matrix product Rz Rx takes x to y and y to z. */
static void motion_frames_rotate_in_the_order_of_their_channels(void **)
{
	struct jc_motion *motion = read_motion(FIGURE FRAMES "} }\n", 0);
	const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f }, y = { 0.0f, 1.0f, 0.0f };
	struct jc_vec3 turned;
	struct jc_pose pose;

	assert_string_equal(jc_motion_info(motion)->name, "clip");
	assert_float_equal(jc_motion_info(motion)->duration, 1.0, 1e-12);
	jc_motion_pose(motion, 0.5, &pose);
	assert_float_equal(pose.hips_translation.x, 1.0, 1e-6);
	assert_turn(motion, 0.5, JC_BONE_HIPS, about(0, 1, 0, PI / 2));
	turned = jc_quat_rotate(pose.rotations[JC_BONE_SPINE], x);
	assert_float_equal(turned.y, 1.0, 1e-6);
	turned = jc_quat_rotate(pose.rotations[JC_BONE_SPINE], y);
	assert_float_equal(turned.z, 1.0, 1e-6);
	assert_turn(motion, 0.25, JC_BONE_HIPS, about(0, 1, 0, PI / 4));
	assert_turn(motion, 1.0, JC_BONE_SPINE, about(0, 1, 0, -PI / 2));
	jc_motion_destroy(motion);
}

static void motion_frames_play_backwards_and_in_steps(void **)
{
	struct jc_motion *back = read_motion(FIGURE FRAMES "frameIncrement -1 } }\n", 0);
	struct jc_motion *steps = read_motion(FIGURE FRAMES "frameIncrement 2 } }\n", 0);
	struct jc_motion *part = read_motion(FIGURE FRAMES "frameIncrement 0.4 } }\n", 0);

	assert_turn(back, 0.0, JC_BONE_SPINE, about(0, 1, 0, -PI / 2));
	assert_float_equal(jc_motion_info(back)->duration, 1.0, 1e-12);
	assert_float_equal(jc_motion_info(steps)->duration, 0.5, 1e-12);
	assert_turn(steps, 0.25, JC_BONE_SPINE, about(0, 1, 0, -PI / 4));
	assert_float_equal(jc_motion_info(part)->duration, 1.0, 1e-12);
	jc_motion_destroy(back);
	jc_motion_destroy(steps);
	jc_motion_destroy(part);
}

static void disabled_channels_have_no_effect(void **)
{
	struct jc_motion *joints =
		read_motion(FIGURE FRAMES "channelsEnabled [ FALSE TRUE TRUE ] } }\n", 0);
	struct jc_motion *channels = read_motion(FIGURE FRAMES
		"channelsEnabled [ TRUE TRUE TRUE TRUE TRUE FALSE TRUE FALSE TRUE TRUE ] } }\n",
		0);
	struct jc_pose pose;

	assert_turn(joints, 0.5, JC_BONE_HIPS, JC_QUAT_IDENTITY);
	assert_turn(joints, 1.0, JC_BONE_SPINE, about(0, 1, 0, -PI / 2));
	jc_motion_pose(joints, 0.5, &pose);
	assert_float_equal(pose.hips_translation.x, 0.0, 1e-9);
	assert_turn(channels, 0.5, JC_BONE_HIPS, JC_QUAT_IDENTITY);
	assert_turn(channels, 0.5, JC_BONE_SPINE, about(1, 0, 0, PI / 2));
	jc_motion_pose(channels, 0.5, &pose);
	assert_float_equal(pose.hips_translation.x, 1.0, 1e-6);
	jc_motion_destroy(joints);
	jc_motion_destroy(channels);
}

/* For each file: number of motions, a duration, and one joint at one key. */
static const struct {
	const char *name;
	size_t count, index;
	double duration, t;
	enum jc_bone bone;
	struct jc_quat expected;
} files[] = {
	/* The root's first key is 1 0 0 0.5. */
	{ "JoeKick.x3d", 1, 0, 3.73, 0.0, JC_BONE_HIPS,
		{ 0.24740396f, 0.00000000f, 0.00000000f, 0.96891242f } },
	{ "BoxManC.x3d", 1, 0, 2.0, 0.0, JC_BONE_HIPS, { 0, 0, 0, 1 } },
	{ "JinLOA4_x3djsail.wrl", 9, 0, 5.73, 1.0, JC_BONE_HIPS, { 0, 0, 0, 1 } },
	/* vl5, -1 0.4594064 -0.6292405 0.03213956, hangs on the sacroiliac here:
	 * 0.3009527 0.04034359 1 0.07794639 */
	{ "KoreanCharacterMotionAnnexC01Jin.x3d", 1, 0, 8.033494, 0.0, JC_BONE_SPINE,
		{ -0.00167671f, 0.00693985f, 0.02939187f, 0.99954247f } },
	/* vl5: Z 0.79, X -28.37, Y 9.52 degrees; 392 frames, a tenth of a second each */
	{ "KoreanCharacterMotionAnnexD01Jin.x3d", 1, 0, 39.1, 0.0, JC_BONE_SPINE,
		{ -0.24475723f, 0.07876649f, -0.01367384f, 0.96628296f } },
};

static void reads_motions_of_public_files(void **)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_motion *motion;
		size_t length = 0, count = 0;
		char *bytes = data_file_read("hanim", files[i].name, &length);

		if (!bytes) {
			continue;
		}
		while (jc_motion_read(bytes, length, count, NULL, &motion, NULL, &diagnostic) ==
			JC_OK) {
			if (count++ == files[i].index) {
				assert_float_equal(
					jc_motion_info(motion)->duration, files[i].duration, 1e-9);
				assert_turn(motion, files[i].t, files[i].bone, files[i].expected);
			}
			jc_motion_destroy(motion);
		}
		if (count != files[i].count) {
			fail_msg("%s: %zu motions, then '%s'", files[i].name, count,
				diagnostic.what);
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpolates_a_quarter_turn_evenly),
		cmocka_unit_test(first_and_last_keys_extend_outside_their_span),
		cmocka_unit_test(rotations_take_the_short_way),
		cmocka_unit_test(equal_keys_make_a_jump),
		cmocka_unit_test(a_joint_without_a_route_keeps_its_fields),
		cmocka_unit_test(a_hanging_arm_is_a_quarter_turn_from_the_t_pose),
		cmocka_unit_test(root_translation_is_in_hips_heights),
		cmocka_unit_test(reads_translations_of_a_floating_root_as_positions),
		cmocka_unit_test(each_time_sensor_is_a_motion),
		cmocka_unit_test(counts_motions_figure_by_figure),
		cmocka_unit_test(figures_that_cannot_be_used_hide_no_motions),
		cmocka_unit_test(rejects_invalid_keys_with_the_reason),
		cmocka_unit_test(an_invalid_interpolator_does_not_stop_the_clip),
		cmocka_unit_test(motion_frames_rotate_in_the_order_of_their_channels),
		cmocka_unit_test(motion_frames_play_backwards_and_in_steps),
		cmocka_unit_test(disabled_channels_have_no_effect),
		cmocka_unit_test(reads_motions_of_public_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
