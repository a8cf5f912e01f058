/* A distribution half for spaces without subscribers. */
#ifndef JC_TEST_NOBODY_H
#define JC_TEST_NOBODY_H

#include "space/distribution.h"

extern const struct jc_distribution_ops nobody;

/* For distribution halves that implement only some functions. */
void nobody_tick(struct jc_distribution *distribution, uint32_t tick);
void nobody_enters(struct jc_distribution *distribution, const struct jc_body *body);
void nobody_due(struct jc_distribution *distribution);
void nobody_hears(struct jc_distribution *distribution, const struct jc_announcement *announcement);
void nobody_left(struct jc_distribution *distribution, uint32_t id, size_t slot);

#endif
