/* The few parameters of the coding table, so that little motion suffices for training. */
#ifndef JC_TRAINING_PARAMETERS_H
#define JC_TRAINING_PARAMETERS_H

#include "chain_model.h"
#include "clips.h"

enum {
	PARAMETER_WEIGHTS = 0,
	PARAMETER_MOMENTUM = PARAMETER_WEIGHTS + JC_FEATURE_COUNT,
	PARAMETER_TAIL = PARAMETER_MOMENTUM + JC_MOMENTUM_COUNT, /* share, rate, slow rate */
	PARAMETER_COSET = PARAMETER_TAIL + 3,                    /* width, trust */
	PARAMETER_COUNT = PARAMETER_COSET + 2
};

struct parameter {
	int value;
	int least;
	int most;
	int step;
};

void parameters_init(struct parameter parameters[PARAMETER_COUNT]);
/* Works the table out; the priors stay. */
void parameters_apply(
	const struct parameter parameters[PARAMETER_COUNT], struct jc_chain_table *table);
/* Where bones are when nothing is known: means over the clips, left and right
 * together. */
void priors_measure(const struct clip *clips, size_t count, struct jc_chain_table *table);

/* proto/chain-table.json on standard output. */
int table_print(const struct jc_chain_table *table, const char *provenance);

#endif
