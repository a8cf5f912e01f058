/* Derives the coding table from its parameters: the distribution is a sum of two exponentials; the
 * probabilities of the two lattice halves follow from one exponential of adjustable width. */
#include "parameters.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "chain_private.h"
#include "chart.h"

static const int weights[JC_FEATURE_COUNT] = { 60, 170, 20 };
static const int momenta[JC_MOMENTUM_COUNT] = { -24, 34, 30, 84, 114, 144, 174, 204, 224, 239, 249,
	259, 240, 240, 240, 240 };

void parameters_init(struct parameter parameters[PARAMETER_COUNT])
{
	for (int i = 0; i < JC_FEATURE_COUNT; i++) {
		parameters[PARAMETER_WEIGHTS + i] = (struct parameter){ weights[i], 0, 400, 8 };
	}
	for (int i = 0; i < JC_MOMENTUM_COUNT; i++) {
		parameters[PARAMETER_MOMENTUM + i] = (struct parameter){ momenta[i], -60, 300, 16 };
	}
	parameters[PARAMETER_TAIL] = (struct parameter){ 40, 0, 600, 40 };
	parameters[PARAMETER_TAIL + 1] = (struct parameter){ 1000, 500, 3000, 100 };
	parameters[PARAMETER_TAIL + 2] = (struct parameter){ 800, 200, 1500, 70 };
	parameters[PARAMETER_COSET] = (struct parameter){ 300, 0, 600, 40 };
	parameters[PARAMETER_COSET + 1] = (struct parameter){ 1000, 300, 1300, 70 };
}

static double sum_of(int parity, double offset, double width)
{
	double sum = 0.0;

	for (int i = -60 + parity; i <= 60; i += 2) {
		sum += exp(-fabs(i - offset) / width);
	}
	return sum;
}

void parameters_apply(
	const struct parameter parameters[PARAMETER_COUNT], struct jc_chain_table *table)
{
	double share = parameters[PARAMETER_TAIL].value / 1000.0;
	double rate = parameters[PARAMETER_TAIL + 1].value / 1000.0;
	double slow = parameters[PARAMETER_TAIL + 2].value / 1000.0;
	double width = parameters[PARAMETER_COSET].value / 1000.0;
	double trust = parameters[PARAMETER_COSET + 1].value / 1000.0;

	for (int i = 0; i < JC_FEATURE_COUNT; i++) {
		table->predictor.weights[i] = (int16_t)parameters[PARAMETER_WEIGHTS + i].value;
	}
	for (int i = 0; i < JC_MOMENTUM_COUNT; i++) {
		table->predictor.momentum[i] = (int16_t)parameters[PARAMETER_MOMENTUM + i].value;
	}
	for (int i = 0; i < JC_TAIL_COUNT; i++) {
		double z = i / 16.0;

		table->tail[i] = (uint16_t)lround(
			16384.0 * ((1.0 - share) * exp(-rate * z) + share * exp(-slow * z)));
	}
	for (int k = 0; k < JC_COSET_SCALES; k++) {
		double scale = (16 + (k * 4 & 15)) / 16.0 * exp2((k * 4) >> 4) / JC_MISS_ONE;

		for (int d = 0; d < 5; d++) {
			double even = sum_of(0, d / 8.0, scale + width);
			double odd = sum_of(1, d / 8.0, scale + width);
			double odds = trust * JC_LOG_ONE * log2(even / odd);

			table->coset[k][d] = (int16_t)lround(fmin(odds, JC_ODDS_COUNT - 1));
		}
	}
	for (int i = 0; i < JC_ODDS_COUNT; i++) {
		double chance = 32768.0 / (1.0 + exp2(-i / (double)JC_LOG_ONE));

		table->odds[i] = (uint16_t)lround(fmin(chance, 32760.0));
	}
}

static double mirrored(const struct clip *clip, size_t frame, int bone, int coordinate)
{
	struct jc_chart_point point;

	if (!jc_chart_from_rotation(clip->frames[frame][bone],
		    &jc_chain_lattices[JC_PRECISION_FINE], NULL, &point)) {
		return 0.0;
	}
	return point.v[coordinate];
}

void priors_measure(const struct clip *clips, size_t count, struct jc_chain_table *table)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int twin = jc_bone_mirror((enum jc_bone)bone);

		for (int c = 0; c < 3; c++) {
			double sign = c ? -1.0 : 1.0; /* of the twin: x stays, y and z turn */
			double sum = 0.0, away = 0.0;
			size_t n = 0;

			for (size_t k = 0; k < count; k++) {
				for (size_t i = 0; clips[k].rate == 0 && i < clips[k].count;
					i++, n++) {
					sum += mirrored(&clips[k], i, bone, c) +
					       sign * mirrored(&clips[k], i, twin, c);
				}
			}
			sum /= 2.0 * (double)n;
			for (size_t k = 0; k < count; k++) {
				for (size_t i = 0; clips[k].rate == 0 && i < clips[k].count; i++) {
					away += fabs(mirrored(&clips[k], i, bone, c) - sum) +
						fabs(sign * mirrored(&clips[k], i, twin, c) - sum);
				}
			}
			away = away / (2.0 * (double)n) * JC_MISS_ONE;
			/* A lattice unit of fine is 0.000234 of the chart. */
			table->prior_place[bone][c] =
				(int16_t)lround(sum * 0.00023413707231 * 4096);
			/* Fingers barely move in the clips: others' hands do. */
			away = fmax(
				away, (bone >= JC_BONE_COUNT - 30 ? 300.0 : 60.0) * JC_MISS_ONE);
			table->prior_scale[bone][c] = (uint8_t)jc_log16((uint32_t)away);
		}
	}
	table->prior_step = JC_LOG_ONE;
}

static json_t *list16(const int16_t *values, int count)
{
	json_t *list = json_array();

	for (int i = 0; i < count; i++) {
		json_array_append_new(list, json_integer(values[i]));
	}
	return list;
}

static json_t *list_of(const uint16_t *values, int count)
{
	json_t *list = json_array();

	for (int i = 0; i < count; i++) {
		json_array_append_new(list, json_integer(values[i]));
	}
	return list;
}

int table_print(const struct jc_chain_table *table, const char *provenance)
{
	json_t *coset = json_array(), *priors = json_object();
	json_t *root;
	int status;

	for (int i = 0; i < JC_COSET_SCALES; i++) {
		json_array_append_new(coset, list16(table->coset[i], 5));
	}
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const uint8_t *s = table->prior_scale[bone];

		json_object_set_new(priors, jc_bone_name((enum jc_bone)bone),
			json_pack("{so, s[iii]}", "place", list16(table->prior_place[bone], 3),
				"scale", s[0], s[1], s[2]));
	}
	root = json_pack("{si, ss, so, so, so, so, so, si, so}", "table", JC_CHAIN_TABLE,
		"provenance", provenance, "weights",
		list16(table->predictor.weights, JC_FEATURE_COUNT), "momentum",
		list16(table->predictor.momentum, JC_MOMENTUM_COUNT), "tail",
		list_of(table->tail, JC_TAIL_COUNT), "coset", coset, "odds",
		list_of(table->odds, JC_ODDS_COUNT), "priorStep", table->prior_step, "priors",
		priors);
	status = root ? json_dumpf(root, stdout, JSON_INDENT(2)) : -1;
	json_decref(root);
	return status;
}
