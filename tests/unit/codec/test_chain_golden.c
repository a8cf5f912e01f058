/* The golden vectors of chains, which a second implementation made from the
 * document: decoding gives their states and what these show to the last bit,
 * encoding gives their bytes, and the broken ones fail as they should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "jointcast/chain.h"
#include "jointcast/humanoid.h"

struct bytes {
	uint8_t *at; /* owned; exactly the length, so that sanitizers see past it */
	size_t length;
};

static json_t *load(const char *name)
{
	char path[512];
	json_error_t error;
	json_t *vectors;

	snprintf(path, sizeof(path), "%s/%s", JC_GOLDEN, name);
	vectors = json_load_file(path, 0, &error);
	if (!vectors) {
		fail_msg("%s: %s", path, error.text);
	}
	assert_true(json_array_size(vectors) > 15);
	return vectors;
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	assert_non_null(value);
	return value;
}

static struct bytes read_hex(const char *hex)
{
	struct bytes bytes = { NULL, strlen(hex) / 2 };

	bytes.at = malloc(bytes.length ? bytes.length : 1);
	assert_non_null(bytes.at);
	for (size_t i = 0; i < bytes.length; i++) {
		unsigned byte;

		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		bytes.at[i] = (uint8_t)byte;
	}
	return bytes;
}

static void assert_written(const uint8_t *bytes, int length, const char *hex)
{
	struct bytes wanted = read_hex(hex);

	assert_int_equal(length, wanted.length);
	assert_memory_equal(bytes, wanted.at, wanted.length);
	free(wanted.at);
}

static enum jc_section section_of(const json_t *vector)
{
	static const char *const names[] = { "", "body", "face", "hands", "hips", "", "",
		"channels", "virtual" };

	for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text(vector, "section")) == 0) {
			return (enum jc_section)i;
		}
	}
	fail_msg("no section is called '%s'", text(vector, "section"));
	return JC_SECTION_BODY;
}

static float number(const json_t *array, size_t index)
{
	return (float)json_number_value(json_array_get(array, index));
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
				points[i] = (struct jc_vec3){ number(p, 0), number(p, 1),
					number(p, 2) };
			}
		}
	}
}

/* The bones not named keep what they had; virtual transforms are r0, r1 …. */
static void rotations_in(const json_t *object, struct jc_quat rotations[JC_BONE_COUNT])
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const json_t *q = json_object_get(object, jc_bone_name((enum jc_bone)bone));
		char name[16];

		snprintf(name, sizeof(name), "r%d", bone);
		q = q ? q : json_object_get(object, name);

		if (q) {
			rotations[bone] = (struct jc_quat){ number(q, 0), number(q, 1),
				number(q, 2), number(q, 3) };
		}
	}
}

static void assert_state(const struct jc_chain *chain, const json_t *state)
{
	assert_int_equal(chain->count, json_array_size(state));
	for (size_t i = 0; i < chain->count; i++) {
		const struct jc_chain_item *item = &chain->items[i];
		const json_t *numbers = json_array_get(state, i);

		for (size_t c = 0; c < 3; c++) {
			assert_int_equal(
				item->place[c], json_integer_value(json_array_get(numbers, c)));
			assert_int_equal(
				item->step[c], json_integer_value(json_array_get(numbers, 3 + c)));
			assert_int_equal(
				item->miss[c], json_integer_value(json_array_get(numbers, 6 + c)));
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
		assert_true(points[i].x == there[i].x && points[i].y == there[i].y &&
			    points[i].z == there[i].z);
	}
	rotations_in(shown, wanted);
	jc_chain_rotations(chain, rotations);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat a = rotations[bone], b = wanted[bone];

		assert_true(a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
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

	assert_written(
		bytes, jc_chain_write_rejoin(chain, bytes, sizeof(bytes)), text(step, "hex"));
}

static void follow(const json_t *vector)
{
	const json_t *steps = json_object_get(vector, "steps"), *last = NULL;
	struct jc_chain chain = { 0 };
	size_t index;
	json_t *step;

	json_array_foreach(steps, index, step)
	{
		const char *what = text(step, "do");
		struct bytes bytes = { 0 };

		if (strcmp(what, "rejoin") == 0) {
			bytes = read_hex(text(step, "hex"));
			assert_int_equal(jc_chain_read_rejoin(&chain, section_of(vector), bytes.at,
						 bytes.length),
				bytes.length);
			assert_int_equal(
				chain.precision, jc_precision_find(text(vector, "precision")));
			assert_step(&chain, last);
			assert_rejoin(&chain, step);
		} else if (strcmp(what, "frame") == 0) {
			bytes = read_hex(text(step, "hex"));
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
		if (strcmp(text(step, "do"), "rejoin") == 0) {
			assert_rejoin(&chain, step);
			continue;
		}
		rotations_in(motion, rotations);
		if (strcmp(text(step, "do"), "start") == 0) {
			assert_int_equal(jc_chain_start(&chain, section_of(vector),
						 (enum jc_precision)jc_precision_find(
							 text(vector, "precision")),
						 bones_of(vector), rotations, points),
				JC_OK);
		} else {
			bool settle = json_is_true(json_object_get(step, "settle"));

			assert_written(bytes,
				jc_chain_encode(
					&chain, rotations, points, settle, bytes, sizeof(bytes)),
				text(step, "hex"));
		}
		assert_step(&chain, step);
	}
}

static void for_each(const char *name, void (*check)(const json_t *vector))
{
	json_t *vectors = load(name);
	size_t index;
	json_t *vector;

	json_array_foreach(vectors, index, vector)
	{
		print_message("%s\n", text(vector, "name"));
		check(vector);
	}
	json_decref(vectors);
}

static void every_vector_is_followed_to_its_states(void **state)
{
	(void)state;
	for_each("chains.json", follow);
}

static void every_vector_is_encoded_to_its_bytes(void **state)
{
	(void)state;
	for_each("chains.json", encode);
}

static int error_of(const char *name)
{
	return strcmp(name, "truncated") == 0     ? JC_ERROR_TRUNCATED
	       : strcmp(name, "limit") == 0       ? JC_ERROR_LIMIT
	       : strcmp(name, "unsupported") == 0 ? JC_ERROR_UNSUPPORTED
						  : JC_ERROR_INVALID;
}

static void refuse(const json_t *vector)
{
	struct bytes bytes = read_hex(text(vector, "hex"));
	struct jc_chain chain = { 0 };
	int error;

	if (strcmp(text(vector, "do"), "frame") == 0) {
		struct bytes after = read_hex(text(vector, "after"));

		assert_int_equal(
			jc_chain_read_rejoin(&chain, section_of(vector), after.at, after.length),
			after.length);
		free(after.at);
		error = jc_chain_decode(&chain, bytes.at, bytes.length);
	} else {
		error = jc_chain_read_rejoin(&chain, section_of(vector), bytes.at, bytes.length);
	}
	assert_int_equal(error, error_of(text(vector, "error")));
	assert_false(chain.started);
	free(bytes.at);
}

static void every_broken_vector_fails_as_it_says(void **state)
{
	(void)state;
	for_each("broken-chains.json", refuse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_vector_is_followed_to_its_states),
		cmocka_unit_test(every_vector_is_encoded_to_its_bytes),
		cmocka_unit_test(every_broken_vector_fails_as_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
