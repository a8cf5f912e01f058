/* The filter against the paper's algorithm written down for plain numbers: a
 * rotation about one axis is filtered as its angle would be. */
#include <math.h>

#include "jointcast/one_euro.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

/* Algorithm 1 of the paper, with a separate step for each value. */
struct number_filter {
	double min_cutoff, beta;
	bool first;
	double x, dx;
};

static double paper_alpha(double step, double cutoff)
{
	double tau = 1.0 / (2.0 * 3.14159265358979323846 * cutoff);

	return 1.0 / (1.0 + tau / step);
}

static double filter_number(struct number_filter *filter, double x, double step)
{
	if (filter->first) {
		filter->first = false;
		filter->x = x;
		filter->dx = 0.0;
		return x;
	}
	double dx = (x - filter->x) / step;
	double a = paper_alpha(step, 1.0);

	filter->dx = a * dx + (1.0 - a) * filter->dx;
	a = paper_alpha(step, filter->min_cutoff + filter->beta * fabs(filter->dx));
	filter->x = a * x + (1.0 - a) * filter->x;
	return filter->x;
}

static struct jc_pose make_pose(void)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.states[bone] = JC_TRACKED;
	}
	return pose;
}

/* -1 to 1, the same in every run. */
static double noise(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (double)(int32_t)*state / 2147483648.0;
}

static void a_turn_about_one_axis_is_filtered_as_its_angle(void **)
{
	struct jc_one_euro filter = { .options = { 1.2f, 0.8f } };
	struct number_filter angle = { .min_cutoff = 1.2, .beta = 0.8, .first = true };
	struct jc_vec3 axis = { 0.6f, 0.0f, -0.8f };
	int64_t now_ns = 5 * SECOND;
	uint32_t seed = 3;

	for (int i = 0; i < 400; i++) {
		double step = 0.008 + 0.006 * fabs(noise(&seed));
		double raw = 1.2 * sin(0.02 * i) + 0.02 * noise(&seed);
		struct jc_pose pose = make_pose();

		step = round(step * 1e9) * 1e-9;
		now_ns += (int64_t)llround(step * 1e9);
		pose.rotations[JC_BONE_LEFT_HAND] = jc_quat_from_axis_angle(axis, (float)raw);
		jc_one_euro_filter(&filter, &pose, now_ns);
		struct jc_quat expected =
			jc_quat_from_axis_angle(axis, (float)filter_number(&angle, raw, step));
		assert_true(jc_quat_angle(pose.rotations[JC_BONE_LEFT_HAND], expected) < 2e-5f);
		assert_true(jc_quat_angle(pose.rotations[JC_BONE_HEAD], JC_QUAT_IDENTITY) < 1e-6f);
	}
}

static void filters_the_hips_as_in_the_paper(void **)
{
	struct jc_one_euro filter = { .options = { 0.9f, 2.0f } };
	struct number_filter way = { .min_cutoff = 0.9, .beta = 2.0, .first = true };
	uint32_t seed = 8;

	for (int i = 0; i < 300; i++) {
		double raw = 0.004 * i + 0.01 * noise(&seed);
		struct jc_pose pose = make_pose();

		/* Along a slanted line, so that all components take part. */
		pose.hips_translation = (struct jc_vec3){ (float)(0.36 * raw), (float)(0.48 * raw),
			(float)(-0.8 * raw) };
		jc_one_euro_filter(&filter, &pose, i * (SECOND / 80));
		double expected = filter_number(&way, raw, 1.0 / 80.0);
		assert_true(fabs(pose.hips_translation.z + 0.8 * expected) < 2e-5);
		assert_true(fabs(pose.hips_translation.x - 0.36 * expected) < 2e-5);
	}
}

static void both_signs_of_a_quaternion_are_the_same_rotation(void **)
{
	struct jc_one_euro filters[2] = { { .options = { 1.0f, 0.0f } },
		{ .options = { 1.0f, 0.0f } } };

	for (int i = 0; i < 20; i++) {
		struct jc_pose a = make_pose();
		struct jc_quat q = jc_quat_from_axis_angle(
			(struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.3f * (float)i);

		a.rotations[JC_BONE_HEAD] = q;
		struct jc_pose b = a;

		if (i % 2) {
			b.rotations[JC_BONE_HEAD] = (struct jc_quat){ -q.x, -q.y, -q.z, -q.w };
		}
		jc_one_euro_filter(&filters[0], &a, i * (SECOND / 90));
		jc_one_euro_filter(&filters[1], &b, i * (SECOND / 90));
		assert_true(jc_quat_angle(a.rotations[JC_BONE_HEAD], b.rotations[JC_BONE_HEAD]) <
			    1e-6f);
	}
}

static void jumps_and_gaps_are_not_filtered(void **)
{
	struct jc_one_euro filter = { .options = JC_ONE_EURO_DEFAULTS };
	struct jc_pose pose = make_pose();

	jc_one_euro_filter(&filter, &pose, 0);
	pose.hips_translation.x = 1.5f;
	pose.rotations[JC_BONE_HEAD] = (struct jc_quat){ 0.0f, 1.0f, 0.0f, 0.0f };
	jc_one_euro_filter(&filter, &pose, SECOND / 90);
	assert_true(pose.hips_translation.x == 1.5f);
	assert_true(pose.rotations[JC_BONE_HEAD].y == 1.0f);
	pose.hips_translation.x = 1.0f;
	jc_one_euro_filter(&filter, &pose, 3 * SECOND);
	assert_true(pose.hips_translation.x == 1.0f);
}

static void a_returning_bone_restarts_its_filter(void **)
{
	struct jc_one_euro filter = { .options = { 1.0f, 0.0f } };
	struct jc_quat turned = jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 1.0f);
	struct jc_pose pose = make_pose();

	pose.states[JC_BONE_JAW] = JC_ABSENT;
	jc_one_euro_filter(&filter, &pose, 0);
	pose.states[JC_BONE_JAW] = JC_TRACKED;
	pose.rotations[JC_BONE_JAW] = turned;
	jc_one_euro_filter(&filter, &pose, SECOND / 90);
	assert_true(jc_quat_angle(pose.rotations[JC_BONE_JAW], turned) < 1e-6f);
	/* From then on it is filtered: a step of 1/90 s at 1 Hz takes 6.5 %. */
	pose.rotations[JC_BONE_JAW] = JC_QUAT_IDENTITY;
	jc_one_euro_filter(&filter, &pose, SECOND / 45);
	assert_true(fabsf(jc_quat_angle(pose.rotations[JC_BONE_JAW], turned) -
			    (float)paper_alpha(1.0 / 90.0, 1.0)) < 1e-4f);
}

static void without_a_cutoff_nothing_is_filtered(void **)
{
	struct jc_one_euro filter = { 0 };
	struct jc_pose pose = make_pose();

	jc_one_euro_filter(&filter, &pose, 0);
	pose.hips_translation.x = 0.1f;
	jc_one_euro_filter(&filter, &pose, SECOND / 90);
	assert_true(pose.hips_translation.x == 0.1f);
}

static void ignores_a_pose_that_is_not_later(void **)
{
	struct jc_one_euro filter = { .options = { 1.0f, 0.0f } };
	struct jc_pose pose = make_pose();

	jc_one_euro_filter(&filter, &pose, SECOND);
	pose.hips_translation.x = 0.1f;
	jc_one_euro_filter(&filter, &pose, SECOND);
	assert_true(pose.hips_translation.x == 0.0f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_turn_about_one_axis_is_filtered_as_its_angle),
		cmocka_unit_test(filters_the_hips_as_in_the_paper),
		cmocka_unit_test(both_signs_of_a_quaternion_are_the_same_rotation),
		cmocka_unit_test(jumps_and_gaps_are_not_filtered),
		cmocka_unit_test(a_returning_bone_restarts_its_filter),
		cmocka_unit_test(without_a_cutoff_nothing_is_filtered),
		cmocka_unit_test(ignores_a_pose_that_is_not_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
