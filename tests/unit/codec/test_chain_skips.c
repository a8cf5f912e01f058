/* Tests subscribers that lose half of all packets at random and return by rejoin sections: decoded
 * values are within the bound and equal for all subscribers, to the bit. */
#include <math.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/chain.h"
#include "reference.h"
#include "unit_test.h"

#define SECTIONS    4
#define SUBSCRIBERS 5
#define HZ          30.0

static const struct {
	enum jc_section section;
	unsigned first, count;
} sections[SECTIONS] = {
	{ JC_SECTION_BODY, JC_SECTION_BODY_FIRST, JC_SECTION_BODY_COUNT },
	{ JC_SECTION_FACE, JC_SECTION_FACE_FIRST, JC_SECTION_FACE_COUNT },
	{ JC_SECTION_HANDS, JC_SECTION_HANDS_FIRST, JC_SECTION_HANDS_COUNT },
	{ JC_SECTION_HIPS, 0, 0 },
};

struct sample {
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips;
};

/* Output of a subscriber. */
struct shown {
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips;
};

/* xorshift32, Marsaglia 2003: the same on every machine. */
static uint32_t random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* A built-in motion, and on top of it fingers, eyes and jaw that turn to and
 * fro, and a jump every now and then. */
static void make_sample(const struct jc_motion *motion, size_t frame, struct sample *out_sample)
{
	double t = (double)frame / HZ;
	struct jc_pose pose;

	jc_motion_pose(motion, fmod(t, jc_motion_info(motion)->duration), &pose);
	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		float angle = sinf((float)(t * (1.0 + 0.1 * bone)) + (float)bone);
		struct jc_vec3 axis = { 1.0f, (float)(bone % 3), (float)(bone % 5) };

		out_sample->rotations[bone] = jc_quat_normalize(pose.rotations[bone]);
		if (bone >= JC_SECTION_FACE_FIRST) {
			out_sample->rotations[bone] =
				jc_quat_from_axis_angle(jc_vec3_normalize(axis), angle);
		}
		if (frame % 97 == 96 && bone % 4 == 0) {
			out_sample->rotations[bone] =
				jc_quat_from_axis_angle(jc_vec3_normalize(axis), 3.0f * angle);
		}
	}
	out_sample->hips = pose.hips_translation;
}

static void assert_within_bounds(
	const struct sample *sample, const struct shown *shown, enum jc_precision precision)
{
	double degrees = jc_precision_degrees(precision);
	float metres = (float)jc_precision_metres(precision) + 1e-6f;

	for (unsigned bone = 0; bone < JC_BONE_COUNT; bone++) {
		double apart = degrees_between(sample->rotations[bone], shown->rotations[bone]);

		if (!(apart <= degrees)) {
			fail_msg("bone %u is %.6f degrees off", bone, apart);
		}
	}
	assert_true(fabsf(sample->hips.x - shown->hips.x) <= metres);
	assert_true(fabsf(sample->hips.y - shown->hips.y) <= metres);
	assert_true(fabsf(sample->hips.z - shown->hips.z) <= metres);
}

static struct shown show(const struct jc_chain chains[SECTIONS])
{
	struct shown shown;

	memset(&shown, 0, sizeof(shown));
	for (int s = 0; s < SECTIONS - 1; s++) {
		jc_chain_rotations(&chains[s], shown.rotations);
	}
	shown.hips = jc_chain_translation(&chains[SECTIONS - 1]);
	return shown;
}

/* One packet for all subscribers with the state, a rejoin for the others. */
struct packet {
	int length[SECTIONS], rejoin_length[SECTIONS];
	uint8_t bytes[SECTIONS][JC_CHAIN_BYTES], rejoin[SECTIONS][JC_CHAIN_BYTES];
};

static void publish(struct jc_chain chains[SECTIONS], const struct sample *sample,
	enum jc_precision precision, bool first, bool settle, struct packet *packet)
{
	for (int s = 0; s < SECTIONS; s++) {
		uint64_t mask = ((UINT64_C(1) << sections[s].count) - 1) << sections[s].first;

		if (first) {
			assert_int_equal(
				jc_chain_start(&chains[s], JC_CODING_CHAIN, sections[s].section,
					precision, mask, sample->rotations, &sample->hips),
				JC_OK);
			packet->length[s] = 0;
		} else {
			packet->length[s] = jc_chain_encode(&chains[s], sample->rotations,
				&sample->hips, settle, packet->bytes[s], JC_CHAIN_BYTES);
		}
		packet->rejoin_length[s] =
			jc_chain_write_rejoin(&chains[s], packet->rejoin[s], JC_CHAIN_BYTES);
		assert_true(packet->length[s] >= 0);
		assert_true(packet->rejoin_length[s] > 0);
	}
}

static void follow(struct jc_chain chains[SECTIONS], const struct packet *packet, bool rejoin)
{
	for (int s = 0; s < SECTIONS; s++) {
		if (rejoin) {
			assert_int_equal(jc_chain_read_rejoin(&chains[s], JC_CODING_CHAIN,
						 sections[s].section, packet->rejoin[s],
						 (size_t)packet->rejoin_length[s]),
				packet->rejoin_length[s]);
		} else if (packet->length[s] > 0) {
			assert_int_equal(jc_chain_decode(&chains[s], packet->bytes[s],
						 (size_t)packet->length[s]),
				packet->length[s]);
		} else {
			jc_chain_hold(&chains[s]);
		}
	}
}

/* Subscriber 0 gets every packet, the others each about half of them. */
static void cast(const char *name, size_t frames, enum jc_precision precision)
{
	struct jc_chain publisher[SECTIONS], subscribers[SUBSCRIBERS][SECTIONS] = { 0 };
	bool synchronous[SUBSCRIBERS] = { false };
	struct jc_motion *motion;
	uint32_t random = 2463534242u;
	size_t skipped = 0, rejoined = 0;

	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	for (size_t frame = 0; frame < frames; frame++) {
		bool gets[SUBSCRIBERS] = { true }, settle = false;
		struct packet packet;
		struct sample sample;
		struct shown common;

		for (int i = 1; i < SUBSCRIBERS; i++) {
			gets[i] = random_next(&random) >> 31;
			settle |= gets[i] && !synchronous[i];
		}
		make_sample(motion, frame, &sample);
		publish(publisher, &sample, precision, frame == 0, settle, &packet);
		for (int i = 0; i < SUBSCRIBERS; i++) {
			struct shown shown;

			if (!gets[i]) {
				synchronous[i] = false;
				skipped++;
				continue;
			}
			rejoined += !synchronous[i];
			follow(subscribers[i], &packet, !synchronous[i]);
			synchronous[i] = true;
			shown = show(subscribers[i]);
			assert_within_bounds(&sample, &shown, precision);
			common = i == 0 ? shown : common;
			assert_memory_equal(&shown, &common, sizeof(shown));
		}
	}
	jc_motion_destroy(motion);
	/* It was put to the test. */
	assert_true(skipped > frames * (SUBSCRIBERS - 1) * 4 / 10);
	assert_true(rejoined > frames * (SUBSCRIBERS - 1) * 2 / 10);
}

static void decoders_stay_correct_when_half_of_all_packets_are_skipped(void **)
{
	const char *const *names = jc_motion_demo_names();

	for (size_t i = 0; names[i]; i++) {
		for (int precision = 0; precision < JC_PRECISION_COUNT; precision++) {
			cast(names[i], 250, (enum jc_precision)precision);
		}
	}
}

static void any_decoder_encodes_the_same_rejoin_as_the_publisher(void **)
{
	struct jc_chain publisher[SECTIONS], hop[SECTIONS] = { 0 };
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	for (size_t frame = 0; frame < 120; frame++) {
		struct packet packet;
		struct sample sample;

		make_sample(motion, frame, &sample);
		publish(publisher, &sample, JC_PRECISION_STANDARD, frame == 0, frame % 7 == 0,
			&packet);
		follow(hop, &packet, frame == 0);
		for (int s = 0; s < SECTIONS; s++) {
			uint8_t bytes[JC_CHAIN_BYTES];

			assert_int_equal(jc_chain_write_rejoin(&hop[s], bytes, sizeof(bytes)),
				packet.rejoin_length[s]);
			assert_memory_equal(
				bytes, packet.rejoin[s], (size_t)packet.rejoin_length[s]);
		}
	}
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decoders_stay_correct_when_half_of_all_packets_are_skipped),
		cmocka_unit_test(any_decoder_encodes_the_same_rejoin_as_the_publisher),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
