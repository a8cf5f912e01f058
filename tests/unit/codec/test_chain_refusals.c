/* Tests that chains reject invalid motion and damaged bytes. */
#include <math.h>
#include <stdlib.h>

#include "jointcast_private/chain.h"
#include "mover.h"
#include "unit_test.h"

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

static void rejects_invalid_rotations_and_keeps_the_state(void **)
{
	const struct jc_quat bad[] = { { NAN, 0, 0, 1 }, { 0, 0, 0, NAN }, { INFINITY, 0, 0, 0 },
		{ 0, 0, 0, 0 }, { 0, 0, 0, 1.0011f }, { 0, 0.9989f, 0, 0 },
		{ 1e30f, 1e30f, 1e30f, 1e30f } };
	struct jc_chain chain, before;
	uint8_t bytes[JC_CHAIN_BYTES];
	struct mover mover;

	mover_init(&mover, 2);
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY, JC_PRECISION_FINE,
				 ALL_BONES, mover.rotations, NULL),
		JC_OK);
	before = chain;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		mover_step(&mover);
		mover.rotations[JC_BONE_LEFT_FOOT] = bad[i];
		assert_int_equal(
			jc_chain_encode(&chain, mover.rotations, NULL, i & 1, bytes, sizeof(bytes)),
			JC_ERROR_INVALID);
		assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY,
					 JC_PRECISION_COARSE, ALL_BONES, mover.rotations, NULL),
			JC_ERROR_INVALID);
		assert_same(&chain, &before);
	}
}

static void rejects_invalid_hips_and_keeps_the_state(void **)
{
	const float bad[] = { NAN, INFINITY, -INFINITY, 4001.0f, -4001.0f, 3e38f };
	struct jc_vec3 at = { 1.0f, 2.0f, 3.0f };
	struct jc_chain chain, before;
	uint8_t bytes[JC_CHAIN_BYTES];

	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HIPS, JC_PRECISION_FINE,
				 0, NULL, &at),
		JC_OK);
	before = chain;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		at.y = bad[i];
		assert_int_equal(jc_chain_encode(&chain, NULL, &at, false, bytes, sizeof(bytes)),
			JC_ERROR_INVALID);
		assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HIPS,
					 JC_PRECISION_FINE, 0, NULL, &at),
			JC_ERROR_INVALID);
		assert_same(&chain, &before);
	}
}

static void rejects_too_small_buffers_and_keeps_the_state(void **)
{
	struct jc_chain chain, before;
	struct mover mover;

	mover_init(&mover, 12);
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_HANDS,
				 JC_PRECISION_FINE, ALL_BONES, mover.rotations, NULL),
		JC_OK);
	for (int i = 0; i < 50; i++) {
		uint8_t whole[JC_CHAIN_BYTES];
		int frame, length;

		before = chain;
		mover_step(&mover);
		frame = jc_chain_encode(&chain, mover.rotations, NULL, true, whole, sizeof(whole));
		length = jc_chain_write_rejoin(&chain, whole, sizeof(whole));
		assert_true(frame > 0 && length > 0);
		for (int capacity = 0; capacity < frame; capacity += 7) {
			struct jc_chain same = before;
			uint8_t *bytes = malloc((size_t)capacity + 1); /* sanitizers see past it */

			assert_non_null(bytes);
			assert_int_equal(jc_chain_encode(&same, mover.rotations, NULL, true, bytes,
						 (size_t)capacity),
				JC_ERROR_SPACE);
			assert_same(&same, &before);
			free(bytes);
		}
		for (int capacity = 0; capacity < length; capacity += 11) {
			uint8_t *bytes = malloc((size_t)capacity + 1);

			assert_non_null(bytes);
			assert_int_equal(jc_chain_write_rejoin(&chain, bytes, (size_t)capacity),
				JC_ERROR_SPACE);
			free(bytes);
		}
	}
}

static void rejects_another_table(void **)
{
	struct jc_chain chain, reader;
	uint8_t bytes[JC_CHAIN_BYTES];
	struct mover mover;
	int length;

	mover_init(&mover, 1);
	assert_int_equal(jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY, JC_PRECISION_FINE,
				 ALL_BONES, mover.rotations, NULL),
		JC_OK);
	length = jc_chain_write_rejoin(&chain, bytes, sizeof(bytes));
	for (int table = 0; table < 64; table++) {
		int wanted = table == JC_CHAIN_TABLE ? length : JC_ERROR_UNSUPPORTED;

		bytes[0] = (uint8_t)(table << 2 | JC_PRECISION_FINE);
		assert_int_equal(jc_chain_read_rejoin(&reader, JC_CODING_CHAIN, JC_SECTION_BODY,
					 bytes, (size_t)length),
			wanted);
		assert_int_equal(reader.started, wanted == length);
	}
}

static void assert_is_sound(const struct jc_chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		for (int c = 0; c < 3; c++) {
			assert_in_range(chain->items[i].pace[c] + 1026 * 16, 0, 2052 * 16);
			assert_in_range(chain->items[i].rounding[c] + 16, 0, 31);
			assert_in_range(chain->items[i].miss[c], 0, 6400);
			assert_in_range(chain->items[i].place[c] + 4000000, 0, 8000000);
		}
	}
}

static void random_bytes_decode_or_are_rejected(void **)
{
	uint32_t random = 123;
	int followed = 0, refused = 0;

	for (int i = 0; i < 20000; i++) {
		enum jc_section section = (enum jc_section)(1 + i % 4);
		struct jc_vec3 at = { 1.0f, 1.0f, 1.0f };
		struct jc_chain chain;
		struct mover mover;

		mover_init(&mover, 1 + (uint32_t)i);
		assert_int_equal(
			jc_chain_start(&chain, JC_CODING_CHAIN, section, (enum jc_precision)(i % 3),
				next_bits(&random), mover.rotations, &at),
			JC_OK);
		for (int frame = 0; frame < 4 && chain.started; frame++) {
			size_t length = next_bits(&random) % 100;
			uint8_t *bytes = malloc(length ? length : 1);
			int status;

			assert_non_null(bytes);
			for (size_t k = 0; k < length; k++) {
				bytes[k] = (uint8_t)(next_bits(&random) >> 11);
			}
			status = jc_chain_decode(&chain, bytes, length);
			assert_true(status == (int)length
					    ? chain.started
					    : status == JC_ERROR_INVALID && !chain.started);
			followed += chain.started;
			refused += !chain.started;
			if (chain.started) {
				assert_is_sound(&chain);
			}
			free(bytes);
		}
	}
	assert_true(followed > 1000 && refused > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rejects_invalid_rotations_and_keeps_the_state),
		cmocka_unit_test(rejects_invalid_hips_and_keeps_the_state),
		cmocka_unit_test(rejects_too_small_buffers_and_keeps_the_state),
		cmocka_unit_test(rejects_another_table),
		cmocka_unit_test(random_bytes_decode_or_are_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
