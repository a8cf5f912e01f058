/* A distribution half for spaces that nobody watches. */
#ifndef JC_TEST_NOBODY_H
#define JC_TEST_NOBODY_H

#include "space/distribution.h"

extern const struct jc_distribution_ops nobody;

/* For halves that leave some of it to nobody. */
void nobody_tick(struct jc_distribution *distribution, uint32_t tick);
void nobody_enters(struct jc_distribution *distribution, const struct jc_body *body);
void nobody_due(struct jc_distribution *distribution);
void nobody_hears(struct jc_distribution *distribution, const struct jc_announcement *announcement);
void nobody_left(struct jc_distribution *distribution, uint32_t id, size_t slot);

#endif
