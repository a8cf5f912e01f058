/* Internals shared by the files of chains: constants and encoding targets. */
#ifndef JC_CODEC_CHAIN_PRIVATE_H
#define JC_CODEC_CHAIN_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "chain_model.h"
#include "chart.h"

#define JC_CHAIN_PLACE_MOST    30000   /* of a rotation, lattice units */
#define JC_CHAIN_TRAVEL_MOST   4000000 /* of the hips: the way between two fits 31 bits */
#define JC_CHAIN_STEP_MOST     1023    /* a longer step is a jump and not used for prediction */
#define JC_CHAIN_ROUNDING_MOST 16      /* 1/16 lattice unit */
#define JC_CHAIN_MISS_START    64      /* 1/64; settled */
#define JC_CHAIN_MISS_MOST     6400
#define JC_CHAIN_SETTLED       5 /* misses of settled items: 16 times 4 to the power of 0 to 4 */

struct jc_chain_precision {
	const char *name;
	double degrees;
	double metres;
	double value;
	int32_t prior; /* 1/256 lattice unit in 1/4096 of the chart */
	int32_t scale; /* logarithm of the lattice unit over that of fine */
	/* Costs of an encoder of coding 3, in 1/16 bit: of a place as far from the target as the
	 * bound allows, and of a step of an ankle or of toes that is wrong by twice `metres`. */
	double far_cost, slide_cost;
};
extern const struct jc_chain_precision jc_chain_precisions[JC_PRECISION_COUNT];

/* The lattices of coding 3, from fine to coarse: the angle doubles in 16 levels. */
#define JC_CHAIN_LEVELS 128
struct jc_chain_level {
	struct jc_lattice lattice;
	int32_t prior; /* 1/256 lattice unit in 1/4096 of the chart */
};
extern const struct jc_chain_level jc_chain_levels[JC_CHAIN_LEVELS];

/* The lattices of coding 2, and of virtual transforms in both codings. */
extern const struct jc_lattice jc_chain_lattices[JC_PRECISION_COUNT];

/* The joints of the legs during the encoding of a frame. */
struct jc_chain_feet {
	bool watched; /* the chain has all bones that move feet */
	const struct jc_chain_precision *precision;
	const struct jc_chain_legs *before; /* borrowed: of the frame before */
	struct jc_chain_legs now;
	struct jc_quat64 turns[JC_SECTION_BODY_COUNT]; /* of bones in model space, as shown */
	/* Of the newest bone: */
	bool matters;      /* its places differ in how they move a foot */
	double way[3];     /* from its beginning to its end at rest; not of the hips */
	double rows[2][3]; /* first and third row of the rotation matrix of its parent in model
			      space, as shown */
	double step[2];    /* along x and z, that its end should make */
};

/* The target of one item after the other. In coding 3 the target of a bone of the body contains the
 * rotation that makes up for the errors of its ancestors. */
struct jc_chain_aim {
	const struct jc_chain *chain;    /* borrowed */
	const struct jc_quat *rotations; /* borrowed */
	const struct jc_vec3 *points;    /* borrowed */
	uint32_t seen;                   /* bit = bone of the body whose error is known */
	/* Of the newest item: */
	struct jc_lattice lattice; /* of a rotation */
	struct jc_quat64 wanted;   /* of a bone of the body in coding 3 */
	/* From the model-space rotation that is shown to the one that is wanted, in the frame of
	 * the bone. */
	struct jc_quat64 errors[JC_SECTION_BODY_COUNT];
	struct jc_chain_feet feet;
};

static inline struct jc_quat64 jc_quat64_multiply(
	const struct jc_quat64 *a, const struct jc_quat64 *b)
{
	return (struct jc_quat64){
		a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y,
		a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x,
		a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w,
		a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z,
	};
}

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

/* Whether the bones of the chain correct each other's errors. */
static inline bool jc_chain_is_linked(const struct jc_chain *chain)
{
	return chain->coding == JC_CODING_MODEL_CHAIN && chain->section == JC_SECTION_BODY;
}

/* Whether what was unexpected of a bone shifts the prediction for others. */
static inline bool jc_chain_passes(const struct jc_chain *chain)
{
	return chain->coding == JC_CODING_MODEL_CHAIN &&
	       (chain->section == JC_SECTION_BODY || chain->section == JC_SECTION_HANDS);
}

/* What predicts the items of a chain. */
static inline const struct jc_chain_predictor *jc_chain_predictor(const struct jc_chain *chain)
{
	bool is_bones = chain->section == JC_SECTION_BODY || chain->section == JC_SECTION_FACE ||
			chain->section == JC_SECTION_HANDS;

	return chain->coding == JC_CODING_MODEL_CHAIN && is_bones ? &jc_chain_table.model_predictor
								  : &jc_chain_table.predictor;
}

/* The level of a bone in coding 3. */
static inline const struct jc_chain_level *jc_chain_level(int bone, unsigned precision)
{
	int level = jc_chain_table.levels[bone] + jc_chain_precisions[precision].scale;

	if (bone < JC_SECTION_BODY_COUNT) {
		level -= jc_chain_table.finer[bone] * (int)precision;
	}
	return &jc_chain_levels[level];
}

static inline bool jc_chain_has_levels(const struct jc_chain *chain)
{
	return chain->coding == JC_CODING_MODEL_CHAIN && chain->section != JC_SECTION_VIRTUALS;
}

/* The lattice of a bone in coding 3. */
static inline struct jc_lattice jc_chain_bone_lattice(int bone, unsigned precision)
{
	int drop = jc_chain_precisions[precision].scale;

	return (struct jc_lattice){ jc_chain_level(bone, precision)->lattice.unit,
		jc_chain_levels[jc_chain_table.bounds[bone] + drop].lattice.bound };
}

/* Whether the lattice of a bone of the body is finer in coding 3 than its bound demands. */
static inline bool jc_chain_has_spare_places(int bone, unsigned precision)
{
	return jc_chain_table.bounds[bone] >
	       jc_chain_table.levels[bone] - jc_chain_table.finer[bone] * (int)precision;
}

static inline struct jc_lattice jc_chain_lattice(const struct jc_chain *chain, size_t item)
{
	return jc_chain_has_levels(chain)
		       ? jc_chain_bone_lattice(chain->bones[item], chain->precision)
		       : jc_chain_lattices[chain->precision];
}

/* The nearest ancestor of a bone of the body among those in the mask, or -1. */
static inline int jc_chain_ancestor(uint32_t bones, int bone)
{
	do {
		bone = jc_chain_table.parents[bone];
	} while (bone >= 0 && !(bones >> bone & 1));
	return bone;
}

/* Bytes in use, without unused items. */
static inline void jc_chain_copy(struct jc_chain *to, const struct jc_chain *from)
{
	memcpy(to, from, offsetof(struct jc_chain, items) + from->count * sizeof(from->items[0]));
}

void jc_chain_aim_init(struct jc_chain_aim *aim, const struct jc_chain *chain,
	const struct jc_quat *rotations, const struct jc_vec3 *points);
/* The target of the next item, in lattice units. near: as in chart.h. JC_ERROR_INVALID for an
 * invalid value. */
int jc_chain_aim_at(struct jc_chain_aim *aim, size_t item, const int32_t near[3],
	struct jc_chart_point *out_target);
/* What a place of that item costs beside its bytes, in 1/16 bit. share: as in chart.h. */
int jc_chain_aim_cost(
	const struct jc_chain_aim *aim, size_t item, double share, const int32_t place[3]);
/* The item has that place. */
void jc_chain_aim_pass(struct jc_chain_aim *aim, size_t item, const int32_t place[3]);

/* points: the hips translation, or NULL. */
void jc_chain_feet_init(
	struct jc_chain_feet *feet, const struct jc_chain *chain, const struct jc_vec3 *points);
/* The bone is next. wanted: its target, relative to what is shown of its parent. */
void jc_chain_feet_aim(struct jc_chain_feet *feet, int bone, const struct jc_quat64 *wanted);
/* What it costs, in 1/16 bit, if that bone is shown so and matters: nothing if the joint at its end
 * then moves as in the motion. */
int jc_chain_feet_cost(const struct jc_chain_feet *feet, int bone, const struct jc_quat64 *shown);
/* The bone is shown so. */
void jc_chain_feet_pass(struct jc_chain_feet *feet, int bone, const struct jc_quat64 *shown);

/* Whether a place is within the bound of the target. */
bool jc_chain_hits(const struct jc_chain *chain, size_t item, const struct jc_chart_point *target,
	const int32_t place[3]);

/* The cells of a grid are twice the bound wide. */
double jc_chain_grid_unit(const struct jc_chain *chain);
int32_t jc_chain_place_most(const struct jc_chain *chain, size_t item);

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

/* The item forgets how it moved. */
static inline void jc_chain_item_rest(struct jc_chain_item *item)
{
	memset(item->pace, 0, sizeof(item->pace));
	memset(item->rounding, 0, sizeof(item->rounding));
}

void jc_chain_settle(struct jc_chain *chain);
int jc_chain_settled_index(const int32_t miss[3]);
int32_t jc_chain_settled_miss(int index);
bool jc_chain_is_settled(const struct jc_chain *chain);

#endif
