/* Tests streams of coding 2: decoders have the state of the encoder, also after lost packets. */
#include <math.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/stream.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define HZ        60.0
#define ALL_BONES ((UINT64_C(1) << JC_BONE_COUNT) - 1)

/* xorshift32, Marsaglia 2003: the same on every machine. */
static uint32_t random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static float random_unit(uint32_t *state)
{
	return (float)(random_next(state) >> 8) / 8388608.0f - 1.0f;
}

static struct jc_quat random_rotation(uint32_t *state)
{
	struct jc_quat q = { random_unit(state), random_unit(state), random_unit(state),
		random_unit(state) };

	return jc_quat_normalize(q);
}

/* A built-in motion whose fingers, eyes and jaw turn to and fro. */
static void make_frame(
	const struct jc_motion *motion, uint32_t tick, struct jc_stream_frame *out_frame)
{
	double t = tick / HZ;
	struct jc_pose pose;

	memset(out_frame, 0, sizeof(*out_frame));
	jc_motion_pose(motion, fmod(t, jc_motion_info(motion)->duration), &pose);
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_vec3 axis = { 1.0f, (float)(bone % 3), (float)(bone % 5) };
		float angle = sinf((float)(t * (1.0 + 0.1 * bone)) + (float)bone);

		out_frame->rotations[bone] =
			bone < JC_SECTION_FACE_FIRST
				? jc_quat_normalize(pose.rotations[bone])
				: jc_quat_from_axis_angle(jc_vec3_normalize(axis), angle);
		out_frame->states[bone] = bone < JC_SECTION_FACE_FIRST ? JC_TRACKED : JC_ESTIMATED;
	}
	out_frame->hips_translation = pose.hips_translation;
}

static void frame_at_rest(struct jc_stream_frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		frame->rotations[bone] = JC_QUAT_IDENTITY;
	}
}

static struct jc_motion *walk(void)
{
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	return motion;
}

static void assert_within_bound(const struct jc_stream_frame *frame,
	const struct jc_stream_decoder *decoder, enum jc_precision precision, uint64_t bones)
{
	/* A float quaternion is itself a few 1e-5 degrees off. */
	double radians = (jc_precision_degrees(precision) + 5e-5) * 3.14159265358979 / 180.0;
	float metres = (float)jc_precision_metres(precision) + 1e-6f;
	struct jc_stream_frame shown;

	assert_true(jc_stream_frame(decoder, &shown) == bones);
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat expected =
			bones >> bone & 1 ? frame->rotations[bone] : JC_QUAT_IDENTITY;

		assert_true(jc_quat_angle(expected, shown.rotations[bone]) <= radians);
	}
	assert_true(fabsf(frame->hips_translation.x - shown.hips_translation.x) <= metres);
	assert_true(fabsf(frame->hips_translation.y - shown.hips_translation.y) <= metres);
	assert_true(fabsf(frame->hips_translation.z - shown.hips_translation.z) <= metres);
}

/* To the bit. */
static void assert_in_step(const struct jc_stream *stream, const struct jc_stream_decoder *decoder)
{
	assert_int_equal(decoder->sequence, stream->sequence);
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_int_equal(decoder->states[bone] != JC_ABSENT, stream->known >> bone & 1);
		assert_int_equal(
			decoder->states[bone] == JC_ESTIMATED, stream->estimated >> bone & 1);
	}
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		const struct jc_chain *a = &stream->chains[i], *b = &decoder->chains[i];

		assert_int_equal(a->started, b->started);
		assert_int_equal(a->count, b->count);
		assert_memory_equal(a->items, b->items, a->count * sizeof(a->items[0]));
	}
}

static int give(
	struct jc_stream_decoder *decoder, const struct jc_stream_packet *packet, bool rejoin)
{
	struct jc_packet_head head = { .sequence = packet->sequence,
		.needs_state = packet->needs_state && !rejoin,
		.shape = rejoin ? JC_SHAPE_LIST : packet->shape };

	return jc_stream_decode(decoder, &head, rejoin ? packet->rejoin : packet->bytes,
		rejoin ? packet->rejoin_length : packet->length);
}

static void encode(struct jc_stream *stream, const struct jc_stream_frame *frame, bool rejoin,
	struct jc_stream_packet *packet)
{
	assert_int_equal(jc_stream_encode(stream, frame, false, rejoin, packet), JC_OK);
}

static void a_decoder_matches_the_encoder_within_the_bound(void **)
{
	struct jc_motion *motion = walk();

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		enum jc_precision precision = (enum jc_precision)p;
		struct jc_stream_decoder decoder = { 0 };
		struct jc_stream stream;

		jc_stream_init(&stream, precision, JC_STREAM_ALL, ALL_BONES);
		for (uint32_t tick = 0; tick < 400; tick++) {
			struct jc_stream_packet packet;
			struct jc_stream_frame frame;

			make_frame(motion, tick, &frame);
			encode(&stream, &frame, false, &packet);
			assert_true(packet.is_sent);
			assert_int_equal(packet.needs_state, tick > 0);
			assert_int_equal(packet.sequence, tick & 15);
			assert_int_equal(give(&decoder, &packet, false), packet.length);
			assert_in_step(&stream, &decoder);
			assert_within_bound(&frame, &decoder, precision, ALL_BONES);
		}
	}
	jc_motion_destroy(motion);
}

static void a_decoder_that_missed_packets_equals_the_others_after_a_rejoin(void **)
{
	enum { SUBSCRIBERS = 4 };
	struct jc_stream_decoder decoders[SUBSCRIBERS] = { 0 };
	struct jc_motion *motion = walk();
	struct jc_stream stream;
	uint32_t random = 7u;
	int rejoined = 0, longest = 0;

	jc_stream_init(&stream, JC_PRECISION_STANDARD, JC_STREAM_ALL, ALL_BONES);
	for (uint32_t tick = 0; tick < 600; tick++) {
		bool gets[SUBSCRIBERS] = { true }, rejoin = false;
		struct jc_stream_packet packet;
		struct jc_stream_frame frame;

		for (int i = 1; i < SUBSCRIBERS; i++) {
			gets[i] = random_next(&random) >> 31;
			rejoin |= gets[i] && !decoders[i].started;
		}
		make_frame(motion, tick, &frame);
		encode(&stream, &frame, rejoin, &packet);
		for (int i = 0; i < SUBSCRIBERS; i++) {
			bool behind = !decoders[i].started;

			if (!gets[i]) {
				decoders[i].started = false;
				continue;
			}
			assert_true(give(&decoders[i], &packet, i > 0 && behind) >= 0);
			assert_in_step(&stream, &decoders[i]);
			assert_within_bound(&frame, &decoders[i], JC_PRECISION_STANDARD, ALL_BONES);
			rejoined += i > 0 && behind;
			longest = (int)packet.rejoin_length > longest ? (int)packet.rejoin_length
								      : longest;
		}
	}
	assert_true(rejoined > 300);
	print_message("rejoins of 55 bones are at most %d bytes\n", longest);
	jc_motion_destroy(motion);
}

static void streams_of_different_rates_are_separate(void **)
{
	struct jc_stream_decoder decoders[2] = { 0 };
	struct jc_motion *motion = walk();
	struct jc_stream streams[2];

	jc_stream_init(&streams[0], JC_PRECISION_FINE, JC_STREAM_ALL, ALL_BONES);
	jc_stream_init(&streams[1], JC_PRECISION_COARSE, JC_STREAM_ALL, ALL_BONES);
	for (uint32_t tick = 0; tick < 240; tick++) {
		struct jc_stream_frame frame;

		make_frame(motion, tick, &frame);
		for (int i = 0; i < 2; i++) {
			struct jc_stream_packet packet;

			if (i == 1 && tick % 4 != 0) {
				continue;
			}
			encode(&streams[i], &frame, false, &packet);
			assert_true(give(&decoders[i], &packet, false) >= 0);
			assert_in_step(&streams[i], &decoders[i]);
			assert_within_bound(&frame, &decoders[i],
				i ? JC_PRECISION_COARSE : JC_PRECISION_FINE, ALL_BONES);
		}
	}
	jc_motion_destroy(motion);
}

static void a_body_at_rest_sends_only_keepalive_packets(void **)
{
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	struct jc_stream stream;

	frame_at_rest(&frame);
	jc_stream_init(&stream, JC_PRECISION_STANDARD, JC_STREAM_ALL, ALL_BONES);
	encode(&stream, &frame, false, &packet);
	assert_true(give(&decoder, &packet, false) > 0);
	for (int tick = 0; tick < 10; tick++) {
		encode(&stream, &frame, false, &packet);
		assert_false(packet.is_sent);
		assert_in_step(&stream, &decoder);
	}
	assert_int_equal(jc_stream_encode(&stream, &frame, true, false, &packet), JC_OK);
	assert_true(packet.is_sent && packet.needs_state);
	assert_int_equal(packet.length, 0);
	assert_int_equal(packet.sequence, 1);
	assert_int_equal(give(&decoder, &packet, false), 0);
	assert_in_step(&stream, &decoder);
}

static void a_lost_packet_or_another_incarnation_needs_a_rejoin(void **)
{
	struct jc_motion *motion = walk();
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	struct jc_stream stream;
	struct jc_packet_head head;

	jc_stream_init(&stream, JC_PRECISION_FINE, JC_STREAM_ALL, ALL_BONES);
	for (uint32_t tick = 0; tick < 5; tick++) {
		make_frame(motion, tick, &frame);
		encode(&stream, &frame, tick == 4, &packet);
		if (tick == 0) {
			assert_true(give(&decoder, &packet, false) > 0);
		} else if (tick > 1) {
			assert_int_equal(give(&decoder, &packet, false), JC_ERROR_ABSENT);
			assert_false(decoder.started);
		}
	}
	assert_true(give(&decoder, &packet, true) > 0);
	assert_in_step(&stream, &decoder);
	make_frame(motion, 5, &frame);
	encode(&stream, &frame, false, &packet);
	head = (struct jc_packet_head){
		.incarnation = 1, .sequence = packet.sequence, .needs_state = true
	};
	assert_int_equal(
		jc_stream_decode(&decoder, &head, packet.bytes, packet.length), JC_ERROR_ABSENT);
	jc_motion_destroy(motion);
}

static void rejoin_restores_a_decoder_after_damage(void **)
{
	struct jc_motion *motion = walk();
	uint32_t random = 99u;
	struct jc_stream stream;
	int refused = 0;

	jc_stream_init(&stream, JC_PRECISION_STANDARD, JC_STREAM_ALL, ALL_BONES);
	for (uint32_t tick = 0; tick < 2000; tick++) {
		struct jc_stream_decoder decoder = { 0 };
		struct jc_stream_packet packet;
		struct jc_stream_frame frame;
		int result;

		make_frame(motion, tick, &frame);
		encode(&stream, &frame, true, &packet);
		packet.rejoin[random_next(&random) % packet.rejoin_length] ^=
			(uint8_t)(1u << random_next(&random) % 8);
		result = give(&decoder, &packet, true);
		assert_int_equal(decoder.started, result >= 0);
		refused += result < 0;
	}
	assert_true(refused > 20); /* a head, a size, a mask or the table */
	jc_motion_destroy(motion);
}

static void bones_of_omitted_sections_are_at_rest(void **)
{
	uint64_t body = (UINT64_C(1) << JC_SECTION_BODY_COUNT) - 1;
	struct jc_stream_decoder decoder = { 0 };
	struct jc_motion *motion = walk();
	struct jc_stream stream;

	jc_stream_init(&stream, JC_PRECISION_STANDARD,
		JC_STREAM_SECTION(JC_SECTION_BODY) | JC_STREAM_SECTION(JC_SECTION_HIPS), ALL_BONES);
	for (uint32_t tick = 0; tick < 100; tick++) {
		struct jc_stream_packet packet;
		struct jc_stream_frame frame, shown;

		make_frame(motion, tick, &frame);
		encode(&stream, &frame, tick == 50, &packet);
		assert_true(give(&decoder, &packet, tick == 50) >= 0);
		assert_within_bound(&frame, &decoder, JC_PRECISION_STANDARD, body);
		jc_stream_frame(&decoder, &shown);
		assert_int_equal(shown.states[JC_BONE_HEAD], JC_TRACKED);
		assert_int_equal(shown.states[JC_BONE_JAW], JC_ABSENT);
	}
	jc_motion_destroy(motion);
}

static void chains_omit_bones_missing_from_the_skeleton(void **)
{
	uint64_t bones = ALL_BONES & ~(UINT64_C(1) << JC_BONE_JAW | UINT64_C(7) << 22 |
					     UINT64_C(1) << JC_BONE_LEFT_TOES);
	struct jc_stream_decoder decoder = { 0 };
	struct jc_motion *motion = walk();
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	struct jc_stream stream;

	jc_stream_init(&stream, JC_PRECISION_STANDARD, JC_STREAM_ALL, bones);
	assert_int_equal(stream.sections, JC_STREAM_SECTION(JC_SECTION_BODY) |
						  JC_STREAM_SECTION(JC_SECTION_HANDS) |
						  JC_STREAM_SECTION(JC_SECTION_HIPS));
	make_frame(motion, 20, &frame);
	encode(&stream, &frame, false, &packet);
	assert_true(give(&decoder, &packet, false) > 0);
	assert_within_bound(&frame, &decoder, JC_PRECISION_STANDARD, bones);
	jc_motion_destroy(motion);
}

static void states_and_placement_are_sent_when_they_change_and_with_every_rejoin(void **)
{
	struct jc_stream_decoder decoder = { 0 }, late = { 0 };
	struct jc_stream_packet packet;
	struct jc_stream_frame frame, shown;
	struct jc_stream stream;

	frame_at_rest(&frame);
	frame.states[JC_BONE_HEAD] = JC_TRACKED;
	jc_stream_init(&stream, JC_PRECISION_STANDARD, JC_STREAM_ALL, ALL_BONES);
	encode(&stream, &frame, false, &packet);
	give(&decoder, &packet, false);
	frame.states[JC_BONE_HEAD] = JC_ESTIMATED;
	frame.has_placement = true;
	frame.placement = (struct jc_placement){ { 1.5f, 0.0f, -2.0f }, 1.5707964f };
	encode(&stream, &frame, false, &packet);
	assert_true(packet.is_sent);
	/* Literal: a quarter turn at (1500, 0, -2000) mm, then bone 5 known and estimated. */
	static const uint8_t expected[] = { 0x30, 7, 0xb8, 0x17, 0, 0x9f, 0x1f, 0, 0x40, 0x20, 0, 0,
		0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0 };
	assert_int_equal(packet.shape, JC_SHAPE_MASK);
	assert_int_equal(packet.length, sizeof(expected));
	assert_memory_equal(packet.bytes, expected, sizeof(expected));
	assert_true(give(&decoder, &packet, false) > 0);
	encode(&stream, &frame, false, &packet);
	assert_false(packet.is_sent);
	encode(&stream, &frame, true, &packet);
	assert_true(give(&decoder, &packet, false) >= 0);
	assert_true(give(&late, &packet, true) > 0);
	for (int i = 0; i < 2; i++) {
		jc_stream_frame(i ? &late : &decoder, &shown);
		assert_int_equal(shown.states[JC_BONE_HEAD], JC_ESTIMATED);
		assert_int_equal(shown.states[JC_BONE_NECK], JC_ABSENT);
		assert_true(shown.has_placement);
		assert_float_equal(shown.placement.position.z, -2.0f, 0.0f);
	}
}

static void a_placement_remains_through_damage_until_another_incarnation(void **)
{
	/* Literal: a placement of 1 m along +X, alone; then no section. */
	static const uint8_t placed[] = { 0x51, 6, 0xd0, 0x0f, 0, 0, 0, 0 };
	struct jc_packet_head head = { .shape = JC_SHAPE_LIST, .incarnation = 3 };
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_frame shown;

	assert_true(jc_stream_decode(&decoder, &head, placed, sizeof(placed)) > 0);
	head.sequence = 1;
	assert_int_equal(jc_stream_decode(&decoder, &head, placed, 3), JC_ERROR_TRUNCATED);
	head.sequence = 2;
	assert_int_equal(jc_stream_decode(&decoder, &head, placed, 0), 0);
	jc_stream_frame(&decoder, &shown);
	assert_true(shown.has_placement);
	assert_float_equal(shown.placement.position.x, 1.0f, 0.0f);
	head.incarnation = 4;
	assert_int_equal(jc_stream_decode(&decoder, &head, placed, 0), 0);
	jc_stream_frame(&decoder, &shown);
	assert_false(shown.has_placement);
}

/* A mouth, a gaze and three points that ride on the body. */
static void add_others(uint32_t tick, struct jc_stream_frame *frame)
{
	float t = (float)tick / 60.0f;

	frame->value_count = 5;
	frame->virtual_count = 3;
	for (size_t i = 0; i < frame->value_count; i++) {
		frame->values[i] = 0.5f + 0.5f * sinf(3.0f * t + (float)i);
	}
	for (size_t i = 0; i < frame->virtual_count; i++) {
		frame->virtual_rotations[i] = jc_quat_from_axis_angle(
			(struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 2.0f * t + (float)i);
		frame->virtual_positions[i] =
			(struct jc_vec3){ cosf(t), 1.0f + 0.1f * (float)i, sinf(t) };
	}
}

static void channels_and_virtual_transforms_keep_their_bounds_through_rejoins(void **)
{
	struct jc_motion *motion = walk();

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		enum jc_precision precision = (enum jc_precision)p;
		struct jc_stream_decoder decoders[2] = { 0 };
		struct jc_stream stream;
		uint32_t random = 11u;

		jc_stream_init(&stream, precision,
			JC_STREAM_ALL | JC_STREAM_SECTION(JC_SECTION_VIRTUALS), ALL_BONES);
		jc_stream_carry(&stream, 5, 3);
		for (uint32_t tick = 0; tick < 300; tick++) {
			struct jc_stream_packet packet;
			struct jc_stream_frame frame, shown;
			bool gets = random_next(&random) >> 31;
			bool rejoin = gets && !decoders[1].started;

			make_frame(motion, tick, &frame);
			add_others(tick, &frame);
			encode(&stream, &frame, rejoin, &packet);
			assert_true(give(&decoders[0], &packet, false) >= 0);
			if (gets) {
				assert_true(give(&decoders[1], &packet, rejoin) >= 0);
			}
			decoders[1].started &= gets;
			jc_stream_frame(&decoders[gets], &shown);
			assert_in_step(&stream, &decoders[gets]);
			assert_int_equal(shown.value_count, 6); /* of two triples */
			assert_int_equal(shown.virtual_count, 3);
			for (size_t i = 0; i < 5; i++) {
				assert_true(fabsf(shown.values[i] - frame.values[i]) <=
					    (float)jc_precision_value(precision) + 1e-6f);
			}
			for (size_t i = 0; i < 3; i++) {
				struct jc_vec3 way = jc_vec3_subtract(
					shown.virtual_positions[i], frame.virtual_positions[i]);

				assert_true(jc_quat_angle(shown.virtual_rotations[i],
						    frame.virtual_rotations[i]) <=
					    (jc_precision_degrees(precision) + 1e-3) * 3.14159265 /
						    180.0);
				assert_true(
					fmaxf(fabsf(way.x), fmaxf(fabsf(way.y), fabsf(way.z))) <=
					(float)jc_precision_metres(precision) + 1e-6f);
			}
		}
	}
	jc_motion_destroy(motion);
}

static void change_of_the_channel_count_restarts_the_stream(void **)
{
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_packet packet;
	struct jc_stream_frame frame, shown;
	struct jc_stream stream;

	frame_at_rest(&frame);
	jc_stream_init(&stream, JC_PRECISION_FINE, JC_STREAM_ALL, ALL_BONES);
	encode(&stream, &frame, false, &packet);
	assert_true(give(&decoder, &packet, false) > 0);
	add_others(7, &frame);
	jc_stream_carry(&stream, frame.value_count, frame.virtual_count);
	assert_false(stream.sections & JC_STREAM_SECTION(JC_SECTION_VIRTUALS)); /* unasked */
	encode(&stream, &frame, false, &packet);
	assert_false(packet.needs_state);
	assert_int_equal(packet.sequence, 1);
	assert_true(give(&decoder, &packet, false) > 0);
	jc_stream_frame(&decoder, &shown);
	assert_int_equal(shown.value_count, 6);
	assert_int_equal(shown.virtual_count, 0);
	jc_stream_carry(&stream, 5, 3);
	encode(&stream, &frame, false, &packet);
	assert_false(packet.needs_state); /* perhaps of other channels */
	frame.values[4] = NAN;
	assert_int_equal(jc_stream_encode(&stream, &frame, true, true, &packet), JC_ERROR_INVALID);
	jc_stream_carry(&stream, 1000, 1000);
	assert_int_equal(stream.value_count, JC_LIMIT_STREAM_VALUES);
	assert_int_equal(stream.virtual_count, JC_LIMIT_STREAM_VIRTUALS);
}

/* proto/BUNDLES.md, "Pace": section 10, coding 1, one byte; the value 1 may be omitted. */
static void a_rejoin_contains_the_pace(void **)
{
	static const uint8_t told[] = { 0xa1, 1, 4 };
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	struct jc_stream stream;

	frame_at_rest(&frame);
	jc_stream_init(&stream, JC_PRECISION_COARSE, JC_STREAM_ALL, ALL_BONES);
	encode(&stream, &frame, false, &packet);
	assert_true(give(&decoder, &packet, false) > 0);
	assert_int_equal(decoder.pace, 1);
	jc_stream_init(&stream, JC_PRECISION_COARSE, JC_STREAM_ALL, ALL_BONES);
	jc_stream_pace(&stream, 4);
	encode(&stream, &frame, false, &packet);
	assert_memory_equal(packet.bytes + packet.length - sizeof(told), told, sizeof(told));
	assert_true(give(&decoder, &packet, false) > 0);
	assert_int_equal(decoder.pace, 4);
	encode(&stream, &frame, true, &packet);
	assert_true(give(&decoder, &packet, false) >
		    0); /* a receiver with the value gets no repetition */
	assert_int_equal(decoder.pace, 4);
	packet.rejoin[packet.rejoin_length - 1] = 0;
	assert_int_equal(give(&decoder, &packet, true), JC_ERROR_INVALID);
}

/* As much as there can be, all of it at rest or all of it in motion. */
static void the_maximum_content_of_a_stream_fits_its_packets(void **)
{
	struct jc_motion *motion = walk();
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream stream;

	jc_stream_init(&stream, JC_PRECISION_FINE,
		JC_STREAM_ALL | JC_STREAM_SECTION(JC_SECTION_VIRTUALS), ALL_BONES);
	jc_stream_carry(&stream, JC_LIMIT_STREAM_VALUES, JC_LIMIT_STREAM_VIRTUALS);
	jc_stream_pace(&stream, 4);
	for (uint32_t tick = 0; tick < 120; tick++) {
		struct jc_stream_packet packet;
		struct jc_stream_frame frame;

		make_frame(motion, tick, &frame);
		for (size_t i = 0; i < JC_LIMIT_STREAM_VALUES; i++) {
			frame.values[i] = sinf((float)(i * tick));
		}
		for (size_t i = 0; i < JC_LIMIT_STREAM_VIRTUALS; i++) {
			frame.virtual_rotations[i] = jc_quat_from_axis_angle(
				(struct jc_vec3){ 1.0f, 0.0f, 0.0f }, (float)(i * tick) * 0.01f);
			frame.virtual_positions[i] =
				(struct jc_vec3){ (float)i, (float)tick * 0.01f, 0.0f };
		}
		encode(&stream, &frame, tick % 10 == 9, &packet);
		assert_true(give(&decoder, &packet, tick % 10 == 9) >= 0);
		assert_in_step(&stream, &decoder);
	}
	jc_motion_destroy(motion);
}

static void an_invalid_frame_does_not_change_the_stream(void **)
{
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	struct jc_stream stream, before;

	frame_at_rest(&frame);
	jc_stream_init(&stream, JC_PRECISION_STANDARD, JC_STREAM_ALL, ALL_BONES);
	encode(&stream, &frame, false, &packet);
	before = stream;
	frame.rotations[JC_BONE_RIGHT_HAND].x = NAN;
	assert_int_equal(jc_stream_encode(&stream, &frame, true, true, &packet), JC_ERROR_INVALID);
	frame_at_rest(&frame);
	frame.hips_translation.y = 1e9f;
	assert_int_equal(jc_stream_encode(&stream, &frame, true, true, &packet), JC_ERROR_INVALID);
	frame_at_rest(&frame);
	frame.has_placement = true;
	frame.placement.yaw = INFINITY;
	assert_int_equal(jc_stream_encode(&stream, &frame, true, true, &packet), JC_ERROR_INVALID);
	assert_memory_equal(&stream, &before, sizeof(stream));
}

static void random_motion_stays_within_size_limit_and_error_bound(void **)
{
	uint32_t random = 5u;

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		enum jc_precision precision = (enum jc_precision)p;
		struct jc_stream_decoder decoder = { 0 }, late;
		struct jc_stream stream;

		jc_stream_init(&stream, precision, JC_STREAM_ALL, ALL_BONES);
		for (int tick = 0; tick < 300; tick++) {
			struct jc_stream_packet packet;
			struct jc_stream_frame frame;

			frame_at_rest(&frame);
			for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
				frame.rotations[bone] = random_rotation(&random);
			}
			frame.hips_translation.x = 100.0f * random_unit(&random);
			encode(&stream, &frame, tick % 2, &packet);
			assert_true(give(&decoder, &packet, false) > 0);
			assert_within_bound(&frame, &decoder, precision, ALL_BONES);
			if (tick % 2) {
				memset(&late, 0, sizeof(late));
				assert_true(give(&late, &packet, true) > 0);
				assert_in_step(&stream, &late);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_decoder_matches_the_encoder_within_the_bound),
		cmocka_unit_test(a_decoder_that_missed_packets_equals_the_others_after_a_rejoin),
		cmocka_unit_test(streams_of_different_rates_are_separate),
		cmocka_unit_test(a_body_at_rest_sends_only_keepalive_packets),
		cmocka_unit_test(a_lost_packet_or_another_incarnation_needs_a_rejoin),
		cmocka_unit_test(rejoin_restores_a_decoder_after_damage),
		cmocka_unit_test(bones_of_omitted_sections_are_at_rest),
		cmocka_unit_test(chains_omit_bones_missing_from_the_skeleton),
		cmocka_unit_test(
			states_and_placement_are_sent_when_they_change_and_with_every_rejoin),
		cmocka_unit_test(a_placement_remains_through_damage_until_another_incarnation),
		cmocka_unit_test(channels_and_virtual_transforms_keep_their_bounds_through_rejoins),
		cmocka_unit_test(change_of_the_channel_count_restarts_the_stream),
		cmocka_unit_test(a_rejoin_contains_the_pace),
		cmocka_unit_test(the_maximum_content_of_a_stream_fits_its_packets),
		cmocka_unit_test(an_invalid_frame_does_not_change_the_stream),
		cmocka_unit_test(random_motion_stays_within_size_limit_and_error_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
