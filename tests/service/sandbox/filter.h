/* System calls as the service may make them. */
#ifndef JC_TEST_FILTER_H
#define JC_TEST_FILTER_H

#include "unit.h"

struct filter;

/* Reads what systemd's names of groups stand for: from `systemd-analyze`. */
struct filter *filter_make(const struct unit *unit);

/* From here on. */
void filter_load(const struct filter *filter);

#endif
