/* Report of a VMC receiver for the status of its source. */
#ifndef JC_PRIVATE_VMC_REPORT_H
#define JC_PRIVATE_VMC_REPORT_H

#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"

/* The addresses of ignored and invalid messages; owned by the receiver. */
const struct jc_osc_names *jc_vmc_receiver_unused(const struct jc_vmc_receiver *receiver);

#endif
