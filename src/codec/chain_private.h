/* Internals shared by the files of chains: constants and encoding targets. */
#ifndef JC_CODEC_CHAIN_PRIVATE_H
#define JC_CODEC_CHAIN_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "chain_model.h"
#include "chart.h"

#define JC_CHAIN_PLACE_MOST  30000   /* of a rotation, lattice units */
#define JC_CHAIN_TRAVEL_MOST 4000000 /* of the hips: the way between two fits 31 bits */
#define JC_CHAIN_STEP_MOST   1023    /* a longer step is a jump and not used for prediction */
#define JC_CHAIN_MISS_START  64      /* 1/64; settled */
#define JC_CHAIN_MISS_MOST   6400
#define JC_CHAIN_SETTLED     5 /* misses of settled items: 16 times 4 to the power of 0 to 4 */

struct jc_chain_precision {
	const char *name;
	double degrees;
	double metres;
	double value;
	int32_t prior; /* 1/256 lattice unit in 1/4096 of the chart */
	int32_t scale; /* logarithm of the lattice unit over that of fine */
};
extern const struct jc_chain_precision jc_chain_precisions[JC_PRECISION_COUNT];

/* The target values of the items. */
struct jc_chain_targets {
	struct jc_chart_point points[JC_CHAIN_ITEMS]; /* lattice units */
};

/* Whether an item lies on the plain grid and not on the lattice of rotations. */
static inline bool jc_chain_is_grid(const struct jc_chain *chain, size_t item)
{
	switch (chain->section) {
	case JC_SECTION_HIPS:
	case JC_SECTION_CHANNELS:
		return true;
	case JC_SECTION_VIRTUALS:
		return item & 1;
	default:
		return false;
	}
}

/* Bytes in use, without unused items. */
static inline void jc_chain_copy(struct jc_chain *to, const struct jc_chain *from)
{
	memcpy(to, from, offsetof(struct jc_chain, items) + from->count * sizeof(from->items[0]));
}

/* JC_ERROR_INVALID for an invalid value. near: as in chart.h. */
int jc_chain_aim(const struct jc_chain *chain, const struct jc_quat *rotations,
	const struct jc_vec3 *points, bool near, struct jc_chain_targets *out_targets);

/* Whether a place is within the bound of the target. */
bool jc_chain_hits(const struct jc_chain *chain, const struct jc_chain_targets *targets,
	size_t item, const int32_t place[3]);

/* Whether a place can be in a chain. */
bool jc_chain_place_is_valid(const struct jc_chain *chain, size_t item, const int32_t place[3]);

/* Fills the bones of a section that are in the mask. */
void jc_chain_choose(struct jc_chain *chain, enum jc_section section, uint64_t bones);
size_t jc_chain_section_bones(enum jc_section section, enum jc_bone *out_first);

/* Whether its rejoin section contains only the number of bones. */
static inline bool jc_chain_is_counted(enum jc_section section)
{
	return section == JC_SECTION_CHANNELS || section == JC_SECTION_VIRTUALS;
}

void jc_chain_settle(struct jc_chain *chain);
int jc_chain_settled_index(const int32_t miss[3]);
int32_t jc_chain_settled_miss(int index);
bool jc_chain_is_settled(const struct jc_chain *chain);

#endif
