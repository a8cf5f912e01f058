/* Report of a VMC receiver for the status of its source. */
#ifndef JC_PRIVATE_VMC_REPORT_H
#define JC_PRIVATE_VMC_REPORT_H

#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"

/* The addresses of ignored and invalid messages; owned by the receiver. */
const struct jc_osc_names *jc_vmc_receiver_unused(const struct jc_vmc_receiver *receiver);

/* The newest time of the sender's clock (/VMC/Ext/T) with its arrival. Returns false if the sender
 * gives none, or one too coarse to compare. */
bool jc_vmc_receiver_time(
	const struct jc_vmc_receiver *receiver, int64_t *out_sent_ns, int64_t *out_arrived_ns);

#endif
