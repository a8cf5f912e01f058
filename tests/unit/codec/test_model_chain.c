/* Tests coding 3: the bound of each bone in model space, equal state at both ends, streams of it
 * beside those of coding 2. */
#include <math.h>
#include <string.h>

#include "jointcast/stream.h"
#include "jointcast/transform.h"
#include "jointcast_private/chain.h"
#include "mover.h"
#include "reference.h"
#include "unit_test.h"

#define BODY      JC_SECTION_BODY_COUNT
#define ALL_BONES UINT64_MAX
#define DEGREES   (180.0 / 3.14159265358979323846)

/* The rotations of the bones in model space; those outside of the mask are at rest. */
static void pose(const struct jc_quat *rotations, uint64_t mask, struct matrix out_model[BODY])
{
	for (int bone = 0; bone < BODY; bone++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)bone);
		struct matrix own =
			mask >> bone & 1 ? matrix_from_quat(rotations[bone]) : matrix_identity();

		out_model[bone] =
			parent == JC_BONE_NONE ? own : matrix_multiply(out_model[parent], own);
	}
}

/* The angle of a rotation matrix near the identity, from its skew part, which is exact there. */
static double degrees_apart(struct matrix a, struct matrix b)
{
	struct matrix way = matrix_multiply(matrix_transpose(a), b);
	double x = way.m[2][1] - way.m[1][2], y = way.m[0][2] - way.m[2][0],
	       z = way.m[1][0] - way.m[0][1];

	return asin(fmin(1.0, 0.5 * sqrt(x * x + y * y + z * z))) * DEGREES;
}

/* A bone is off in model space by no more than its own bound, its local rotation by no more than
 * that and its parent's. Returns the largest share of a bound. */
static double assert_within_bounds(
	const struct jc_chain *chain, const struct jc_quat *rotations, uint64_t mask)
{
	enum jc_precision precision = (enum jc_precision)chain->precision;
	struct matrix wanted[BODY], model[BODY];
	struct jc_quat shown[JC_BONE_COUNT];
	double most = 0.0;

	jc_chain_rotations(chain, shown);
	pose(rotations, mask, wanted);
	pose(shown, mask, model);
	for (int bone = 0; bone < BODY; bone++) {
		double bound = jc_precision_bone_degrees(precision, (enum jc_bone)bone);
		int parent = (int)jc_bone_parent((enum jc_bone)bone);
		double off;

		if (!(mask >> bone & 1)) {
			continue;
		}
		off = degrees_apart(wanted[bone], model[bone]);
		most = fmax(most, off / bound);
		if (off > bound) {
			fail_msg("%s is %.7f of %.7f degrees off", jc_bone_name((enum jc_bone)bone),
				off, bound);
		}
		while (parent >= 0 && !(mask >> parent & 1)) {
			parent = (int)jc_bone_parent((enum jc_bone)parent);
		}
		bound += parent < 0 ? 0.0
				    : jc_precision_bone_degrees(precision, (enum jc_bone)parent);
		assert_true(degrees_between(rotations[bone], shown[bone]) <= bound);
	}
	return most;
}

static void assert_same(const struct jc_chain *a, const struct jc_chain *b)
{
	assert_true(a->started && b->started);
	assert_int_equal(a->coding, b->coding);
	assert_int_equal(a->count, b->count);
	assert_memory_equal(a->items, b->items, a->count * sizeof(a->items[0]));
}

/* Rotations from a thousandth of a degree to whole turns. */
static struct jc_quat next_rotation(uint32_t *random)
{
	double degrees = pow(10.0, -3.0 + 5.4 * fabs(next_real(random)));

	return turned(
		next_axis(random), happens(random, 0.3) ? 360.0 * next_real(random) : degrees);
}

static void random_poses_stay_within_the_bounds_in_model_space(void **)
{
	/* The whole body; without chest, hips and an upper arm; every second bone. */
	static const uint64_t masks[] = { UINT64_MAX, ~UINT64_C(0x85), UINT64_C(0x155555) };

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
			uint32_t random = 40u + (uint32_t)(3 * p) + (uint32_t)m;
			struct jc_quat rotations[JC_BONE_COUNT];
			struct jc_chain chain;
			double most = 0.0;

			for (int turn = 0; turn < 1500; turn++) {
				uint8_t bytes[JC_CHAIN_BYTES];

				for (int bone = 0; bone < BODY; bone++) {
					rotations[bone] = next_rotation(&random);
				}
				if (turn == 0) {
					assert_int_equal(
						jc_chain_start(&chain, JC_CODING_MODEL_CHAIN,
							JC_SECTION_BODY, (enum jc_precision)p,
							masks[m], rotations, NULL),
						JC_OK);
				} else {
					assert_true(jc_chain_encode(&chain, rotations, NULL, false,
							    bytes, sizeof(bytes)) > 0);
				}
				most = fmax(
					most, assert_within_bounds(&chain, rotations, masks[m]));
			}
			assert_true(most > 0.98); /* the bounds are not larger than they need be */
		}
	}
}

/* Fingers keep their rotation in the hand, whatever the body was rounded to. */
static void fingers_stay_within_their_bounds_in_the_hand(void **)
{
	uint32_t random = 9;
	struct jc_quat rotations[JC_BONE_COUNT], shown[JC_BONE_COUNT];
	struct jc_chain chain;

	for (int turn = 0; turn < 300; turn++) {
		uint8_t bytes[JC_CHAIN_BYTES];

		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			rotations[bone] = next_rotation(&random);
		}
		if (turn == 0) {
			assert_int_equal(
				jc_chain_start(&chain, JC_CODING_MODEL_CHAIN, JC_SECTION_HANDS,
					JC_PRECISION_STANDARD, ALL_BONES, rotations, NULL),
				JC_OK);
		} else {
			assert_true(jc_chain_encode(&chain, rotations, NULL, false, bytes,
					    sizeof(bytes)) > 0);
		}
		jc_chain_rotations(&chain, shown);
		for (int bone = JC_SECTION_HANDS_FIRST; bone < JC_BONE_COUNT; bone++) {
			assert_true(degrees_between(rotations[bone], shown[bone]) <=
				    jc_precision_bone_degrees(
					    JC_PRECISION_STANDARD, (enum jc_bone)bone));
		}
	}
}

/* A reader that follows all frames, one that joins at each, and the writer have one state. */
static void readers_follow_and_join_at_any_frame(void **)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		struct jc_chain writer, reader, late;
		struct mover mover;
		int holds = 0;

		mover_init(&mover, 60u + (uint32_t)p);
		assert_int_equal(jc_chain_start(&writer, JC_CODING_MODEL_CHAIN, JC_SECTION_BODY,
					 (enum jc_precision)p, ALL_BONES, mover.rotations, NULL),
			JC_OK);
		reader = writer;
		for (int frame = 0; frame < 2000; frame++) {
			uint8_t bytes[JC_CHAIN_BYTES];
			int length;

			mover_step(&mover);
			length = jc_chain_encode(&writer, mover.rotations, NULL, frame % 61 == 60,
				bytes, sizeof(bytes));
			assert_true(length >= 0);
			assert_within_bounds(&writer, mover.rotations, ALL_BONES);
			if (length > 0) {
				assert_int_equal(
					jc_chain_decode(&reader, bytes, (size_t)length), length);
			} else {
				jc_chain_hold(&reader);
				holds++;
			}
			assert_same(&writer, &reader);
			length = jc_chain_write_rejoin(&reader, bytes, sizeof(bytes));
			assert_true(length > 0);
			assert_int_equal(jc_chain_read_rejoin(&late, JC_CODING_MODEL_CHAIN,
						 JC_SECTION_BODY, bytes, (size_t)length),
				length);
			assert_same(&writer, &late);
		}
		assert_true(holds > 50);
	}
}

/* What a stream is asked for, and the sections of its first packet. */
static size_t sections_of(unsigned coding, unsigned sections, const struct jc_stream_frame *frame,
	struct jc_stream_packet *packet, uint8_t out_heads[8])
{
	struct jc_stream stream;
	size_t count = 0;

	jc_stream_init(&stream, JC_PRECISION_STANDARD, sections, ALL_BONES);
	jc_stream_use(&stream, coding);
	assert_int_equal(jc_stream_encode(&stream, frame, true, false, packet), JC_OK);
	for (size_t at = 0; at < packet->length; count++) {
		size_t size = packet->bytes[at + 1], bytes = 2;

		if (size & 0x80) {
			size = (size & 0x7f) | (size_t)packet->bytes[at + 2] << 7;
			bytes = 3;
		}
		out_heads[count] = packet->bytes[at];
		at += bytes + size;
	}
	return count;
}

static void fill(struct jc_stream_frame *frame)
{
	uint32_t random = 3;

	*frame = (struct jc_stream_frame){ .hips_translation = { 0.1f, 0.2f, 0.3f } };
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		frame->rotations[bone] = next_rotation(&random);
	}
}

/* The id of a section's head names the coding. */
static void a_stream_names_its_coding_in_packets_that_need_no_state(void **)
{
	struct jc_stream_packet packet;
	struct jc_stream_frame frame;
	uint8_t heads[8];

	fill(&frame);
	assert_int_equal(
		sections_of(JC_CODING_MODEL_CHAIN, JC_STREAM_ALL, &frame, &packet, heads), 5);
	assert_int_equal(heads[0], 0x13);
	assert_int_equal(heads[1], 0x23);
	assert_int_equal(heads[2], 0x33);
	assert_int_equal(heads[3], 0x43);
	assert_int_equal(heads[4], 0x61);
	assert_int_equal(sections_of(JC_CODING_CHAIN, JC_STREAM_ALL, &frame, &packet, heads), 5);
	assert_int_equal(heads[0], 0x12);
}

/* The hands of a stream without a body are those of one with it. */
static void hands_do_not_depend_on_the_body(void **)
{
	static const unsigned asked[] = { JC_STREAM_ALL, JC_STREAM_SECTION(JC_SECTION_HANDS) };
	struct jc_stream_packet packets[2];
	struct jc_stream_frame frame;
	const uint8_t *hands[2];
	size_t lengths[2];
	uint8_t heads[8];

	fill(&frame);
	for (int i = 0; i < 2; i++) {
		sections_of(JC_CODING_MODEL_CHAIN, asked[i], &frame, &packets[i], heads);
		lengths[i] = jc_payload_find(JC_SHAPE_LIST, packets[i].bytes, packets[i].length,
			JC_SECTION_HANDS, &hands[i]);
	}
	assert_true(lengths[0] > 0);
	assert_int_equal(lengths[0], lengths[1]);
	assert_memory_equal(hands[0], hands[1], lengths[0]);
}

static void packets_without_heads_have_the_coding_of_the_stream(void **)
{
	for (unsigned coding = JC_CODING_CHAIN; coding <= JC_CODING_MODEL_CHAIN; coding++) {
		struct jc_stream_decoder decoder = { 0 };
		struct jc_stream_frame frame, shown;
		struct jc_stream_packet packet;
		struct jc_stream stream;
		struct mover mover;

		fill(&frame);
		mover_init(&mover, 5);
		jc_stream_init(&stream, JC_PRECISION_FINE, JC_STREAM_ALL, ALL_BONES);
		jc_stream_use(&stream, coding);
		for (int tick = 0; tick < 50; tick++) {
			struct jc_packet_head head = { .incarnation = 1 };

			mover_step(&mover);
			memcpy(frame.rotations, mover.rotations, sizeof(frame.rotations));
			assert_int_equal(
				jc_stream_encode(&stream, &frame, true, false, &packet), JC_OK);
			head.sequence = packet.sequence;
			head.needs_state = packet.needs_state;
			head.shape = packet.shape;
			assert_int_equal(
				jc_stream_decode(&decoder, &head, packet.bytes, packet.length),
				packet.length);
			jc_stream_frame(&decoder, &shown);
			assert_int_equal(decoder.chains[0].coding, coding);
			assert_same(&decoder.chains[0], &stream.chains[0]);
		}
	}
}

/* The body in coding 3 and the hips in coding 2, each a valid section. */
static void a_packet_of_two_codings_is_refused(void **)
{
	struct jc_packet_head head = { .incarnation = 1 };
	struct jc_stream_decoder decoder = { 0 };
	struct jc_stream_packet body, hips;
	struct jc_stream_frame frame;
	uint8_t bytes[2 * JC_STREAM_BYTES], heads[8];

	fill(&frame);
	sections_of(
		JC_CODING_MODEL_CHAIN, JC_STREAM_SECTION(JC_SECTION_BODY), &frame, &body, heads);
	for (unsigned coding = JC_CODING_CHAIN; coding <= JC_CODING_MODEL_CHAIN; coding++) {
		size_t states = 16, length;
		int status;

		sections_of(coding, JC_STREAM_SECTION(JC_SECTION_HIPS), &frame, &hips, heads);
		length = body.length - states; /* of the second packet */
		memcpy(bytes, body.bytes, length);
		memcpy(bytes + length, hips.bytes, hips.length);
		length += hips.length;
		status = jc_stream_decode(&decoder, &head, bytes, length);
		assert_int_equal(
			status, coding == JC_CODING_CHAIN ? JC_ERROR_INVALID : (int)length);
	}
}

static void the_table_of_the_other_coding_is_refused(void **)
{
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_chain chain;
	uint8_t bytes[JC_CHAIN_BYTES];
	int length;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		rotations[bone] = JC_QUAT_IDENTITY;
	}
	assert_int_equal(jc_chain_start(&chain, JC_CODING_MODEL_CHAIN, JC_SECTION_BODY,
				 JC_PRECISION_FINE, ALL_BONES, rotations, NULL),
		JC_OK);
	length = jc_chain_write_rejoin(&chain, bytes, sizeof(bytes));
	bytes[0] = (uint8_t)((JC_MODEL_CHAIN_TABLE + 1) << 2);
	assert_int_equal(jc_chain_read_rejoin(&chain, JC_CODING_MODEL_CHAIN, JC_SECTION_BODY, bytes,
				 (size_t)length),
		JC_ERROR_UNSUPPORTED);
	assert_false(chain.started);
}

static void invalid_rotations_leave_the_chain_unchanged(void **)
{
	static const struct jc_quat bad[] = { { 0.0f, 0.0f, 0.0f, 0.99f },
		{ NAN, 0.0f, 0.0f, 1.0f }, { 0.0f, INFINITY, 0.0f, 1.0f },
		{ 0.0f, 0.0f, 0.0f, 0.0f } };
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_chain chain, before;
	uint8_t bytes[JC_CHAIN_BYTES];

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		rotations[bone] = JC_QUAT_IDENTITY;
	}
	assert_int_equal(jc_chain_start(&chain, JC_CODING_MODEL_CHAIN, JC_SECTION_BODY,
				 JC_PRECISION_FINE, ALL_BONES, rotations, NULL),
		JC_OK);
	before = chain;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		for (int settle = 0; settle < 2; settle++) {
			rotations[JC_BONE_LEFT_HAND] = bad[i];
			rotations[JC_BONE_HIPS] = (struct jc_quat){ 0.6f, 0.0f, 0.0f, 0.8f };
			assert_int_equal(jc_chain_encode(&chain, rotations, NULL, settle, bytes,
						 sizeof(bytes)),
				JC_ERROR_INVALID);
			assert_same(&chain, &before);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_poses_stay_within_the_bounds_in_model_space),
		cmocka_unit_test(fingers_stay_within_their_bounds_in_the_hand),
		cmocka_unit_test(readers_follow_and_join_at_any_frame),
		cmocka_unit_test(a_stream_names_its_coding_in_packets_that_need_no_state),
		cmocka_unit_test(hands_do_not_depend_on_the_body),
		cmocka_unit_test(packets_without_heads_have_the_coding_of_the_stream),
		cmocka_unit_test(a_packet_of_two_codings_is_refused),
		cmocka_unit_test(the_table_of_the_other_coding_is_refused),
		cmocka_unit_test(invalid_rotations_leave_the_chain_unchanged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
