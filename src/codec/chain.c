/* State of a chain: start and outputs. */
#include "jointcast_private/chain.h"

#include <math.h>
#include <string.h>

#include "chain_private.h"
#include "chart.h"

const struct jc_chain_precision jc_chain_precisions[JC_PRECISION_COUNT] = {
	{ "fine", 0.06, 0.0005, 0.001, 267, 0, 64.0, 8.0 },
	{ "standard", 0.25, 0.001, 0.0025, 64, 33, 64.0, 50.0 },
	{ "coarse", 1.0, 0.004, 0.01, 16, 65, 96.0, 310.0 },
};

/* The unit is 2 sin(angle / 4) / sqrt(5), less one ten-thousandth, so that at the identity, where
 * the chart is coarsest, no rotation is farther from a lattice point than the angle. The angles are
 * 7e-6 degrees below those promised: four numbers rounded to single precision turn a rotation by up
 * to 2^-23 rad, 6.9e-6 degrees. */
const struct jc_lattice jc_chain_lattices[JC_PRECISION_COUNT] = {
	{ 0.00023410975632, 6.852292641e-08 },
	{ 0.00097554363632, 1.18984469e-06 },
	{ 0.003902244885, 1.903820138e-05 },
};

const char *jc_precision_name(enum jc_precision precision)
{
	return jc_chain_precisions[precision].name;
}

int jc_precision_find(const char *name)
{
	for (int i = 0; i < JC_PRECISION_COUNT; i++) {
		if (strcmp(jc_chain_precisions[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

double jc_precision_degrees(enum jc_precision precision)
{
	return jc_chain_precisions[precision].degrees;
}

double jc_precision_bone_degrees(enum jc_precision precision, enum jc_bone bone)
{
	double bound = jc_chain_bone_lattice(bone, precision).bound;

	/* Four numbers are rounded to single precision. */
	return 4.0 * asin(sqrt(bound)) * (180.0 / 3.14159265358979323846) + 7e-6;
}

double jc_precision_metres(enum jc_precision precision)
{
	return jc_chain_precisions[precision].metres;
}

double jc_precision_value(enum jc_precision precision)
{
	return jc_chain_precisions[precision].value;
}

double jc_precision_range(enum jc_precision precision)
{
	return 2.0 * jc_precision_metres(precision) * JC_CHAIN_TRAVEL_MOST;
}

static float round_to(float value, double step)
{
	return (float)(round((double)value / step) * step);
}

void jc_precision_round(enum jc_precision precision, struct jc_quat rotations[JC_BONE_COUNT],
	struct jc_vec3 *hips_translation)
{
	double step = 2.0 * jc_precision_metres(precision);
	struct jc_vec3 *hips = hips_translation;
	struct jc_chart_point point;
	int32_t place[3];

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_chart_from_rotation(
			    rotations[b], &jc_chain_lattices[precision], NULL, &point)) {
			jc_chart_nearest(&point, place);
			rotations[b] = jc_chart_to_rotation(place, &jc_chain_lattices[precision]);
		}
	}
	*hips = (struct jc_vec3){ round_to(hips->x, step), round_to(hips->y, step),
		round_to(hips->z, step) };
}

size_t jc_chain_section_bones(enum jc_section section, enum jc_bone *out_first)
{
	switch (section) {
	case JC_SECTION_BODY:
		*out_first = 0;
		return 22;
	case JC_SECTION_FACE:
		*out_first = 22;
		return 3;
	case JC_SECTION_HANDS:
		*out_first = 25;
		return 30;
	case JC_SECTION_CHANNELS:
		*out_first = 0;
		return JC_LIMIT_STREAM_VALUES / 3;
	case JC_SECTION_VIRTUALS:
		*out_first = 0;
		return JC_LIMIT_STREAM_VIRTUALS;
	default:
		*out_first = 0;
		return 0;
	}
}

void jc_chain_choose(struct jc_chain *chain, enum jc_section section, uint64_t bones)
{
	enum jc_bone first;
	size_t count = jc_chain_section_bones(section, &first);

	chain->section = (uint8_t)section;
	chain->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (bones >> ((size_t)first + i) & 1) {
			chain->bones[chain->count++] = (int8_t)((size_t)first + i);
			if (section == JC_SECTION_VIRTUALS) {
				chain->bones[chain->count++] = (int8_t)i;
			}
		}
	}
	if (section == JC_SECTION_HIPS) {
		chain->bones[chain->count++] = JC_BONE_HIPS;
	}
}

double jc_chain_grid_unit(const struct jc_chain *chain)
{
	const struct jc_chain_precision *precision = &jc_chain_precisions[chain->precision];

	return 2.0 * (chain->section == JC_SECTION_CHANNELS ? precision->value : precision->metres);
}

int32_t jc_chain_place_most(const struct jc_chain *chain, size_t item)
{
	if (!jc_chain_is_grid(chain, item)) {
		return JC_CHAIN_PLACE_MOST;
	}
	return chain->section == JC_SECTION_CHANNELS
		       ? (int32_t)(1.0 / jc_chain_grid_unit(chain) + 0.5)
		       : JC_CHAIN_TRAVEL_MOST;
}

bool jc_chain_place_is_valid(const struct jc_chain *chain, size_t item, const int32_t place[3])
{
	int32_t limit = jc_chain_place_most(chain, item);

	for (int c = 0; c < 3; c++) {
		if (place[c] < -limit || place[c] > limit) {
			return false;
		}
	}
	return true;
}

/* The nearest point of both halves of the lattice. */
static void settle_on(const double point[3], bool grid, int32_t out_place[3])
{
	double least = INFINITY;

	for (int parity = 0; parity < 2; parity++) {
		int32_t place[3];
		double distance = 0.0;

		for (int c = 0; c < 3; c++) {
			place[c] = grid ? (int32_t)lround(point[c])
					: 2 * (int32_t)lround((point[c] - parity) / 2.0) + parity;
			distance += (point[c] - place[c]) * (point[c] - place[c]);
		}
		if (distance < least) {
			least = distance;
			memcpy(out_place, place, sizeof(place));
		}
	}
}

int jc_chain_start(struct jc_chain *chain, unsigned coding, enum jc_section section,
	enum jc_precision precision, uint64_t bones, const struct jc_quat *rotations,
	const struct jc_vec3 *points)
{
	struct jc_chain fresh = {
		.coding = (uint8_t)coding, .precision = (uint8_t)precision, .started = true
	};
	struct jc_chain_aim aim;

	jc_chain_choose(&fresh, section, bones);
	jc_chain_aim_init(&aim, &fresh, rotations, points);
	for (size_t i = 0; i < fresh.count; i++) {
		struct jc_chain_item *item = &fresh.items[i];
		struct jc_chart_point target;
		int error = jc_chain_aim_at(&aim, i, NULL, &target);

		if (error) {
			return error;
		}
		settle_on(target.v, jc_chain_is_grid(&fresh, i), item->place);
		jc_chain_aim_pass(&aim, i, item->place);
		for (int c = 0; c < 3; c++) {
			item->miss[c] = JC_CHAIN_MISS_START;
		}
	}
	fresh.legs = aim.feet.now;
	*chain = fresh;
	return JC_OK;
}

/* The nearest of 16, 64, 256, 1024 and 4096 to the mean by logarithm. */
int jc_chain_settled_index(const int32_t miss[3])
{
	uint32_t mean = (uint32_t)(miss[0] + miss[1] + miss[2]) / 3;
	int index = (jc_log16(mean + 1) - 3 * JC_LOG_ONE) / (2 * JC_LOG_ONE);

	return index < 0 ? 0 : index >= JC_CHAIN_SETTLED ? JC_CHAIN_SETTLED - 1 : index;
}

int32_t jc_chain_settled_miss(int index)
{
	return 16 << 2 * index;
}

void jc_chain_settle(struct jc_chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		struct jc_chain_item *item = &chain->items[i];
		int32_t miss = jc_chain_settled_miss(jc_chain_settled_index(item->miss));

		for (int c = 0; c < 3; c++) {
			item->miss[c] = miss;
		}
		jc_chain_item_rest(item);
	}
}

bool jc_chain_is_settled(const struct jc_chain *chain)
{
	struct jc_chain settled = *chain;

	jc_chain_settle(&settled);
	return memcmp(settled.items, chain->items, chain->count * sizeof(chain->items[0])) == 0;
}

void jc_chain_rotations(const struct jc_chain *chain, struct jc_quat out_rotations[JC_BONE_COUNT])
{
	for (size_t i = 0; i < chain->count; i++) {
		if (!jc_chain_is_grid(chain, i)) {
			struct jc_lattice lattice = jc_chain_lattice(chain, i);

			out_rotations[chain->bones[i]] =
				jc_chart_to_rotation(chain->items[i].place, &lattice);
		}
	}
}

static struct jc_vec3 point_of(const struct jc_chain *chain, size_t item)
{
	const int32_t *place = chain->items[item].place;
	double unit = jc_chain_grid_unit(chain);

	return (struct jc_vec3){ (float)(place[0] * unit), (float)(place[1] * unit),
		(float)(place[2] * unit) };
}

void jc_chain_points(const struct jc_chain *chain, struct jc_vec3 out_points[JC_CHAIN_ITEMS])
{
	for (size_t i = 0; i < chain->count; i++) {
		if (jc_chain_is_grid(chain, i)) {
			out_points[chain->bones[i]] = point_of(chain, i);
		}
	}
}

struct jc_vec3 jc_chain_translation(const struct jc_chain *chain)
{
	return point_of(chain, 0);
}
