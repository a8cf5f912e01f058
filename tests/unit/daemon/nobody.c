/* See nobody.h. */
#include "nobody.h"

void nobody_tick(struct jc_distribution *distribution, uint32_t tick)
{
	(void)distribution;
	(void)tick;
}

void nobody_change(struct jc_distribution *distribution, const struct jc_body *body, bool joined)
{
	(void)distribution;
	(void)body;
	(void)joined;
}

void nobody_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	(void)distribution;
	(void)id;
	(void)slot;
}

const struct jc_distribution_ops nobody = { .plan = nobody_tick,
	.cast = nobody_tick,
	.body_changed = nobody_change,
	.body_left = nobody_left };
