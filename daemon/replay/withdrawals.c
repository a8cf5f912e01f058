/* A sink that receives withdrawals of consent and no motion. */
#include "replay/withdrawals.h"

#include <stdlib.h>

struct jc_withdrawals {
	struct jc_sink base;
	struct jc_space *space; /* borrowed; NULL: the space was destroyed */
	struct jc_rewind_bodies rewind_bodies;
};

static void on_withdrawn(
	struct jc_sink *sink, const struct jc_space *space, const struct jc_body *body)
{
	jc_rewind_bodies_withdraw(&((struct jc_withdrawals *)sink)->rewind_bodies, space, body);
}

static void on_space_gone(struct jc_sink *sink)
{
	((struct jc_withdrawals *)sink)->space = NULL;
}

static const struct jc_sink_ops withdrawals_ops = {
	.withdrawn = on_withdrawn,
	.destroy = on_space_gone,
};

int jc_withdrawals_create(struct jc_space *space, const struct jc_rewind_bodies *rewind_bodies,
	struct jc_withdrawals **out_withdrawals)
{
	struct jc_withdrawals *withdrawals = calloc(1, sizeof(*withdrawals));

	if (!withdrawals) {
		return JC_ERROR_MEMORY;
	}
	withdrawals->base.ops = &withdrawals_ops;
	withdrawals->base.is_aside = true;
	withdrawals->space = space;
	withdrawals->rewind_bodies = *rewind_bodies;
	jc_space_add_sink(space, &withdrawals->base);
	*out_withdrawals = withdrawals;
	return JC_OK;
}

void jc_withdrawals_destroy(struct jc_withdrawals *withdrawals)
{
	if (withdrawals && withdrawals->space) {
		jc_space_remove_sink(withdrawals->space, &withdrawals->base);
	}
	free(withdrawals);
}

bool jc_withdrawals_has(const struct jc_withdrawals *withdrawals, uint32_t id)
{
	return jc_rewind_bodies_is_withdrawn(&withdrawals->rewind_bodies, id);
}
