/* Trains the table of coding 2: turns one parameter after the other a little up
 * and a little down and keeps what makes the clips smaller when they are really
 * encoded, in all precisions and rates. Prints proto/chain-table.json; then
 * proto/generate.mjs writes the tables in C and JavaScript.
 *
 *   train ROUNDS FILE… >proto/chain-table.json   (a FILE may be demo:NAME) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clips.h"
#include "jointcast_private/chain.h"
#include "parameters.h"

#define CLIPS_MOST 256

struct jc_chain_table jc_chain_table;

static size_t encoded_bytes(const struct clip *clip, enum jc_precision precision)
{
	struct jc_chain chain;
	uint8_t bytes[JC_CHAIN_BYTES];
	size_t sum = 0;

	if (jc_chain_start(&chain, JC_CODING_CHAIN, JC_SECTION_BODY, precision, ~UINT64_C(0),
		    clip->frames[0], NULL)) {
		fprintf(stderr, "train: %s: invalid rotation\n", clip->name);
		exit(1);
	}
	for (size_t i = 1; i < clip->count; i++) {
		int length =
			jc_chain_encode(&chain, clip->frames[i], NULL, false, bytes, sizeof(bytes));

		if (length < 0) {
			fprintf(stderr, "train: %s: frame %zu cannot be encoded\n", clip->name, i);
			exit(1);
		}
		sum += (size_t)length;
	}
	return sum;
}

/* Bytes a frame of each precision and rate, relative to what is aimed at, 30 Hz
 * three times; generated motion counts half, for it is too smooth. */
static double cost(const struct clip *clips, size_t count)
{
	static const double aims[JC_PRECISION_COUNT][RATE_COUNT] = {
		{ 30.0, 22.2, 18.75 },
		{ 18.0, 13.3, 11.25 },
		{ 10.0, 7.4, 6.25 },
	};
	double sum = 0.0;

	for (int precision = 0; precision < JC_PRECISION_COUNT; precision++) {
		for (int rate = 0; rate < RATE_COUNT; rate++) {
			double bytes = 0.0, frames = 0.0;

			for (size_t i = 0; i < count; i++) {
				double weight = strncmp(clips[i].name, "demo:", 5) ? 1.0 : 0.5;

				if (clips[i].rate == rate) {
					bytes += weight * (double)encoded_bytes(&clips[i],
								  (enum jc_precision)precision);
					frames += weight * (double)(clips[i].count - 1);
				}
			}
			if (frames > 0.0) {
				sum += (rate ? 1.0 : 3.0) * bytes / frames / aims[precision][rate];
			}
		}
	}
	return sum;
}

static double improve(struct parameter parameters[PARAMETER_COUNT], int index, double best,
	const struct clip *clips, size_t count)
{
	struct parameter *parameter = &parameters[index];

	for (int direction = -1; direction <= 1; direction += 2) {
		int old = parameter->value;
		double now;

		parameter->value += direction * parameter->step;
		if (parameter->value < parameter->least || parameter->value > parameter->most) {
			parameter->value = old;
			continue;
		}
		parameters_apply(parameters, &jc_chain_table);
		now = cost(clips, count);
		if (now < best - 1e-6) {
			best = now;
			break;
		}
		parameter->value = old;
	}
	parameters_apply(parameters, &jc_chain_table);
	return best;
}

static void add_name(char *provenance, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = strlen(provenance);

	snprintf(provenance + length, size - length, " %s", slash ? slash + 1 : path);
}

int main(int argc, char **argv)
{
	static struct clip clips[CLIPS_MOST];
	struct parameter parameters[PARAMETER_COUNT];
	char provenance[2048] = "trained by src/codec/training/train.c on";
	size_t count = 0;
	double best;

	if (argc < 3) {
		fputs("usage: train ROUNDS FILE…\n", stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		clips_load(argv[i], clips, &count, CLIPS_MOST);
		add_name(provenance, sizeof(provenance), argv[i]);
	}
	parameters_init(parameters);
	parameters_apply(parameters, &jc_chain_table);
	priors_measure(clips, count, &jc_chain_table);
	best = cost(clips, count);
	for (int round = 0; round < atoi(argv[1]); round++) {
		for (int i = 0; i < PARAMETER_COUNT; i++) {
			best = improve(parameters, i, best, clips, count);
			fprintf(stderr, "round %d, parameter %d of %d: %.4f\n", round + 1, i + 1,
				PARAMETER_COUNT, best);
		}
		for (int i = 0; i < PARAMETER_COUNT; i++) {
			parameters[i].step = parameters[i].step * 2 / 3 + 1;
		}
	}
	for (size_t i = 0; i < count; i++) {
		free(clips[i].frames);
		free(clips[i].hips);
	}
	return table_print(&jc_chain_table, provenance) ? 3 : 0;
}
