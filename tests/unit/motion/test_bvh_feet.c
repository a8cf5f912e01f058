/* Feet of BVH files: soles that stand level in the file stand level in the pose, whatever the zero
 * pose shows of feet and knees. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* Legs of a figure in its zero pose, centimetres, and the pitch of the feet in the only frame. */
struct legs {
	double ankle[3];     /* from the knee */
	double toes[3];      /* from the ankle; all zero if there is no such joint */
	double tip[3];       /* of the toes, or of the foot without toes */
	double foot_degrees; /* about X: toes down */
	double shin_degrees;
};

static void write_leg(FILE *stream, const struct legs *legs, const char *side, double x)
{
	static const char *const channels = "CHANNELS 3 Zrotation Xrotation Yrotation";
	const double *toes = legs->toes;

	fprintf(stream, "JOINT %sUpLeg\n{\nOFFSET %g 0 0\n%s\n", side, x, channels);
	fprintf(stream, "JOINT %sLeg\n{\nOFFSET 0 -43 0\n%s\n", side, channels);
	fprintf(stream, "JOINT %sFoot\n{\nOFFSET %g %g %g\n%s\n", side, legs->ankle[0],
		legs->ankle[1], legs->ankle[2], channels);
	if (toes[1] != 0.0 || toes[2] != 0.0) {
		fprintf(stream, "JOINT %sToe\n{\nOFFSET %g %g %g\n%s\n", side, toes[0], toes[1],
			toes[2], channels);
	}
	fprintf(stream, "End Site\n{\nOFFSET %g %g %g\n}\n", legs->tip[0], legs->tip[1],
		legs->tip[2]);
	fprintf(stream, "%s", toes[1] != 0.0 || toes[2] != 0.0 ? "}\n}\n}\n}\n" : "}\n}\n}\n");
}

static void write_values(FILE *stream, const struct legs *legs)
{
	fprintf(stream, " 0 0 0 0 %g 0 0 %g 0", legs->shin_degrees, legs->foot_degrees);
	if (legs->toes[1] != 0.0 || legs->toes[2] != 0.0) {
		fprintf(stream, " 0 0 0");
	}
}

/* Hips, a trunk with a head, arms level to the sides, and these legs. */
static struct jc_motion *read_figure(const struct legs *legs)
{
	static const char *const trunk =
		"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n"
		"CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
		"JOINT Spine\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
		"JOINT Head\n{\nOFFSET 0 40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
		"End Site\n{\nOFFSET 0 20 0\n}\n}\n";
	static const char *const arm =
		"JOINT %sArm\n{\nOFFSET %d 30 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
		"JOINT %sForeArm\n{\nOFFSET %d 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
		"JOINT %sHand\n{\nOFFSET %d 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
		"End Site\n{\nOFFSET %d 0 0\n}\n}\n}\n}\n";
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	fprintf(stream, "%s", trunk);
	fprintf(stream, arm, "Left", 18, "Left", 28, "Left", 26, 15);
	fprintf(stream, arm, "Right", -18, "Right", -28, "Right", -26, -15);
	fprintf(stream, "}\n");
	write_leg(stream, legs, "Left", 9);
	write_leg(stream, legs, "Right", -9);
	fprintf(stream, "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 95 0 0 0 0");
	for (int joint = 0; joint < 8; joint++) {
		fprintf(stream, " 0 0 0");
	}
	write_values(stream, legs);
	write_values(stream, legs);
	fprintf(stream, "\n");
	fclose(stream);
	if (jc_motion_read(text, size, 0, NULL, &motion, NULL, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	free(text);
	return motion;
}

/* The feet are turned by so many degrees about the lateral axis from those of the T-pose. */
static void assert_feet(const struct legs *legs, double degrees)
{
	struct jc_quat wanted = jc_quat_from_axis_angle(
		(struct jc_vec3){ 1.0f, 0.0f, 0.0f }, (float)degrees * 0.0174532925f);
	struct jc_motion *motion = read_figure(legs);
	struct jc_pose pose;

	jc_motion_pose(motion, 0.0, &pose);
	for (int side = 0; side < 2; side++) {
		enum jc_bone foot = side ? JC_BONE_RIGHT_FOOT : JC_BONE_LEFT_FOOT;
		struct jc_quat turn = pose.rotations[foot];

		for (enum jc_bone b = jc_bone_parent(foot); b != JC_BONE_NONE;
			b = jc_bone_parent(b)) {
			turn = jc_quat_multiply(pose.rotations[b], turn);
		}
		assert_true(jc_quat_angle(turn, wanted) < 1e-4f);
	}
	jc_motion_destroy(motion);
}

static void feet_without_toes_point_to_their_tip(void **)
{
	assert_feet(&(struct legs){ { 0, -42, 0 }, { 0 }, { 0, -7, 14 }, 0, 0 }, 0);
	assert_feet(&(struct legs){ { 0, -42, 0 }, { 0 }, { 0, -7, 14 }, 20, -15 }, 5);
}

/* The common form of Biovision's files. */
static void a_tip_below_the_ankle_shows_no_direction(void **)
{
	assert_feet(&(struct legs){ { 0, -42, 0 }, { 0 }, { 0, -8, 0 }, 0, 0 }, 0);
	assert_feet(&(struct legs){ { 0, -42, 0 }, { 0 }, { 0, -8, 2 }, 0, 0 }, 0);
	assert_feet(&(struct legs){ { 0, -42, 0 }, { 0 }, { 0, -8, 0 }, -30, 10 }, -20);
}

/* The pitch of the feet of the T-pose, degrees. */
static double t_pose_pitch(void)
{
	struct jc_vec3 foot = jc_vec3_subtract(
		jc_bone_rest_position(JC_BONE_LEFT_TOES), jc_bone_rest_position(JC_BONE_LEFT_FOOT));

	return (double)atan2f(-foot.y, foot.z) * 57.2957795;
}

static double hips_height(const struct legs *legs)
{
	struct jc_motion *motion = read_figure(legs);
	double height = (double)jc_motion_info(motion)->hips_height;

	jc_motion_destroy(motion);
	return height;
}

/* Such a foot is as long as others, and its tip is no sole. */
static void feet_that_hang_in_the_zero_pose_are_turned_by_the_motion(void **)
{
	double pitch = t_pose_pitch() / 57.2957795;
	const struct legs hanging = { { 0, -42, 0 }, { 0 }, { 0, -16, 0 }, t_pose_pitch() - 90, 0 };
	const struct legs level = { { 0, -42, 0 }, { 0 }, { 0, -16 * sin(pitch), 16 * cos(pitch) },
		0, 0 };

	assert_feet(&hanging, 0);
	assert_true(fabs(hips_height(&hanging) - hips_height(&level)) < 1e-4);
}

static void straightened_knees_leave_feet_level(void **)
{
	assert_feet(&(struct legs){ { 0, -42, -8 }, { 0, -6, 13 }, { 0, 0, 6 }, 0, 0 }, 0);
	assert_feet(&(struct legs){ { 0, -42, -8 }, { 0 }, { 0, -8, 0 }, 0, 0 }, 0);
	assert_feet(&(struct legs){ { 0, -42, -8 }, { 0, -6, 13 }, { 0, 0, 6 }, 12, 0 }, 12);
}

/* Ankles are above toes, so a foot that is level in the zero pose is turned when it stands. */
static void feet_of_a_level_zero_pose_stand_as_in_the_t_pose(void **)
{
	assert_feet(
		&(struct legs){ { 0, -42, 0 }, { 0, 0, 14 }, { 0, 0, 6 }, t_pose_pitch(), 0 }, 0);
	/* A tip without toes is any point ahead. */
	assert_feet(&(struct legs){ { 0, -42, 0 }, { 0 }, { 0, 0, 14 }, 0, 0 }, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(feet_without_toes_point_to_their_tip),
		cmocka_unit_test(a_tip_below_the_ankle_shows_no_direction),
		cmocka_unit_test(feet_that_hang_in_the_zero_pose_are_turned_by_the_motion),
		cmocka_unit_test(straightened_knees_leave_feet_level),
		cmocka_unit_test(feet_of_a_level_zero_pose_stand_as_in_the_t_pose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
