/* A budget of processor time for control messages: of a client, of an address, of all
 * together. Time fills a budget; work is charged after it is done, so that a budget may be
 * overdrawn, and its owner then waits until it is positive again. */
#ifndef JC_BUDGET_H
#define JC_BUDGET_H

#include <stdint.h>

struct jc_budget {
	int64_t left_ns;   /* of processor time; negative: overdrawn */
	int64_t filled_ns; /* CLOCK_MONOTONIC when time last filled it */
	int64_t recent_ns; /* processor time of about the last second */
};

/* Begins with `most_ns`. */
void jc_budget_init(struct jc_budget *budget, int64_t most_ns, int64_t now_ns);

/* Fills the budget at `percent` of a core, up to `most_ns`. Returns the rest. */
int64_t jc_budget_fill(struct jc_budget *budget, unsigned percent, int64_t most_ns, int64_t now_ns);

void jc_budget_charge(struct jc_budget *budget, int64_t spent_ns);

#endif
