/* The claim of the document: a decoded rotation is at most 0.01 degrees from
 * the encoded one. */
#include <math.h>
#include <string.h>

#include "jointcast/packet.h"
#include "jointcast/stream.h"
#include "reference.h"
#include "unit_test.h"

#define CLAIM_DEGREES 0.01

static double next(uint64_t *seed)
{
	/* Knuth's MMIX generator: 0 … 1 */
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*seed >> 11) / 9007199254740992.0;
}

static struct jc_quat unit(double x, double y, double z, double w)
{
	double length = sqrt(x * x + y * y + z * z + w * w);

	return (struct jc_quat){ (float)(x / length), (float)(y / length), (float)(z / length),
		(float)(w / length) };
}

/* Sends a pose through the codec and returns the worst angle of its bones. */
static double worst_angle(const struct jc_skeleton_pose *pose)
{
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];
	struct jc_payload payload;
	int length = jc_payload_encode(pose, NULL, bytes, sizeof(bytes));
	double worst = 0.0;

	assert_true(length >= 0);
	assert_int_equal(jc_payload_decode(JC_SHAPE_LIST, bytes, (size_t)length, &payload), length);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = payload.rotations[bone];
		double norm = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z +
				   (double)q.w * q.w);

		assert_float_equal(norm, 1.0, 2e-7);
		worst = fmax(worst, degrees_between(pose->rotations[bone], q));
	}
	return worst;
}

/* Fills every bone with what `make` gives and looks for the worst, rounds times. */
static double worst_of(int rounds, struct jc_quat (*make)(uint64_t *seed))
{
	struct jc_skeleton_pose pose = { .hips_translation = { 0.0f, 0.0f, 0.0f } };
	uint64_t seed = 2022;
	double worst = 0.0;

	for (int i = 0; i < rounds; i++) {
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			pose.rotations[bone] = make(&seed);
		}
		worst = fmax(worst, worst_angle(&pose));
	}
	return worst;
}

static struct jc_quat anywhere(uint64_t *seed)
{
	double q[4], length;

	do {
		length = 0.0;
		for (int i = 0; i < 4; i++) {
			q[i] = 2.0 * next(seed) - 1.0;
			length += q[i] * q[i];
		}
	} while (length > 1.0 || length < 0.01);
	return unit(q[0], q[1], q[2], q[3]);
}

/* All four components nearly alike: there the error of the one that is left
 * out, the sum of the others', is at its greatest. */
static struct jc_quat nearly_equal(uint64_t *seed)
{
	double q[4];

	for (int i = 0; i < 4; i++) {
		q[i] = (next(seed) < 0.5 ? -1.0 : 1.0) * (0.5 + 2e-4 * (next(seed) - 0.5));
	}
	return unit(q[0], q[1], q[2], q[3]);
}

static struct jc_quat nearly_rest(uint64_t *seed)
{
	double size = pow(10.0, -6.0 * next(seed));

	return unit(size * (next(seed) - 0.5), size * (next(seed) - 0.5), size * (next(seed) - 0.5),
		next(seed) < 0.5 ? -1.0 : 1.0);
}

/* Each stored component half way between two steps: the most any can be off. */
static struct jc_quat half_way(uint64_t *seed)
{
	double q[4], left = 1.0;
	int largest = (int)(4.0 * next(seed)) & 3;

	for (int i = 0; i < 4; i++) {
		double steps = floor((next(seed) - 0.5) * 2.0 * 11500.0) + 0.5;

		q[i] = steps / (16383.0 * sqrt(2.0));
		left -= i == largest ? 0.0 : q[i] * q[i];
	}
	q[largest] = sqrt(left);
	return unit(q[0], q[1], q[2], q[3]);
}

static void random_rotations_are_within_a_hundredth_of_a_degree(void **)
{
	assert_true(worst_of(4000, anywhere) <= CLAIM_DEGREES);
}

static void rotations_near_ties_are_within_a_hundredth_of_a_degree(void **)
{
	double worst = worst_of(4000, nearly_equal);

	assert_true(worst <= CLAIM_DEGREES);
	/* Three components half a step off and the fourth by their sum is
	 * 2 * sqrt(12) * 0.5 / (16383 sqrt 2) rad = 0.00857 degrees: nothing
	 * can be worse, and these come near it. */
	assert_true(worst <= 0.00858);
	assert_true(worst > 0.0075);
}

static void rotations_near_rest_are_within_a_hundredth_of_a_degree(void **)
{
	assert_true(worst_of(4000, nearly_rest) <= CLAIM_DEGREES);
}

static void rotations_between_steps_are_within_a_hundredth_of_a_degree(void **)
{
	double worst = worst_of(4000, half_way);

	assert_true(worst <= CLAIM_DEGREES);
	assert_true(worst > 0.004); /* they do lie between steps */
}

static void a_rotation_and_its_negative_give_the_same_bytes(void **)
{
	struct jc_skeleton_pose pose = { .hips_translation = { 0.0f, 0.0f, 0.0f } };
	uint8_t bytes[2][JC_LIMIT_PACKET_BYTES];
	uint64_t seed = 7;
	int length;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.rotations[bone] = bone % 2 ? anywhere(&seed) : nearly_equal(&seed);
	}
	length = jc_payload_encode(&pose, NULL, bytes[0], sizeof(bytes[0]));
	assert_true(length > 0);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = pose.rotations[bone];

		pose.rotations[bone] = (struct jc_quat){ -q.x, -q.y, -q.z, -q.w };
	}
	assert_int_equal(jc_payload_encode(&pose, NULL, bytes[1], sizeof(bytes[1])), length);
	assert_memory_equal(bytes[0], bytes[1], (size_t)length);
}

static void rounds_a_pose_to_the_places_of_a_precision(void **)
{
	uint64_t seed = 20;

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		enum jc_precision precision = (enum jc_precision)p;
		double worst = 0.0;

		for (int turn = 0; turn < 500; turn++) {
			struct jc_skeleton_pose pose = {
				.hips_translation = { (float)(next(&seed) - 0.5),
					(float)(next(&seed) - 0.5), 0.25f }
			};
			struct jc_skeleton_pose rounded, again;

			for (int b = 0; b < JC_BONE_COUNT; b++) {
				pose.rotations[b] = unit(next(&seed) - 0.5, next(&seed) - 0.5,
					next(&seed) - 0.5, next(&seed) - 0.5);
			}
			rounded = pose;
			jc_precision_round(precision, rounded.rotations, &rounded.hips_translation);
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				worst = fmax(worst,
					degrees_between(pose.rotations[b], rounded.rotations[b]));
			}
			assert_true(fabs((double)rounded.hips_translation.x -
					    (double)pose.hips_translation.x) <=
				    jc_precision_metres(precision) + 1e-6);
			assert_true(fabs((double)rounded.hips_translation.z - 0.25) <=
				    jc_precision_metres(precision) + 1e-6);
			/* A rounded pose is a fixed point: rounding it again tells nothing new.
			 * Near half a turn the other point of the rotation may be the nearer one.
			 */
			again = rounded;
			jc_precision_round(precision, again.rotations, &again.hips_translation);
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				assert_true(fabsf(pose.rotations[b].w) < 0.05f ||
					    degrees_between(rounded.rotations[b],
						    again.rotations[b]) < 1e-4);
			}
		}
		print_message("%s: at most %.4f degrees\n", jc_precision_name(precision), worst);
		assert_true(worst <= jc_precision_degrees(precision));
		assert_true(worst > jc_precision_degrees(precision) / 2.0);
	}
}

/* Poses that differ by far less than the precision become the same packet. */
static void hides_differences_below_the_precision(void **)
{
	struct jc_skeleton_pose a, b;
	uint8_t first[JC_LIMIT_PACKET_BYTES], second[JC_LIMIT_PACKET_BYTES];

	memset(&a, 0, sizeof(a));
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		a.rotations[i] = unit(0.001, 0.0, 0.0, 1.0);
	}
	b = a;
	b.rotations[JC_BONE_HEAD] = unit(0.0, -0.001, 0.0, 1.0); /* 0.16 degrees away */
	b.hips_translation.x = 0.003f;
	int before = jc_payload_encode(&a, NULL, first, sizeof(first));
	int other = jc_payload_encode(&b, NULL, second, sizeof(second));

	assert_true(before != other || memcmp(first, second, (size_t)before) != 0);
	jc_precision_round(JC_PRECISION_COARSE, a.rotations, &a.hips_translation);
	jc_precision_round(JC_PRECISION_COARSE, b.rotations, &b.hips_translation);
	before = jc_payload_encode(&a, NULL, first, sizeof(first));
	other = jc_payload_encode(&b, NULL, second, sizeof(second));
	assert_int_equal(before, other);
	assert_memory_equal(first, second, (size_t)before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_rotations_are_within_a_hundredth_of_a_degree),
		cmocka_unit_test(rotations_near_ties_are_within_a_hundredth_of_a_degree),
		cmocka_unit_test(rotations_near_rest_are_within_a_hundredth_of_a_degree),
		cmocka_unit_test(rotations_between_steps_are_within_a_hundredth_of_a_degree),
		cmocka_unit_test(a_rotation_and_its_negative_give_the_same_bytes),
		cmocka_unit_test(rounds_a_pose_to_the_places_of_a_precision),
		cmocka_unit_test(hides_differences_below_the_precision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
