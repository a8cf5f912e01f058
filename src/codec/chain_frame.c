/* One frame of a chain: for each item, first which half of the lattice (all
 * coordinates even, or all odd), then its coordinates one after the other, each
 * with what those before it say. The hips lie on the plain grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain_private.h"

#define MISS_RATE     13  /* of 64 */
#define SETTLE_CHANCE 256 /* of 32768 */
#define CHOICES       32  /* lattice points looked at for one item */

/* What is known of an item while its coordinates go by. */
struct walk {
	const struct jc_chain_item *item;
	struct jc_prediction prediction;
	int32_t expected[3];
	int32_t missed[3];
	int spacing;
};

static void walk_begin(struct walk *walk, const struct jc_chain *chain,
	const struct jc_chain_item *item, const struct jc_surprise *surprise)
{
	walk->item = item;
	walk->spacing = jc_chain_is_hips(chain) ? 1 : 2;
	jc_predict(item, surprise, &walk->prediction);
}

static struct jc_expectation walk_look(
	struct walk *walk, int coordinate, int parity, const int32_t place[3])
{
	int32_t *feature = &walk->prediction.features[coordinate][JC_FEATURE_FRAME_MISS];

	*feature = coordinate == 0   ? 0
		   : coordinate == 1 ? walk->missed[0]
				     : (walk->missed[0] + walk->missed[1]) >> 1;
	walk->expected[coordinate] =
		jc_predicted_place(&walk->prediction, walk->item, coordinate, place);
	return jc_expect(walk->expected[coordinate],
		jc_predicted_scale(&walk->prediction, coordinate), walk->spacing, parity);
}

static void walk_pass(struct walk *walk, int coordinate, const int32_t place[3])
{
	walk->missed[coordinate] = jc_missed(walk->expected[coordinate], place[coordinate]);
}

static uint32_t walk_even(struct walk *walk)
{
	int32_t scales[3];

	for (int c = 0; c < 3; c++) {
		walk->prediction.features[c][JC_FEATURE_FRAME_MISS] = 0;
		scales[c] = jc_predicted_scale(&walk->prediction, c);
	}
	return jc_coset_even(walk->prediction.expected, scales);
}

/* The item has its place: the state moves on. */
static void walk_end(struct walk *walk, const int32_t place[3], struct jc_surprise *surprise,
	struct jc_chain_item *out_item)
{
	struct jc_chain_item next = *walk->item;
	bool jumped = false;

	for (int c = 0; c < 3; c++) {
		next.step[c] = place[c] - next.place[c];
		next.place[c] = place[c];
		next.miss[c] += ((walk->missed[c] - next.miss[c]) * MISS_RATE) >> 6;
		jumped |= abs(next.step[c]) > JC_CHAIN_STEP_MOST;
		surprise->missed += walk->missed[c];
		surprise->expected += jc_expected_miss(&walk->prediction, c);
	}
	if (jumped) {
		memset(next.step, 0, sizeof(next.step));
	}
	*out_item = next;
}

static int cost_of(struct walk *walk, const int32_t place[3], int parity)
{
	int cost = 0;

	for (int c = 0; c < 3; c++) {
		struct jc_expectation expectation = walk_look(walk, c, parity, place);

		cost += jc_expectation_cost(&expectation, place[c]);
		walk_pass(walk, c, place);
	}
	return cost;
}

/* Lattice points within the bound of the target; there is always one. */
static int choices(const struct jc_chain *chain, const struct jc_chain_targets *targets,
	size_t item, int32_t out_places[CHOICES][3])
{
	const double *v = targets->points[item].v;
	int count = 0;

	for (int parity = 0; parity < 2; parity++) {
		int32_t low[3];

		for (int c = 0; c < 3; c++) {
			low[c] = 2 * (int32_t)floor((v[c] - parity) / 2.0) + parity;
		}
		for (int corner = 0; corner < 8; corner++) {
			int32_t *place = out_places[count];

			for (int c = 0; c < 3; c++) {
				place[c] = low[c] + (corner >> c & 1) * 2;
			}
			if (jc_chain_hits(chain, targets, item, place)) {
				count++;
			}
		}
	}
	return count;
}

/* The cheapest of them. */
static void choose(struct walk *walk, const struct jc_chain *chain,
	const struct jc_chain_targets *targets, size_t item, uint32_t even, int32_t out_place[3])
{
	int32_t places[CHOICES][3];
	int count, least = INT32_MAX;

	if (jc_chain_is_hips(chain)) {
		for (int c = 0; c < 3; c++) {
			out_place[c] = (int32_t)lround(targets->points[item].v[c]);
		}
		return;
	}
	count = choices(chain, targets, item, places);
	memcpy(out_place, places[0], sizeof(places[0]));
	for (int i = 0; i < count && count > 1; i++) {
		int parity = places[i][0] & 1;
		int cost = cost_of(walk, places[i], parity) -
			   jc_log16(parity ? JC_RANGE_WHOLE - even : even);

		if (cost < least) {
			least = cost;
			memcpy(out_place, places[i], sizeof(places[i]));
		}
	}
}

static void encode_item(struct walk *walk, const int32_t place[3], uint32_t even,
	const struct jc_chain_trace *trace, struct jc_range_encoder *encoder)
{
	int parity = 0;

	if (walk->spacing == 2) {
		parity = place[0] & 1;
		jc_range_encode(encoder, parity ? even : 0, parity ? JC_RANGE_WHOLE - even : even);
	}
	for (int c = 0; c < 3; c++) {
		struct jc_expectation expectation = walk_look(walk, c, parity, place);

		jc_expectation_encode(&expectation, place[c], encoder);
		walk_pass(walk, c, place);
		if (trace) {
			trace->see(trace->context, walk->item, &walk->prediction, c,
				place[c] * JC_PLACE_ONE - walk->expected[c]);
		}
	}
}

static bool all_hit(const struct jc_chain *chain, const struct jc_chain_targets *targets)
{
	for (size_t i = 0; i < chain->count; i++) {
		if (!jc_chain_hits(chain, targets, i, chain->items[i].place)) {
			return false;
		}
	}
	return true;
}

int jc_chain_encode_traced(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *translation, bool settle, const struct jc_chain_trace *trace,
	uint8_t *out_bytes, size_t capacity)
{
	uint8_t bytes[JC_CHAIN_BYTES + 8]; /* trailing zeros are dropped at the end */
	struct jc_chain next = *chain;
	struct jc_surprise surprise = { 0 };
	struct jc_chain_targets targets;
	struct jc_range_encoder encoder;
	int length = jc_chain_aim(chain, rotations, translation, true, &targets);

	if (length < 0) {
		return length;
	}
	if (!settle && all_hit(chain, &targets)) {
		jc_chain_hold(chain);
		return 0;
	}
	jc_range_encoder_init(&encoder, bytes, sizeof(bytes));
	jc_range_encode(&encoder, settle ? JC_RANGE_WHOLE - SETTLE_CHANCE : 0,
		settle ? SETTLE_CHANCE : JC_RANGE_WHOLE - SETTLE_CHANCE);
	for (size_t i = 0; i < chain->count; i++) {
		struct walk walk;
		int32_t place[3];
		uint32_t even;

		walk_begin(&walk, chain, &chain->items[i], &surprise);
		even = walk.spacing == 2 ? walk_even(&walk) : JC_RANGE_WHOLE;
		choose(&walk, chain, &targets, i, even, place);
		encode_item(&walk, place, even, trace, &encoder);
		walk_end(&walk, place, &surprise, &next.items[i]);
	}
	length = jc_range_encoder_finish(&encoder);
	if (length > JC_CHAIN_BYTES || (length > 0 && (size_t)length > capacity)) {
		length = JC_ERROR_SPACE;
	}
	if (length < 0) {
		return length;
	}
	memcpy(out_bytes, bytes, (size_t)length);
	if (settle) {
		jc_chain_settle(&next);
	}
	*chain = next;
	return length;
}

int jc_chain_encode(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *translation, bool settle, uint8_t *out_bytes, size_t capacity)
{
	return jc_chain_encode_traced(
		chain, rotations, translation, settle, NULL, out_bytes, capacity);
}

/* False for damage. */
static bool decode_item(struct walk *walk, const struct jc_chain *chain,
	struct jc_range_decoder *decoder, int32_t out_place[3])
{
	int parity = 0;

	if (walk->spacing == 2) {
		uint32_t even = walk_even(walk);

		parity = jc_range_peek(decoder) >= even;
		jc_range_take(decoder, parity ? even : 0, parity ? JC_RANGE_WHOLE - even : even);
	}
	memset(out_place, 0, 3 * sizeof(out_place[0]));
	for (int c = 0; c < 3; c++) {
		struct jc_expectation expectation = walk_look(walk, c, parity, out_place);

		out_place[c] = jc_expectation_decode(&expectation, decoder);
		if (!jc_chain_place_is_valid(chain, out_place)) {
			return false;
		}
		walk_pass(walk, c, out_place);
	}
	return true;
}

int jc_chain_decode(struct jc_chain *chain, const uint8_t *bytes, size_t length)
{
	struct jc_surprise surprise = { 0 };
	struct jc_range_decoder decoder;
	bool settle;

	if (length > JC_CHAIN_BYTES) {
		chain->started = false;
		return JC_ERROR_LIMIT;
	}
	jc_range_decoder_init(&decoder, bytes, length);
	settle = jc_range_peek(&decoder) >= JC_RANGE_WHOLE - SETTLE_CHANCE;
	jc_range_take(&decoder, settle ? JC_RANGE_WHOLE - SETTLE_CHANCE : 0,
		settle ? SETTLE_CHANCE : JC_RANGE_WHOLE - SETTLE_CHANCE);
	for (size_t i = 0; i < chain->count; i++) {
		struct walk walk;
		int32_t place[3];

		walk_begin(&walk, chain, &chain->items[i], &surprise);
		if (!decode_item(&walk, chain, &decoder, place)) {
			chain->started = false;
			return JC_ERROR_INVALID;
		}
		walk_end(&walk, place, &surprise, &chain->items[i]);
	}
	if (jc_range_decoder_has_more(&decoder)) {
		chain->started = false;
		return JC_ERROR_INVALID;
	}
	if (settle) {
		jc_chain_settle(chain);
	}
	return (int)length;
}

void jc_chain_hold(struct jc_chain *chain)
{
	struct jc_surprise surprise = { 0 };

	for (size_t i = 0; i < chain->count; i++) {
		struct walk walk;
		int32_t place[3];

		memcpy(place, chain->items[i].place, sizeof(place));
		walk_begin(&walk, chain, &chain->items[i], &surprise);
		for (int c = 0; c < 3; c++) {
			walk.missed[c] = jc_missed(walk.prediction.expected[c], place[c]);
		}
		walk_end(&walk, place, &surprise, &chain->items[i]);
	}
}
