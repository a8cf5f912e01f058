/* The golden vectors, which a second implementation made from the document in
 * exact arithmetic: decoding gives their numbers to the last bit, encoding
 * gives their bytes, and the broken ones fail as they should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "jointcast/packet.h"
#include "jointcast/transform.h"

struct message {
	uint8_t *bytes; /* owned; exactly the length, so that sanitizers see past it */
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
	assert_true(json_array_size(vectors) > 20);
	return vectors;
}

static struct message read_hex(const json_t *vector)
{
	const char *hex = json_string_value(json_object_get(vector, "hex"));
	struct message message = { malloc(strlen(hex) / 2 + 1), strlen(hex) / 2 };

	assert_non_null(message.bytes);
	message.bytes = realloc(message.bytes, message.length ? message.length : 1);
	for (size_t i = 0; i < message.length; i++) {
		unsigned byte;

		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		message.bytes[i] = (uint8_t)byte;
	}
	return message;
}

static long long integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static float number(const json_t *array, size_t index)
{
	return (float)json_number_value(json_array_get(array, index));
}

static struct jc_vec3 read_vec3(const json_t *array)
{
	return (struct jc_vec3){ number(array, 0), number(array, 1), number(array, 2) };
}

static struct jc_quat read_quat(const json_t *array)
{
	return (struct jc_quat){ number(array, 0), number(array, 1), number(array, 2),
		number(array, 3) };
}

static void assert_same_vec3(struct jc_vec3 a, struct jc_vec3 b)
{
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
}

static void assert_same_quat(struct jc_quat a, struct jc_quat b)
{
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
}

static void check_payload(const json_t *expected, const struct jc_payload *payload)
{
	const json_t *rotations = json_object_get(expected, "rotations");
	const json_t *hips = json_object_get(expected, "hips");
	const json_t *placement = json_object_get(expected, "placement");
	const json_t *states = json_object_get(expected, "states");

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const json_t *rotation =
			json_object_get(rotations, jc_bone_name((enum jc_bone)bone));

		assert_int_equal(payload->rotation_mask >> bone & 1, rotation != NULL);
		assert_same_quat(payload->rotations[bone],
			rotation ? read_quat(rotation) : JC_QUAT_IDENTITY);
	}
	assert_int_equal(payload->has_states, states != NULL);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const char *state = json_string_value(
			json_object_get(states, jc_bone_name((enum jc_bone)bone)));

		assert_string_equal(jc_state_name((enum jc_state)payload->states[bone]),
			state ? state : "absent");
	}
	assert_int_equal(payload->has_hips, hips != NULL);
	assert_int_equal(payload->has_placement, placement != NULL);
	if (hips) {
		assert_same_vec3(payload->hips_translation, read_vec3(hips));
	}
	if (placement) {
		assert_same_vec3(payload->placement.position,
			read_vec3(json_object_get(placement, "position")));
		assert_true(payload->placement.yaw ==
			    (float)json_number_value(json_object_get(placement, "yaw")));
	}
}

static void check_packet_head(const json_t *expected, const struct jc_packet_head *head)
{
	assert_int_equal(head->body, integer(expected, "body"));
	assert_int_equal(head->incarnation, integer(expected, "incarnation"));
	assert_int_equal(head->sequence, integer(expected, "sequence"));
	assert_int_equal(head->cut, json_is_true(json_object_get(expected, "cut")));
	assert_int_equal(head->needs_state, json_is_true(json_object_get(expected, "needsState")));
	assert_int_equal(head->shape, integer(expected, "shape"));
	assert_int_equal(head->capture_age_us, integer(expected, "ageUs"));
	assert_int_equal(head->relay_age_us, integer(expected, "relayUs"));
}

static struct jc_bundle_head read_head(const json_t *object)
{
	return (struct jc_bundle_head){ (uint32_t)integer(object, "space"),
		(uint32_t)integer(object, "tick") };
}

/* Walks a whole message; expected may be NULL, then only the status counts. */
static int decode(const struct message *message, const json_t *expected)
{
	const json_t *earlier = json_object_get(expected, "before");
	const struct jc_bundle_head before = read_head(earlier);
	struct jc_bundle_head head;
	size_t index = 0, at;
	int status = jc_bundle_read_head(
		message->bytes, message->length, earlier ? &before : NULL, &head);

	if (status < 0) {
		return status;
	}
	if (expected) {
		const json_t *wanted = json_object_get(expected, "head");

		assert_int_equal(head.space, integer(wanted, "space"));
		assert_int_equal(head.tick, integer(wanted, "tick"));
	}
	for (at = (size_t)status; at < message->length; at += (size_t)status) {
		struct jc_packet_head packet;
		struct jc_payload payload;
		const uint8_t *bytes;
		size_t length;
		int decoded;

		status = jc_bundle_read_packet(
			message->bytes + at, message->length - at, &packet, &bytes, &length);
		if (status < 0) {
			return status;
		}
		decoded = jc_payload_decode(packet.shape, bytes, length, &payload);
		if (decoded < 0) {
			return decoded;
		}
		if (expected) {
			const json_t *wanted =
				json_array_get(json_object_get(expected, "packets"), index++);

			assert_non_null(wanted);
			check_packet_head(wanted, &packet);
			check_payload(wanted, &payload);
		}
	}
	if (expected) {
		assert_int_equal(index, json_array_size(json_object_get(expected, "packets")));
	}
	return JC_OK;
}

static size_t encode_packet(const json_t *input, uint8_t *out_bytes, size_t capacity)
{
	const json_t *rotations = json_object_get(input, "rotations");
	const json_t *hips = json_object_get(input, "hips");
	const json_t *placed = json_object_get(input, "placement");
	struct jc_packet_head head = {
		.body = (uint32_t)integer(input, "body"),
		.incarnation = (uint8_t)integer(input, "incarnation"),
		.sequence = (uint8_t)integer(input, "sequence"),
		.cut = json_is_true(json_object_get(input, "cut")),
		.capture_age_us = (int32_t)integer(input, "ageUs"),
		.relay_age_us = (uint32_t)integer(input, "relayUs"),
	};
	struct jc_skeleton_pose pose = { .hips_translation = read_vec3(hips) };
	struct jc_placement placement = {
		read_vec3(json_object_get(placed, "position")),
		(float)json_number_value(json_object_get(placed, "yaw")),
	};
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	int length;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const json_t *rotation =
			json_object_get(rotations, jc_bone_name((enum jc_bone)bone));

		pose.rotations[bone] = rotation ? read_quat(rotation) : JC_QUAT_IDENTITY;
	}
	length = jc_payload_encode(&pose, placed ? &placement : NULL, payload, sizeof(payload));
	assert_true(length >= 0);
	length = jc_bundle_append(&head, payload, (size_t)length, out_bytes, capacity);
	assert_true(length > 0);
	return (size_t)length;
}

static void every_vector_decodes_to_its_numbers(void **state)
{
	json_t *vectors = load("bundles.json");
	size_t index;
	json_t *vector;

	(void)state;
	json_array_foreach(vectors, index, vector)
	{
		struct message message = read_hex(vector);

		print_message("%s\n", json_string_value(json_object_get(vector, "name")));
		assert_int_equal(decode(&message, vector), JC_OK);
		free(message.bytes);
	}
	json_decref(vectors);
}

static size_t begin(const json_t *vector, const struct jc_bundle_head *head, uint8_t *out_bytes,
	size_t capacity)
{
	if (json_object_get(vector, "before")) {
		*out_bytes = jc_bundle_short_head(head->tick);
		return 1;
	}
	return (size_t)jc_bundle_begin(head, out_bytes, capacity);
}

static void every_canonical_vector_encodes_to_its_bytes(void **state)
{
	json_t *vectors = load("bundles.json");
	size_t index, canonical = 0;
	json_t *vector;

	(void)state;
	json_array_foreach(vectors, index, vector)
	{
		const struct jc_bundle_head head = read_head(json_object_get(vector, "head"));
		struct message message = read_hex(vector);
		uint8_t bytes[2048];
		size_t input_index, length, last = 0;
		json_t *input;

		if (json_is_true(json_object_get(vector, "canonical"))) {
			print_message("%s\n", json_string_value(json_object_get(vector, "name")));
			length = begin(vector, &head, bytes, sizeof(bytes));
			json_array_foreach(json_object_get(vector, "inputs"), input_index, input)
			{
				last = length;
				length += encode_packet(
					input, bytes + length, sizeof(bytes) - length);
			}
			if (last > 0) {
				length = (size_t)(jc_bundle_finish(bytes + last, bytes + length) -
						  bytes);
			}
			assert_int_equal(length, message.length);
			assert_memory_equal(bytes, message.bytes, length);
			canonical++;
		}
		free(message.bytes);
	}
	assert_true(canonical > 10);
	json_decref(vectors);
}

static int error_of(const char *name)
{
	static const struct {
		const char *name;
		int error;
	} errors[] = {
		{ "truncated", JC_ERROR_TRUNCATED },
		{ "invalid", JC_ERROR_INVALID },
		{ "limit", JC_ERROR_LIMIT },
		{ "unsupported", JC_ERROR_UNSUPPORTED },
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (strcmp(errors[i].name, name) == 0) {
			return errors[i].error;
		}
	}
	fail_msg("no error is called '%s'", name);
	return JC_OK;
}

static void every_broken_vector_fails_as_it_says(void **state)
{
	json_t *vectors = load("broken.json");
	size_t index;
	json_t *vector;

	(void)state;
	json_array_foreach(vectors, index, vector)
	{
		struct message message = read_hex(vector);

		print_message("%s\n", json_string_value(json_object_get(vector, "name")));
		assert_int_equal(decode(&message, NULL),
			error_of(json_string_value(json_object_get(vector, "error"))));
		free(message.bytes);
	}
	json_decref(vectors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_vector_decodes_to_its_numbers),
		cmocka_unit_test(every_canonical_vector_encodes_to_its_bytes),
		cmocka_unit_test(every_broken_vector_fails_as_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
