/* Tests levels of detail for a viewpoint and for a budget. */
#include <math.h>

#include "space/level_of_detail.h"
#include "unit_test.h"

#define HZ 60

/* At the origin, looking along +Z, 90 degrees wide. */
static const struct jc_viewpoint ahead = { .direction = { 0.0f, 0.0f, 1.0f },
	.half_angle = 0.7853982f };

static unsigned first_level(struct jc_viewpoint viewpoint, float x, float z, unsigned priority)
{
	struct jc_level_of_detail detail = { 0 };

	jc_level_of_detail_update(
		&detail, &viewpoint, 1, (struct jc_vec3){ x, 0.0f, z }, priority, 7, HZ);
	return detail.level;
}

static void level_follows_the_distance_in_view(void **)
{
	assert_int_equal(first_level(ahead, 0.0f, 1.0f, 0), 0);
	assert_int_equal(first_level(ahead, 0.0f, 4.0f, 0), 1);
	assert_int_equal(first_level(ahead, 3.0f, 8.0f, 0), 2);
	assert_int_equal(first_level(ahead, 0.0f, 20.0f, 0), 3);
	assert_int_equal(first_level(ahead, 0.0f, 30.0f, 0), 4);
}

static void distant_body_behind_the_viewpoint_gets_the_last_level(void **)
{
	struct jc_viewpoint around = { .half_angle = 0.1f };

	assert_int_equal(first_level(ahead, 0.0f, -8.0f, 0), JC_LEVELS - 1);
	assert_int_equal(first_level(ahead, 0.0f, -2.5f, 0), 2);  /* may be looked at at once */
	assert_int_equal(first_level(around, 0.0f, -8.0f, 0), 2); /* no direction: all around */
	/* The edge of the view is at 45 degrees; a body 2 m wide reaches into it. */
	assert_int_equal(first_level(ahead, 5.5f, 5.0f, 0), 2);
	assert_int_equal(first_level(ahead, 8.0f, 4.0f, 0), JC_LEVELS - 1);
}

static void priority_and_a_nearer_viewpoint_raise_detail(void **)
{
	struct jc_viewpoint both[2] = { ahead, ahead };
	struct jc_level_of_detail detail = { 0 };

	assert_int_equal(first_level(ahead, 0.0f, 20.0f, 1), 1);
	both[1].position.z = 28.0f;
	jc_level_of_detail_update(
		&detail, both, 2, (struct jc_vec3){ 0.0f, 0.0f, 30.0f }, 0, 7, HZ);
	assert_int_equal(detail.level, 0);
	jc_level_of_detail_update(
		&detail, both, 0, (struct jc_vec3){ 0.0f, 0.0f, 30.0f }, 0, 8, HZ);
	assert_int_equal(detail.level, 0);
}

/* A viewer walks to and fro across a border, and sways at the edge of the view. */
static void level_does_not_alternate_at_a_border(void **)
{
	struct jc_level_of_detail near = { 0 }, edge = { 0 };
	unsigned changes = 0, near_before = 0, edge_before = 0;

	for (uint32_t tick = 1; tick <= 60 * HZ; tick++) {
		float sway = sinf((float)tick * 0.1f);
		/* 5.75 to 6.25 m. */
		struct jc_vec3 at = { 0.0f, 0.0f, 6.0f + 0.25f * sway };
		/* 45 degrees, and 4.6 degrees for the width of the body on either side. */
		float angle = 0.7853982f + asinf(0.1f) + 0.08f * sway;
		struct jc_vec3 side = { 10.0f * sinf(angle), 0.0f, 10.0f * cosf(angle) };

		jc_level_of_detail_update(&near, &ahead, 1, at, 0, tick, HZ);
		jc_level_of_detail_update(&edge, &ahead, 1, side, 0, tick, HZ);
		if (tick > 1)
			changes += (unsigned)(near.level != near_before) +
				   (unsigned)(edge.level != edge_before);
		near_before = near.level;
		edge_before = edge.level;
	}
	assert_true(changes <= 2);
}

static void detail_rises_at_once_and_falls_after_a_second(void **)
{
	struct jc_vec3 near = { 0.0f, 0.0f, 1.0f }, far = { 0.0f, 0.0f, 30.0f };
	struct jc_level_of_detail detail = { 0 };
	uint32_t tick = 100;

	jc_level_of_detail_update(&detail, &ahead, 1, far, 0, tick, HZ);
	assert_int_equal(detail.level, 4);
	tick += HZ / 4;
	jc_level_of_detail_update(&detail, &ahead, 1, near, 0, tick, HZ);
	assert_int_equal(detail.level, 0);
	for (int i = 1; i < HZ; i++) {
		jc_level_of_detail_update(&detail, &ahead, 1, far, 0, tick + (uint32_t)i, HZ);
		assert_int_equal(detail.level, 0);
	}
	jc_level_of_detail_update(&detail, &ahead, 1, far, 0, tick + HZ, HZ);
	assert_int_equal(detail.level, 4);
	jc_level_of_detail_update(&detail, &ahead, 1, near, 0, tick + HZ + 1, HZ);
	assert_int_equal(detail.level, 4); /* not more than four times a second */
}

static struct jc_ration ration(float importance, uint8_t priority)
{
	return (struct jc_ration){ .importance = importance,
		.priority = priority,
		.costs = { 1000.0f, 600.0f, 400.0f, 200.0f, 100.0f } };
}

static float sum_of(const struct jc_ration *rations, size_t count)
{
	float sum = 0.0f;

	for (size_t i = 0; i < count; i++)
		sum += rations[i].level < JC_LEVELS ? rations[i].costs[rations[i].level] : 0.0f;
	return sum;
}

static void budget_reduces_the_least_important_bodies_first(void **)
{
	struct jc_ration rations[3] = { ration(1.0f, 0), ration(0.1f, 0), ration(0.01f, 0) };

	jc_ration_fit(rations, 3, 3000.0f);
	for (int i = 0; i < 3; i++)
		assert_int_equal(rations[i].level, 0);
	jc_ration_fit(rations, 3, 2500.0f);
	assert_int_equal(rations[0].level, 0);
	assert_int_equal(rations[1].level, 0);
	assert_int_equal(rations[2].level, 2); /* 1000 + 1000 + 400 */
	jc_ration_fit(rations, 3, 1300.0f);
	assert_int_equal(rations[0].level, 0);
	assert_true(sum_of(rations, 3) <= 1300.0f);
}

static void budget_shows_all_bodies_before_it_raises_detail(void **)
{
	struct jc_ration rations[8];

	for (uint8_t i = 0; i < 8; i++)
		rations[i] = ration((float)(1 + i), 0);
	rations[3].priority = 1;
	jc_ration_fit(rations, 8, 900.0f);
	for (int i = 0; i < 8; i++) {
		assert_true(rations[i].level < JC_LEVELS);
		assert_true(rations[i].level >= rations[3].level);
	}
	for (uint8_t i = 0; i < 8; i++)
		rations[i].level = 0;
	jc_ration_fit(rations, 8, 250.0f); /* two of them at the least */
	assert_true(sum_of(rations, 8) <= 250.0f);
	assert_int_equal(rations[3].level, 4); /* on stage */
	assert_int_equal(rations[7].level, 4); /* the most important of the others */
	assert_int_equal(rations[0].level, JC_LEVELS);
	for (uint8_t i = 0; i < 8; i++)
		rations[i].level = 0;
	jc_ration_fit(rations, 8, 50.0f);
	assert_true(sum_of(rations, 8) == 0.0f);
}

static void levels_never_exceed_the_requested_detail(void **)
{
	struct jc_stream_spec spec = { .chains = true,
		.precision = JC_PRECISION_STANDARD,
		.rate = 2,
		.sections =
			JC_STREAM_SECTION(JC_SECTION_BODY) | JC_STREAM_SECTION(JC_SECTION_HANDS) };
	struct jc_stream_spec hands = spec, plain = { .rate = 1 };
	float before = 1e9f;

	hands.sections = JC_STREAM_SECTION(JC_SECTION_HANDS);
	for (unsigned level = 0; level < JC_LEVELS; level++) {
		struct jc_stream_spec at = jc_stream_spec_at(&spec, level);
		float weight = jc_stream_spec_weight(&at);

		assert_true(at.precision >= spec.precision && at.rate >= 2);
		assert_true(at.sections && (at.sections & ~spec.sections) == 0);
		assert_true(weight <= before);
		before = weight;
		at = jc_stream_spec_at(&hands, level);
		assert_int_equal(at.sections, hands.sections);
		at = jc_stream_spec_at(&plain, level);
		assert_true(jc_stream_spec_equal(&at, &plain));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(level_follows_the_distance_in_view),
		cmocka_unit_test(distant_body_behind_the_viewpoint_gets_the_last_level),
		cmocka_unit_test(priority_and_a_nearer_viewpoint_raise_detail),
		cmocka_unit_test(level_does_not_alternate_at_a_border),
		cmocka_unit_test(detail_rises_at_once_and_falls_after_a_second),
		cmocka_unit_test(budget_reduces_the_least_important_bodies_first),
		cmocka_unit_test(budget_shows_all_bodies_before_it_raises_detail),
		cmocka_unit_test(levels_never_exceed_the_requested_detail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
