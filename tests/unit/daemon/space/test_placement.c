/* Tests the places of bodies. */
#include <math.h>

#include "space/placement.h"
#include "unit_test.h"

#define COUNT 64

static float distance(struct jc_vec3 a, struct jc_vec3 b)
{
	return hypotf(a.x - b.x, a.z - b.z);
}

static void first_body_stands_at_the_centre_facing_forward(void **)
{
	struct jc_arrangement arrangement = { 0 };
	struct jc_placement placement = jc_arrangement_take(&arrangement, 0.1f)->placement;

	assert_true(placement.position.x == 0.0f && placement.position.y == 0.0f &&
		    placement.position.z == 0.0f && placement.yaw == 0.0f);
}

static void spots_keep_clear_of_the_reach_of_others(void **)
{
	/* Reaches in no order, all within the room that is kept free. */
	static const float reaches[] = { 1.6f, 0.05f, 0.4f, 0.1f, 1.2f, 0.0f, 0.8f };
	struct jc_arrangement arrangement = { 0 };
	struct jc_vec3 spots[COUNT];
	float reach[COUNT];

	for (size_t i = 0; i < COUNT; i++) {
		reach[i] = reaches[i % 7];
		spots[i] = jc_arrangement_take(&arrangement, reach[i])->placement.position;
		for (size_t j = 0; j < i; j++) {
			/* Half a metre between two bodies at their closest. */
			if (distance(spots[i], spots[j]) < reach[i] + reach[j] + 0.5f)
				fail_msg("%zu and %zu", i, j);
		}
		assert_true(fabsf(spots[i].x) <= 6.0f);
	}
	assert_true(spots[COUNT - 1].z < spots[0].z);
}

static void infinite_reach_takes_the_maximum_room(void **)
{
	struct jc_arrangement arrangement = { 0 };

	jc_arrangement_take(&arrangement, 1000.0f);
	assert_true(fabsf(jc_arrangement_take(&arrangement, 0.0f)->placement.position.x) < 4.0f);
	jc_arrangement_take(&arrangement, NAN);
}

static void free_spot_goes_to_the_body_that_fits_best(void **)
{
	struct jc_arrangement arrangement = { 0 };
	struct jc_spot *wide = jc_arrangement_take(&arrangement, 1.5f);
	struct jc_spot *narrow = jc_arrangement_take(&arrangement, 0.1f);

	wide->is_taken = narrow->is_taken = false;
	assert_ptr_equal(jc_arrangement_take(&arrangement, 0.1f), narrow);
	/* Free, but too small: who moves more stands elsewhere. */
	narrow->is_taken = false;
	assert_ptr_equal(jc_arrangement_take(&arrangement, 1.0f), wide);
	assert_ptr_not_equal(jc_arrangement_take(&arrangement, 1.0f), narrow);
}

static void finds_a_spot_after_any_number_of_departures(void **)
{
	struct jc_arrangement arrangement = { 0 };

	/* Each needs a little more room than the one before. */
	for (int i = 0; i < 1000; i++) {
		jc_arrangement_take(&arrangement, 0.0016f * (float)i)->is_taken = false;
	}
	for (int i = 0; i < COUNT; i++) {
		assert_non_null(jc_arrangement_take(&arrangement, 1.6f));
	}
}

/* p + Ry(yaw) * start = spot, worked out with sine and cosine. */
static void placement_compensates_the_start_of_a_motion(void **)
{
	struct jc_placement spot = { .position = { 2.0f, 0.0f, -1.0f }, .yaw = 0.25f };
	struct jc_vec3 start = { 3.0f, 0.7f, -4.0f };
	struct jc_placement placement = jc_placement_compensate(spot, start, 1.25f);
	float yaw = -1.0f;
	float x = placement.position.x + cosf(yaw) * start.x + sinf(yaw) * start.z;
	float z = placement.position.z - sinf(yaw) * start.x + cosf(yaw) * start.z;

	assert_true(fabsf(placement.yaw - yaw) < 1e-6f);
	assert_true(fabsf(x - 2.0f) < 1e-5f && fabsf(z + 1.0f) < 1e-5f);
	assert_true(placement.position.y == 0.0f); /* its height is its own */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_body_stands_at_the_centre_facing_forward),
		cmocka_unit_test(spots_keep_clear_of_the_reach_of_others),
		cmocka_unit_test(infinite_reach_takes_the_maximum_room),
		cmocka_unit_test(free_spot_goes_to_the_body_that_fits_best),
		cmocka_unit_test(finds_a_spot_after_any_number_of_departures),
		cmocka_unit_test(placement_compensates_the_start_of_a_motion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
