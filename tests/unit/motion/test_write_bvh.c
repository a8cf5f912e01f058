/* Written BVH files. The angles, combined in the order of their channels, give the
 * rotations again, even at the poles, where Z and Y turn about one axis, and without
 * jumps between frames. Readers that measure the zero pose find the T-pose, whatever the
 * shape of the figure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/bvh.h"
#include "unit_test.h"

#define FRAMES  181
#define RADIANS 0.01745329252f

static const struct jc_vec3 x_axis = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 y_axis = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 z_axis = { 0.0f, 0.0f, 1.0f };

/* Over both poles in steps of two degrees, with rotations about the other axes. */
static struct jc_quat rotation_of(size_t frame)
{
	float degrees = 2.0f * (float)frame;

	return jc_quat_multiply(jc_quat_from_axis_angle(z_axis, 30.0f * RADIANS),
		jc_quat_multiply(jc_quat_from_axis_angle(x_axis, degrees * RADIANS),
			jc_quat_from_axis_angle(y_axis, 50.0f * RADIANS)));
}

static void pose(void *context, size_t index, struct jc_pose *out_pose)
{
	(void)context;
	jc_pose_init(out_pose);
	out_pose->states[JC_BONE_HIPS] = JC_TRACKED;
	out_pose->rotations[JC_BONE_HIPS] = rotation_of(index);
}

static void angles_give_the_same_rotation_even_at_the_poles(void **)
{
	struct jc_clip clip = { .frame_count = FRAMES, .frame_seconds = 0.1, .pose = pose };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;
	struct jc_written file;
	struct jc_bvh *bvh;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	assert_int_equal(jc_motion_create_demo("idle", &motion, &diagnostic), JC_OK);
	clip.skeleton = skeleton;
	clip.motion = motion;
	assert_int_equal(jc_write_bvh(&clip, &file, NULL, &diagnostic), JC_OK);
	assert_int_equal(jc_bvh_read(file.bytes, file.length, &bvh, NULL, &diagnostic), JC_OK);
	assert_int_equal(bvh->joints[0].channels[3], JC_BVH_Z_ROTATION);
	assert_int_equal(bvh->joints[0].channels[4], JC_BVH_X_ROTATION);
	assert_int_equal(bvh->joints[0].channels[5], JC_BVH_Y_ROTATION);
	for (size_t i = 0; i < FRAMES; i++) {
		const float *angles = bvh->values + i * bvh->value_count + 3;
		struct jc_quat q = jc_quat_multiply(
			jc_quat_from_axis_angle(z_axis, angles[0] * RADIANS),
			jc_quat_multiply(jc_quat_from_axis_angle(x_axis, angles[1] * RADIANS),
				jc_quat_from_axis_angle(y_axis, angles[2] * RADIANS)));

		assert_true(jc_quat_angle(q, rotation_of(i)) < 0.01f * RADIANS);
		for (int axis = 0; axis < 3 && i > 0; axis++) {
			assert_true(
				fabsf(angles[axis] - angles[axis - (int)bvh->value_count]) < 3.0f);
		}
	}
	jc_bvh_destroy(bvh);
	free(file.bytes);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
}

/* The built-in figure with every offset changed, as the skeleton of a file. */
struct shape {
	struct jc_quat lean; /* turns the whole figure */
	struct jc_vec3 eyes; /* from the head */
	float fingers;       /* degrees about Z by which left fingers hang */
	float size;          /* of the built-in figure's */
	bool has_floor;      /* at y = 0, below the feet */
	uint64_t missing;    /* bit = enum jc_bone */
};

static struct jc_skeleton *make_figure(const struct shape *shape)
{
	struct jc_skeleton_description description;
	struct jc_skeleton_node nodes[JC_BONE_COUNT];
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton;

	jc_skeleton_description_init(&description);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int parent = jc_bone_parent((enum jc_bone)b);
		struct jc_vec3 offset = jc_bone_rest_position((enum jc_bone)b);

		if (parent != JC_BONE_NONE) {
			offset = jc_vec3_subtract(
				offset, jc_bone_rest_position((enum jc_bone)parent));
		}
		if (b == JC_BONE_LEFT_EYE || b == JC_BONE_RIGHT_EYE || b == JC_BONE_JAW) {
			offset = shape->eyes;
		}
		if (b >= JC_BONE_LEFT_INDEX_PROXIMAL && b <= JC_BONE_LEFT_LITTLE_DISTAL) {
			offset = jc_quat_rotate(
				jc_quat_from_axis_angle(z_axis, shape->fingers * RADIANS), offset);
		}
		nodes[b] = (struct jc_skeleton_node){ "", parent, JC_TRANSFORM_IDENTITY };
		nodes[b].rest.translation =
			jc_vec3_scale(jc_quat_rotate(shape->lean, offset), shape->size);
		description.bones[b] = shape->missing >> b & 1 ? -1 : b;
	}
	description.format = JC_SKELETON_VRM1;
	description.has_floor = shape->has_floor;
	description.name = "";
	description.node_count = JC_BONE_COUNT;
	description.nodes = nodes;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, &diagnostic), JC_OK);
	return skeleton;
}

/* Every bone turns by up to 25 degrees, and the hips move. */
static void sway(void *context, size_t index, struct jc_pose *out_pose)
{
	float i = (float)index;

	(void)context;
	jc_pose_init(out_pose);
	out_pose->hips_translation =
		(struct jc_vec3){ 0.03f * i, 0.2f + 0.1f * sinf(i), 1.0f - 0.05f * i };
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		float phase = 0.7f * (float)b + 0.3f * i;
		struct jc_vec3 axis = { sinf(1.3f * (float)b), cosf(2.1f * (float)b), 0.5f };

		out_pose->states[b] = JC_TRACKED;
		out_pose->rotations[b] = jc_quat_from_axis_angle(
			jc_vec3_normalize(axis), 25.0f * RADIANS * sinf(phase));
	}
}

/* World rotation of a bone: its N after those of all bones above it. */
static struct jc_quat world_of(const struct jc_pose *pose, enum jc_bone bone)
{
	struct jc_quat world = JC_QUAT_IDENTITY;

	for (; bone != JC_BONE_NONE; bone = jc_bone_parent(bone)) {
		world = jc_quat_multiply(pose->rotations[bone], world);
	}
	return jc_quat_normalize(world);
}

static void assert_reads_back(const struct shape *shape)
{
	struct jc_clip clip = { .frame_count = 40, .frame_seconds = 0.1, .pose = sway };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton = make_figure(shape);
	struct jc_motion *motion, *read;
	struct jc_written file;

	assert_int_equal(jc_motion_create_demo("idle", &motion, &diagnostic), JC_OK);
	clip.skeleton = skeleton;
	clip.motion = motion;
	assert_int_equal(jc_write_bvh(&clip, &file, NULL, &diagnostic), JC_OK);
	assert_int_equal(
		jc_motion_read(file.bytes, file.length, 0, NULL, &read, NULL, &diagnostic), JC_OK);
	for (size_t i = 0; i < clip.frame_count; i++) {
		struct jc_pose expected, pose;

		sway(NULL, i, &expected);
		jc_motion_pose(read, 0.1 * (double)i, &pose);
		assert_true(jc_vec3_length(jc_vec3_subtract(
				    pose.hips_translation, expected.hips_translation)) < 1e-5f);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			enum jc_bone bone = (enum jc_bone)b;

			if (shape->missing >> b & 1) {
				continue;
			}
			assert_int_equal(pose.states[b], JC_TRACKED);
			assert_true(jc_quat_angle(world_of(&pose, bone),
					    world_of(&expected, bone)) < 0.01f * RADIANS);
		}
	}
	jc_motion_destroy(read);
	free(file.bytes);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
}

static const struct shape usual = {
	.lean = { 0.0f, 0.0f, 0.0f, 1.0f },
	.eyes = { 0.03f, 0.07f, 0.075f },
	.size = 1.0f,
};

static void a_tilted_figure_reads_back(void **)
{
	struct shape shape = usual;

	shape.lean = jc_quat_multiply(jc_quat_from_axis_angle(z_axis, -60.0f * RADIANS),
		jc_quat_from_axis_angle(x_axis, -75.0f * RADIANS));
	assert_reads_back(&shape);
}

static void eyes_straight_in_front_of_the_head_do_not_turn_it(void **)
{
	struct shape shape = usual;

	shape.eyes = (struct jc_vec3){ 0.03f, 0.0f, 0.09f };
	assert_reads_back(&shape);
}

static void hanging_fingers_do_not_turn_the_hand(void **)
{
	struct shape shape = usual;

	shape.fingers = -60.0f;
	assert_reads_back(&shape);
}

/* Any combination of trunk bones, which readers must distinguish. */
static void trunks_with_missing_joints_keep_their_bones(void **)
{
	for (uint64_t without = 0; without < 8; without++) {
		struct shape shape = usual;

		shape.missing = without << JC_BONE_SPINE;
		assert_reads_back(&shape);
	}
}

#define TOES (UINT64_C(1) << JC_BONE_LEFT_TOES | UINT64_C(1) << JC_BONE_RIGHT_TOES)
#define LEGS                                                                                       \
	(TOES | UINT64_C(1) << JC_BONE_LEFT_FOOT | UINT64_C(1) << JC_BONE_RIGHT_FOOT |             \
		UINT64_C(1) << JC_BONE_LEFT_LOWER_LEG | UINT64_C(1) << JC_BONE_RIGHT_LOWER_LEG |   \
		UINT64_C(1) << JC_BONE_LEFT_UPPER_LEG | UINT64_C(1) << JC_BONE_RIGHT_UPPER_LEG)

/* No human is 0.7 m or 3.5 m tall. Soles are below the feet of a figure without toes if its floor
 * is known. */
static void figures_of_any_size_and_without_feet_read_back(void **)
{
	static const float sizes[] = { 0.4f, 1.0f, 2.0f };
	static const uint64_t missing[] = { 0, TOES, LEGS };

	for (int i = 0; i < 18; i++) {
		struct shape shape = usual;

		shape.size = sizes[i % 3];
		shape.missing = missing[i / 3 % 3];
		shape.has_floor = i >= 9;
		assert_reads_back(&shape);
	}
}

static void stand(void *context, size_t index, struct jc_pose *out_pose)
{
	(void)context;
	(void)index;
	jc_pose_init(out_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_pose->states[b] = JC_TRACKED;
	}
}

/* Height of a joint in a frame without rotations, by the numbers of the file alone. */
static float height_in(const struct jc_bvh *bvh, const char *name)
{
	float height = bvh->values[1];
	int i = 0;

	while (strcmp(bvh->joints[i].name, name) != 0) {
		i++;
		assert_true((size_t)i < bvh->joint_count);
	}
	for (; i >= 0; i = bvh->joints[i].parent) {
		height += bvh->joints[i].offset.y;
	}
	return height;
}

/* The floor of the figure is at y = 0 with or without has_floor, and its joints are above it. */
static void feet_keep_their_height_over_the_floor(void **)
{
	static const uint64_t missing[] = { 0, TOES };

	for (int i = 0; i < 4; i++) {
		struct jc_clip clip = { .frame_count = 1, .frame_seconds = 0.1, .pose = stand };
		enum jc_bone lowest = i % 2 ? JC_BONE_LEFT_FOOT : JC_BONE_LEFT_TOES;
		struct jc_diagnostic diagnostic = { 0 };
		struct shape shape = usual;
		struct jc_skeleton *skeleton;
		struct jc_motion *motion;
		struct jc_written file;
		struct jc_bvh *bvh;

		shape.missing = missing[i % 2];
		shape.has_floor = i >= 2;
		skeleton = make_figure(&shape);
		clip.skeleton = skeleton;
		assert_int_equal(jc_motion_create_demo("idle", &motion, &diagnostic), JC_OK);
		clip.motion = motion;
		assert_int_equal(jc_write_bvh(&clip, &file, NULL, &diagnostic), JC_OK);
		assert_int_equal(
			jc_bvh_read(file.bytes, file.length, &bvh, NULL, &diagnostic), JC_OK);
		assert_float_equal(height_in(bvh, i % 2 ? "LeftFoot" : "LeftToeBase"),
			100.0f * jc_bone_rest_position(lowest).y, 1e-3);
		jc_bvh_destroy(bvh);
		free(file.bytes);
		jc_motion_destroy(motion);
		jc_skeleton_destroy(skeleton);
	}
}

/* The hips of `sway` begin at 0.2 of their height above rest, which is too high for its feet. */
static void the_floor_is_measured_if_an_end_site_differs(void **)
{
	struct jc_clip clip = { .frame_count = 40, .frame_seconds = 0.1, .pose = sway };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton = make_figure(&usual);
	struct jc_motion *motion, *read;
	struct jc_written file;
	struct jc_pose pose;
	char *digit;

	assert_int_equal(jc_motion_create_demo("idle", &motion, &diagnostic), JC_OK);
	clip.skeleton = skeleton;
	clip.motion = motion;
	assert_int_equal(jc_write_bvh(&clip, &file, NULL, &diagnostic), JC_OK);
	digit = strchr(strstr(file.bytes, "End Site"), '.') + 1;
	*digit = *digit == '9' ? '8' : (char)(*digit + 1);
	assert_int_equal(
		jc_motion_read(file.bytes, file.length, 0, NULL, &read, NULL, &diagnostic), JC_OK);
	jc_motion_pose(read, 0.0, &pose);
	assert_true(pose.hips_translation.y < 0.18f);
	jc_motion_destroy(read);
	free(file.bytes);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
}

/* The numbers of a figure of this size in centimetres are those of the built-in one in metres. */
static void files_that_were_converted_to_metres_have_their_size(void **)
{
	struct jc_clip clip = { .frame_count = 10, .frame_seconds = 0.1, .pose = sway };
	struct jc_diagnostic diagnostic = { 0 };
	struct shape shape = usual;
	struct jc_skeleton *skeleton;
	struct jc_motion *motion, *read;
	struct jc_written file;

	shape.size = 0.01f;
	skeleton = make_figure(&shape);
	assert_int_equal(jc_motion_create_demo("idle", &motion, &diagnostic), JC_OK);
	clip.skeleton = skeleton;
	clip.motion = motion;
	assert_int_equal(jc_write_bvh(&clip, &file, NULL, &diagnostic), JC_OK);
	assert_int_equal(
		jc_motion_read(file.bytes, file.length, 0, NULL, &read, NULL, &diagnostic), JC_OK);
	assert_float_equal(jc_motion_info(read)->metres_per_unit, 1.0, 1e-6);
	assert_float_equal(jc_motion_info(read)->hips_height,
		100.0f * jc_skeleton_hips_height(skeleton), 2e-3);
	jc_motion_destroy(read);
	free(file.bytes);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_give_the_same_rotation_even_at_the_poles),
		cmocka_unit_test(a_tilted_figure_reads_back),
		cmocka_unit_test(eyes_straight_in_front_of_the_head_do_not_turn_it),
		cmocka_unit_test(hanging_fingers_do_not_turn_the_hand),
		cmocka_unit_test(trunks_with_missing_joints_keep_their_bones),
		cmocka_unit_test(figures_of_any_size_and_without_feet_read_back),
		cmocka_unit_test(feet_keep_their_height_over_the_floor),
		cmocka_unit_test(the_floor_is_measured_if_an_end_site_differs),
		cmocka_unit_test(files_that_were_converted_to_metres_have_their_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
