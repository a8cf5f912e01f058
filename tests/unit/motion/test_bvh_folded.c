/* BVH clips whose zero pose is folded: all bones lie along one axis of their joints, as in exports
 * of Rokoko and in LAFAN1, so that the zero pose shows neither up nor how bones are turned about
 * their length. A walk by formula is written with such axes and must be read as it was made, whole
 * and in windows. */
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
#define FRAMES 120

static struct matrix about(int axis, double degrees)
{
	return matrix_about(axis == 0, axis == 1, axis == 2, degrees);
}

#define MAX_JOINTS 21

/* A figure, centimetres; ends of limbs have a tip. */
struct joint {
	const char *name; /* NULL after the last */
	enum jc_bone bone;
	int parent;
	double offset[3], tip[3];
};

/* In the T-pose. Toes get the direction of the reference pose. */
static const struct joint human[MAX_JOINTS + 1] = {
	{ "Hips", JC_BONE_HIPS, -1, { 0, 95, 0 }, { 0 } },
	{ "Spine", JC_BONE_SPINE, 0, { 0, 12, 0 }, { 0 } },
	{ "Spine1", JC_BONE_CHEST, 1, { 0, 20, 0 }, { 0 } },
	{ "Neck", JC_BONE_NECK, 2, { 0, 22, 0 }, { 0 } },
	{ "Head", JC_BONE_HEAD, 3, { 0, 10, 0 }, { 0, 18, 0 } },
	{ "LeftShoulder", JC_BONE_LEFT_SHOULDER, 2, { 4, 16, 0 }, { 0 } },
	{ "LeftArm", JC_BONE_LEFT_UPPER_ARM, 5, { 14, 0, 0 }, { 0 } },
	{ "LeftForeArm", JC_BONE_LEFT_LOWER_ARM, 6, { 28, 0, 0 }, { 0 } },
	{ "LeftHand", JC_BONE_LEFT_HAND, 7, { 26, 0, 0 }, { 15, 0, 0 } },
	{ "RightShoulder", JC_BONE_RIGHT_SHOULDER, 2, { -4, 16, 0 }, { 0 } },
	{ "RightArm", JC_BONE_RIGHT_UPPER_ARM, 9, { -14, 0, 0 }, { 0 } },
	{ "RightForeArm", JC_BONE_RIGHT_LOWER_ARM, 10, { -28, 0, 0 }, { 0 } },
	{ "RightHand", JC_BONE_RIGHT_HAND, 11, { -26, 0, 0 }, { -15, 0, 0 } },
	{ "LeftUpLeg", JC_BONE_LEFT_UPPER_LEG, 0, { 9, 0, 0 }, { 0 } },
	{ "LeftLeg", JC_BONE_LEFT_LOWER_LEG, 13, { 0, -43, 0 }, { 0 } },
	{ "LeftFoot", JC_BONE_LEFT_FOOT, 14, { 0, -42, 0 }, { 0 } },
	{ "LeftToe", JC_BONE_LEFT_TOES, 15, { 0 }, { 0, 0, 6 } },
	{ "RightUpLeg", JC_BONE_RIGHT_UPPER_LEG, 0, { -9, 0, 0 }, { 0 } },
	{ "RightLeg", JC_BONE_RIGHT_LOWER_LEG, 17, { 0, -43, 0 }, { 0 } },
	{ "RightFoot", JC_BONE_RIGHT_FOOT, 18, { 0, -42, 0 }, { 0 } },
	{ "RightToe", JC_BONE_RIGHT_TOES, 19, { 0 }, { 0, 0, 6 } },
};

/* A standing dog with human names. */
static const struct joint dog[MAX_JOINTS + 1] = {
	{ "Hips", JC_BONE_HIPS, -1, { 0, 60, 0 }, { 0 } },
	{ "Spine", JC_BONE_SPINE, 0, { 0, 0, 30 }, { 0 } },
	{ "Spine1", JC_BONE_CHEST, 1, { 0, 0, 30 }, { 0 } },
	{ "Neck", JC_BONE_NECK, 2, { 0, 10, 10 }, { 0 } },
	{ "Head", JC_BONE_HEAD, 3, { 0, 10, 15 }, { 0, 0, 20 } },
	{ "LeftArm", JC_BONE_LEFT_UPPER_ARM, 2, { 8, -5, 0 }, { 0 } },
	{ "LeftForeArm", JC_BONE_LEFT_LOWER_ARM, 5, { 0, -25, 2 }, { 0 } },
	{ "LeftHand", JC_BONE_LEFT_HAND, 6, { 0, -25, -2 }, { 0, -5, 5 } },
	{ "RightArm", JC_BONE_RIGHT_UPPER_ARM, 2, { -8, -5, 0 }, { 0 } },
	{ "RightForeArm", JC_BONE_RIGHT_LOWER_ARM, 8, { 0, -25, 2 }, { 0 } },
	{ "RightHand", JC_BONE_RIGHT_HAND, 9, { 0, -25, -2 }, { 0, -5, 5 } },
	{ "LeftUpLeg", JC_BONE_LEFT_UPPER_LEG, 0, { 8, -5, 0 }, { 0 } },
	{ "LeftLeg", JC_BONE_LEFT_LOWER_LEG, 11, { 0, -25, 2 }, { 0 } },
	{ "LeftFoot", JC_BONE_LEFT_FOOT, 12, { 0, -25, -2 }, { 0, -5, 5 } },
	{ "RightUpLeg", JC_BONE_RIGHT_UPPER_LEG, 0, { -8, -5, 0 }, { 0 } },
	{ "RightLeg", JC_BONE_RIGHT_LOWER_LEG, 14, { 0, -25, 2 }, { 0 } },
	{ "RightFoot", JC_BONE_RIGHT_FOOT, 15, { 0, -25, -2 }, { 0, -5, 5 } },
};

static struct vector vector_of(const double *v)
{
	return (struct vector){ { v[0], v[1], v[2] } };
}

static bool is_zero(struct vector v)
{
	return vector_distance(v, (struct vector){ 0 }) < 1e-9;
}

static struct vector unit_of(struct vector v)
{
	return vector_scale(v, 1.0 / vector_distance(v, (struct vector){ 0 }));
}

/* From the joint above, T-pose. The foot points as in the reference pose. */
static struct vector offset_of(const struct joint *joints, int j)
{
	struct vector foot = vector_from(jc_vec3_subtract(jc_bone_rest_position(JC_BONE_LEFT_TOES),
		jc_bone_rest_position(JC_BONE_LEFT_FOOT)));

	if (jc_bone_left_of(joints[j].bone) == JC_BONE_LEFT_TOES) {
		foot.v[0] = 0.0;
		return vector_scale(unit_of(foot), 14.0);
	}
	return vector_of(joints[j].offset);
}

/* Along the bone in the T-pose. */
static struct vector direction_of(const struct joint *joints, int j)
{
	for (int child = j + 1; joints[child].name; child++) {
		if (joints[child].parent == j) {
			return unit_of(offset_of(joints, child));
		}
	}
	return unit_of(vector_of(joints[j].tip));
}

/* How the axes of the joints lie in the T-pose. */
struct rig {
	const struct joint *joints;
	struct matrix axes[MAX_JOINTS];
	struct matrix world; /* of the file in canonical space */
};

/* Axes whose axis `along` (-Y: 1, +X: 0) lies along the bone, rolled by quarter turns. */
static struct matrix folded_axes(struct vector direction, int along, int quarters)
{
	struct vector y = along == 1 ? vector_scale(direction, -1.0) : direction;
	struct vector aside = { { fabs(y.v[0]) < 0.7, 0, fabs(y.v[0]) >= 0.7 } };
	struct vector z = unit_of(vector_cross(aside, y));
	struct vector x = vector_cross(y, z);
	struct matrix axes =
		along == 1 ? matrix_from_columns(x, y, z) : matrix_from_columns(y, z, x);

	return matrix_multiply(axes, about(along, 90 * quarters));
}

/* rolls selects the quarter turns of every bone. */
static struct rig make_rig(const struct joint *joints, int along, int rolls)
{
	struct rig rig = { .joints = joints, .world = about(0, 0) };

	for (int j = 0; joints[j].name; j++) {
		rig.axes[j] =
			folded_axes(direction_of(joints, j), along, (rolls * (j + 3)) / 2 % 4);
	}
	rig.axes[0] = along == 1 ? about(0, 0) : folded_axes(direction_of(joints, 0), 0, 1);
	return rig;
}

/* The rotation of a part of the human relative to the part above it. */
static struct matrix turn_of(enum jc_bone bone, double t)
{
	bool right = jc_bone_is_right(bone);
	double side = right ? -1 : 1;
	double swing = sin(2 * PI * t + (right ? PI : 0));

	switch (jc_bone_left_of(bone)) {
	case JC_BONE_HIPS:
		return matrix_multiply(about(1, 6 * swing), about(0, 3));
	case JC_BONE_SPINE:
	case JC_BONE_CHEST:
		return matrix_multiply(about(1, -5 * swing), about(0, 4));
	case JC_BONE_HEAD:
		return about(1, 25 * sin(1.3 * t));
	case JC_BONE_LEFT_UPPER_LEG:
		return matrix_multiply(about(0, -8 - 25 * swing), about(1, 8 * side));
	case JC_BONE_LEFT_LOWER_LEG:
		return about(0, 25 - 20 * swing);
	case JC_BONE_LEFT_FOOT:
		return about(0, -10 + 12 * swing);
	case JC_BONE_LEFT_UPPER_ARM:
		return matrix_multiply(about(0, 20 * swing), about(2, -72 * side));
	case JC_BONE_LEFT_LOWER_ARM:
		return matrix_multiply(about(1, -side * (35 + 15 * swing)), about(0, 10));
	case JC_BONE_LEFT_HAND:
		return about(2, 10 * swing);
	default:
		return about(0, 0);
	}
}

static void put_joint(FILE *stream, const struct rig *rig, int j)
{
	const struct joint *joints = rig->joints;
	int parent = joints[j].parent;
	struct vector offset = parent < 0 ? (struct vector){ 0 }
					  : matrix_apply(matrix_transpose(rig->axes[parent]),
						    offset_of(joints, j));
	struct vector tip = matrix_apply(matrix_transpose(rig->axes[j]), vector_of(joints[j].tip));

	fprintf(stream,
		"%s %s\n{\nOFFSET %.9g %.9g %.9g\nCHANNELS %s Zrotation Yrotation Xrotation\n",
		parent < 0 ? "ROOT" : "JOINT", joints[j].name, offset.v[0], offset.v[1],
		offset.v[2], parent < 0 ? "6 Xposition Yposition Zposition" : "3");
	for (int child = j + 1; joints[child].name; child++) {
		if (joints[child].parent == j) {
			put_joint(stream, rig, child);
		}
	}
	if (!is_zero(tip)) {
		fprintf(stream, "End Site\n{\nOFFSET %.9g %.9g %.9g\n}\n", tip.v[0], tip.v[1],
			tip.v[2]);
	}
	fprintf(stream, "}\n");
}

/* Angles of R = Rz Ry Rx. */
static void put_rotation(FILE *stream, struct matrix r)
{
	double sine = fmax(-1.0, fmin(1.0, -r.m[2][0]));
	bool is_locked = fabs(sine) > 1.0 - 1e-12;
	double z = is_locked ? atan2(-r.m[0][1], r.m[1][1]) : atan2(r.m[1][0], r.m[0][0]);
	double x = is_locked ? 0.0 : atan2(r.m[2][1], r.m[2][2]);

	fprintf(stream, " %.9g %.9g %.9g", z * 180 / PI, asin(sine) * 180 / PI, x * 180 / PI);
}

static double time_of(int frame)
{
	return frame / 60.0;
}

static void put_frame(FILE *stream, const struct rig *rig, int frame)
{
	const struct joint *joints = rig->joints;
	struct matrix turned[MAX_JOINTS], posed[MAX_JOINTS];
	struct vector hips = matrix_apply(rig->world, vector_of(joints[0].offset));

	fprintf(stream, "%.9g %.9g %.9g", hips.v[0], hips.v[1], hips.v[2]);
	for (int j = 0; joints[j].name; j++) {
		struct matrix turn = joints == dog ? about(0, 5 * sin(time_of(frame) + j))
						   : turn_of(joints[j].bone, time_of(frame));
		int parent = joints[j].parent;

		turned[j] = matrix_multiply(parent < 0 ? rig->world : turned[parent], turn);
		posed[j] = matrix_multiply(turned[j], rig->axes[j]);
		put_rotation(stream,
			parent < 0 ? posed[j]
				   : matrix_multiply(matrix_transpose(posed[parent]), posed[j]));
	}
	fprintf(stream, "\n");
}

static int read_window(const struct rig *rig, int first, int count, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	fprintf(stream, "HIERARCHY\n");
	put_joint(stream, rig, 0);
	fprintf(stream, "MOTION\nFrames: %d\nFrame Time: %.9f\n", count, time_of(1));
	for (int frame = first; frame < first + count; frame++) {
		put_frame(stream, rig, frame);
	}
	fclose(stream);
	int status = jc_motion_read(text, size, 0, NULL, out_motion, lint, diagnostic);

	free(text);
	return status;
}

/* Every bone has its rotation relative to the bone above in every tenth frame. */
static void assert_read_as_made(const struct rig *rig, int first, int count)
{
	const struct joint *joints = rig->joints;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_motion *motion;

	if (read_window(rig, first, count, &motion, &lint, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	for (int frame = 0; frame < count; frame += 10) {
		struct jc_pose pose;

		jc_motion_pose(motion, time_of(frame), &pose);
		for (int j = 0; joints[j].name; j++) {
			double off = degrees_between(pose.rotations[joints[j].bone],
				matrix_to_quat(turn_of(joints[j].bone, time_of(first + frame))));

			if (off > 0.01) {
				fail_msg("%s is %.3f degrees off in frame %d of the window at %d",
					joints[j].name, off, frame, first);
			}
		}
	}
	assert_null(find_finding(&lint, "rest"));
	jc_motion_destroy(motion);
}

static void bones_along_minus_y_are_read_as_they_move(void **)
{
	for (int rolls = 0; rolls < 8; rolls++) {
		struct rig rig = make_rig(human, 1, rolls);

		assert_read_as_made(&rig, 0, FRAMES);
	}
}

static void bones_along_x_are_read_as_they_move(void **)
{
	for (int rolls = 0; rolls < 8; rolls++) {
		struct rig rig = make_rig(human, 0, rolls);

		assert_read_as_made(&rig, 0, FRAMES);
	}
}

static void windows_are_read_as_the_whole_clip(void **)
{
	static const int lengths[] = { 1, 5, 30, 60 };

	for (int along = 0; along < 2; along++) {
		struct rig rig = make_rig(human, along, 3);

		rig.world = about(0, 90); /* Z up */
		for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
			for (int first = 0; first + lengths[i] <= FRAMES; first += lengths[i] + 7) {
				assert_read_as_made(&rig, first, lengths[i]);
			}
		}
	}
}

static void animals_with_human_names_are_refused(void **)
{
	for (int along = 0; along < 2; along++) {
		struct rig rig = make_rig(dog, along, 1);
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_motion *motion = NULL;

		assert_int_equal(read_window(&rig, 0, FRAMES, &motion, NULL, &diagnostic),
			JC_ERROR_NO_HUMANOID);
		assert_non_null(strstr(diagnostic.what, "animal"));
		jc_motion_destroy(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_along_minus_y_are_read_as_they_move),
		cmocka_unit_test(bones_along_x_are_read_as_they_move),
		cmocka_unit_test(windows_are_read_as_the_whole_clip),
		cmocka_unit_test(animals_with_human_names_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
