/* Packets and bundles byte by byte. The literals were worked out by hand from
 * proto/BUNDLES.md, "Bundles"; the golden vectors are test_golden.c's. */
#include <math.h>
#include <string.h>

#include "jointcast/packet.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GUARD        0xa5

static const float half_turn_root = 0.70710678f; /* sin and cos of 45 degrees */

static void rest_pose(struct jc_skeleton_pose *pose)
{
	memset(pose, 0, sizeof(*pose));
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose->rotations[bone] = JC_QUAT_IDENTITY;
	}
}

/* Head turned 60 degrees about +Y, left upper arm 90 about +X, hips moved. */
static void example_pose(struct jc_skeleton_pose *pose)
{
	rest_pose(pose);
	pose->rotations[JC_BONE_HEAD] = (struct jc_quat){ 0.0f, 0.5f, 0.0f, 0.8660254f };
	pose->rotations[JC_BONE_LEFT_UPPER_ARM] =
		(struct jc_quat){ half_turn_root, 0.0f, 0.0f, half_turn_root };
	pose->hips_translation = (struct jc_vec3){ 0.012f, -0.305f, 0.0f };
}

static const struct jc_placement example_placement = { { 1.5f, 0.0f, -2.0f }, 1.5707963f };

/* 0.5 * sqrt(2) * 16383 = 11584.53, so b = 16384 + 11585 = 0x6d41, largest w;
 * 1/sqrt(2) is 16383 steps, so c = 0x7fff, largest x. 12, -305 and 0 mm in
 * zigzag are 24, 609 and 0; 1500, 0 and -2000 are 3000, 0 and 3999; a quarter
 * turn is 0x4000. */
static const uint8_t example_payload[] = {
	0x11,
	0x0f,
	0xa0,
	0x00,
	0x00, /* body, 15 bytes, bones 5 and 7 */
	0x00,
	0xc0,
	0xa0,
	0x36,
	0x00,
	0x70, /* head */
	0x00,
	0x40,
	0x00,
	0xe0,
	0xff,
	0x1f, /* left upper arm */
	0x41,
	0x04,
	0x18,
	0xe1,
	0x04,
	0x00, /* hips */
	0x51,
	0x07,
	0xb8,
	0x17,
	0x00,
	0x9f,
	0x1f, /* placement */
	0x00,
	0x40,
};

/* Space 1, tick 300; body 3, sequence 11, complete, captured 12.3 ms before its
 * tick: 123 is 246 in zigzag, 0x76 + 128. 34 bytes follow the size, which the
 * last packet of a bundle has not. */
static const uint8_t example_head[] = { 0x11, 0x01, 0xac, 0x02 };
static const uint8_t example_packet_head[] = { 0x8b, 0x0c, 0x03, 0x22, 0xf6, 0x01 };
static const uint8_t example_last_head[] = { 0xcb, 0x0c, 0x03, 0xf6, 0x01 };

static void payload_encodes_to_the_bytes_of_the_document(void **)
{
	struct jc_skeleton_pose pose;
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];

	example_pose(&pose);
	assert_int_equal(jc_payload_encode(&pose, &example_placement, bytes, sizeof(bytes)),
		sizeof(example_payload));
	assert_memory_equal(bytes, example_payload, sizeof(example_payload));
}

static void payload_decodes_from_the_bytes_of_the_document(void **)
{
	struct jc_payload payload;

	assert_int_equal(jc_payload_decode(
				 JC_SHAPE_LIST, example_payload, sizeof(example_payload), &payload),
		sizeof(example_payload));
	assert_true(payload.rotation_mask ==
		    (UINT64_C(1) << JC_BONE_HEAD | UINT64_C(1) << JC_BONE_LEFT_UPPER_ARM));
	/* 11585 / (16383 sqrt 2) and the root of the remainder */
	assert_float_equal(payload.rotations[JC_BONE_HEAD].y, 0.50002027, 1e-7);
	assert_float_equal(payload.rotations[JC_BONE_HEAD].w, 0.86601371, 1e-7);
	assert_float_equal(payload.rotations[JC_BONE_LEFT_UPPER_ARM].x, half_turn_root, 1e-7);
	assert_float_equal(payload.rotations[JC_BONE_LEFT_UPPER_ARM].w, half_turn_root, 1e-7);
	assert_true(payload.rotations[JC_BONE_HIPS].w == 1.0f);
	assert_true(payload.has_hips);
	assert_true(payload.hips_translation.x == 0.012f);
	assert_true(payload.hips_translation.y == -0.305f);
	assert_true(payload.has_placement);
	assert_true(payload.placement.position.x == 1.5f);
	assert_true(payload.placement.position.z == -2.0f);
	assert_float_equal(payload.placement.yaw, 1.57079633, 1e-6);
}

static void bundle_is_framed_as_in_the_document(void **)
{
	const struct jc_bundle_head head = { .space = 1, .tick = 300 };
	const struct jc_packet_head packet = { .body = 3, .sequence = 11, .capture_age_us = 12300 };
	uint8_t bytes[64], *end;

	assert_int_equal(jc_bundle_begin(&head, bytes, sizeof(bytes)), sizeof(example_head));
	assert_memory_equal(bytes, example_head, sizeof(example_head));
	assert_int_equal(jc_bundle_append(&packet, example_payload, sizeof(example_payload), bytes,
				 sizeof(bytes)),
		sizeof(example_packet_head) + sizeof(example_payload));
	assert_memory_equal(bytes, example_packet_head, sizeof(example_packet_head));
	assert_memory_equal(
		bytes + sizeof(example_packet_head), example_payload, sizeof(example_payload));
	end = bytes + sizeof(example_packet_head) + sizeof(example_payload);
	assert_ptr_equal(jc_bundle_finish(bytes, end), end - 1);
	assert_memory_equal(bytes, example_last_head, sizeof(example_last_head));
	assert_memory_equal(
		bytes + sizeof(example_last_head), example_payload, sizeof(example_payload));
}

static void heads_of_a_hips_and_body_step_take_two_bytes(void **)
{
	static const uint8_t payload[] = { 0x07, 0x08, 0x09 };           /* hips 07, body 08 09 */
	static const uint8_t sized[] = { 0x02, 0x06, 0x07, 0x08, 0x09 }; /* hips 06 07 */
	static const uint8_t expected[] = { 0x6f, 0x05, 0x07, 0x08, 0x09 };
	const struct jc_packet_head head = {
		.body = 5, .sequence = 15, .needs_state = true, .shape = JC_SHAPE_HIP_BODY
	};
	struct jc_packet_head read;
	const uint8_t *found;
	uint8_t bytes[16];
	size_t length;
	int size;

	size = jc_bundle_append(&head, payload, sizeof(payload), bytes, sizeof(bytes));
	assert_int_equal(size, sizeof(expected) + 1);
	assert_ptr_equal(jc_bundle_finish(bytes, bytes + size), bytes + sizeof(expected));
	assert_memory_equal(bytes, expected, sizeof(expected));
	assert_int_equal(jc_bundle_read_packet(bytes, sizeof(expected), &read, &found, &length),
		sizeof(expected));
	assert_true(read.needs_state && read.shape == JC_SHAPE_HIP_BODY && read.sequence == 15);
	assert_int_equal(jc_payload_find(read.shape, found, length, JC_SECTION_HIPS, &found), 1);
	assert_int_equal(*found, 0x07);
	assert_int_equal(
		jc_payload_find(JC_SHAPE_HIPS_BODY, sized, sizeof(sized), JC_SECTION_BODY, &found),
		2);
	assert_int_equal(*found, 0x08);
	assert_int_equal(jc_payload_find(JC_SHAPE_HIPS_BODY, payload, sizeof(payload),
				 JC_SECTION_HANDS, &found),
		0);
}

static void short_head_means_the_next_tick_with_its_low_bits(void **)
{
	const uint32_t befores[] = { 0, 1, 127, 128, 300, 4294967294u };

	for (size_t i = 0; i < COUNT(befores); i++) {
		for (uint32_t way = 1; way <= JC_BUNDLE_REACH; way++) {
			const struct jc_bundle_head before = { 9, befores[i] };
			uint8_t byte = jc_bundle_short_head(befores[i] + way);
			struct jc_bundle_head head;

			assert_int_equal(jc_bundle_read_head(&byte, 1, &before, &head), 1);
			assert_int_equal(head.space, 9);
			assert_true(head.tick == befores[i] + way);
		}
	}
}

static void a_pose_at_rest_without_placement_takes_no_bytes(void **)
{
	struct jc_skeleton_pose pose;
	struct jc_payload payload;

	rest_pose(&pose);
	pose.rotations[JC_BONE_JAW].w = -1.0f; /* the same rotation */
	assert_int_equal(jc_payload_encode(&pose, NULL, NULL, 0), 0);
	assert_int_equal(jc_payload_decode(JC_SHAPE_LIST, NULL, 0, &payload), 0);
	assert_true(payload.rotation_mask == 0);
	assert_false(payload.has_hips || payload.has_placement);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_true(payload.rotations[bone].w == 1.0f);
	}
}

static void rejects_rotations_that_are_not_finite_or_not_unit(void **)
{
	static const struct jc_quat bad[] = {
		{ 0.0f, 0.0f, 0.0f, 0.0f },
		{ NAN, 0.0f, 0.0f, 1.0f },
		{ 0.0f, 0.0f, 0.0f, INFINITY },
		{ 3.0e38f, 3.0e38f, 0.0f, 0.0f },
		{ 0.0f, 0.0f, 0.0f, 1.002f },
		{ 0.0f, 0.0f, 0.0f, 0.998f },
	};
	static const int places[] = { JC_BONE_HIPS, JC_BONE_JAW, JC_BONE_RIGHT_LITTLE_DISTAL };

	for (size_t i = 0; i < COUNT(bad); i++) {
		for (size_t k = 0; k < COUNT(places); k++) {
			struct jc_skeleton_pose pose;
			uint8_t bytes[64];

			rest_pose(&pose);
			pose.rotations[places[k]] = bad[i];
			assert_int_equal(jc_payload_encode(&pose, NULL, bytes, sizeof(bytes)),
				JC_ERROR_INVALID);
		}
	}
}

static void accepts_rotations_within_a_thousandth_of_unit(void **)
{
	struct jc_skeleton_pose pose;
	struct jc_payload payload;
	uint8_t bytes[64];
	int length;

	rest_pose(&pose);
	pose.rotations[JC_BONE_HEAD] = (struct jc_quat){ 0.0f, 0.5005f, 0.0f, 0.8668914f };
	length = jc_payload_encode(&pose, NULL, bytes, sizeof(bytes));
	assert_int_equal(length, 11);
	assert_int_equal(jc_payload_decode(JC_SHAPE_LIST, bytes, (size_t)length, &payload), length);
	/* as though it had been unit: 60 degrees about +Y */
	assert_float_equal(payload.rotations[JC_BONE_HEAD].y, 0.5, 3e-5);
}

static void rejects_positions_beyond_the_limit(void **)
{
	static const float bad[] = { NAN, INFINITY, -INFINITY, 1.1e6f, -3.0e38f };
	uint8_t bytes[64];

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct jc_placement placements[] = {
			{ { bad[i], 0.0f, 0.0f }, 0.0f },
			{ { 0.0f, 0.0f, bad[i] }, 0.0f },
			{ { 0.0f, 0.0f, 0.0f }, bad[i] },
		};
		struct jc_skeleton_pose pose;

		rest_pose(&pose);
		for (size_t k = 0; k < COUNT(placements); k++) {
			assert_int_equal(
				jc_payload_encode(&pose, &placements[k], bytes, sizeof(bytes)),
				JC_ERROR_INVALID);
		}
		pose.hips_translation.y = bad[i];
		assert_int_equal(
			jc_payload_encode(&pose, NULL, bytes, sizeof(bytes)), JC_ERROR_INVALID);
	}
}

static void packet_holds_rotations_of_all_bones(void **)
{
	struct jc_skeleton_pose pose;
	struct jc_placement far = { { 1.0e6f, -1.0e6f, 1.0e6f }, 3.0f };
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];
	struct jc_payload payload;

	rest_pose(&pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.rotations[bone] = (struct jc_quat){ 0.0f, 0.0f, 1.0f, 0.0f };
	}
	pose.hips_translation = far.position;
	/* sections (head + mask + rotations): 3+3+132, 2+1+18, 3+4+180; 2+15; 2+17 */
	assert_int_equal(jc_payload_encode(&pose, &far, bytes, sizeof(bytes)), 382);
	assert_int_equal(jc_payload_decode(JC_SHAPE_LIST, bytes, 382, &payload), 382);
	assert_true(payload.rotation_mask == (UINT64_C(1) << JC_BONE_COUNT) - 1);
	assert_true(payload.placement.position.y == -1.0e6f);
}

/* Every capacity below the needed one fails without writing past it. */
static void never_writes_past_a_small_buffer(void **)
{
	const struct jc_bundle_head head = { 300, 70000 };
	const struct jc_packet_head packet = {
		.body = 300, .incarnation = 3, .relay_age_us = 100000
	};
	struct jc_skeleton_pose pose;
	uint8_t bytes[80];

	example_pose(&pose);
	for (size_t capacity = 0; capacity <= sizeof(bytes); capacity++) {
		static const int needed[] = { sizeof(example_payload), 6,
			sizeof(example_payload) + 7 };

		for (size_t what = 0; what < COUNT(needed); what++) {
			int length;

			memset(bytes, GUARD, sizeof(bytes));
			length = what == 0 ? jc_payload_encode(
						     &pose, &example_placement, bytes, capacity)
				 : what == 1 ? jc_bundle_begin(&head, bytes, capacity)
					     : jc_bundle_append(&packet, example_payload,
						       sizeof(example_payload), bytes, capacity);
			assert_int_equal(length,
				capacity < (size_t)needed[what] ? JC_ERROR_SPACE : needed[what]);
			for (size_t i = length < 0 ? capacity : (size_t)length; i < sizeof(bytes);
				i++) {
				assert_int_equal(bytes[i], GUARD);
			}
		}
	}
}

static void does_not_write_a_packet_beyond_the_limit(void **)
{
	static const uint8_t payload[JC_LIMIT_PACKET_BYTES];
	static uint8_t bytes[2 * JC_LIMIT_PACKET_BYTES];
	const struct jc_packet_head head = { .body = 1, .capture_age_us = 100 };

	assert_int_equal(
		jc_bundle_append(&head, payload, sizeof(payload) - 1, bytes, sizeof(bytes)),
		5 + JC_LIMIT_PACKET_BYTES);
	assert_int_equal(jc_bundle_append(&head, payload, sizeof(payload), bytes, sizeof(bytes)),
		JC_ERROR_LIMIT);
	assert_int_equal(
		jc_bundle_append(&head, payload, SIZE_MAX, bytes, sizeof(bytes)), JC_ERROR_LIMIT);
	assert_int_equal(jc_payload_decode(JC_SHAPE_LIST, bytes, JC_LIMIT_PACKET_BYTES + 1,
				 &(struct jc_payload){ 0 }),
		JC_ERROR_LIMIT);
}

static void rejects_values_that_exceed_their_bits(void **)
{
	const struct jc_packet_head head = { .body = 1, .incarnation = 8 };
	const struct jc_packet_head late = { .body = 1, .sequence = 16 };
	uint8_t bytes[32];

	assert_int_equal(jc_bundle_append(&head, NULL, 0, bytes, sizeof(bytes)), JC_ERROR_INVALID);
	assert_int_equal(jc_bundle_append(&late, NULL, 0, bytes, sizeof(bytes)), JC_ERROR_INVALID);
}

static void reads_all_packets_that_were_written_to_a_bundle(void **)
{
	const struct jc_bundle_head head = { 9, 4000000000u };
	const struct jc_packet_head heads[] = {
		{ .body = 0, .sequence = 15, .cut = true },
		{ .body = 4294967295u, .incarnation = 7, .capture_age_us = -1049 },
		{ .body = 5, .incarnation = 2, .relay_age_us = 250, .needs_state = true },
	};
	const uint8_t payload[] = { 0x41, 0x03, 0x00, 0x02, 0x00 };
	const int32_t capture_ages[] = { 0, -1000, 0 }, relay_ages[] = { 0, 0, 300 };
	struct jc_bundle_head read_head;
	uint8_t bytes[128];
	size_t at = 0, length, last = 0;

	length = (size_t)jc_bundle_begin(&head, bytes, sizeof(bytes));
	for (size_t i = 0; i < COUNT(heads); i++) {
		last = length;
		length += (size_t)jc_bundle_append(&heads[i], payload, i ? sizeof(payload) : 0,
			bytes + length, sizeof(bytes) - length);
	}
	length = (size_t)(jc_bundle_finish(bytes + last, bytes + length) - bytes);
	at = (size_t)jc_bundle_read_head(bytes, length, NULL, &read_head);
	assert_memory_equal(&read_head, &head, sizeof(head));
	for (size_t i = 0; i < COUNT(heads); i++) {
		struct jc_packet_head read;
		const uint8_t *found;
		size_t found_length;
		int consumed = jc_bundle_read_packet(
			bytes + at, length - at, &read, &found, &found_length);

		assert_true(consumed > 0);
		at += (size_t)consumed;
		assert_int_equal(read.body, heads[i].body);
		assert_int_equal(read.incarnation, heads[i].incarnation);
		assert_int_equal(read.sequence, heads[i].sequence);
		assert_int_equal(read.cut, heads[i].cut);
		assert_int_equal(read.needs_state, heads[i].needs_state);
		assert_int_equal(read.capture_age_us, capture_ages[i]);
		assert_int_equal(read.relay_age_us, relay_ages[i]);
		assert_int_equal(found_length, i ? sizeof(payload) : 0);
		assert_ptr_equal(found + found_length, bytes + at);
	}
	assert_int_equal(at, length);
}

static void a_failed_read_does_not_change_its_outputs(void **)
{
	struct jc_payload payload, untouched;
	struct jc_bundle_head head = { 1, 2 };
	struct jc_packet_head packet = { .body = 77 };
	const uint8_t *found = NULL;
	size_t length = 5;

	memset(&payload, GUARD, sizeof(payload));
	memset(&untouched, GUARD, sizeof(untouched));
	assert_int_equal(jc_payload_decode(JC_SHAPE_LIST, example_payload,
				 sizeof(example_payload) - 1, &payload),
		JC_ERROR_TRUNCATED);
	assert_memory_equal(&payload, &untouched, sizeof(payload));
	assert_int_equal(jc_bundle_read_head(example_head, 3, NULL, &head), JC_ERROR_TRUNCATED);
	assert_int_equal(head.tick, 2);
	assert_int_equal(jc_bundle_read_packet(example_packet_head, sizeof(example_packet_head),
				 &packet, &found, &length),
		JC_ERROR_TRUNCATED);
	assert_int_equal(packet.body, 77);
	assert_null(found);
	assert_int_equal(length, 5);
}

/* Two bundles of ticks 300 and 301, the first of four bytes. */
static void a_message_has_one_bundle_or_two(void **)
{
	static const uint8_t pair[] = { 0x31, 4, 0x11, 1, 0xac, 0x02, 0x80 | 301 % 128 };
	static const uint8_t overlong[] = { 0x31, 0x80, 0x00, 0x80 };
	static uint8_t large[JC_LIMIT_BUNDLE_BYTES + 6] = { 0x31, 0x81, 0x80, 0x04 };
	const uint8_t *bundles[2];
	size_t lengths[2];
	uint8_t head[JC_PAIR_HEAD_BYTES];

	assert_int_equal(jc_bundle_pair(4, head, sizeof(head)), 2);
	assert_memory_equal(head, pair, 2);
	assert_int_equal(jc_bundle_pair(JC_LIMIT_BUNDLE_BYTES, head, sizeof(head)), 4);
	assert_int_equal(jc_bundle_pair(4, head, 1), JC_ERROR_SPACE);
	assert_int_equal(jc_bundle_split(pair, sizeof(pair), bundles, lengths), 2);
	assert_ptr_equal(bundles[0], pair + 2);
	assert_int_equal(lengths[0], 4);
	assert_ptr_equal(bundles[1], pair + 6);
	assert_int_equal(lengths[1], 1);
	/* The second one may be missing, which its reader reports; the first one not. */
	assert_int_equal(jc_bundle_split(pair, 6, bundles, lengths), 2);
	assert_int_equal(lengths[1], 0);
	assert_int_equal(jc_bundle_split(pair, 5, bundles, lengths), JC_ERROR_TRUNCATED);
	assert_int_equal(jc_bundle_split(pair, 1, bundles, lengths), JC_ERROR_TRUNCATED);
	assert_int_equal(
		jc_bundle_split(overlong, sizeof(overlong), bundles, lengths), JC_ERROR_INVALID);
	assert_int_equal(jc_bundle_split(large, sizeof(large), bundles, lengths), JC_ERROR_LIMIT);
	large[1] = 0;
	assert_int_equal(jc_bundle_split(large, sizeof(large), bundles, lengths), JC_ERROR_LIMIT);
	/* All else is one bundle, whatever it contains. */
	assert_int_equal(jc_bundle_split(pair + 2, 4, bundles, lengths), 1);
	assert_ptr_equal(bundles[0], pair + 2);
	assert_int_equal(lengths[0], 4);
	assert_int_equal(jc_bundle_split(pair, 0, bundles, lengths), 1);
}

static void rejects_a_message_beyond_the_limit(void **)
{
	static uint8_t bytes[JC_LIMIT_BUNDLE_BYTES + 1] = { 0x11 };
	struct jc_bundle_head head;

	assert_int_equal(jc_bundle_read_head(bytes, JC_LIMIT_BUNDLE_BYTES, NULL, &head), 3);
	assert_int_equal(
		jc_bundle_read_head(bytes, JC_LIMIT_BUNDLE_BYTES + 1, NULL, &head), JC_ERROR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(payload_encodes_to_the_bytes_of_the_document),
		cmocka_unit_test(payload_decodes_from_the_bytes_of_the_document),
		cmocka_unit_test(bundle_is_framed_as_in_the_document),
		cmocka_unit_test(heads_of_a_hips_and_body_step_take_two_bytes),
		cmocka_unit_test(short_head_means_the_next_tick_with_its_low_bits),
		cmocka_unit_test(a_pose_at_rest_without_placement_takes_no_bytes),
		cmocka_unit_test(rejects_rotations_that_are_not_finite_or_not_unit),
		cmocka_unit_test(accepts_rotations_within_a_thousandth_of_unit),
		cmocka_unit_test(rejects_positions_beyond_the_limit),
		cmocka_unit_test(packet_holds_rotations_of_all_bones),
		cmocka_unit_test(never_writes_past_a_small_buffer),
		cmocka_unit_test(does_not_write_a_packet_beyond_the_limit),
		cmocka_unit_test(rejects_values_that_exceed_their_bits),
		cmocka_unit_test(reads_all_packets_that_were_written_to_a_bundle),
		cmocka_unit_test(a_failed_read_does_not_change_its_outputs),
		cmocka_unit_test(a_message_has_one_bundle_or_two),
		cmocka_unit_test(rejects_a_message_beyond_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
