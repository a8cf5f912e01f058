/* Probability model of chains. The scale of a coordinate's distribution is a weighted sum of values
 * that the decoder knows, its recent prediction errors and its pace, times the ratio of actual
 * to expected cost of the frame so far. One distribution shape serves all scales. */
#include "chain_model.h"

#include <stdlib.h>

#include "chain_private.h"

#define GROUPS   15 /* of values on either side of the expected one; the last is open */
#define SYMBOLS  (2 * GROUPS + 1)
#define FLOOR    3  /* least probability of a symbol, in 1/32768 */
#define RAW_MOST 23 /* bits of an Elias gamma: the hips may jump from one end to the other */

#define MISS_MOST    6400 /* 100 units */
#define SURPRISE_PAD 384  /* 6 units */
#define PACE_SHARE   218  /* of the direction of the pace that a miss follows, 1/256 */
#define PACE_PAD     128  /* 8 units, squares of 1/4 unit */
#define SCALE_MOST   304
#define OFF_MOST     65535 /* 256 units */
#define ROUNDED_MOST 512   /* 2 units: a longer miss is mostly a motion */

#define HAND_BONES   15
#define FINGER_BONES 3
#define INDEX_FIRST  3 /* of the bones of a hand, the first of the index finger */

int jc_log16(uint32_t value)
{
	int octave = 31 - __builtin_clz(value);
	uint32_t mantissa = (uint32_t)((uint64_t)value << 4 >> octave);

	return (octave << 4) + (int)(mantissa & 15);
}

static int32_t clamp(int32_t value, int32_t least, int32_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* Toward minus infinity. */
static int32_t floor_shift(int32_t value, int bits)
{
	return value >> bits;
}

struct jc_expectation jc_expect(int32_t expected, int32_t scale, int32_t spacing, int parity)
{
	int bits = spacing == 2 ? 9 : 8;
	int32_t half = spacing * (JC_PLACE_ONE / 2);

	return (struct jc_expectation){
		.expected = expected,
		.scale = scale,
		.spacing = spacing,
		.nearest = spacing * floor_shift(expected - parity * JC_PLACE_ONE + half, bits) +
			   parity,
	};
}

/* Values in groups of a power of two, so that a group is about as wide as the
 * scale, and the borders between groups as probabilities. */
struct grouping {
	int bits;         /* values in a group, logarithm */
	int32_t first;    /* lower border of group 0, 1/256 unit >> bits */
	int32_t width;    /* of a group */
	uint32_t inverse; /* of the scale's mantissa */
	int shift;
};

/* 65536 / (16 + i) */
static const uint16_t inverses[JC_LOG_ONE] = { 4096, 3855, 3640, 3449, 3276, 3120, 2978, 2849, 2730,
	2621, 2520, 2427, 2340, 2259, 2184, 2114 };

static struct grouping group(const struct jc_expectation *expectation)
{
	int octave = expectation->scale >> 4;
	int bits = octave - (expectation->spacing == 2 ? 7 : 6);
	int32_t width = expectation->spacing * JC_PLACE_ONE;
	int32_t offset = expectation->nearest * JC_PLACE_ONE - expectation->expected;

	if (bits < 0) {
		bits = 0;
	}
	return (struct grouping){
		.bits = bits,
		.first = floor_shift(offset - width / 2 - ((1 << bits) >> 1) * width, bits),
		.width = width,
		.inverse = inverses[expectation->scale & 15],
		.shift = 6 + octave - bits,
	};
}

/* The cumulative probability below the lower border of group index - GROUPS. */
static inline __attribute__((always_inline)) uint32_t border(
	const struct grouping *grouping, int index)
{
	const uint16_t *tail = jc_chain_table.tail;
	int32_t at = grouping->first + (index - GROUPS) * grouping->width;
	uint32_t distance = (uint32_t)abs(at) * grouping->inverse >> grouping->shift;
	uint32_t beyond, below;

	if (index <= 0) {
		return 0;
	}
	if (index >= SYMBOLS) {
		return JC_RANGE_WHOLE;
	}
	if (distance >= (JC_TAIL_COUNT - 1) * 16) {
		beyond = tail[JC_TAIL_COUNT - 1];
	} else {
		uint32_t i = distance >> 4;

		beyond = tail[i] - (((uint32_t)(tail[i] - tail[i + 1]) * (distance & 15)) >> 4);
	}
	below = at < 0 ? beyond : JC_RANGE_WHOLE - beyond;
	return (below * (JC_RANGE_WHOLE - SYMBOLS * FLOOR) >> JC_RANGE_BITS) +
	       FLOOR * (uint32_t)index;
}

struct jc_symbol jc_symbol_of(const struct jc_expectation *expectation, int32_t value)
{
	struct grouping grouping = group(expectation);
	int32_t index =
		(value - expectation->nearest) / expectation->spacing + ((1 << grouping.bits) >> 1);
	int32_t where = floor_shift(index, grouping.bits);
	int32_t symbol = clamp(where, -GROUPS, GROUPS);
	uint32_t from = border(&grouping, symbol + GROUPS);

	return (struct jc_symbol){
		.from = from,
		.size = border(&grouping, symbol + GROUPS + 1) - from,
		.beyond = abs(symbol) == GROUPS ? (uint32_t)(abs(where) - GROUPS + 1) : 0,
		.rest = (uint32_t)index & ((1u << grouping.bits) - 1),
		.bits = grouping.bits,
	};
}

int jc_symbol_cost(const struct jc_symbol *symbol)
{
	int cost = (JC_RANGE_BITS + symbol->bits) * JC_LOG_ONE - jc_log16(symbol->size);

	return symbol->beyond ? cost + 2 * jc_log16(symbol->beyond) + JC_LOG_ONE : cost;
}

void jc_symbol_encode(const struct jc_symbol *symbol, struct jc_range_encoder *encoder)
{
	jc_range_encode(encoder, symbol->from, symbol->size);
	if (symbol->beyond) {
		/* Elias gamma. */
		int bits = 31 - __builtin_clz(symbol->beyond);

		for (int i = 0; i < bits; i++) {
			jc_range_encode_bits(encoder, 1, 1);
		}
		jc_range_encode_bits(encoder, 0, 1);
		for (int i = bits - 1; i >= 0; i--) {
			jc_range_encode_bits(encoder, symbol->beyond >> i & 1, 1);
		}
	}
	jc_range_encode_bits(encoder, symbol->rest, symbol->bits);
}

void jc_expectation_encode(
	const struct jc_expectation *expectation, int32_t value, struct jc_range_encoder *encoder)
{
	struct jc_symbol symbol = jc_symbol_of(expectation, value);

	jc_symbol_encode(&symbol, encoder);
}

/* Most values are near the expected one: outward from there. */
static int find_symbol(const struct grouping *grouping, struct jc_range_decoder *decoder)
{
	uint32_t point = jc_range_peek(decoder);
	int index = GROUPS;
	uint32_t from = border(grouping, index);
	uint32_t to;

	if (point < from) {
		do {
			to = from;
			from = border(grouping, --index);
		} while (point < from);
	} else {
		to = border(grouping, index + 1);
		while (point >= to) {
			from = to;
			to = border(grouping, ++index + 1);
		}
	}
	jc_range_take(decoder, from, to - from);
	return index - GROUPS;
}

int32_t jc_expectation_decode(
	const struct jc_expectation *expectation, struct jc_range_decoder *decoder)
{
	struct grouping grouping = group(expectation);
	int32_t where = find_symbol(&grouping, decoder);
	int64_t value;

	if (abs(where) == GROUPS) {
		uint32_t beyond = 1;
		int bits = 0;

		while (jc_range_decode_bits(decoder, 1)) {
			if (++bits > RAW_MOST) {
				return INT32_MIN;
			}
		}
		for (int i = 0; i < bits; i++) {
			beyond = beyond << 1 | jc_range_decode_bits(decoder, 1);
		}
		where = where < 0 ? where - (int32_t)(beyond - 1) : where + (int32_t)(beyond - 1);
	}
	value = (int64_t)where * (1 << grouping.bits) +
		jc_range_decode_bits(decoder, grouping.bits) - ((1 << grouping.bits) >> 1);
	value = expectation->nearest + value * expectation->spacing;
	return llabs(value) > JC_CHAIN_TRAVEL_MOST ? INT32_MIN : (int32_t)value;
}

uint32_t jc_coset_even(const int32_t expected[3], const int32_t scales[3])
{
	int32_t odds = 0;
	uint32_t even;

	for (int i = 0; i < 3; i++) {
		int32_t distance = expected[i] & (2 * JC_PLACE_ONE - 1);
		int32_t scale = scales[i] >> 2;

		if (scale >= JC_COSET_SCALES) {
			continue;
		}
		if (distance > JC_PLACE_ONE) {
			distance = 2 * JC_PLACE_ONE - distance;
		}
		distance = (distance + 16) >> 5;
		odds += distance <= 4 ? jc_chain_table.coset[scale][distance]
				      : -jc_chain_table.coset[scale][8 - distance];
	}
	even = jc_chain_table.odds[clamp(abs(odds), 0, JC_ODDS_COUNT - 1)];
	return odds < 0 ? JC_RANGE_WHOLE - even : even;
}

int32_t jc_missed(int32_t expected, int32_t place)
{
	return clamp(abs(place * JC_PLACE_ONE - expected) >> 2, 0, MISS_MOST);
}

static int32_t momentum(
	const struct jc_chain_predictor *predictor, const int32_t pace[3], const int32_t miss[3])
{
	int32_t square = (pace[0] * pace[0] + pace[1] * pace[1] + pace[2] * pace[2]) >> 4;
	int32_t about = (miss[0] + miss[1] + miss[2]) / 3 + predictor->doubt;
	int32_t over =
		jc_log16((uint32_t)square + 1) / 2 + 6 * JC_LOG_ONE - jc_log16((uint32_t)about);

	return predictor->momentum[clamp((over + 24) >> 3, 0, JC_MOMENTUM_COUNT - 1)];
}

static int32_t expected_miss(const struct jc_chain_predictor *predictor, int32_t miss, int32_t pace)
{
	const int16_t *weights = predictor->weights;
	int32_t sum = weights[JC_FEATURE_ONE] * JC_MISS_ONE + weights[JC_FEATURE_MISS] * miss +
		      weights[JC_FEATURE_STEP] * abs(pace) * (JC_MISS_ONE / 4);

	return clamp(sum >> 8, 0, MISS_MOST - 1) + 1;
}

void jc_predict(const struct jc_chain_predictor *predictor, const struct jc_chain_item *item,
	const struct jc_chain_past *past, struct jc_prediction *out_prediction)
{
	int32_t *pace = out_prediction->pace, repeat;
	int32_t worse = (jc_log16((uint32_t)(SURPRISE_PAD + past->missed)) -
				jc_log16((uint32_t)(SURPRISE_PAD + past->expected))) *
			predictor->surprise / 4;

	for (int c = 0; c < 3; c++) {
		pace[c] = floor_shift(item->pace[c] + 2, 2);
	}
	repeat = momentum(predictor, pace, item->miss);
	out_prediction->lean = PACE_PAD;
	for (int c = 0; c < 3; c++) {
		int32_t miss = expected_miss(predictor, item->miss[c], pace[c]);

		out_prediction->miss[c] = miss;
		out_prediction->logs[c] = jc_log16((uint32_t)miss);
		out_prediction->scales[c] = clamp(out_prediction->logs[c] + worse, 0, SCALE_MOST);
		out_prediction->expected[c] = item->place[c] * JC_PLACE_ONE +
					      item->rounding[c] * (JC_PLACE_ONE / JC_PACE_ONE) +
					      floor_shift(repeat * item->pace[c], 4);
		out_prediction->lean += pace[c] * pace[c];
	}
	out_prediction->lean *= 256;
}

struct jc_chain_miss jc_chain_miss(
	const struct jc_prediction *prediction, const int32_t expected[3], const int32_t place[3])
{
	const int16_t *pass = jc_chain_table.pass;
	struct jc_chain_miss miss;

	for (int c = 0; c < 3; c++) {
		int32_t off = place[c] * JC_PLACE_ONE - expected[c];
		int32_t index = clamp(prediction->logs[c] >> 3, 0, JC_PASS_COUNT - 1);

		miss.off[c] = off;
		miss.rounded[c] =
			floor_shift(clamp(off, -ROUNDED_MOST, ROUNDED_MOST) * pass[index], 8);
	}
	return miss;
}

static bool is_finger(int bone)
{
	return bone >= JC_SECTION_HANDS_FIRST;
}

int jc_past_source(const struct jc_chain_past *past, int bone)
{
	int joint, source;

	if (!is_finger(bone)) {
		return jc_chain_ancestor((uint32_t)past->seen, bone);
	}
	/* Thumbs and the first bone of an index finger have none. */
	joint = (bone - JC_SECTION_HANDS_FIRST) % HAND_BONES;
	if (joint <= INDEX_FIRST) {
		return -1;
	}
	source = joint < INDEX_FIRST + FINGER_BONES ? bone - 1 : bone - FINGER_BONES;
	return past->seen >> source & 1 ? source : -1;
}

void jc_predict_from(const struct jc_chain_past *past, unsigned precision, int bone, int source,
	struct jc_prediction *prediction)
{
	int32_t ratio = is_finger(bone) ? JC_PLACE_ONE : jc_chain_table.ratios[precision][bone];

	for (int c = 0; c < 3; c++) {
		prediction->expected[c] -= floor_shift(past->passed[source][c] * ratio, 8);
	}
}

void jc_past_pass(struct jc_chain_past *past, int bone, const struct jc_chain_miss *miss)
{
	for (int c = 0; c < 3; c++) {
		int32_t off = clamp(miss->off[c], -OFF_MOST, OFF_MOST);

		past->passed[bone][c] = is_finger(bone) ? floor_shift(-off * jc_chain_table.curl, 8)
							: miss->rounded[c];
	}
	past->seen |= UINT64_C(1) << bone;
}

int32_t jc_predicted_place(
	const struct jc_prediction *prediction, int coordinate, const int32_t place[3])
{
	const int32_t *pace = prediction->pace;
	int64_t along = 0;

	if (!coordinate || !pace[coordinate]) {
		return prediction->expected[coordinate];
	}
	for (int i = 0; i < coordinate; i++) {
		int32_t off = clamp(
			place[i] * JC_PLACE_ONE - prediction->expected[i], -OFF_MOST, OFF_MOST);

		along += (int64_t)pace[i] * off;
	}
	/* Toward zero. The quotient is below 2^17 and the divisor below 2^34, so
	 * that a double shows on which side of a whole number it lies. */
	return prediction->expected[coordinate] +
	       (int32_t)((double)(PACE_SHARE * pace[coordinate] * along) / prediction->lean);
}
