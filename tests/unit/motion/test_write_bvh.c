/* Angles of a written BVH, put together again here by the order that its
 * channels state, are the rotations they were made of: at the poles too, where
 * Z and Y turn about one axis, and without jumps from frame to frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "jointcast/bvh.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"

#define FRAMES  181
#define RADIANS 0.01745329252f

static const struct jc_vec3 x_axis = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 y_axis = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 z_axis = { 0.0f, 0.0f, 1.0f };

/* Over both poles in steps of two degrees, with turns about the other axes. */
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

static void angles_give_the_rotation_back_even_at_the_poles(void **state)
{
	struct jc_clip clip = { .frame_count = FRAMES, .frame_seconds = 0.1, .pose = pose };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;
	struct jc_written file;
	struct jc_bvh *bvh;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_give_the_rotation_back_even_at_the_poles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
