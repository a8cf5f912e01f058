/* What a client may spend: time fills the purse, up to two seconds' worth, and what
 * it does costs its share of a second. */
#ifndef JC_ALLOWANCE_H
#define JC_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

struct jc_allowance {
	int64_t left_ns;
	int64_t reckoned_ns; /* when time last filled it */
};

/* Begins full. */
void jc_allowance_init(struct jc_allowance *allowance, int64_t now_ns);

/* Whether `units` can be paid of which there are per_second; if so, they are. */
bool jc_allowance_spend(
	struct jc_allowance *allowance, int64_t units, int64_t per_second, int64_t now_ns);

#endif
