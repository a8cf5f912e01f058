/* Sends one body of a space to one UDP address, as a VMC performer or as OSC trackers. */
#ifndef JC_OSC_SINK_H
#define JC_OSC_SINK_H

#include "base/log.h"
#include "sink/osc_target.h"
#include "space/sink.h"

/* Sends the body that the target names, or the first it is shown, on its own
 * spot: what places it in the space is left out. A body that is not shown for a
 * second makes room for another. Packets that the system does not take at once
 * are dropped. log is borrowed. Returns 0 or a negative error with the
 * diagnostic filled. */
int jc_osc_sink_create(const struct jc_osc_target *target, const struct jc_log *log,
	struct jc_sink **out_sink, struct jc_diagnostic *diagnostic);

#endif
