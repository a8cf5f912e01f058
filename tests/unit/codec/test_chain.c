/* Tests chains: the error bound, equal state at both ends, and rejoining after losses. */
#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/chain.h"
#include "mover.h"
#include "reference.h"
#include "unit_test.h"

#define DEGREES   (180.0 / 3.14159265358979323846)
#define HANDS     30
#define ALL_BONES UINT64_MAX

static void assert_same(const struct jc_chain *a, const struct jc_chain *b)
{
	assert_int_equal(a->started, b->started);
	assert_int_equal(a->section, b->section);
	assert_int_equal(a->precision, b->precision);
	assert_int_equal(a->count, b->count);
	assert_memory_equal(a->bones, b->bones, a->count);
	assert_memory_equal(a->items, b->items, a->count * sizeof(a->items[0]));
}

static void rejoin(const struct jc_chain *from, struct jc_chain *out_chain)
{
	uint8_t bytes[JC_CHAIN_BYTES];
	int length = jc_chain_write_rejoin(from, bytes, sizeof(bytes));

	assert_true(length > 0);
	assert_int_equal(jc_chain_read_rejoin(out_chain, JC_CODING_CHAIN,
				 (enum jc_section)from->section, bytes, (size_t)length),
		length);
	assert_same(out_chain, from);
}

/* One frame as a reader gets it. */
struct frame {
	uint8_t bytes[JC_CHAIN_BYTES];
	size_t length;
};

static struct frame encode(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *translation, bool settle)
{
	struct frame frame;
	int length = jc_chain_encode(
		chain, rotations, translation, settle, frame.bytes, sizeof(frame.bytes));

	assert_true(length >= 0);
	frame.length = (size_t)length;
	return frame;
}

static void follow(struct jc_chain *chain, const struct frame *frame)
{
	if (frame->length) {
		assert_int_equal(
			jc_chain_decode(chain, frame->bytes, frame->length), frame->length);
	} else {
		jc_chain_hold(chain);
	}
}

static void assert_within_bound(const struct jc_chain *chain, const struct jc_quat *rotations)
{
	double most = jc_precision_degrees((enum jc_precision)chain->precision);
	struct jc_quat shown[JC_BONE_COUNT];

	jc_chain_rotations(chain, shown);
	for (size_t i = 0; i < chain->count; i++) {
		int bone = chain->bones[i];

		assert_true(degrees_between(rotations[bone], shown[bone]) <= most);
	}
}

static void precisions_have_names(void **)
{
	assert_string_equal(jc_precision_name(JC_PRECISION_STANDARD), "standard");
	assert_int_equal(jc_precision_find("coarse"), JC_PRECISION_COARSE);
	assert_int_equal(jc_precision_find("Fine"), -1);
}

/* Kinds of rotations, a quarter each. */
static struct jc_quat next_rotation(uint32_t *random, int kind)
{
	struct axis axis = next_axis(random);
	double small = pow(10.0, -3.0 + 3.5 * fabs(next_real(random))) * next_real(random);

	switch (kind) {
	case 0:
		return turned(axis, small);
	case 1:
		return turned(axis, 180.0 + small);
	case 2:
		return turned(axis, 240.0 + small);
	default:
		return turned(axis, 360.0 * next_real(random));
	}
}

static void random_rotations_stay_within_the_bound(void **)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		uint32_t random = 17u + (uint32_t)p;
		struct jc_quat rotations[JC_BONE_COUNT];
		struct jc_chain chain;

		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			rotations[bone] = next_rotation(&random, 3);
		}
		assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HANDS,
					 (enum jc_precision)p, ALL_BONES, rotations, NULL),
			JC_OK);
		assert_int_equal(chain.count, HANDS);
		assert_within_bound(&chain, rotations);
		for (int i = 0; i < 200000 / HANDS; i++) {
			for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
				rotations[bone] = next_rotation(&random, bone % 4);
			}
			encode(&chain, rotations, NULL, false);
			assert_within_bound(&chain, rotations);
		}
	}
}

/* The angle that a place stands for: the lattice unit is 2 sin(bound / 4) /
 * sqrt(5), and the chart tan(angle / 4). */
static double chart_degrees(const struct jc_chain_item *item, enum jc_precision precision)
{
	const int32_t *p = item->place;
	double radius = sqrt((double)p[0] * p[0] + (double)p[1] * p[1] + (double)p[2] * p[2]);
	double unit = 2.0 * sin(jc_precision_degrees(precision) / DEGREES / 4.0) / sqrt(5.0);

	return 4.0 * atan(radius * unit) * DEGREES;
}

static void whole_turns_pass_180_degrees_and_reverse_beyond_240(void **)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		uint32_t random = 5;
		struct axis axes[JC_BONE_COUNT];
		struct jc_quat rotations[JC_BONE_COUNT];
		struct jc_chain chain, reader;
		double farthest = 0.0;

		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			axes[bone] = next_axis(&random);
			rotations[bone] = JC_QUAT_IDENTITY;
		}
		assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY,
					 (enum jc_precision)p, ALL_BONES, rotations, NULL),
			JC_OK);
		rejoin(&chain, &reader);
		for (int i = 1; i <= 1000; i++) {
			struct frame frame;

			for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
				rotations[bone] = turned(axes[bone], i * (1.0 + 0.05 * bone));
			}
			frame = encode(&chain, rotations, NULL, false);
			follow(&reader, &frame);
			assert_within_bound(&reader, rotations);
			for (size_t item = 0; item < chain.count; item++) {
				double degrees =
					chart_degrees(&chain.items[item], (enum jc_precision)p);

				farthest = degrees > farthest ? degrees : farthest;
			}
		}
		assert_true(farthest > 235.0 && farthest < 243.0);
	}
}

static void hips_stay_within_the_bound(void **)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		double most = jc_precision_metres((enum jc_precision)p);
		uint32_t random = 3;
		struct jc_vec3 at = { 0.1f, 0.9f, -0.3f };
		struct jc_chain chain, reader;

		assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HIPS,
					 (enum jc_precision)p, 0, NULL, &at),
			JC_OK);
		rejoin(&chain, &reader);
		for (int i = 0; i < 5000; i++) {
			float way = happens(&random, 0.01) ? 1.0f : 0.01f;
			struct frame frame;
			struct jc_vec3 shown;

			at.x = fmodf(at.x + way * (float)next_real(&random), 4.0f);
			at.y = fmodf(at.y + way * (float)next_real(&random), 4.0f);
			at.z = fmodf(at.z + way * (float)next_real(&random), 4.0f);
			frame = encode(&chain, NULL, &at, happens(&random, 0.01));
			follow(&reader, &frame);
			assert_same(&reader, &chain);
			shown = jc_chain_translation(&reader);
			/* Outputs are single precision: 2^-22 at up to 4 m. */
			assert_true(fabs((double)shown.x - at.x) <= most + 0x1p-22);
			assert_true(fabs((double)shown.y - at.y) <= most + 0x1p-22);
			assert_true(fabs((double)shown.z - at.z) <= most + 0x1p-22);
		}
	}
}

static void hips_jump_across_their_whole_range(void **)
{
	struct jc_vec3 at = { -3999.0f, 3999.0f, 0.0f };
	struct jc_chain chain, reader;

	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HIPS, JC_PRECISION_FINE,
				 0, NULL, &at),
		JC_OK);
	rejoin(&chain, &reader);
	for (int i = 0; i < 4; i++) {
		struct frame frame;

		at = (struct jc_vec3){ -at.x, -at.y, 0.0f };
		frame = encode(&chain, NULL, &at, false);
		follow(&reader, &frame);
		assert_same(&reader, &chain);
		rejoin(&chain, &reader);
		assert_true(jc_chain_translation(&reader).x == at.x);
	}
}

static void decoder_has_the_encoders_state_after_every_frame(void **)
{
	static const enum jc_section sections[] = { JC_SECTION_BODY, JC_SECTION_FACE,
		JC_SECTION_HANDS };

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		for (size_t s = 0; s < 3; s++) {
			struct jc_chain chain, reader;
			struct mover mover;
			int held = 0;

			mover_init(&mover, 1 + (uint32_t)p);
			assert_int_equal(
				jc_chain_start(&chain, JC_CODING_CHAIN, sections[s],
					(enum jc_precision)p, ALL_BONES, mover.rotations, NULL),
				JC_OK);
			rejoin(&chain, &reader);
			for (int i = 0; i < 300; i++) {
				struct frame frame;

				mover_step(&mover);
				frame = encode(&chain, mover.rotations, NULL, i % 37 == 0);
				held += !frame.length;
				follow(&reader, &frame);
				assert_same(&reader, &chain);
				assert_within_bound(&reader, mover.rotations);
			}
			assert_true(held > 10);
		}
	}
}

static void decoder_that_missed_frames_has_the_common_state_after_a_rejoin(void **)
{
	struct jc_chain chain, always, often;
	struct mover mover;
	uint32_t random = 99;
	int rejoins = 0;

	mover_init(&mover, 8);
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY,
				 JC_PRECISION_STANDARD, ALL_BONES, mover.rotations, NULL),
		JC_OK);
	rejoin(&chain, &always);
	rejoin(&chain, &often);
	for (int i = 0; i < 2000; i++) {
		struct frame frame;

		mover_step(&mover);
		frame = encode(&chain, mover.rotations, NULL, i % 10 == 0);
		follow(&always, &frame);
		if (happens(&random, 0.5)) {
			often.started = false; /* it missed this one */
		} else if (often.started) {
			follow(&often, &frame);
		} else {
			/* From the encoder, or from a hop on the way. */
			rejoin(i & 1 ? &chain : &always, &often);
			rejoins++;
		}
		if (often.started) {
			assert_same(&often, &always);
			assert_within_bound(&often, mover.rotations);
		}
	}
	assert_true(rejoins > 300);
}

static int rejoin_length(const struct jc_chain *chain)
{
	uint8_t bytes[JC_CHAIN_BYTES];

	return jc_chain_write_rejoin(chain, bytes, sizeof(bytes));
}

static void settled_rejoins_are_small_and_keep_the_precision(void **)
{
	struct jc_chain chain;
	struct mover mover;

	mover_init(&mover, 4);
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY, JC_PRECISION_FINE,
				 ALL_BONES, mover.rotations, NULL),
		JC_OK);
	for (int i = 0; i < 200; i++) {
		struct jc_chain settled = chain, reader = chain;
		struct frame frame;

		mover_step(&mover);
		frame = encode(&settled, mover.rotations, NULL, true);
		encode(&chain, mover.rotations, NULL, false);
		follow(&reader, &frame);
		assert_same(&reader, &settled);
		assert_within_bound(&settled, mover.rotations);
		rejoin(&settled, &reader);
		/* 22 bones: 39 bits of misses each, and their steps. */
		assert_true(rejoin_length(&settled) + 22 * 39 / 8 / 2 < rejoin_length(&chain));
	}
}

static void writes_nothing_for_a_body_at_rest(void **)
{
	struct jc_quat nearly[JC_BONE_COUNT];
	struct jc_chain chain, holder;
	struct mover mover;

	mover_init(&mover, 6);
	for (int i = 0; i < 50; i++) {
		mover_step(&mover);
	}
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY,
				 JC_PRECISION_COARSE, ALL_BONES, mover.rotations, NULL),
		JC_OK);
	encode(&chain, mover.rotations, NULL, false);
	holder = chain;
	/* A target within a hundredth of a degree of the decoded rotation is within the bound. */
	jc_chain_rotations(&chain, nearly);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(encode(&chain, nearly, NULL, false).length, 0);
		jc_chain_hold(&holder);
		assert_same(&holder, &chain);
	}
	assert_true(encode(&chain, nearly, NULL, true).length > 0);
}

static void both_signs_of_a_quaternion_are_the_same_rotation(void **)
{
	struct jc_chain chain, other;
	struct mover mover;

	mover_init(&mover, 21);
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HANDS,
				 JC_PRECISION_STANDARD, ALL_BONES, mover.rotations, NULL),
		JC_OK);
	other = chain;
	for (int i = 0; i < 200; i++) {
		struct jc_quat negative[JC_BONE_COUNT];
		struct frame one, two;

		mover_step(&mover);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			struct jc_quat q = mover.rotations[bone];

			negative[bone] = (struct jc_quat){ -q.x, -q.y, -q.z, -q.w };
		}
		one = encode(&chain, mover.rotations, NULL, false);
		two = encode(&other, negative, NULL, false);
		assert_int_equal(one.length, two.length);
		assert_memory_equal(one.bytes, two.bytes, one.length);
	}
}

static void chain_contains_the_masked_bones_of_its_section(void **)
{
	const uint64_t bones = UINT64_C(1) << JC_BONE_HEAD | UINT64_C(1) << JC_BONE_JAW |
			       UINT64_C(1) << JC_BONE_RIGHT_TOES;
	const struct jc_quat none = { 0.0f, 0.0f, 0.0f, 0.0f };
	struct jc_quat rotations[JC_BONE_COUNT], shown[JC_BONE_COUNT];
	struct jc_chain chain, reader;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		rotations[bone] = bones >> bone & 1 ? JC_QUAT_IDENTITY : none;
		shown[bone] = none;
	}
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY, JC_PRECISION_FINE,
				 bones, rotations, NULL),
		JC_OK);
	rejoin(&chain, &reader);
	assert_int_equal(reader.count, 2);
	assert_int_equal(reader.bones[0], JC_BONE_HEAD);
	assert_int_equal(reader.bones[1], JC_BONE_RIGHT_TOES);
	jc_chain_rotations(&reader, shown);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		bool is_there = bone == JC_BONE_HEAD || bone == JC_BONE_RIGHT_TOES;

		assert_true(shown[bone].w == (is_there ? 1.0f : 0.0f));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(precisions_have_names),
		cmocka_unit_test(random_rotations_stay_within_the_bound),
		cmocka_unit_test(whole_turns_pass_180_degrees_and_reverse_beyond_240),
		cmocka_unit_test(hips_stay_within_the_bound),
		cmocka_unit_test(hips_jump_across_their_whole_range),
		cmocka_unit_test(decoder_has_the_encoders_state_after_every_frame),
		cmocka_unit_test(decoder_that_missed_frames_has_the_common_state_after_a_rejoin),
		cmocka_unit_test(settled_rejoins_are_small_and_keep_the_precision),
		cmocka_unit_test(writes_nothing_for_a_body_at_rest),
		cmocka_unit_test(both_signs_of_a_quaternion_are_the_same_rotation),
		cmocka_unit_test(chain_contains_the_masked_bones_of_its_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
