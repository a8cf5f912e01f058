/* The golden vectors, which a second implementation made from the document in
 * exact arithmetic: decoding gives their numbers to the last bit, encoding
 * gives their bytes, and the broken ones fail as they should. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "jointcast/packet.h"
#include "unit_test.h"

static size_t canonical_count; /* of the vectors that were encoded */

static long long integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
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
		golden_assert_quat(payload->rotations[bone],
			rotation ? golden_quat(rotation) : JC_QUAT_IDENTITY);
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
		golden_assert_vec3(payload->hips_translation, golden_vec3(hips));
	}
	if (placement) {
		golden_assert_vec3(payload->placement.position,
			golden_vec3(json_object_get(placement, "position")));
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
static int decode(const struct golden_bytes *message, const json_t *expected)
{
	const json_t *earlier = json_object_get(expected, "before");
	const struct jc_bundle_head before = read_head(earlier);
	struct jc_bundle_head head;
	size_t index = 0, at;
	int status =
		jc_bundle_read_head(message->at, message->length, earlier ? &before : NULL, &head);

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
			message->at + at, message->length - at, &packet, &bytes, &length);
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
	struct jc_skeleton_pose pose = { .hips_translation = golden_vec3(hips) };
	struct jc_placement placement = {
		golden_vec3(json_object_get(placed, "position")),
		(float)json_number_value(json_object_get(placed, "yaw")),
	};
	uint8_t payload[JC_LIMIT_PACKET_BYTES];
	int length;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const json_t *rotation =
			json_object_get(rotations, jc_bone_name((enum jc_bone)bone));

		pose.rotations[bone] = rotation ? golden_quat(rotation) : JC_QUAT_IDENTITY;
	}
	length = jc_payload_encode(&pose, placed ? &placement : NULL, payload, sizeof(payload));
	assert_true(length >= 0);
	length = jc_bundle_append(&head, payload, (size_t)length, out_bytes, capacity);
	assert_true(length > 0);
	return (size_t)length;
}

static void decode_whole(const json_t *vector)
{
	struct golden_bytes message = golden_hex(vector, "hex");

	assert_int_equal(decode(&message, vector), JC_OK);
	free(message.at);
}

static void every_vector_decodes_to_its_numbers(void **)
{
	golden_for_each("bundles.json", 20, decode_whole);
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

static void encode(const json_t *vector)
{
	const struct jc_bundle_head head = read_head(json_object_get(vector, "head"));
	uint8_t bytes[2048];
	size_t index, length, last = 0;
	json_t *input;

	if (!json_is_true(json_object_get(vector, "canonical"))) {
		return;
	}
	length = begin(vector, &head, bytes, sizeof(bytes));
	json_array_foreach(json_object_get(vector, "inputs"), index, input)
	{
		last = length;
		length += encode_packet(input, bytes + length, sizeof(bytes) - length);
	}
	if (last > 0) {
		length = (size_t)(jc_bundle_finish(bytes + last, bytes + length) - bytes);
	}
	golden_assert_written(bytes, (int)length, vector);
	canonical_count++;
}

static void every_canonical_vector_encodes_to_its_bytes(void **)
{
	canonical_count = 0;
	golden_for_each("bundles.json", 20, encode);
	assert_true(canonical_count > 10);
}

static void refuse(const json_t *vector)
{
	struct golden_bytes message = golden_hex(vector, "hex");

	golden_assert_refused(decode(&message, NULL), vector);
	free(message.at);
}

static void rejects_every_broken_vector_with_its_error(void **)
{
	golden_for_each("broken.json", 20, refuse);
}

static void split(const json_t *vector)
{
	struct golden_bytes message = golden_hex(vector, "hex");
	const json_t *expected = json_object_get(vector, "bundles");
	const uint8_t *bundles[2];
	size_t lengths[2];
	int count = jc_bundle_split(message.at, message.length, bundles, lengths);

	if (!expected) {
		golden_assert_refused(count, vector);
	} else {
		assert_int_equal(count, json_array_size(expected));
	}
	for (int i = 0; i < count; i++) {
		const char *text = json_string_value(json_array_get(expected, (size_t)i));

		assert_int_equal(2 * lengths[i], strlen(text));
		for (size_t k = 0; k < lengths[i]; k++) {
			char digits[3];

			snprintf(digits, sizeof(digits), "%02x", bundles[i][k]);
			assert_memory_equal(digits, text + 2 * k, 2);
		}
	}
	free(message.at);
}

static void every_message_splits_into_its_bundles(void **)
{
	golden_for_each("pairs.json", 8, split);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_vector_decodes_to_its_numbers),
		cmocka_unit_test(every_canonical_vector_encodes_to_its_bytes),
		cmocka_unit_test(rejects_every_broken_vector_with_its_error),
		cmocka_unit_test(every_message_splits_into_its_bundles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
