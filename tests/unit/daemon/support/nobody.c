/* See nobody.h. */
#include "nobody.h"

void nobody_tick(struct jc_distribution *distribution, uint32_t tick)
{
	(void)distribution;
	(void)tick;
}

void nobody_enters(struct jc_distribution *distribution, const struct jc_body *body)
{
	(void)distribution;
	(void)body;
}

void nobody_due(struct jc_distribution *distribution)
{
	(void)distribution;
}

void nobody_hears(struct jc_distribution *distribution, const struct jc_announcement *announcement)
{
	(void)distribution;
	(void)announcement;
}

void nobody_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	(void)distribution;
	(void)id;
	(void)slot;
}

const struct jc_distribution_ops nobody = { .plan = nobody_tick,
	.cast = nobody_tick,
	.body_entered = nobody_enters,
	.body_left = nobody_left,
	.roster_due = nobody_due,
	.announce = nobody_hears };
