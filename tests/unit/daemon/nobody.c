/* See nobody.h. */
#include "nobody.h"

static void pass_tick(struct jc_distribution *distribution, uint32_t tick)
{
	(void)distribution;
	(void)tick;
}

static void pass_change(
	struct jc_distribution *distribution, const struct jc_body *body, bool joined)
{
	(void)distribution;
	(void)body;
	(void)joined;
}

static void pass_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	(void)distribution;
	(void)id;
	(void)slot;
}

const struct jc_distribution_ops nobody = {
	.plan = pass_tick, .cast = pass_tick, .body_changed = pass_change, .body_left = pass_left
};
