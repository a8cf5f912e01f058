/* Captures against the golden vectors, which a second implementation made from the
 * document: encoding gives their bytes, decoding their numbers to the last bit, and
 * the broken ones fail as they should. */
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "jointcast/capture.h"
#include "unit_test.h"

static uint8_t state_of(const json_t *item)
{
	const char *state = item ? golden_text(item, "state") : "absent";

	return strcmp(state, "tracked") == 0     ? JC_TRACKED
	       : strcmp(state, "estimated") == 0 ? JC_ESTIMATED
						 : JC_ABSENT;
}

/* The contents of a vector as structures. */
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
			joint->position = golden_vec3(json_object_get(item, "position"));
			joint->orientation = golden_quat(json_object_get(item, "rotation"));
		}
	}
	for (int i = 0; i < JC_BONE_COUNT && said->is_pose; i++) {
		const json_t *item = json_object_get(items, jc_bone_name((enum jc_bone)i));

		said->pose.states[i] = state_of(item);
		if (item) {
			said->pose.rotations[i] = golden_quat(json_object_get(item, "rotation"));
		}
	}
}

static void read_said(const json_t *object, struct said *out_said)
{
	const json_t *values = json_object_get(object, "values");

	memset(out_said, 0, sizeof(*out_said));
	out_said->is_pose = strcmp(golden_text(object, "kind"), "pose") == 0;
	jc_pose_init(&out_said->pose);
	out_said->capture.time_us = json_integer_value(json_object_get(object, "time"));
	out_said->capture.cut = json_is_true(json_object_get(object, "cut"));
	out_said->capture.is_rest = json_is_true(json_object_get(object, "rest"));
	out_said->capture.value_count = json_array_size(values);
	for (size_t i = 0; i < out_said->capture.value_count; i++) {
		out_said->capture.values[i] = golden_number(values, i);
	}
	out_said->frame.confidence =
		(float)json_number_value(json_object_get(object, "confidence"));
	out_said->frame.time_ns = out_said->capture.time_us * 1000;
	if (out_said->is_pose) {
		out_said->pose.hips_translation = golden_vec3(json_object_get(object, "hips"));
	}
	read_items(json_object_get(object, "items"), out_said);
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
		golden_assert_vec3(a->pose.hips_translation, b->pose.hips_translation);
		assert_memory_equal(a->pose.states, b->pose.states, JC_BONE_COUNT);
		for (int i = 0; i < JC_BONE_COUNT; i++) {
			golden_assert_quat(a->pose.rotations[i], b->pose.rotations[i]);
		}
		return;
	}
	assert_true(a->frame.confidence == b->frame.confidence);
	assert_int_equal(a->frame.time_ns, b->frame.time_ns);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		assert_int_equal(a->frame.joints[i].state, b->frame.joints[i].state);
		golden_assert_vec3(a->frame.joints[i].position, b->frame.joints[i].position);
		golden_assert_quat(a->frame.joints[i].orientation, b->frame.joints[i].orientation);
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

static void check_encoding(const json_t *vector)
{
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct said said;
	int length;

	read_said(json_object_get(vector, "input"), &said);
	length = encode(&said, bytes, sizeof(bytes));
	golden_assert_written(bytes, length, vector);
	for (int room = 0; room < length; room++) {
		assert_int_equal(encode(&said, bytes, (size_t)room), JC_ERROR_SPACE);
	}
}

static void encodes_captures_to_the_bytes_of_the_document(void **)
{
	golden_for_each("captures.json", 20, check_encoding);
}

static void check_decoding(const json_t *vector)
{
	struct golden_bytes bytes = golden_hex(vector, "hex");
	struct said expected, said = { 0 };

	read_said(json_object_get(vector, "expected"), &expected);
	said.is_pose = expected.is_pose;
	assert_int_equal(decode(bytes.at, bytes.length, &said), bytes.length);
	assert_same(&said, &expected);
	free(bytes.at);
}

static void decodes_captures_to_the_numbers_of_the_document(void **)
{
	golden_for_each("captures.json", 20, check_decoding);
}

static void refuse(const json_t *vector)
{
	struct golden_bytes bytes = golden_hex(vector, "hex");
	struct said said = { .is_pose = strcmp(golden_text(vector, "kind"), "pose") == 0 };

	golden_assert_refused(decode(bytes.at, bytes.length, &said), vector);
	free(bytes.at);
}

static void rejects_broken_captures_with_the_documented_error(void **)
{
	golden_for_each("broken-captures.json", 20, refuse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encodes_captures_to_the_bytes_of_the_document),
		cmocka_unit_test(decodes_captures_to_the_numbers_of_the_document),
		cmocka_unit_test(rejects_broken_captures_with_the_documented_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
