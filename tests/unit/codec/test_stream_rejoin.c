/* Tests rejoin payloads of decoders: a decoder that reads one has the state of the other, and both
 * follow the next packets to the bit. */
#include <string.h>

#include "random_stream.h"
#include "unit_test.h"

#define EVERYTHING (JC_STREAM_ALL | JC_STREAM_SECTION(JC_SECTION_VIRTUALS))

static void assert_same(const struct jc_stream_decoder *a, const struct jc_stream_decoder *b)
{
	assert_true(a->started && b->started);
	assert_int_equal(a->incarnation, b->incarnation);
	assert_int_equal(a->sequence, b->sequence);
	assert_int_equal(a->pace, b->pace);
	assert_memory_equal(a->states, b->states, sizeof(a->states));
	assert_int_equal(a->has_placement, b->has_placement);
	assert_memory_equal(&a->placement, &b->placement, sizeof(a->placement));
	for (unsigned i = 0; i < JC_STREAM_CHAINS; i++) {
		const struct jc_chain *one = &a->chains[i], *other = &b->chains[i];

		assert_int_equal(one->started, other->started);
		if (one->started) {
			assert_int_equal(one->section, other->section);
			assert_int_equal(one->coding, other->coding);
			assert_int_equal(one->precision, other->precision);
			assert_int_equal(one->count, other->count);
			assert_memory_equal(one->bones, other->bones, one->count);
			assert_memory_equal(
				one->items, other->items, one->count * sizeof(one->items[0]));
		}
	}
}

static void follow(
	struct jc_stream_decoder *decoder, const struct jc_stream_packet *packet, bool rejoin)
{
	struct jc_packet_head head = random_stream_head(packet, rejoin);
	size_t length = rejoin ? packet->rejoin_length : packet->length;

	assert_int_equal(
		jc_stream_decode(decoder, &head, rejoin ? packet->rejoin : packet->bytes, length),
		length);
}

/* Returns the length of the rejoin payload, or an error. */
static int join(const struct jc_stream_decoder *decoder, struct jc_stream_decoder *out_late)
{
	struct jc_packet_head head = { .incarnation = decoder->incarnation,
		.sequence = decoder->sequence };
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];
	int length = jc_stream_decoder_rejoin(decoder, bytes, sizeof(bytes));

	memset(out_late, 0, sizeof(*out_late));
	if (length >= 0) {
		assert_int_equal(jc_stream_decode(out_late, &head, bytes, (size_t)length), length);
	}
	return length;
}

/* Of one stream: decoders join at every tick, and follow until the next one joins. Returns the
 * longest rejoin payload, and counts the states that were too long. */
static int walk(struct random_stream *source, int ticks, int *too_long)
{
	struct jc_stream_decoder first = { 0 }, late = { 0 }, now;
	struct jc_stream_packet packet;
	int longest = 0;

	for (int tick = 0; tick < ticks; tick++) {
		int length;

		random_stream_step(source, &packet);
		follow(&first, &packet, false);
		if (late.started) {
			follow(&late, &packet, false);
			assert_same(&first, &late);
		}
		if (packet.rejoin_length) {
			struct jc_stream_decoder given = { 0 };

			follow(&given, &packet, true);
			assert_same(&first, &given);
		}
		length = join(&first, &now);
		if (length < 0) {
			assert_int_equal(length, JC_ERROR_SPACE);
			++*too_long;
			continue;
		}
		assert_same(&first, &now);
		late = tick % 7 == 0 ? now : late;
		longest = length > longest ? length : longest;
	}
	return longest;
}

static void a_rejoin_of_a_decoder_gives_its_state(void **)
{
	static const struct {
		unsigned sections;
		size_t values, virtuals;
	} kinds[] = { { JC_STREAM_ALL, 0, 0 }, { JC_STREAM_SECTION(JC_SECTION_BODY), 0, 0 },
		{ JC_STREAM_SECTION(JC_SECTION_HANDS) | JC_STREAM_SECTION(JC_SECTION_HIPS), 0, 0 },
		{ JC_STREAM_ALL, 12, 0 }, { EVERYTHING, 9, 3 }, { 0, 0, 0 } };
	uint32_t seed = 1;

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		for (int p = 0; p < 2 * JC_PRECISION_COUNT; p++) {
			enum jc_precision precision = (enum jc_precision)(p % JC_PRECISION_COUNT);
			struct random_stream source;
			int too_long = 0;

			random_stream_init(&source, precision, kinds[kind].sections,
				kinds[kind].values, kinds[kind].virtuals, seed++);
			jc_stream_use(&source.stream,
				p < JC_PRECISION_COUNT ? JC_CODING_CHAIN : JC_CODING_MODEL_CHAIN);
			if (kinds[kind].sections == 0) {
				source.rejoins = 1.0; /* otherwise nothing is sent */
			}
			print_message("kind %zu, %s: at most %d bytes\n", kind,
				jc_precision_name(precision), walk(&source, 300, &too_long));
			assert_int_equal(too_long, 0);
		}
	}
}

/* A stream of everything: states in motion are too long for a packet, settled ones never. */
static void a_state_that_does_not_fit_is_an_error_until_the_stream_settles(void **)
{
	struct random_stream source;
	struct jc_stream_decoder first = { 0 }, late;
	struct jc_stream_packet packet;
	int too_long = 0;

	random_stream_init(&source, JC_PRECISION_FINE, EVERYTHING, JC_LIMIT_STREAM_VALUES,
		JC_LIMIT_STREAM_VIRTUALS, 77);
	assert_true(walk(&source, 300, &too_long) <= (int)JC_LIMIT_PACKET_BYTES);
	assert_true(too_long > 100);
	source.rejoins = 1.0;
	random_stream_step(&source, &packet);
	follow(&first, &packet, true);
	assert_int_equal(join(&first, &late), packet.rejoin_length);
	assert_same(&first, &late);
}

/* Literal: a placement of 1 m along +X, a quarter turn; bone 0 tracked, bone 1 estimated;
 * pace 4. */
static void a_rejoin_has_placement_states_and_pace(void **)
{
	struct jc_packet_head head = { .incarnation = 3, .sequence = 9 };
	uint8_t written[JC_LIMIT_PACKET_BYTES];
	struct jc_stream_decoder decoder = { 0 };

	static const uint8_t placed[] = { 0x51, 6, 0xd0, 0x0f, 0, 0, 0, 0x40, 0x61, 14, 3, 0, 0, 0,
		0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0xa1, 1, 4 };
	assert_int_equal(jc_stream_decode(&decoder, &head, placed, sizeof(placed)), sizeof(placed));
	assert_int_equal(
		jc_stream_decoder_rejoin(&decoder, written, sizeof(written)), sizeof(placed));
	assert_memory_equal(written, placed, sizeof(placed));
	assert_int_equal(
		jc_stream_decoder_rejoin(&decoder, written, sizeof(placed) - 1), JC_ERROR_SPACE);
}

static void a_decoder_without_the_whole_state_makes_no_rejoin(void **)
{
	static const uint8_t other[] = { 0x1f, 1, 0 }; /* body in coding 15 */
	struct jc_packet_head head = { .incarnation = 3 };
	struct jc_stream_decoder decoder = { 0 };
	uint8_t bytes[JC_LIMIT_PACKET_BYTES];

	assert_int_equal(jc_stream_decoder_rejoin(&decoder, bytes, sizeof(bytes)), JC_ERROR_ABSENT);
	assert_int_equal(jc_stream_decode(&decoder, &head, other, sizeof(other)), sizeof(other));
	assert_int_equal(
		jc_stream_decoder_rejoin(&decoder, bytes, sizeof(bytes)), JC_ERROR_UNSUPPORTED);
	assert_int_equal(jc_stream_decode(&decoder, &head, other, 0), 0);
	assert_true(jc_stream_decoder_rejoin(&decoder, bytes, sizeof(bytes)) > 0);
	decoder.has_placement = true;
	decoder.placement.position.x = 2.0f * JC_LIMIT_COORDINATE;
	assert_int_equal(
		jc_stream_decoder_rejoin(&decoder, bytes, sizeof(bytes)), JC_ERROR_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rejoin_of_a_decoder_gives_its_state),
		cmocka_unit_test(a_state_that_does_not_fit_is_an_error_until_the_stream_settles),
		cmocka_unit_test(a_rejoin_has_placement_states_and_pace),
		cmocka_unit_test(a_decoder_without_the_whole_state_makes_no_rejoin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
