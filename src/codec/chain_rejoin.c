/* Encodes the complete state of a chain: the place of each item relative to the usual place of its
 * bone, then the recent prediction error, then the pace. */
#include <string.h>

#include "chain_private.h"

/* Of places about the origin, logarithms. */
#define POINT_SCALE    208 /* of the hips and virtual transforms */
#define VALUE_SCALE    128
#define ROTATION_SCALE 256 /* of virtual transforms, at fine precision */

#define MISS_FIRST    1  /* index of a settled miss that is guessed first */
#define MISS_SCALE    80 /* of its difference to the one before, logarithm */
#define MISS_BITS     13
#define PACE_BITS     4 /* of a pace, less than a unit a frame */
#define ROUNDING_BITS 5
#define BYTES_MOST    (1 + 4 + JC_CHAIN_BYTES)

static struct jc_expectation usual_place(
	const struct jc_chain *chain, size_t item, int coordinate, int parity)
{
	const struct jc_chain_precision *precision = &jc_chain_precisions[chain->precision];
	int bone = chain->bones[item];
	int32_t prior = precision->prior, drop = precision->scale, scale;

	if (jc_chain_is_grid(chain, item)) {
		return jc_expect(
			0, chain->section == JC_SECTION_CHANNELS ? VALUE_SCALE : POINT_SCALE, 1, 0);
	}
	if (chain->section == JC_SECTION_VIRTUALS) {
		return jc_expect(0, ROTATION_SCALE - precision->scale, 2, parity);
	}
	if (jc_chain_has_levels(chain)) {
		const struct jc_chain_level *level = jc_chain_level(bone, chain->precision);

		prior = level->prior;
		drop = (int32_t)(level - jc_chain_levels);
	}
	scale = jc_chain_table.prior_scale[bone][coordinate] - drop;
	return jc_expect(jc_chain_table.prior_place[bone][coordinate] * prior,
		scale > 0 ? scale : 0, 2, parity);
}

static struct jc_expectation usual_step(const struct jc_chain_item *item, int coordinate)
{
	const int32_t *miss = item->miss;
	int a = (coordinate + 1) % 3, b = (coordinate + 2) % 3;
	int32_t about = miss[coordinate] + ((miss[a] + miss[b]) >> 2) + 1;

	return jc_expect(0, jc_log16((uint32_t)about) + jc_chain_table.prior_step, 1, 0);
}

/* Whether a pace may be less than a unit a frame, and places have a rounding. */
static bool has_fractions(const struct jc_chain *chain)
{
	return jc_chain_predictor(chain) == &jc_chain_table.model_predictor;
}

/* The misses and paces of an item that is not settled. */
static void write_past(
	const struct jc_chain_item *item, bool fractions, struct jc_range_encoder *encoder)
{
	for (int c = 0; c < 3; c++) {
		jc_range_encode_bits(encoder, (uint32_t)item->miss[c], MISS_BITS);
	}
	for (int c = 0; c < 3; c++) {
		struct jc_expectation step = usual_step(item, c);

		jc_expectation_encode(&step, item->pace[c] >> PACE_BITS, encoder);
		if (fractions) {
			jc_range_encode_bits(encoder,
				(uint32_t)item->pace[c] & ((1u << PACE_BITS) - 1), PACE_BITS);
			jc_range_encode_bits(encoder,
				(uint32_t)(item->rounding[c] + JC_CHAIN_ROUNDING_MOST),
				ROUNDING_BITS);
		}
	}
}

static void write_items(
	const struct jc_chain *chain, bool settled, struct jc_range_encoder *encoder)
{
	int32_t index = MISS_FIRST;

	for (size_t i = 0; i < chain->count; i++) {
		const struct jc_chain_item *item = &chain->items[i];
		bool grid = jc_chain_is_grid(chain, i);
		int parity = grid ? 0 : item->place[0] & 1;

		if (!grid) {
			jc_range_encode_bits(encoder, (uint32_t)parity, 1);
		}
		for (int c = 0; c < 3; c++) {
			struct jc_expectation place = usual_place(chain, i, c, parity);

			jc_expectation_encode(&place, item->place[c], encoder);
		}
		if (settled) {
			struct jc_expectation miss =
				jc_expect(index * JC_PLACE_ONE, MISS_SCALE, 1, 0);

			index = jc_chain_settled_index(item->miss);
			jc_expectation_encode(&miss, index, encoder);
		} else {
			write_past(item, has_fractions(chain), encoder);
		}
	}
}

/* Writes the head of a rejoin section: table, precision, and mask of bones. */
static size_t head_bytes(enum jc_section section)
{
	enum jc_bone first;

	return jc_chain_is_counted(section) ? 2
					    : 1 + (jc_chain_section_bones(section, &first) + 7) / 8;
}

static int table_of(unsigned coding)
{
	return coding == JC_CODING_MODEL_CHAIN ? JC_MODEL_CHAIN_TABLE : JC_CHAIN_TABLE;
}

static void write_head(const struct jc_chain *chain, uint8_t *out_bytes)
{
	enum jc_section section = (enum jc_section)chain->section;
	enum jc_bone first;
	size_t bones = jc_chain_section_bones(section, &first);

	memset(out_bytes, 0, head_bytes(section));
	out_bytes[0] = (uint8_t)(table_of(chain->coding) << 2 | chain->precision);
	for (size_t i = 0; bones && i < chain->count; i++) {
		int bit = chain->bones[i] - (int)first;

		if (jc_chain_is_counted(section)) {
			out_bytes[1] = (uint8_t)(bit + 1);
		} else {
			out_bytes[1 + bit / 8] |= (uint8_t)(1 << bit % 8);
		}
	}
}

int jc_chain_write_rejoin(const struct jc_chain *chain, uint8_t *out_bytes, size_t capacity)
{
	uint8_t bytes[BYTES_MOST + 8];
	size_t head = head_bytes((enum jc_section)chain->section);
	bool settled = jc_chain_is_settled(chain);
	struct jc_range_encoder encoder;
	int length;

	write_head(chain, bytes);
	jc_range_encoder_init(&encoder, bytes + head, sizeof(bytes) - head);
	jc_range_encode_bits(&encoder, settled, 1);
	write_items(chain, settled, &encoder);
	length = jc_range_encoder_finish(&encoder);
	if (length < 0 || head + (size_t)length > capacity ||
		head + (size_t)length > JC_CHAIN_BYTES) {
		return JC_ERROR_SPACE;
	}
	memcpy(out_bytes, bytes, head + (size_t)length);
	return (int)head + length;
}

/* Codes the miss of a settled item relative to the previous one. */
static bool read_miss(struct jc_chain_item *item, int32_t *index, struct jc_range_decoder *decoder)
{
	struct jc_expectation miss = jc_expect(*index * JC_PLACE_ONE, MISS_SCALE, 1, 0);

	*index = jc_expectation_decode(&miss, decoder);
	if (*index < 0 || *index >= JC_CHAIN_SETTLED) {
		return false;
	}
	for (int c = 0; c < 3; c++) {
		item->miss[c] = jc_chain_settled_miss(*index);
	}
	return true;
}

static bool read_past(struct jc_chain_item *item, bool fractions, struct jc_range_decoder *decoder)
{
	int32_t most = JC_CHAIN_STEP_MOST + (fractions ? 2 : 0); /* roundings lengthen it */

	for (int c = 0; c < 3; c++) {
		item->miss[c] = (int32_t)jc_range_decode_bits(decoder, MISS_BITS);
		if (item->miss[c] > JC_CHAIN_MISS_MOST) {
			return false;
		}
	}
	for (int c = 0; c < 3; c++) {
		struct jc_expectation step = usual_step(item, c);

		int32_t pace = jc_expectation_decode(&step, decoder);

		if (pace < -most || pace > most) {
			return false;
		}
		item->pace[c] = pace * JC_PACE_ONE;
		if (fractions) {
			item->pace[c] += (int32_t)jc_range_decode_bits(decoder, PACE_BITS);
			item->rounding[c] = (int32_t)jc_range_decode_bits(decoder, ROUNDING_BITS) -
					    JC_CHAIN_ROUNDING_MOST;
		}
	}
	return true;
}

static bool read_item(struct jc_chain *chain, size_t i, bool settled, int32_t *index,
	struct jc_range_decoder *decoder)
{
	struct jc_chain_item *item = &chain->items[i];
	int parity = jc_chain_is_grid(chain, i) ? 0 : (int)jc_range_decode_bits(decoder, 1);

	for (int c = 0; c < 3; c++) {
		struct jc_expectation place = usual_place(chain, i, c, parity);

		item->place[c] = jc_expectation_decode(&place, decoder);
	}
	if (!jc_chain_place_is_valid(chain, i, item->place)) {
		return false;
	}
	return settled ? read_miss(item, index, decoder)
		       : read_past(item, has_fractions(chain), decoder);
}

int jc_chain_read_rejoin(struct jc_chain *chain, unsigned coding, enum jc_section section,
	const uint8_t *bytes, size_t length)
{
	enum jc_bone first;
	size_t bones = jc_chain_section_bones(section, &first);
	size_t head = head_bytes(section);
	struct jc_chain fresh = { .coding = (uint8_t)coding };
	struct jc_range_decoder decoder;
	uint64_t mask = 0;
	int32_t index = MISS_FIRST;
	bool settled;

	chain->started = false;
	if (length > JC_CHAIN_BYTES) {
		return JC_ERROR_LIMIT;
	}
	if (length <= head) {
		return JC_ERROR_TRUNCATED;
	}
	if (bytes[0] >> 2 != table_of(coding)) {
		return JC_ERROR_UNSUPPORTED;
	}
	fresh.precision = bytes[0] & 3;
	for (size_t i = 1; i < head; i++) {
		mask |= (uint64_t)bytes[i] << 8 * (i - 1);
	}
	if (jc_chain_is_counted(section)) {
		mask = mask > bones ? UINT64_MAX : (UINT64_C(1) << mask) - 1;
	}
	if (fresh.precision >= JC_PRECISION_COUNT || (bones && mask >> bones)) {
		return JC_ERROR_INVALID;
	}
	jc_chain_choose(&fresh, section, mask << first);
	jc_range_decoder_init(&decoder, bytes + head, length - head);
	settled = jc_range_decode_bits(&decoder, 1);
	for (size_t i = 0; i < fresh.count; i++) {
		if (!read_item(&fresh, i, settled, &index, &decoder)) {
			return JC_ERROR_INVALID;
		}
	}
	if (jc_range_decoder_has_more(&decoder)) {
		return JC_ERROR_INVALID;
	}
	fresh.started = true;
	*chain = fresh;
	return (int)length;
}
