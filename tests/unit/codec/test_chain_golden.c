/* Tests the golden vectors of chains, which an independent implementation of the text made:
 * decoding gives their states and values to the last bit, encoding gives their bytes, and damaged
 * vectors fail with their error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "jointcast/humanoid.h"
#include "jointcast/stream.h"
#include "jointcast_private/chain.h"
#include "unit_test.h"

static enum jc_section section_of(const json_t *vector)
{
	static const char *const names[] = { "", "body", "face", "hands", "hips", "", "",
		"channels", "virtual" };

	for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], golden_text(vector, "section")) == 0) {
			return (enum jc_section)i;
		}
	}
	fail_msg("no section is called '%s'", golden_text(vector, "section"));
	return JC_SECTION_BODY;
}

/* The hips' translation, triples of values or the translations of virtual
 * transforms. */
static void points_in(const json_t *object, struct jc_vec3 points[JC_CHAIN_ITEMS])
{
	for (int i = 0; i < JC_CHAIN_ITEMS; i++) {
		char names[][16] = { "translation", "", "" };

		snprintf(names[1], sizeof(names[1]), "v%d", i);
		snprintf(names[2], sizeof(names[2]), "t%d", i);
		for (int k = i ? 1 : 0; k < 3; k++) {
			const json_t *p = json_object_get(object, names[k]);

			if (p) {
				points[i] = golden_vec3(p);
			}
		}
	}
}

/* Bones without a name keep their values; virtual transforms are r0, r1 …. */
static void rotations_in(const json_t *object, struct jc_quat rotations[JC_BONE_COUNT])
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const json_t *q = json_object_get(object, jc_bone_name((enum jc_bone)bone));
		char name[16];

		snprintf(name, sizeof(name), "r%d", bone);
		q = q ? q : json_object_get(object, name);

		if (q) {
			rotations[bone] = golden_quat(q);
		}
	}
}

static unsigned coding_of(const json_t *vector)
{
	const json_t *coding = json_object_get(vector, "coding");

	return coding ? (unsigned)json_integer_value(coding) : JC_CODING_CHAIN;
}

static void assert_numbers(const int32_t actual[3], const json_t *numbers, size_t first, int unit)
{
	for (size_t c = 0; c < 3; c++) {
		assert_int_equal(
			actual[c], unit * json_integer_value(json_array_get(numbers, first + c)));
	}
}

/* Place, step and miss of an item in coding 2; place, pace, miss and rounding in coding 3. */
static void assert_state(const struct jc_chain *chain, const json_t *state)
{
	bool has_pace = chain->coding == JC_CODING_MODEL_CHAIN;

	assert_int_equal(chain->count, json_array_size(state));
	for (size_t i = 0; i < chain->count; i++) {
		const struct jc_chain_item *item = &chain->items[i];
		const json_t *numbers = json_array_get(state, i);

		assert_int_equal(json_array_size(numbers), has_pace ? 12 : 9);
		assert_numbers(item->place, numbers, 0, 1);
		assert_numbers(item->pace, numbers, 3, has_pace ? 1 : 16);
		assert_numbers(item->miss, numbers, 6, 1);
		if (has_pace) {
			assert_numbers(item->rounding, numbers, 9, 1);
		}
	}
}

static void assert_shows(const struct jc_chain *chain, const json_t *shown)
{
	struct jc_quat rotations[JC_BONE_COUNT] = { 0 };
	struct jc_quat wanted[JC_BONE_COUNT] = { 0 };

	struct jc_vec3 points[JC_CHAIN_ITEMS] = { 0 };
	struct jc_vec3 there[JC_CHAIN_ITEMS] = { 0 };

	points_in(shown, there);
	jc_chain_points(chain, points);
	for (int i = 0; i < JC_CHAIN_ITEMS; i++) {
		golden_assert_vec3(points[i], there[i]);
	}
	rotations_in(shown, wanted);
	jc_chain_rotations(chain, rotations);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		golden_assert_quat(rotations[bone], wanted[bone]);
	}
}

static void assert_step(const struct jc_chain *chain, const json_t *step)
{
	assert_state(chain, json_object_get(step, "state"));
	assert_shows(chain, json_object_get(step, "shown"));
}

static void assert_rejoin(const struct jc_chain *chain, const json_t *step)
{
	uint8_t bytes[JC_CHAIN_BYTES];

	golden_assert_written(bytes, jc_chain_write_rejoin(chain, bytes, sizeof(bytes)), step);
}

static void follow(const json_t *vector)
{
	const json_t *steps = json_object_get(vector, "steps"), *last = NULL;
	struct jc_chain chain = { 0 };
	size_t index;
	json_t *step;

	json_array_foreach(steps, index, step)
	{
		const char *what = golden_text(step, "do");
		struct golden_bytes bytes = { 0 };

		if (strcmp(what, "rejoin") == 0) {
			bytes = golden_hex(step, "hex");
			assert_int_equal(jc_chain_read_rejoin(&chain, coding_of(vector),
						 section_of(vector), bytes.at, bytes.length),
				bytes.length);
			assert_int_equal(chain.precision,
				jc_precision_find(golden_text(vector, "precision")));
			assert_step(&chain, last);
			assert_rejoin(&chain, step);
		} else if (strcmp(what, "frame") == 0) {
			bytes = golden_hex(step, "hex");
			assert_int_equal(
				jc_chain_decode(&chain, bytes.at, bytes.length), bytes.length);
			assert_step(&chain, step);
		} else if (strcmp(what, "hold") == 0) {
			jc_chain_hold(&chain);
			assert_step(&chain, step);
		}
		last = strcmp(what, "rejoin") == 0 ? last : step;
		free(bytes.at);
	}
}

static uint64_t bones_of(const json_t *vector)
{
	uint64_t bones = 0;
	size_t index;
	json_t *name;

	json_array_foreach(json_object_get(vector, "bones"), index, name)
	{
		const char *bone = json_string_value(name);
		int found = jc_bone_find(bone);

		/* v0, v1 …; r0, t0, r1, t1 … */
		bones |= UINT64_C(1) << (found >= 0 ? found : atoi(bone + 1));
	}
	return bones;
}

static void encode(const json_t *vector)
{
	const json_t *steps = json_object_get(vector, "steps");
	struct jc_quat rotations[JC_BONE_COUNT] = { 0 }; /* those not named are none */
	struct jc_chain chain = { 0 };
	uint8_t bytes[JC_CHAIN_BYTES];
	size_t index;
	json_t *step;

	json_array_foreach(steps, index, step)
	{
		const json_t *motion = json_object_get(step, "motion");
		struct jc_vec3 points[JC_CHAIN_ITEMS] = { 0 };

		points_in(motion, points);
		if (strcmp(golden_text(step, "do"), "rejoin") == 0) {
			assert_rejoin(&chain, step);
			continue;
		}
		rotations_in(motion, rotations);
		if (strcmp(golden_text(step, "do"), "start") == 0) {
			assert_int_equal(
				jc_chain_start(&chain, coding_of(vector), section_of(vector),
					(enum jc_precision)jc_precision_find(
						golden_text(vector, "precision")),
					bones_of(vector), rotations, points),
				JC_OK);
		} else {
			bool settle = json_is_true(json_object_get(step, "settle"));

			golden_assert_written(bytes,
				jc_chain_encode(
					&chain, rotations, points, settle, bytes, sizeof(bytes)),
				step);
		}
		assert_step(&chain, step);
	}
}

static void decodes_every_vector_to_its_states(void **)
{
	golden_for_each("chains.json", 15, follow);
	golden_for_each("model-chains.json", 15, follow);
}

static void encodes_every_vector_to_its_bytes(void **)
{
	golden_for_each("chains.json", 15, encode);
	golden_for_each("model-chains.json", 15, encode);
}

static void refuse(const json_t *vector)
{
	struct golden_bytes bytes = golden_hex(vector, "hex");
	struct jc_chain chain = { 0 };
	int error;

	if (strcmp(golden_text(vector, "do"), "frame") == 0) {
		struct golden_bytes after = golden_hex(vector, "after");

		assert_int_equal(jc_chain_read_rejoin(&chain, coding_of(vector), section_of(vector),
					 after.at, after.length),
			after.length);
		free(after.at);
		error = jc_chain_decode(&chain, bytes.at, bytes.length);
	} else {
		error = jc_chain_read_rejoin(
			&chain, coding_of(vector), section_of(vector), bytes.at, bytes.length);
	}
	golden_assert_refused(error, vector);
	assert_false(chain.started);
	free(bytes.at);
}

static void rejects_every_broken_vector_with_its_error(void **)
{
	golden_for_each("broken-chains.json", 15, refuse);
}

static int read_bundle(struct jc_stream_decoder *decoder, const uint8_t *bytes, size_t length)
{
	struct jc_bundle_head bundle;
	struct jc_packet_head head;
	const uint8_t *payload;
	size_t payload_length;
	int at = jc_bundle_read_head(bytes, length, NULL, &bundle);
	int used = at < 0 ? at
			  : jc_bundle_read_packet(bytes + at, length - (size_t)at, &head, &payload,
				    &payload_length);

	return used < 0 ? used : jc_stream_decode(decoder, &head, payload, payload_length);
}

/* The reader stops its decoder at each discarded bundle. */
static void discard(const json_t *vector)
{
	struct jc_stream_decoder decoder = { 0 };
	const json_t *step;
	size_t i;

	json_array_foreach(json_object_get(vector, "steps"), i, step)
	{
		struct golden_bytes bytes = golden_hex(step, "hex");
		bool waits = json_is_true(json_object_get(step, "waits"));
		int status = read_bundle(&decoder, bytes.at, bytes.length);
		struct jc_stream_frame frame;

		if (json_object_get(step, "error")) {
			golden_assert_refused(status, step);
			decoder.started = false;
		} else {
			assert_int_equal(status == JC_ERROR_ABSENT, waits);
		}
		if (!waits) {
			jc_stream_frame(&decoder, &frame);
			golden_assert_vec3(
				frame.hips_translation, golden_vec3(json_object_get(step, "hips")));
		}
		free(bytes.at);
	}
}

static void sixteen_discarded_packets_are_a_gap(void **)
{
	golden_for_each("discarded.json", 0, discard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_every_vector_to_its_states),
		cmocka_unit_test(encodes_every_vector_to_its_bytes),
		cmocka_unit_test(rejects_every_broken_vector_with_its_error),
		cmocka_unit_test(sixteen_discarded_packets_are_a_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
