/* Refuses the system calls that the unit does not permit. */
#ifndef JC_TEST_FILTER_H
#define JC_TEST_FILTER_H

#include "unit.h"

struct filter;

/* Makes the filter of a unit. `systemd-analyze` lists the system calls of each group. */
struct filter *filter_make(const struct unit *unit);

/* Applies the filter to the caller and to the programs that it executes. */
void filter_load(const struct filter *filter);

#endif
