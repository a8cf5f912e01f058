/* The arithmetic, against closed formulas and values worked out by hand. */
#include <math.h>

#include "jointcast/transform.h"
#include "unit_test.h"

#define HALF 0.70710678f
#define PI   3.14159265f

static uint32_t seed = 12345;

static float random_unit(void) /* -1..1 */
{
	seed = seed * 1664525u + 1013904223u;
	return (float)(seed >> 8) / 8388608.0f - 1.0f;
}

static struct jc_quat random_quat(void)
{
	return jc_quat_normalize(
		(struct jc_quat){ random_unit(), random_unit(), random_unit(), random_unit() });
}

static void assert_vec3(struct jc_vec3 v, float x, float y, float z, float within)
{
	assert_float_equal(v.x, x, within);
	assert_float_equal(v.y, y, within);
	assert_float_equal(v.z, z, within);
}

static void products_apply_the_right_factor_first(void **)
{
	/* x to y about +Z, then y to z about +X. */
	struct jc_quat z90 = { 0, 0, HALF, HALF };
	struct jc_quat x90 = { HALF, 0, 0, HALF };

	assert_vec3(jc_quat_rotate(z90, (struct jc_vec3){ 1, 0, 0 }), 0, 1, 0, 1e-6f);
	assert_vec3(jc_quat_rotate(jc_quat_multiply(x90, z90), (struct jc_vec3){ 1, 0, 0 }), 0, 0,
		1, 1e-6f);
}

static void rotating_matches_the_matrix_of_the_rotation(void **)
{
	for (int i = 0; i < 100; i++) {
		struct jc_quat q = random_quat();
		struct jc_vec3 v = { random_unit(), random_unit(), random_unit() };
		struct jc_vec3 r = jc_quat_rotate(q, v);
		/* The rotation matrix of a unit quaternion, written out. */
		float x = (1 - 2 * (q.y * q.y + q.z * q.z)) * v.x +
			  2 * (q.x * q.y - q.w * q.z) * v.y + 2 * (q.x * q.z + q.w * q.y) * v.z;
		float y = 2 * (q.x * q.y + q.w * q.z) * v.x +
			  (1 - 2 * (q.x * q.x + q.z * q.z)) * v.y +
			  2 * (q.y * q.z - q.w * q.x) * v.z;
		float z = 2 * (q.x * q.z - q.w * q.y) * v.x + 2 * (q.y * q.z + q.w * q.x) * v.y +
			  (1 - 2 * (q.x * q.x + q.y * q.y)) * v.z;

		assert_vec3(r, x, y, z, 2e-6f);
	}
}

static void angles_are_exact_near_zero_and_pi(void **)
{
	for (float angle = 1e-4f; angle < 3.1f; angle *= 3.0f) {
		struct jc_quat q = { sinf(angle / 2), 0, 0, cosf(angle / 2) };
		struct jc_quat minus = { -q.x, -q.y, -q.z, -q.w };

		assert_float_equal(jc_quat_angle(JC_QUAT_IDENTITY, q), angle, 1e-3f * angle);
		assert_float_equal(jc_quat_angle(JC_QUAT_IDENTITY, minus), angle, 1e-3f * angle);
	}
	assert_float_equal(
		jc_quat_angle(JC_QUAT_IDENTITY, (struct jc_quat){ 0, 1, 0, 0 }), PI, 1e-5);
	/* Directions a millionth of a radian apart, and opposite ones. */
	assert_float_equal(jc_vec3_angle((struct jc_vec3){ 2.0f, 0.0f, 0.0f },
				   (struct jc_vec3){ 3.0f, 3.0e-6f, 0.0f }),
		1.0e-6f, 1.0e-11f);
	assert_float_equal(jc_vec3_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f },
				   (struct jc_vec3){ 0.0f, -5.0f, 0.0f }),
		3.14159265f, 1.0e-6f);
}

static void slerp_has_constant_speed_and_takes_the_short_way(void **)
{
	for (float angle = 1e-5f; angle < 3.0f; angle *= 4.0f) {
		for (int k = 0; k <= 4; k++) {
			float t = (float)k / 4.0f;
			struct jc_quat a = random_quat();
			struct jc_quat step =
				jc_quat_from_axis_angle((struct jc_vec3){ 0, 0.6f, 0.8f }, angle);
			struct jc_quat part = jc_quat_from_axis_angle(
				(struct jc_vec3){ 0, 0.6f, 0.8f }, angle * t);
			struct jc_quat b = jc_quat_multiply(a, step);
			struct jc_quat minus = { -b.x, -b.y, -b.z, -b.w };
			struct jc_quat expected = jc_quat_multiply(a, part);

			assert_float_equal(
				jc_quat_angle(jc_quat_slerp(a, b, t), expected), 0, 1e-6);
			assert_float_equal(
				jc_quat_angle(jc_quat_slerp(a, minus, t), expected), 0, 1e-6);
		}
	}
}

static void shortest_arc_uses_the_hint_for_opposite_vectors(void **)
{
	struct jc_vec3 up = { 0, 2, 0 };
	struct jc_vec3 left = { 3, 0, 0 };
	struct jc_quat q = jc_quat_between(up, left, (struct jc_vec3){ 0, 0, 0 });
	struct jc_quat half = jc_quat_between(up, (struct jc_vec3){ 0, -1, 0 }, left);

	assert_vec3(jc_quat_rotate(q, up), 2, 0, 0, 1e-6f);
	assert_float_equal(jc_quat_angle(q, JC_QUAT_IDENTITY), PI / 2, 1e-6);
	assert_vec3(jc_quat_rotate(half, up), 0, -2, 0, 1e-6f);
	assert_vec3(jc_quat_rotate(half, left), 3, 0, 0, 1e-6f); /* turned about the hint */
	half = jc_quat_between(up, (struct jc_vec3){ 0, -1, 0 }, up);
	assert_vec3(jc_quat_rotate(half, up), 0, -2, 0, 1e-6f);
}

static void axes_become_the_columns_of_the_rotation(void **)
{
	struct jc_quat q = jc_quat_from_axes((struct jc_vec3){ 0, 0, -1 },
		(struct jc_vec3){ 1, 0, 0 }, (struct jc_vec3){ 0, -1, 0 });

	assert_vec3(jc_quat_rotate(q, (struct jc_vec3){ 1, 0, 0 }), 0, 0, -1, 1e-6f);
	assert_vec3(jc_quat_rotate(q, (struct jc_vec3){ 0, 1, 0 }), 1, 0, 0, 1e-6f);
	assert_vec3(jc_quat_rotate(q, (struct jc_vec3){ 0, 0, 1 }), 0, -1, 0, 1e-6f);
}

static void product_of_swing_and_twist_is_the_rotation(void **)
{
	struct jc_vec3 y = { 0, 1, 0 };

	for (int i = 0; i < 200; i++) {
		struct jc_quat q = random_quat();
		struct jc_quat swing, twist;

		jc_quat_swing_twist(q, y, &swing, &twist);
		assert_float_equal(jc_quat_angle(jc_quat_multiply(swing, twist), q), 0, 2e-6);
		assert_float_equal(twist.x, 0, 1e-7);
		assert_float_equal(twist.z, 0, 1e-7);
		assert_float_equal(swing.y, 0, 1e-6); /* a swing turns about a horizontal axis */
	}
}

static void composed_matrices_invert_and_decompose(void **)
{
	for (int i = 0; i < 200; i++) {
		float size = i % 3 == 0 ? 0.01f : i % 3 == 1 ? 1.0f : 100.0f;
		struct jc_transform t = {
			{ random_unit(), random_unit(), random_unit() },
			random_quat(),
			{ size * (2 + random_unit()), size * (2 + random_unit()),
				size * (2 + random_unit()) },
		};
		struct jc_mat4 m = jc_mat4_compose(t);
		struct jc_mat4 back = jc_mat4_multiply(m, jc_mat4_invert(m));
		struct jc_vec3 p = { random_unit(), random_unit(), random_unit() };
		struct jc_vec3 expected = jc_vec3_add(
			t.translation, jc_quat_rotate(t.rotation, jc_vec3_multiply(t.scale, p)));
		struct jc_transform d;
		float shear;

		assert_vec3(jc_mat4_transform_point(m, p), expected.x, expected.y, expected.z,
			1e-5f * (1 + size));
		for (int k = 0; k < 16; k++) {
			assert_float_equal(back.m[k], (k % 5 == 0 ? 1.0f : 0.0f), 1e-4);
		}
		assert_true(jc_mat4_decompose(m, &d, &shear));
		assert_true(shear < 1e-5f);
		assert_float_equal(jc_quat_angle(d.rotation, t.rotation), 0, 1e-5);
		assert_vec3(d.scale, t.scale.x, t.scale.y, t.scale.z, 1e-5f * size);
		assert_vec3(d.translation, t.translation.x, t.translation.y, t.translation.z, 0.0f);
	}
}

static void a_mirror_becomes_a_negative_scale_and_shear_is_returned(void **)
{
	struct jc_mat4 mirror = jc_mat4_compose(
		(struct jc_transform){ { 1, 2, 3 }, { 0, HALF, 0, HALF }, { 2, -3, 4 } });
	/* x' = x + y / 2: a shear whose symmetric part is not diagonal. */
	struct jc_mat4 sheared = { { 1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } };
	struct jc_mat4 flat = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 } };
	struct jc_mat4 odd = { { NAN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } };
	struct jc_transform d;
	struct jc_mat4 again;
	float shear;

	assert_true(jc_mat4_decompose(mirror, &d, &shear));
	again = jc_mat4_compose(d);
	for (int i = 0; i < 16; i++) {
		assert_float_equal(again.m[i], mirror.m[i], 1e-5);
	}
	assert_true(d.scale.x * d.scale.y * d.scale.z < 0.0f);
	assert_true(jc_mat4_decompose(sheared, &d, &shear));
	assert_true(shear > 0.2f);
	assert_false(jc_mat4_decompose(flat, &d, &shear));
	assert_false(jc_mat4_decompose(odd, &d, &shear));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_apply_the_right_factor_first),
		cmocka_unit_test(rotating_matches_the_matrix_of_the_rotation),
		cmocka_unit_test(angles_are_exact_near_zero_and_pi),
		cmocka_unit_test(slerp_has_constant_speed_and_takes_the_short_way),
		cmocka_unit_test(shortest_arc_uses_the_hint_for_opposite_vectors),
		cmocka_unit_test(axes_become_the_columns_of_the_rotation),
		cmocka_unit_test(product_of_swing_and_twist_is_the_rotation),
		cmocka_unit_test(composed_matrices_invert_and_decompose),
		cmocka_unit_test(a_mirror_becomes_a_negative_scale_and_shear_is_returned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
