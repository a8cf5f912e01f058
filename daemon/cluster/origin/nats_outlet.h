/* Exports go to NATS. */
#ifndef JC_NATS_OUTLET_H
#define JC_NATS_OUTLET_H

#include "cluster/nats_link.h"
#include "cluster/origin/outlet.h"

struct jc_nats_outlet {
	struct jc_outlet base;
	struct jc_nats_link *link; /* borrowed */
	bool has_lost;             /* a change may not have been sent; the owner clears it */
};

void jc_nats_outlet_init(struct jc_nats_outlet *outlet, struct jc_nats_link *link);

#endif
