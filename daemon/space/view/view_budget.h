/* The bytes a second that a subscriber takes, shared among the bodies of its view. */
#ifndef JC_VIEW_BUDGET_H
#define JC_VIEW_BUDGET_H

#include <stdint.h>

#include "space/view/private_view.h"

#define JC_VIEW_BUDGET_HZ 4 /* how often the budget is shared */

/* Sets the levels of the wanted bodies. For views with a budget. */
void jc_view_budget_share(
	struct jc_private_view *private_view, const struct jc_space *space, uint32_t tick);

#endif
