/* VMC senders as a source: one UDP port, one body. */
#ifndef JC_VMC_SOURCE_H
#define JC_VMC_SOURCE_H

#include <sys/socket.h>

#include "base/address.h"
#include "base/log.h"
#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "jointcast/skeleton.h"
#include "source/source.h"

struct jc_vmc_source_options {
	struct sockaddr_storage address; /* port 0: any free port */
	const struct jc_log *log;        /* borrowed */
	/* The sender's avatar, whose original node rotations it sends; stolen on success. NULL: a
	 * VRM 0.x avatar, or normalised rotations. */
	struct jc_skeleton *avatar;
	struct jc_one_euro_options smooth; /* all 0: no smoothing */
	int64_t epoch_ns;                  /* CLOCK_MONOTONIC at server time 0 */
};

/* Opens the port; the source reads it when it is sampled, with the arrival times of packets.
 * continuity.h describes silence, return and jumps of a sender. The body's spot is the sender's
 * origin. Returns 0 or a negative error with the diagnostic filled. */
int jc_vmc_source_create(const struct jc_vmc_source_options *options, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic);

/* Takes a packet as if it had arrived at now_ns, and the pose that is complete then. */
void jc_vmc_source_take(struct jc_source *source, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns);

/* Address of the opened port, such as "127.0.0.1:39539". */
void jc_vmc_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT]);

#endif
