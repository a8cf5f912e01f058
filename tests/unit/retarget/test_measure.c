/* Tests the measures. The source stands or moves by a formula, from which the expected measure is
 * computed. Both figures have a hips height of 0.9 m and a height of 1.6 m by default. */
#include <math.h>

#include "jointcast/measure.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define FRAMES 200
#define FPS    50.0
#define PI     3.14159265358979323846

/* Ankles stand 0.08 and toes 0.02 over the origin in the T-pose. */
static struct jc_measure_figure make_figure(void)
{
	struct jc_measure_figure figure = { .hips_height = 0.9f, .height = 1.6f };

	for (int p = 0; p < JC_MEASURE_POINT_COUNT; p++) {
		figure.has[p] = true;
		figure.levels[p] = p >= JC_MEASURE_LEFT_TOES ? 0.02f : 0.08f;
	}
	return figure;
}

static struct jc_measure_frame stand(void)
{
	struct jc_measure_frame frame = { .points = {
						  [JC_MEASURE_HIPS] = { 0, 0.92f, 0 },
						  [JC_MEASURE_HEAD] = { 0, 1.5f, 0 },
						  [JC_MEASURE_LEFT_HAND] = { 0.6f, 1.4f, 0 },
						  [JC_MEASURE_RIGHT_HAND] = { -0.6f, 1.4f, 0 },
						  [JC_MEASURE_LEFT_FOOT] = { 0.1f, 0.08f, 0 },
						  [JC_MEASURE_RIGHT_FOOT] = { -0.1f, 0.08f, 0 },
						  [JC_MEASURE_LEFT_TOES] = { 0.1f, 0.02f, 0.1f },
						  [JC_MEASURE_RIGHT_TOES] = { -0.1f, 0.02f, 0.1f },
					  } };

	return frame;
}

static struct jc_measure start(void)
{
	struct jc_measure_figure figure = make_figure();
	struct jc_measure measure;

	jc_measure_init(&measure, &figure, &figure, 1.0 / FPS);
	return measure;
}

static struct jc_measures finish(const struct jc_measure *measure)
{
	struct jc_measures measures;

	jc_measure_finish(measure, &measures);
	return measures;
}

static void assert_near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within)) {
		fail_msg("%.9g instead of %.9g", value, expected);
	}
}

/* The source stands. All four points of the other slide by 0.3 m/s along x and
 * 0.4 m/s along z: 0.5 m/s, at 50 frames a second 1 cm a frame. */
static void skate_of_a_sliding_foot_is_its_speed_per_frame(void **)
{
	struct jc_measure measure = start();
	struct jc_measures measures;

	for (int i = 0; i < FRAMES; i++) {
		struct jc_measure_frame source = stand(), target = stand();

		for (int p = JC_MEASURE_LEFT_FOOT; p < JC_MEASURE_POINT_COUNT; p++) {
			target.points[p].x += (float)(0.3 * i / FPS);
			target.points[p].z += (float)(0.4 * i / FPS);
		}
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	assert_near(measures.target.skate, 1.0, 1e-4);
	assert_near(measures.source.skate, 0.0, 0.0);
	/* 0.5 m/s is more than 0.45: they are not in contact, the source's are. */
	assert_near(measures.contact_f1, 0.0, 0.0);
	assert_near(measures.contact_recall, 0.0, 0.0);
	assert_int_equal(measures.frame_count, FRAMES);
	assert_near(measures.fps, FPS, 1e-9);
}

/* The head of one figure is 0.15 m below the floor in one of four frames; the feet stand. */
static void a_body_below_the_floor_is_noticed_without_its_feet(void **)
{
	struct jc_measure measure = start();
	struct jc_measures measures;

	for (int i = 0; i < 4; i++) {
		struct jc_measure_frame source = stand(), target = stand();

		source.lowest_bone = target.lowest_bone = JC_BONE_LEFT_LOWER_LEG;
		source.lowest = target.lowest = 0.4f;
		if (i == 2) {
			target.lowest_bone = JC_BONE_HEAD;
			target.lowest = -0.15f;
		}
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	assert_near(measures.target.below, 150.0 / 4.0, 1e-4);
	assert_near(measures.target.below_most, 150.0, 1e-4);
	assert_int_equal(measures.target.deepest, JC_BONE_HEAD);
	assert_near(measures.target.penetration_most, 0.0, 0.0);
	assert_near(measures.source.below_most, 0.0, 0.0);
	assert_int_equal(measures.source.deepest, JC_BONE_NONE);
}

/* The right foot of the source swings: it is no contact, and what the other's
 * right foot does is no skate. 0.02 up, below 0.027, would still be one. */
static void only_contacts_of_the_source_can_skate(void **)
{
	struct jc_measure measure = start();
	struct jc_measures measures;

	for (int i = 0; i < FRAMES; i++) {
		struct jc_measure_frame source = stand(), target = stand();

		source.points[JC_MEASURE_LEFT_FOOT].y += 0.02f;
		source.points[JC_MEASURE_RIGHT_FOOT].y += 0.03f;
		source.points[JC_MEASURE_RIGHT_TOES].y += 0.03f;
		target.points[JC_MEASURE_RIGHT_FOOT].x += (float)(0.2 * i / FPS);
		target.points[JC_MEASURE_RIGHT_TOES].x += (float)(0.2 * i / FPS);
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	assert_near(measures.target.skate, 0.0, 0.0);
	/* Contacts: two of the source, all four of the other at 0.2 m/s. */
	assert_near(measures.contact_recall, 1.0, 0.0);
	assert_near(measures.contact_precision, 0.5, 0.0);
	assert_near(measures.contact_f1, 2.0 * 2.0 / (2.0 + 4.0), 1e-12);
}

/* Contacts by turns: the source's left toes are down in frames 0 mod 2, the
 * other's in frames 0 mod 4; everything else is up throughout. */
static void contact_f1_is_the_harmonic_mean_of_precision_and_recall(void **)
{
	struct jc_measure measure = start();
	struct jc_measures measures;

	for (int i = 0; i < FRAMES; i++) {
		struct jc_measure_frame source = stand(), target = stand();

		for (int p = JC_MEASURE_LEFT_FOOT; p < JC_MEASURE_POINT_COUNT; p++) {
			source.points[p].y += 0.5f;
			target.points[p].y += 0.5f;
		}
		/* Within 0.009 of each other, so that speed stays below the bound. */
		source.points[JC_MEASURE_LEFT_TOES].y = i % 2 == 0 ? 0.045f : 0.05f;
		target.points[JC_MEASURE_LEFT_TOES].y = i % 4 == 0 ? 0.045f : 0.05f;
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	/* Of frames 1 .. 199, 99 are even and 49 multiples of four. */
	assert_near(measures.contact_precision, 1.0, 0.0);
	assert_near(measures.contact_recall, 49.0 / 99.0, 1e-12);
	assert_near(measures.contact_f1, 2.0 * 49.0 / (49.0 + 99.0), 1e-12);
}

/* The left toes are 12 mm deep in every fourth frame, the right ones 4 mm in all
 * frames: the deeper foot is 12, 4, 4, 4. Ankles 5 mm too low say nothing where
 * there are toes. */
static void penetration_is_that_of_the_deeper_foot(void **)
{
	struct jc_measure measure = start();
	struct jc_measures measures;

	for (int i = 0; i < FRAMES; i++) {
		struct jc_measure_frame source = stand(), target = stand();

		target.points[JC_MEASURE_LEFT_TOES].y -= i % 4 == 0 ? 0.012f : -0.02f;
		target.points[JC_MEASURE_RIGHT_TOES].y -= 0.004f;
		target.points[JC_MEASURE_RIGHT_FOOT].y -= 0.005f;
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	assert_near(measures.target.penetration, 6.0, 1e-4);
	assert_near(measures.target.penetration_most, 12.0, 1e-4);
	assert_near(measures.source.penetration, 0.0, 0.0);
}

/* The other is twice as large, so that nothing is off, but for the head, which is
 * 0.16 m too far ahead for a height of 3.2: 0.05 of it, one joint of five. Where
 * the hips are does not matter. */
static void end_effectors_are_compared_by_height_and_from_the_hips(void **)
{
	struct jc_measure_figure figure = make_figure(), large = make_figure();
	struct jc_measure measure;
	struct jc_measures measures;

	large.height *= 2;
	large.hips_height *= 2;
	jc_measure_init(&measure, &figure, &large, 1.0 / FPS);
	for (int i = 0; i < FRAMES; i++) {
		struct jc_measure_frame source = stand(), target = stand();

		for (int p = 0; p < JC_MEASURE_POINT_COUNT; p++) {
			target.points[p] = jc_vec3_scale(target.points[p], 2.0f);
			target.points[p].x += 7.0f;
		}
		target.points[JC_MEASURE_HEAD].z += 0.16f;
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	assert_near(measures.end_effector_error, 0.05 / 5.0, 1e-6);
}

/* Everything goes up and down by A sin(2 pi f t). The third difference of a sine
 * is 8 sin^3(pi f dt) A |cos(2 pi f (t - 1.5 dt))| and a mean of |cos| 2 / pi, over
 * whole periods evenly sampled near enough. The other moves by 1.5 A: so much more
 * jerk on a figure of the same size. */
static void the_jerk_of_a_sine_matches_its_formula(void **)
{
	const double a = 0.1, f = 1.0, dt = 1.0 / FPS;
	const double sine = 2.0 * sin(PI * f * dt) / dt;
	const double expected = a * sine * sine * sine * 2.0 / PI / 0.9;
	struct jc_measure measure = start();
	struct jc_measures measures;

	for (int i = 0; i < FRAMES + 3; i++) {
		struct jc_measure_frame source = stand(), target = stand();
		double way = a * sin(2.0 * PI * f * i * dt);

		for (int p = 0; p < JC_MEASURE_POINT_COUNT; p++) {
			source.points[p].y += (float)way;
			target.points[p].y += (float)(1.5 * way);
		}
		jc_measure_add(&measure, &source, &target);
	}
	measures = finish(&measure);
	assert_near(measures.source.jerk / expected, 1.0, 2e-3);
	assert_near(measures.jerk_ratio, 1.5, 2e-3);
	/* Nearly 2 pi f to the third: 15.8 hips heights a second cubed. */
	assert_near(measures.source.jerk, a * pow(2.0 * PI * f, 3.0) * 2.0 / PI / 0.9, 0.2);
}

static void values_without_data_are_nan(void **)
{
	struct jc_measure_figure figure = make_figure(), bust = make_figure();
	struct jc_measure_frame frame = stand();
	struct jc_measure measure;
	struct jc_measures measures;

	for (int p = JC_MEASURE_LEFT_FOOT; p < JC_MEASURE_POINT_COUNT; p++) {
		bust.has[p] = false;
	}
	jc_measure_init(&measure, &figure, &bust, 1.0 / FPS);
	for (int i = 0; i < FRAMES; i++) {
		jc_measure_add(&measure, &frame, &frame);
	}
	measures = finish(&measure);
	assert_true(isnan(measures.target.skate));
	assert_true(isnan(measures.target.penetration));
	assert_true(isnan(measures.target.penetration_most));
	assert_true(isnan(measures.contact_f1));
	assert_true(isnan(measures.jerk_ratio)); /* nothing moves */
	assert_near(measures.source.penetration, 0.0, 0.0);
	assert_near(measures.end_effector_error, 0.0, 0.0);
}

static struct jc_measures measure_demo(const char *name, const struct jc_fitting_options *options)
{
	struct jc_skeleton *skeleton;
	struct jc_measures measures;
	struct jc_motion *motion;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	assert_int_equal(jc_measure_motion(motion, skeleton, options, 60.0, &measures), JC_OK);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
	return measures;
}

static void motion_on_its_own_figure_has_the_figures_of_its_source(void **)
{
	struct jc_measures measures = measure_demo("walk", &JC_FITTING_DEFAULTS);

	assert_near(measures.contact_f1, 1.0, 0.0);
	assert_near(measures.end_effector_error, 0.0, 0.0);
	assert_near(measures.jerk_ratio, 1.0, 0.0);
	assert_near(measures.target.skate, measures.source.skate, 0.0);
	/* The built-in walk plants its feet (motion.h). */
	assert_true(measures.source.skate < 0.1);
	assert_true(measures.source.penetration_most < 10.0);
	assert_int_equal(measures.sign_flips, 0);
	assert_int_equal(measures.limited_joints, 0);
}

/* On the spot, what was planted slides back by as much as the hips would have
 * gone on: the way of the walk, once round its circle, over its frames. */
static void a_walk_on_the_spot_skates(void **)
{
	struct jc_fitting_options options = JC_FITTING_DEFAULTS;
	struct jc_measures measures;
	struct jc_motion *motion;
	double frames;

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	frames = jc_motion_info(motion)->duration * 60.0;
	jc_motion_destroy(motion);
	options.horizontal = 0.0f;
	measures = measure_demo("walk", &options);
	assert_near(measures.target.skate, 100.0 * 2.0 * PI * (double)JC_DEMO_WALK_RADIUS / frames,
		0.1 * measures.target.skate);
	assert_true(measures.contact_f1 < 0.6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skate_of_a_sliding_foot_is_its_speed_per_frame),
		cmocka_unit_test(a_body_below_the_floor_is_noticed_without_its_feet),
		cmocka_unit_test(only_contacts_of_the_source_can_skate),
		cmocka_unit_test(contact_f1_is_the_harmonic_mean_of_precision_and_recall),
		cmocka_unit_test(penetration_is_that_of_the_deeper_foot),
		cmocka_unit_test(end_effectors_are_compared_by_height_and_from_the_hips),
		cmocka_unit_test(the_jerk_of_a_sine_matches_its_formula),
		cmocka_unit_test(values_without_data_are_nan),
		cmocka_unit_test(motion_on_its_own_figure_has_the_figures_of_its_source),
		cmocka_unit_test(a_walk_on_the_spot_skates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
