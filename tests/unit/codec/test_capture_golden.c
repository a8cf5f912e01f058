/* Captures against the golden vectors, which a second implementation made from the
 * document: encoding gives their bytes, decoding their numbers to the last bit, and
 * the broken ones fail as they should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "jointcast/capture.h"

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
	assert_true(json_array_size(vectors) > 20);
	return vectors;
}

static const char *string(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static float number(const json_t *array, size_t index)
{
	return (float)json_number_value(json_array_get(array, index));
}

static struct jc_vec3 vec3(const json_t *array)
{
	return (struct jc_vec3){ number(array, 0), number(array, 1), number(array, 2) };
}

static struct jc_quat quat(const json_t *array)
{
	return (struct jc_quat){ number(array, 0), number(array, 1), number(array, 2),
		number(array, 3) };
}

/* Exactly the length, so that sanitizers see past it. */
static uint8_t *read_hex(const json_t *vector, size_t *out_length)
{
	const char *hex = string(vector, "hex");
	size_t length = strlen(hex) / 2;
	uint8_t *bytes = malloc(length ? length : 1);

	assert_non_null(bytes);
	for (size_t i = 0; i < length; i++) {
		unsigned byte;

		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		bytes[i] = (uint8_t)byte;
	}
	*out_length = length;
	return bytes;
}

static uint8_t state_of(const json_t *item)
{
	const char *state = item ? string(item, "state") : "absent";

	return strcmp(state, "tracked") == 0     ? JC_TRACKED
	       : strcmp(state, "estimated") == 0 ? JC_ESTIMATED
						 : JC_ABSENT;
}

/* What a vector says, as the structures have it. */
struct said {
	bool is_pose;
	struct jc_capture capture;
	struct jc_body_frame frame;
	struct jc_pose pose;
};

static void read_items(const json_t *items, struct said *said)
{
	for (int i = 0; i < JC_JOINT_COUNT && !said->is_pose; i++) {
		const json_t *item = json_object_get(items, jc_joint_name((enum jc_joint)i));
		struct jc_body_joint *joint = &said->frame.joints[i];

		joint->state = state_of(item);
		joint->orientation.w = 1.0f;
		if (item) {
			joint->position = vec3(json_object_get(item, "position"));
			joint->orientation = quat(json_object_get(item, "rotation"));
		}
	}
	for (int i = 0; i < JC_BONE_COUNT && said->is_pose; i++) {
		const json_t *item = json_object_get(items, jc_bone_name((enum jc_bone)i));

		said->pose.states[i] = state_of(item);
		if (item) {
			said->pose.rotations[i] = quat(json_object_get(item, "rotation"));
		}
	}
}

static void read_said(const json_t *object, struct said *out_said)
{
	const json_t *values = json_object_get(object, "values");

	memset(out_said, 0, sizeof(*out_said));
	out_said->is_pose = strcmp(string(object, "kind"), "pose") == 0;
	jc_pose_init(&out_said->pose);
	out_said->capture.time_us = json_integer_value(json_object_get(object, "time"));
	out_said->capture.cut = json_is_true(json_object_get(object, "cut"));
	out_said->capture.is_rest = json_is_true(json_object_get(object, "rest"));
	out_said->capture.value_count = json_array_size(values);
	for (size_t i = 0; i < out_said->capture.value_count; i++) {
		out_said->capture.values[i] = number(values, i);
	}
	out_said->frame.confidence =
		(float)json_number_value(json_object_get(object, "confidence"));
	out_said->frame.time_ns = out_said->capture.time_us * 1000;
	if (out_said->is_pose) {
		out_said->pose.hips_translation = vec3(json_object_get(object, "hips"));
	}
	read_items(json_object_get(object, "items"), out_said);
}

static void assert_same_vec3(struct jc_vec3 a, struct jc_vec3 b)
{
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
}

static void assert_same_quat(struct jc_quat a, struct jc_quat b)
{
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
}

static void assert_same(const struct said *a, const struct said *b)
{
	assert_int_equal(a->capture.time_us, b->capture.time_us);
	assert_int_equal(a->capture.cut, b->capture.cut);
	assert_int_equal(a->capture.is_rest, b->capture.is_rest);
	assert_int_equal(a->capture.value_count, b->capture.value_count);
	for (size_t i = 0; i < a->capture.value_count; i++) {
		assert_true(a->capture.values[i] == b->capture.values[i]);
	}
	if (a->is_pose) {
		assert_same_vec3(a->pose.hips_translation, b->pose.hips_translation);
		assert_memory_equal(a->pose.states, b->pose.states, JC_BONE_COUNT);
		for (int i = 0; i < JC_BONE_COUNT; i++) {
			assert_same_quat(a->pose.rotations[i], b->pose.rotations[i]);
		}
		return;
	}
	assert_true(a->frame.confidence == b->frame.confidence);
	assert_int_equal(a->frame.time_ns, b->frame.time_ns);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		assert_int_equal(a->frame.joints[i].state, b->frame.joints[i].state);
		assert_same_vec3(a->frame.joints[i].position, b->frame.joints[i].position);
		assert_same_quat(a->frame.joints[i].orientation, b->frame.joints[i].orientation);
	}
}

static int encode(const struct said *said, uint8_t *bytes, size_t capacity)
{
	return said->is_pose ? jc_pose_encode(&said->capture, &said->pose, bytes, capacity)
			     : jc_body_frame_encode(&said->capture, &said->frame, bytes, capacity);
}

static int decode(const uint8_t *bytes, size_t length, struct said *said)
{
	return said->is_pose ? jc_pose_decode(bytes, length, &said->capture, &said->pose)
			     : jc_body_frame_decode(bytes, length, &said->capture, &said->frame);
}

static void captures_are_encoded_to_the_bytes_of_the_document(void **state)
{
	json_t *vectors = load("captures.json");

	(void)state;
	for (size_t i = 0; i < json_array_size(vectors); i++) {
		const json_t *vector = json_array_get(vectors, i);
		uint8_t bytes[JC_CAPTURE_BYTES];
		struct said said;
		size_t length;
		uint8_t *expected = read_hex(vector, &length);

		read_said(json_object_get(vector, "input"), &said);
		assert_int_equal(encode(&said, bytes, sizeof(bytes)), (int)length);
		assert_memory_equal(bytes, expected, length);
		for (size_t room = 0; room < length; room++) {
			assert_int_equal(encode(&said, bytes, room), JC_ERROR_SPACE);
		}
		free(expected);
	}
	json_decref(vectors);
}

static void captures_are_decoded_to_the_numbers_of_the_document(void **state)
{
	json_t *vectors = load("captures.json");

	(void)state;
	for (size_t i = 0; i < json_array_size(vectors); i++) {
		const json_t *vector = json_array_get(vectors, i);
		struct said expected, said = { 0 };
		size_t length;
		uint8_t *bytes = read_hex(vector, &length);

		read_said(json_object_get(vector, "expected"), &expected);
		said.is_pose = expected.is_pose;
		assert_int_equal(decode(bytes, length, &said), (int)length);
		assert_same(&said, &expected);
		free(bytes);
	}
	json_decref(vectors);
}

static void broken_captures_fail_as_the_document_says(void **state)
{
	json_t *vectors = load("broken-captures.json");

	(void)state;
	for (size_t i = 0; i < json_array_size(vectors); i++) {
		const json_t *vector = json_array_get(vectors, i);
		struct said said = { .is_pose = strcmp(string(vector, "kind"), "pose") == 0 };
		size_t length;
		uint8_t *bytes = read_hex(vector, &length);
		int status = decode(bytes, length, &said);

		if (status >= 0 || strcmp(jc_error_name(status), string(vector, "error")) != 0) {
			fail_msg("%s: %s", string(vector, "name"),
				status < 0 ? jc_error_name(status) : "taken");
		}
		free(bytes);
	}
	json_decref(vectors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures_are_encoded_to_the_bytes_of_the_document),
		cmocka_unit_test(captures_are_decoded_to_the_numbers_of_the_document),
		cmocka_unit_test(broken_captures_fail_as_the_document_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
