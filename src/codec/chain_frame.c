/* Encodes one frame of a chain: for each item first the half of the lattice (all coordinates even,
 * or all odd), then its coordinates, each with the probabilities given by the previous ones. The
 * hips use the plain grid. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain_private.h"

#define SETTLE_CHANCE 256 /* of 32768 */
#define SPAN_MOST     4   /* coordinates of one half, about the target, that are looked at */
#define CHOICES       (2 * SPAN_MOST * SPAN_MOST * SPAN_MOST)

/* What was expected of the coordinates of a place, and by how much they missed it. */
struct trail {
	int32_t expected[3];
	int32_t missed[3];
};

/* An item during its encoding or decoding. */
struct walk {
	struct jc_prediction prediction;
	struct trail trail;
	int spacing;
	uint32_t even; /* probability that all coordinates are, of 32768 */
};

static void walk_begin(struct walk *walk, const struct jc_chain *chain, size_t item,
	const struct jc_chain_past *past)
{
	jc_predict(jc_chain_predictor(chain), &chain->items[item], past, &walk->prediction);
	if (jc_chain_passes(chain)) {
		int bone = chain->bones[item];
		int source = jc_past_source(past, bone);

		if (source >= 0) {
			jc_predict_from(past, chain->precision, bone, source, &walk->prediction);
		}
	}
	walk->spacing = jc_chain_is_grid(chain, item) ? 1 : 2;
	if (walk->spacing == 2) {
		walk->even = jc_coset_even(walk->prediction.expected, walk->prediction.scales);
	}
}

static void past_init(struct jc_chain_past *past)
{
	past->missed = past->expected = 0;
	past->seen = 0;
}

/* Prediction for the next coordinate; earlier ones are known. */
static struct jc_expectation walk_look(
	const struct walk *walk, int coordinate, int parity, const int32_t place[3])
{
	const struct jc_prediction *prediction = &walk->prediction;

	return jc_expect(jc_predicted_place(prediction, coordinate, place),
		prediction->scales[coordinate], walk->spacing, parity);
}

static void walk_pass(struct walk *walk, int coordinate, int32_t expected, int32_t place)
{
	walk->trail.expected[coordinate] = expected;
	walk->trail.missed[coordinate] = jc_missed(expected, place);
}

static bool is_jump(const int32_t step[3])
{
	return abs(step[0]) > JC_CHAIN_STEP_MOST || abs(step[1]) > JC_CHAIN_STEP_MOST ||
	       abs(step[2]) > JC_CHAIN_STEP_MOST;
}

/* Updates the pace and the rounding of an item that moved by a step. Both are in 1/16 unit, rounded
 * to the nearest; `rounded` is in 1/256 unit, and the two shares are in 1/256. */
static inline void move(struct jc_chain_item *item, const struct jc_chain_predictor *predictor,
	int32_t rate, const int32_t step[3], const struct jc_chain_miss *miss)
{
	for (int c = 0; c < 3; c++) {
		int32_t rounding = (2048 - miss->rounded[c] * predictor->rounding) >> 12;
		int32_t moved = step[c] * JC_PACE_ONE + rounding - item->rounding[c];

		item->pace[c] += ((moved - item->pace[c]) * rate + 128) >> 8;
		item->rounding[c] = rounding;
	}
}

/* Updates what the item remembers, at its place now. step: how it got there. missed: 1/64 unit. */
static inline void learn(struct jc_chain_item *item, const struct jc_chain_predictor *predictor,
	unsigned precision, const int32_t missed[3], const int32_t step[3],
	const struct jc_chain_miss *miss)
{
	for (int c = 0; c < 3; c++) {
		item->miss[c] += ((missed[c] - item->miss[c]) * predictor->miss_rate) >> 6;
	}
	if (is_jump(step)) {
		jc_chain_item_rest(item);
	} else {
		move(item, predictor, predictor->pace_rate[precision], step, miss);
	}
}

/* Updates the state with the final place of the item. */
static void walk_end(const struct walk *walk, const int32_t place[3], struct jc_chain *chain,
	size_t index, struct jc_chain_past *past)
{
	struct jc_chain_item *item = &chain->items[index];
	const struct trail *trail = &walk->trail;
	const struct jc_chain_predictor *predictor = jc_chain_predictor(chain);
	struct jc_chain_miss miss = { 0 };
	int32_t step[3];

	if (predictor->rounding) {
		miss = jc_chain_miss(&walk->prediction, trail->expected, place);
	}
	if (jc_chain_passes(chain)) {
		jc_past_pass(past, chain->bones[index], &miss);
	}
	for (int c = 0; c < 3; c++) {
		past->missed += trail->missed[c];
		past->expected += walk->prediction.miss[c];
		step[c] = place[c] - item->place[c];
		item->place[c] = place[c];
	}
	learn(item, predictor, chain->precision, trail->missed, step, &miss);
}

/* The symbol of one coordinate. */
struct coded {
	int32_t expected;
	struct jc_symbol symbol;
	int cost; /* 1/16 bit */
};

/* A candidate place. */
struct way {
	int32_t place[3];
	double share; /* of the bound that it is away from the target */
	int start;    /* cost before the coordinates */
	struct coded coded[3];
	int cost;
};

/* The cost of a half of the lattice, less that of an impossible half. */
static int half_cost(const struct walk *walk, const int32_t place[3])
{
	return -jc_log16(place[0] & 1 ? JC_RANGE_WHOLE - walk->even : walk->even);
}

/* Finds the symbol of one coordinate of a place; the coordinates before it are known. */
static void code(
	const struct walk *walk, int coordinate, const int32_t place[3], struct coded *out_coded)
{
	int parity = walk->spacing == 2 ? place[0] & 1 : 0;
	struct jc_expectation expectation = walk_look(walk, coordinate, parity, place);

	out_coded->expected = expectation.expected;
	out_coded->symbol = jc_symbol_of(&expectation, place[coordinate]);
	out_coded->cost = jc_symbol_cost(&out_coded->symbol);
}

/* Stops when the cost reaches `most`. */
static void walk_to(const struct walk *walk, struct way *way, int most)
{
	way->cost = way->start;
	for (int c = 0; c < 3 && way->cost < most; c++) {
		struct coded *coded = &way->coded[c];

		code(walk, c, way->place, coded);
		way->cost += coded->cost;
	}
}

/* Coordinates of lattice points within reach of a target. */
struct span {
	int count;
	int32_t at[SPAN_MOST];
};

/* The span of one half of the lattice. It looks at the two coordinates about the target, or at four
 * if `wide`. */
static void span_of(double target, double reach, int parity, bool wide, struct span *out_span)
{
	int32_t low = 2 * (int32_t)floor((target - parity) / 2.0) + parity;
	int32_t end = low + (wide ? 4 : 2);

	out_span->count = 0;
	for (int32_t at = wide ? low - 2 : low; at <= end; at += 2) {
		if (fabs(target - at) <= reach) {
			out_span->at[out_span->count++] = at;
		}
	}
}

/* Lattice points within the bound of the target; there is always one. */
static int choices(const struct jc_lattice *lattice, const struct jc_chart_point *point, bool wide,
	struct way out_ways[CHOICES])
{
	struct jc_chart_ball ball = jc_chart_ball(point, lattice);
	double reach = jc_chart_reach(&ball, lattice);
	int count = 0;

	for (int parity = 0; parity < 2; parity++) {
		struct span spans[3];

		for (int c = 0; c < 3; c++) {
			span_of(point->v[c], reach, parity, wide && reach > 2.0, &spans[c]);
		}
		for (int z = 0; z < spans[2].count; z++) {
			for (int y = 0; y < spans[1].count; y++) {
				for (int x = 0; x < spans[0].count; x++) {
					struct way *way = &out_ways[count];

					way->place[0] = spans[0].at[x];
					way->place[1] = spans[1].at[y];
					way->place[2] = spans[2].at[z];
					count += jc_chart_hits(&ball, way->place, &way->share);
				}
			}
		}
	}
	return count;
}

/* Sorts ways by their start, by insertion: mostly they are few. Those with an equal start keep
 * their order. */
static void sort_by_start(const struct way ways[], int count, int out_order[CHOICES])
{
	int starts[CHOICES];

	for (int i = 0; i < count; i++) {
		int start = ways[i].start, at = i;

		for (; at > 0 && starts[at - 1] > start; at--) {
			starts[at] = starts[at - 1];
			out_order[at] = out_order[at - 1];
		}
		starts[at] = start;
		out_order[at] = i;
	}
}

/* Finds the cheapest way; of equal ways the first. Mostly the way with the lowest start is the
 * best, and the walks to the others end early. */
static const struct way *cheapest(const struct walk *walk, struct way ways[], int count)
{
	int order[CHOICES];
	int best = count, least = INT_MAX;

	sort_by_start(ways, count, order);
	for (int i = 0; i < count && ways[order[i]].start <= least; i++) {
		int most = order[i] < best && least < INT_MAX ? least + 1 : least;
		struct way *way = &ways[order[i]];

		walk_to(walk, way, most);
		if (way->cost < most) {
			least = way->cost;
			best = order[i];
		}
	}
	return &ways[best];
}

/* Fills the ways to places within the bound; returns their number. */
static int find_ways(const struct walk *walk, const struct jc_chain_aim *aim, size_t item,
	const struct jc_chart_point *point, struct way out_ways[CHOICES])
{
	bool wide = aim->feet.matters &&
		    jc_chain_has_spare_places(aim->chain->bones[item], aim->chain->precision);
	int count = 1;

	if (walk->spacing == 1) {
		for (int c = 0; c < 3; c++) {
			out_ways[0].place[c] = (int32_t)lround(point->v[c]);
		}
	} else {
		count = choices(&aim->lattice, point, wide, out_ways);
		assert(count > 0);
	}
	for (int i = 0; i < count; i++) {
		struct way *way = &out_ways[i];

		way->start = 0;
		if (count > 1) {
			way->start = half_cost(walk, way->place) +
				     jc_chain_aim_cost(aim, item, way->share, way->place);
		}
	}
	return count;
}

/* Encodes an item at the cheapest place within the bound. */
static void encode_item(struct walk *walk, const struct jc_chain_aim *aim, size_t item,
	const struct jc_chart_point *point, struct jc_range_encoder *encoder, int32_t out_place[3])
{
	struct way ways[CHOICES];
	int count = find_ways(walk, aim, item, point, ways);
	const struct way *way = cheapest(walk, ways, count);

	if (walk->spacing == 2) {
		bool odd = way->place[0] & 1;

		jc_range_encode(encoder, odd ? walk->even : 0,
			odd ? JC_RANGE_WHOLE - walk->even : walk->even);
	}
	for (int c = 0; c < 3; c++) {
		const struct coded *coded = &way->coded[c];

		jc_symbol_encode(&coded->symbol, encoder);
		walk_pass(walk, c, coded->expected, way->place[c]);
	}
	memcpy(out_place, way->place, sizeof(way->place));
}

/* Whether all items may stay where they are: 1, 0, or JC_ERROR_INVALID. */
static int all_hit(
	struct jc_chain *chain, const struct jc_quat *rotations, const struct jc_vec3 *points)
{
	struct jc_chain_aim aim;

	jc_chain_aim_init(&aim, chain, rotations, points);
	for (size_t i = 0; i < chain->count; i++) {
		const int32_t *place = chain->items[i].place;
		struct jc_chart_point target;
		int error = jc_chain_aim_at(&aim, i, place, &target);

		if (error != JC_OK) {
			return error;
		}
		if (!jc_chain_hits(chain, i, &target, place)) {
			return 0;
		}
		jc_chain_aim_pass(&aim, i, place);
	}
	chain->legs = aim.feet.now;
	return 1;
}

static int encode_items(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *points, struct jc_range_encoder *encoder)
{
	struct jc_chain_past past;
	struct jc_chain_aim aim;

	past_init(&past);
	jc_chain_aim_init(&aim, chain, rotations, points);
	for (size_t i = 0; i < chain->count; i++) {
		struct jc_chart_point target;
		struct walk walk;
		int32_t place[3];
		int error = jc_chain_aim_at(&aim, i, chain->items[i].place, &target);

		if (error != JC_OK) {
			return error;
		}
		walk_begin(&walk, chain, i, &past);
		encode_item(&walk, &aim, i, &target, encoder, place);
		jc_chain_aim_pass(&aim, i, place);
		walk_end(&walk, place, chain, i, &past);
	}
	chain->legs = aim.feet.now;
	return JC_OK;
}

int jc_chain_encode(struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *points, bool settle, uint8_t *out_bytes, size_t capacity)
{
	uint8_t bytes[JC_CHAIN_BYTES + 8]; /* trailing zeros are dropped at the end */
	struct jc_chain next;
	struct jc_range_encoder encoder;
	int length = settle ? 0 : all_hit(chain, rotations, points);

	if (length < 0) {
		return length;
	}
	if (length > 0) {
		jc_chain_hold(chain);
		return 0;
	}
	jc_chain_copy(&next, chain);
	jc_range_encoder_init(&encoder, bytes, sizeof(bytes));
	jc_range_encode(&encoder, settle ? JC_RANGE_WHOLE - SETTLE_CHANCE : 0,
		settle ? SETTLE_CHANCE : JC_RANGE_WHOLE - SETTLE_CHANCE);
	length = encode_items(&next, rotations, points, &encoder);
	if (length < 0) {
		return length;
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
	jc_chain_copy(chain, &next);
	return length;
}

/* Returns false for damaged data. */
static bool decode_item(struct walk *walk, const struct jc_chain *chain, size_t item,
	struct jc_range_decoder *decoder, int32_t out_place[3])
{
	int parity = 0;

	if (walk->spacing == 2) {
		parity = jc_range_peek(decoder) >= walk->even;
		jc_range_take(decoder, parity ? walk->even : 0,
			parity ? JC_RANGE_WHOLE - walk->even : walk->even);
	}
	memset(out_place, 0, 3 * sizeof(out_place[0]));
	for (int c = 0; c < 3; c++) {
		struct jc_expectation expectation = walk_look(walk, c, parity, out_place);

		out_place[c] = jc_expectation_decode(&expectation, decoder);
		if (!jc_chain_place_is_valid(chain, item, out_place)) {
			return false;
		}
		walk_pass(walk, c, expectation.expected, out_place[c]);
	}
	return true;
}

int jc_chain_decode(struct jc_chain *chain, const uint8_t *bytes, size_t length)
{
	struct jc_chain_past past;
	struct jc_range_decoder decoder;
	bool settle;

	if (length > JC_CHAIN_BYTES) {
		chain->started = false;
		return JC_ERROR_LIMIT;
	}
	past_init(&past);
	jc_range_decoder_init(&decoder, bytes, length);
	settle = jc_range_peek(&decoder) >= JC_RANGE_WHOLE - SETTLE_CHANCE;
	jc_range_take(&decoder, settle ? JC_RANGE_WHOLE - SETTLE_CHANCE : 0,
		settle ? SETTLE_CHANCE : JC_RANGE_WHOLE - SETTLE_CHANCE);
	for (size_t i = 0; i < chain->count; i++) {
		struct walk walk;
		int32_t place[3];

		walk_begin(&walk, chain, i, &past);
		if (!decode_item(&walk, chain, i, &decoder, place)) {
			chain->started = false;
			return JC_ERROR_INVALID;
		}
		walk_end(&walk, place, chain, i, &past);
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

/* Whether the item remembers no motion: then a frame without motion changes nothing. */
static bool is_at_rest(const struct jc_chain_item *item)
{
	static const int32_t nothing[3];

	return memcmp(item->pace, nothing, sizeof(nothing)) == 0 &&
	       memcmp(item->miss, nothing, sizeof(nothing)) == 0 &&
	       memcmp(item->rounding, nothing, sizeof(nothing)) == 0;
}

/* No bone passes anything on: nothing surprised a reader. */
void jc_chain_hold(struct jc_chain *chain)
{
	static const int32_t step[3];
	const struct jc_chain_predictor *predictor = jc_chain_predictor(chain);
	struct jc_chain_past past;

	past_init(&past);
	for (size_t i = 0; i < chain->count; i++) {
		struct jc_chain_item *item = &chain->items[i];
		struct jc_prediction prediction;
		struct jc_chain_miss miss;
		int32_t missed[3];

		if (is_at_rest(item)) {
			continue;
		}
		jc_predict(predictor, item, &past, &prediction);
		for (int c = 0; c < 3; c++) {
			missed[c] = jc_missed(prediction.expected[c], item->place[c]);
		}
		miss = jc_chain_miss(&prediction, prediction.expected, item->place);
		learn(item, predictor, chain->precision, missed, step, &miss);
	}
}
