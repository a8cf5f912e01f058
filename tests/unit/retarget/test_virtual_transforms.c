/* Virtual transforms on a parent that stands at (1, 2, 3), is turned by a
 * quarter about Y (so that +X lies along -Z) and scaled. Expected values are
 * worked out by hand from KHR_virtual_transform's rules as retarget.h has them. */
#include <math.h>

#include "golden.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "unit_test.h"

static const float half = 0.70710678f;

static void assert_vec3(struct jc_vec3 v, float x, float y, float z)
{
	assert_float_equal(v.x, x, 1e-5);
	assert_float_equal(v.y, y, 1e-5);
	assert_float_equal(v.z, z, 1e-5);
}

/* Up to the sign that a rotation's quaternion leaves open. */
static void assert_quat(struct jc_quat q, float x, float y, float z, float w)
{
	assert_float_equal(fabsf(q.x * x + q.y * y + q.z * z + q.w * w), 1.0f, 1e-6);
}

/* Evaluates one virtual transform on a node with that matrix in the posed figure. */
static struct jc_transform evaluate(
	const struct jc_virtual_transform *virtual_transform, struct jc_transform parent)
{
	struct jc_skeleton_node node = {
		.name = "hips", .parent = -1, .rest = JC_TRANSFORM_IDENTITY
	};
	struct jc_mat4 world = jc_mat4_compose(parent);
	struct jc_skeleton_description description;
	struct jc_skeleton *skeleton;
	struct jc_transform result;

	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_DESCRIPTOR;
	description.name = "test";
	description.node_count = 1;
	description.nodes = &node;
	description.bones[JC_BONE_HIPS] = 0;
	description.virtual_transform_count = 1;
	description.virtual_transforms = virtual_transform;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	jc_virtual_transforms_evaluate(skeleton, &world, &result);
	jc_skeleton_destroy(skeleton);
	return result;
}

/* One virtual transform (1, 0, 0), a quarter about X, scale (1, 2, 3) on a
 * parent with that scale. */
static struct jc_transform place(
	int parent, bool position, bool rotation, bool scale, struct jc_vec3 parent_scale)
{
	struct jc_virtual_transform virtual_transform = {
		.name = "grip",
		.parent = parent,
		.offset = { { 1.0f, 0.0f, 0.0f }, { half, 0.0f, 0.0f, half },
			{ 1.0f, 2.0f, 3.0f } },
		.respect_position = position,
		.respect_rotation = rotation,
		.respect_scale = scale,
	};

	return evaluate(&virtual_transform, (struct jc_transform){ { 1.0f, 2.0f, 3.0f },
						    { 0.0f, half, 0.0f, half }, parent_scale });
}

static struct jc_transform golden_transform(const json_t *json)
{
	if (!json_is_object(json)) {
		return JC_TRANSFORM_IDENTITY;
	}
	return (struct jc_transform){
		.translation = golden_vec3(json_object_get(json, "translation")),
		.rotation = golden_quat(json_object_get(json, "rotation")),
		.scale = golden_vec3(json_object_get(json, "scale")),
	};
}

static void check_vector(const json_t *vector)
{
	const json_t *parent = json_object_get(vector, "parent");
	const json_t *json = json_object_get(vector, "transform");
	struct jc_virtual_transform virtual_transform = {
		.name = "grip",
		.parent = json_is_null(parent) ? -1 : 0,
		.offset = golden_transform(json),
		.respect_position = json_is_true(json_object_get(json, "respectParentPosition")),
		.respect_rotation = json_is_true(json_object_get(json, "respectParentRotation")),
		.respect_scale = json_is_true(json_object_get(json, "respectParentScale")),
	};
	struct jc_transform expected = golden_transform(json_object_get(vector, "expected"));
	struct jc_transform result = evaluate(&virtual_transform, golden_transform(parent));

	assert_vec3(result.translation, expected.translation.x, expected.translation.y,
		expected.translation.z);
	assert_quat(result.rotation, expected.rotation.x, expected.rotation.y, expected.rotation.z,
		expected.rotation.w);
	assert_vec3(result.scale, expected.scale.x, expected.scale.y, expected.scale.z);
}

static void gives_the_numbers_of_the_protocol(void **)
{
	golden_for_each("virtual-transforms.json", 11, check_vector);
}

static const struct jc_vec3 twice = { 2.0f, 2.0f, 2.0f };

static void follows_its_parent_when_it_respects_everything(void **)
{
	struct jc_transform result = place(0, true, true, true, twice);

	assert_vec3(result.translation, 1.0f, 2.0f, 1.0f);
	assert_quat(result.rotation, 0.5f, 0.5f, -0.5f, 0.5f);
	assert_vec3(result.scale, 2.0f, 4.0f, 6.0f);
}

static void ignores_the_position_of_its_parent(void **)
{
	struct jc_transform result = place(0, false, true, true, twice);

	assert_vec3(result.translation, 0.0f, 0.0f, -2.0f);
	assert_quat(result.rotation, 0.5f, 0.5f, -0.5f, 0.5f);
	assert_vec3(result.scale, 2.0f, 4.0f, 6.0f);
}

static void ignores_the_rotation_of_its_parent(void **)
{
	struct jc_transform result = place(0, true, false, true, twice);

	assert_vec3(result.translation, 3.0f, 2.0f, 3.0f);
	assert_quat(result.rotation, half, 0.0f, 0.0f, half);
	assert_vec3(result.scale, 2.0f, 4.0f, 6.0f);
}

static void ignores_the_scale_of_its_parent(void **)
{
	struct jc_transform result = place(0, true, true, false, twice);

	assert_vec3(result.translation, 1.0f, 2.0f, 2.0f);
	assert_quat(result.rotation, 0.5f, 0.5f, -0.5f, 0.5f);
	assert_vec3(result.scale, 1.0f, 2.0f, 3.0f);
}

static void is_independent_when_it_respects_nothing_or_has_no_parent(void **)
{
	for (int parent = -1; parent <= 0; parent++) {
		bool respects = parent < 0;
		struct jc_transform result = place(parent, respects, respects, respects, twice);

		assert_vec3(result.translation, 1.0f, 0.0f, 0.0f);
		assert_quat(result.rotation, half, 0.0f, 0.0f, half);
		assert_vec3(result.scale, 1.0f, 2.0f, 3.0f);
	}
}

static void scales_by_component_under_an_uneven_parent(void **)
{
	struct jc_vec3 uneven = { 2.0f, 3.0f, 4.0f };
	struct jc_transform result = place(0, false, true, true, uneven);

	assert_vec3(result.translation, 0.0f, 0.0f, -2.0f);
	assert_vec3(result.scale, 2.0f, 6.0f, 12.0f);
	/* The exact product: Y and Z trade places under a quarter about X. */
	result = place(0, true, true, true, uneven);
	assert_vec3(result.translation, 1.0f, 2.0f, 1.0f);
	assert_vec3(result.scale, 2.0f, 8.0f, 9.0f);
}

static void stays_finite_under_a_parent_without_size(void **)
{
	struct jc_vec3 nothing = { 0.0f, 0.0f, 0.0f };
	struct jc_transform result = place(0, true, true, true, nothing);

	assert_vec3(result.translation, 1.0f, 2.0f, 3.0f);
	assert_quat(result.rotation, 0.0f, 0.0f, 0.0f, 1.0f);
	assert_vec3(result.scale, 0.0f, 0.0f, 0.0f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_numbers_of_the_protocol),
		cmocka_unit_test(follows_its_parent_when_it_respects_everything),
		cmocka_unit_test(ignores_the_position_of_its_parent),
		cmocka_unit_test(ignores_the_rotation_of_its_parent),
		cmocka_unit_test(ignores_the_scale_of_its_parent),
		cmocka_unit_test(is_independent_when_it_respects_nothing_or_has_no_parent),
		cmocka_unit_test(scales_by_component_under_an_uneven_parent),
		cmocka_unit_test(stays_finite_under_a_parent_without_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
