/* OSC trackers as a source: one UDP port, one body. */
#ifndef JC_OSC_TRACKERS_SOURCE_H
#define JC_OSC_TRACKERS_SOURCE_H

#include <sys/socket.h>

#include "base/address.h"
#include "base/log.h"
#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "source/source.h"
#include "source/source_uri.h"
#include "source/tracker_role.h"

struct jc_osc_trackers_options {
	struct sockaddr_storage address;   /* port 0: any free port */
	struct jc_source_peers peers;      /* count 0: any sender */
	struct jc_tracker_roles roles;     /* by number; a calibration finds the others */
	float height;                      /* of the person, metres; 0: estimated */
	const struct jc_log *log;          /* borrowed */
	struct jc_one_euro_options smooth; /* all 0: no smoothing */
	int64_t epoch_ns;                  /* CLOCK_MONOTONIC at server time 0 */
};

/* Opens the port; the source reads it when it is sampled. One sender owns the body until it is
 * silent for JC_CONTINUITY_HOLD_NS; the packets of others are ignored. The head needs no
 * calibration; a tracker is part of the body when it has a role, from the options or from a
 * calibration. Returns 0 or a negative error with the diagnostic filled. */
int jc_osc_trackers_source_create(const struct jc_osc_trackers_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic);

/* Processes a packet of a sender as if it had arrived at the port at now_ns, which never decreases.
 */
void jc_osc_trackers_source_take(struct jc_source *source, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns);

/* Address of the opened port, such as "127.0.0.1:9010". */
void jc_osc_trackers_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT]);

#endif
