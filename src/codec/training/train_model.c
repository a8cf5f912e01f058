/* Chooses the lattices of coding 3, what a bone passes on, and the predictor of bones: turns one
 * number after the other a little and keeps what makes clips smaller at equal errors, relative to
 * coding 2. Begins with the numbers of proto/chain-table.json and prints its `model`.
 *
 *   jc_train_model ROUNDS FILE…   (a FILE may be demo:NAME, or noise:FILE) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain_model.h"
#include "errors.h"

#define CLIPS_MOST  512
#define FRAMES_MOST 300 /* of a clip: long ones would outweigh the others */

/* Errors relative to those of coding 2. */
#define ENDS_MOST 0.97
#define TURN_MOST 1.08

/* Bytes of a single clip relative to those of coding 2. */
#define SHARE_MOST 0.98

/* Bones that stand for themselves and the one of the other side. */
static const enum jc_bone bones[] = { JC_BONE_HIPS, JC_BONE_SPINE, JC_BONE_CHEST,
	JC_BONE_UPPER_CHEST, JC_BONE_NECK, JC_BONE_HEAD, JC_BONE_LEFT_SHOULDER,
	JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_HAND, JC_BONE_LEFT_UPPER_LEG,
	JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES };
enum {
	LEVELS = sizeof(bones) / sizeof(bones[0]),
	SHARE = LEVELS, /* of a rounding that is passed on, 1/256 */
	WIDTH,          /* of a rounding, 1/64 unit */
	ALL,            /* all levels */
	COUNT
};

/* Feet that stand slide with the steps of the legs' lattices, which the measures do not see: their
 * levels stay. */
static bool is_leg(int i)
{
	return bones[i] >= JC_BONE_LEFT_UPPER_LEG;
}

/* Lattices of bones that move feet are finer than their bounds demand, so that there are places to
 * choose from. */
#define FEET_FINER 6

static int bound_of(int i, int level)
{
	return is_leg(i) && bones[i] != JC_BONE_LEFT_TOES ? level + FEET_FINER : level;
}

/* Of the neck the measures see the place and not the rotation. */
#define LEVEL_MOST 36

static int level_of(const int numbers[COUNT], int i)
{
	int level = numbers[i] + numbers[ALL];

	if (is_leg(i)) {
		return numbers[i];
	}
	return level < 0 ? 0 : level > LEVEL_MOST ? LEVEL_MOST : level;
}

static void apply(const int numbers[COUNT])
{
	struct jc_chain_table *table = &jc_chain_table;

	for (int i = 0; i < LEVELS; i++) {
		int level = level_of(numbers, i), bound = bound_of(i, level);
		enum jc_bone bone = bones[i], other = jc_bone_mirror(bone);

		table->levels[bone] = table->levels[other] = (uint8_t)level;
		table->bounds[bone] = table->bounds[other] = (uint8_t)bound;
	}
	for (int bone = 1; bone < JC_SECTION_BODY_COUNT; bone++) {
		int parent = table->parents[bone];

		for (int p = 0; p < JC_PRECISION_COUNT; p++) {
			int higher = table->levels[parent] - table->levels[bone] -
				     p * (table->finer[parent] - table->finer[bone]);

			table->ratios[p][bone] = (uint16_t)lround(256.0 * exp2(higher / 16.0));
		}
	}
	for (int i = 0; i < JC_PASS_COUNT; i++) {
		double miss = exp2((8.0 * i + 4.0) / 16.0), width = numbers[WIDTH];

		table->pass[i] = (int16_t)lround(
			numbers[SHARE] * width * width / (width * width + miss * miss));
	}
}

/* Bytes and errors of a coding over all clips. */
struct outcome {
	double bytes[JC_PRECISION_COUNT][CLIPS_MOST]; /* a frame */
	double mean[JC_PRECISION_COUNT], most[JC_PRECISION_COUNT], turn[JC_PRECISION_COUNT];
};

static void measure(
	const struct clip *clips, size_t count, unsigned coding, struct outcome *out_outcome)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		struct errors errors = { 0 };

		for (size_t i = 0; i < count; i++) {
			double bytes = errors.bytes, frames = errors.frames;

			if (clips[i].rate == 0 && clips[i].count > 1) {
				errors_measure(&errors, &clips[i], coding, JC_SECTION_BODY,
					(enum jc_precision)p, FRAMES_MOST);
				out_outcome->bytes[p][i] =
					(errors.bytes - bytes) / (errors.frames - frames);
			}
		}
		out_outcome->mean[p] = series_mean(&errors.ends);
		out_outcome->most[p] = series_percentile(&errors.ends, 0.99);
		out_outcome->turn[p] = series_percentile(&errors.model, 0.99);
		errors_finish(&errors);
	}
}

/* Nothing up to the limit. */
static double over(double now, double limit)
{
	return now > limit ? 8.0 * log(now / limit) : 0.0;
}

/* Bytes relative to coding 2, in logarithms, and errors that are greater. */
static double cost(
	const struct clip *clips, size_t count, const int numbers[COUNT], const struct outcome *two)
{
	static struct outcome now;
	double sum = 0.0;

	apply(numbers);
	measure(clips, count, JC_CODING_MODEL_CHAIN, &now);
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		double bytes = 0.0, used = 0.0, worst = 0.0;

		for (size_t i = 0; i < count; i++) {
			if (clips[i].rate == 0 && clips[i].count > 1) {
				double share = (now.bytes[p][i] + 0.5) / (two->bytes[p][i] + 0.5);

				bytes += log(share);
				worst = fmax(worst, over(share, SHARE_MOST));
				used += 1.0;
			}
		}
		sum += bytes / used + worst + over(now.mean[p], ENDS_MOST * two->mean[p]) +
		       over(now.most[p], ENDS_MOST * two->most[p]) +
		       over(now.turn[p], TURN_MOST * two->turn[p]);
	}
	return sum;
}

/* The numbers of the predictor that are trained, and by how much they turn in the first round. */
struct tuned {
	int16_t *number;
	int16_t step;
};

static size_t tuned_numbers(struct tuned out_tuned[JC_FEATURE_COUNT + JC_MOMENTUM_COUNT + 8])
{
	struct jc_chain_predictor *predictor = &jc_chain_table.model_predictor;
	size_t count = 0;

	for (int i = 0; i < JC_FEATURE_COUNT; i++) {
		out_tuned[count++] = (struct tuned){ &predictor->weights[i], 4 };
	}
	for (int i = 0; i < JC_MOMENTUM_COUNT; i++) {
		out_tuned[count++] = (struct tuned){ &predictor->momentum[i], 8 };
	}
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		out_tuned[count++] = (struct tuned){ &predictor->pace_rate[p], 8 };
	}
	out_tuned[count++] = (struct tuned){ &predictor->doubt, 4 };
	out_tuned[count++] = (struct tuned){ &predictor->miss_rate, 2 };
	out_tuned[count++] = (struct tuned){ &predictor->surprise, 1 };
	out_tuned[count++] = (struct tuned){ &predictor->rounding, 16 };
	return count;
}

/* Whether the table may have the predictor (proto/chain-table.mjs). */
static bool is_possible(const struct jc_chain_predictor *predictor)
{
	bool is_good = predictor->doubt >= 1 && predictor->miss_rate >= 1 &&
		       predictor->surprise >= 0 && predictor->rounding >= 0 &&
		       predictor->rounding <= 128;

	for (int i = 0; i < JC_FEATURE_COUNT; i++) {
		is_good = is_good && predictor->weights[i] >= 0;
	}
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		is_good = is_good && predictor->pace_rate[p] >= 1 && predictor->pace_rate[p] <= 256;
	}
	return is_good;
}

static double tune(const struct tuned *tuned, int part, const int numbers[COUNT], double best,
	const struct clip *clips, size_t count, const struct outcome *two)
{
	int step = tuned->step / part > 1 ? tuned->step / part : 1;

	for (int direction = -1; direction <= 1; direction += 2) {
		int16_t old = *tuned->number;
		double now;

		*tuned->number = (int16_t)(old + direction * step);
		if (is_possible(&jc_chain_table.model_predictor)) {
			now = cost(clips, count, numbers, two);
			if (now < best - 1e-5) {
				return now;
			}
		}
		*tuned->number = old;
	}
	return best;
}

static double improve(int numbers[COUNT], int index, int step, double best,
	const struct clip *clips, size_t count, const struct outcome *two)
{
	for (int direction = -1; direction <= 1; direction += 2) {
		int old = numbers[index];
		double now;

		numbers[index] += direction * step;
		now = cost(clips, count, numbers, two);
		if (now < best - 1e-5) {
			return now;
		}
		numbers[index] = old;
	}
	return best;
}

static void print_list(const char *name, const int16_t *list, int count)
{
	printf("\"%s\": [", name);
	for (int i = 0; i < count; i++) {
		printf("%s%d", i ? ", " : "", list[i]);
	}
	printf("],\n");
}

static void print_predictor(const struct jc_chain_predictor *predictor)
{
	printf("  \"predictor\": {\n    ");
	print_list("weights", predictor->weights, JC_FEATURE_COUNT);
	printf("    ");
	print_list("momentum", predictor->momentum, JC_MOMENTUM_COUNT);
	printf("    ");
	print_list("paceRates", predictor->pace_rate, JC_PRECISION_COUNT);
	printf("    \"doubt\": %d, \"missRate\": %d, \"surprise\": %d, \"rounding\": %d\n  },\n",
		predictor->doubt, predictor->miss_rate, predictor->surprise, predictor->rounding);
}

static void print(const int numbers[COUNT])
{
	apply(numbers);
	printf("{\n  \"table\": 1,\n");
	print_predictor(&jc_chain_table.model_predictor);
	printf("  \"pass\": [");
	for (int i = 0; i < JC_PASS_COUNT; i++) {
		printf("%s%d", i ? ", " : "", jc_chain_table.pass[i]);
	}
	printf("],\n  \"curl\": %d,\n  \"bones\": {\n", jc_chain_table.curl);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		printf("    \"%s\": {\"level\": %d", jc_bone_name((enum jc_bone)bone),
			jc_chain_table.levels[bone]);
		if (jc_chain_table.bounds[bone] != jc_chain_table.levels[bone]) {
			printf(", \"bound\": %d", jc_chain_table.bounds[bone]);
		}
		if (bone < JC_SECTION_BODY_COUNT && jc_chain_table.finer[bone]) {
			printf(", \"finer\": %d", jc_chain_table.finer[bone]);
		}
		printf("}%s\n", bone < JC_BONE_COUNT - 1 ? "," : "");
	}
	printf("  }\n}\n");
}

int main(int argc, char **argv)
{
	static struct clip clips[CLIPS_MOST];
	static struct outcome two;
	int numbers[COUNT] = { [SHARE] = 175, [WIDTH] = 36 };
	struct tuned tuned[JC_FEATURE_COUNT + JC_MOMENTUM_COUNT + 8];
	size_t count = 0, tuned_count = tuned_numbers(tuned);
	double best;

	if (argc < 3) {
		fputs("usage: jc_train_model ROUNDS FILE…\n", stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		clips_load(argv[i], clips, &count, CLIPS_MOST);
	}
	for (int i = 0; i < LEVELS; i++) {
		numbers[i] = jc_chain_table.levels[bones[i]];
	}
	measure(clips, count, JC_CODING_CHAIN, &two);
	best = cost(clips, count, numbers, &two);
	for (int round = 0; round < atoi(argv[1]); round++) {
		int step = round == 0 ? 2 : 1;

		for (size_t i = 0; i < tuned_count; i++) {
			best = tune(&tuned[i], round + 1, numbers, best, clips, count, &two);
			fprintf(stderr, "round %d, predictor %zu of %zu: %.4f\n", round + 1, i + 1,
				tuned_count, best);
		}
		for (int i = COUNT - 1; i >= 0; i--) {
			int large = i == SHARE || i == WIDTH ? 5 * step : step;

			if (i < LEVELS && is_leg(i)) {
				continue;
			}
			best = improve(numbers, i, large, best, clips, count, &two);
			fprintf(stderr, "round %d, number %d of %d: %.4f\n", round + 1, COUNT - i,
				COUNT, best);
		}
	}
	print(numbers);
	return 0;
}
