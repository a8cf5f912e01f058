/* Prediction and probabilities of the next frame of a chain, equal in encoder and decoder. Integers
 * only; all rules stand in proto/SMALL-PACKETS.md, "Chains". */
#ifndef JC_CODEC_CHAIN_MODEL_H
#define JC_CODEC_CHAIN_MODEL_H

#include <stdint.h>

#include "jointcast_private/chain.h"
#include "range_coder.h"

/* Units: a lattice unit is the smallest step of a coordinate. Positions are in
 * 1/256 of it, distances that the scale is made of in 1/64, logarithms are
 * log2 in 1/16. */
enum {
	JC_PLACE_ONE = 256,
	JC_MISS_ONE = 64,
	JC_PACE_ONE = 16,
	JC_LOG_ONE = 16,
};

enum jc_feature {
	JC_FEATURE_ONE,  /* a constant */
	JC_FEATURE_MISS, /* recent prediction error of the coordinate */
	JC_FEATURE_STEP, /* its pace */
	JC_FEATURE_COUNT
};

#define JC_MOMENTUM_COUNT 16
#define JC_TAIL_COUNT     257
#define JC_COSET_SCALES   40
#define JC_ODDS_COUNT     128
#define JC_PASS_COUNT     20

/* How the next place of an item is predicted. */
struct jc_chain_predictor {
	int16_t weights[JC_FEATURE_COUNT]; /* 1/256 */
	/* How much of the pace is repeated, in 1/256, by half octaves of pace over miss. */
	int16_t momentum[JC_MOMENTUM_COUNT];
	int16_t doubt;     /* added to that miss, 1/64 unit */
	int16_t miss_rate; /* of a new miss in the mean, 1/64 */
	int16_t surprise;  /* how far the scale follows the misses of the frame, 1/4 */
	int16_t rounding;  /* share of a probable rounding that the next frame undoes, 1/256 */
	int16_t pace_rate[JC_PRECISION_COUNT]; /* of a new step in the pace, 1/256 */
};

/* The trained numbers (chain_table.c, made by training/train.c). */
struct jc_chain_table {
	struct jc_chain_predictor predictor;       /* of coding 2, and of what is no bone */
	struct jc_chain_predictor model_predictor; /* of bones in coding 3 */
	/* The part of the distribution, in 1/32768, beyond i/16 times the scale on
	 * one side. */
	uint16_t tail[JC_TAIL_COUNT];
	/* log2 of the odds that a coordinate is even, by scale (quarter octaves
	 * of 1/64 unit) and distance from an even number (eighths). */
	int16_t coset[JC_COSET_SCALES][5];
	/* 32768 / (1 + 2^(-i/16)) */
	uint16_t odds[JC_ODDS_COUNT];
	/* Where a bone is when nothing is known, in 1/4096 of the chart, and the
	 * logarithm of the scale of that at fine precision. */
	int16_t prior_place[JC_BONE_COUNT][3];
	uint8_t prior_scale[JC_BONE_COUNT][3];
	uint8_t prior_step; /* scale of a step over that of the misses, logarithm */
	/* Coding 3: level of the lattice of a bone at fine precision. */
	uint8_t levels[JC_BONE_COUNT];
	/* How much lower that level is at standard, and twice as much at coarse: bones that move
	 * feet. */
	uint8_t finer[JC_SECTION_BODY_COUNT];
	/* Level of its bound; above the level of a lattice that is finer than the bound demands. */
	uint8_t bounds[JC_BONE_COUNT];
	/* How much of its miss the children of a bone undo, in 1/256, by half octaves of the miss
	 * that was expected: all of a rounding, little of a movement. */
	int16_t pass[JC_PASS_COUNT];
	/* How much of the miss of a finger bone its followers repeat, in 1/256: fingers curl
	 * together. */
	int16_t curl;
	int8_t parents[JC_SECTION_BODY_COUNT]; /* -1: none */
	/* The unit of the parent over that of the bone, 1/256. */
	uint16_t ratios[JC_PRECISION_COUNT][JC_SECTION_BODY_COUNT];
};
#ifdef JC_TRAINING
#define JC_CHAIN_TABLE_CONST
#else
#define JC_CHAIN_TABLE_CONST const
#endif
extern JC_CHAIN_TABLE_CONST struct jc_chain_table jc_chain_table;

/* 16 log2(value), straight between the powers of two; value > 0. */
int jc_log16(uint32_t value);

/* The distribution of one coordinate. */
struct jc_expectation {
	int32_t expected; /* expected value, 1/256 */
	int32_t scale;    /* logarithm of the expected distance from it, 1/64 */
	int32_t spacing;  /* between possible values, units: 1 or 2 */
	int32_t nearest;  /* the possible value nearest to expected */
};

/* Fills nearest; parity is that of the values (spacing 2), 0 for spacing 1. */
struct jc_expectation jc_expect(int32_t expected, int32_t scale, int32_t spacing, int parity);

/* A value relative to its expectation: its group, and the index in the group. */
struct jc_symbol {
	uint32_t from;
	uint32_t size;
	uint32_t beyond; /* groups past the last, plus 1; 0 for those before it */
	uint32_t rest;
	int bits; /* of rest */
};

struct jc_symbol jc_symbol_of(const struct jc_expectation *expectation, int32_t value);
int jc_symbol_cost(const struct jc_symbol *symbol); /* in 1/16 bit */
void jc_symbol_encode(const struct jc_symbol *symbol, struct jc_range_encoder *encoder);

void jc_expectation_encode(
	const struct jc_expectation *expectation, int32_t value, struct jc_range_encoder *encoder);
/* INT32_MIN for damage. */
int32_t jc_expectation_decode(
	const struct jc_expectation *expectation, struct jc_range_decoder *decoder);

/* Probability, in 1/32768, that all three coordinates are even. */
uint32_t jc_coset_even(const int32_t expected[3], const int32_t scales[3]);

/* The items of a frame before the current one. */
struct jc_chain_past {
	int32_t missed; /* running sums */
	int32_t expected;
	uint64_t seen;                    /* coding 3: bit = bone among the items */
	int32_t passed[JC_BONE_COUNT][3]; /* what their children undo, 1/256 of their unit */
};

/* Prediction for an item before its coordinates are coded. */
struct jc_prediction {
	int32_t expected[3]; /* predicted place in 1/256, without the influence of earlier
				coordinates */
	int32_t miss[3];     /* the distance from there expected, 1/64, at least 1 */
	int32_t logs[3];     /* its logarithm */
	int32_t scales[3];   /* its logarithm, more in a frame of surprises */
	int32_t pace[3];     /* 1/4 unit a frame */
	double lean;         /* what a miss along the pace is divided by; whole */
};

void jc_predict(const struct jc_chain_predictor *predictor, const struct jc_chain_item *item,
	const struct jc_chain_past *past, struct jc_prediction *out_prediction);

/* A miss: how far the place of a bone is from where it was expected, 1/256 unit. */
struct jc_chain_miss {
	int32_t off[3];
	int32_t rounded[3]; /* how much of it was no motion but the rounding of the frame before */
};

/* expected: as jc_predicted_place gave it. */
struct jc_chain_miss jc_chain_miss(
	const struct jc_prediction *prediction, const int32_t expected[3], const int32_t place[3]);

/* The bone whose miss shifts the prediction for a bone, or -1: for a bone of the body its nearest
 * ancestor among those that were seen, for a finger the bone above it or the one beside it. */
int jc_past_source(const struct jc_chain_past *past, int bone);

/* Shifts the prediction for a bone by what its source passed on. */
void jc_predict_from(const struct jc_chain_past *past, unsigned precision, int bone, int source,
	struct jc_prediction *prediction);

/* Notes the miss of a bone for those of which it is the source. */
void jc_past_pass(struct jc_chain_past *past, int bone, const struct jc_chain_miss *miss);

/* Updates the expectation of a later coordinate with the earlier ones. */
int32_t jc_predicted_place(
	const struct jc_prediction *prediction, int coordinate, const int32_t place[3]);

/* The prediction error in 1/64, bounded. */
int32_t jc_missed(int32_t expected, int32_t place);

#endif
