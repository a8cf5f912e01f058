/* A VMC sender as a source: one UDP port, one body. */
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
	struct sockaddr_storage address; /* port 0: any that is free */
	const struct jc_log *log;        /* borrowed */
	/* The avatar that the sender plays, of which it sends the original nodes;
	 * only looked at for the call. NULL: a VRM 0.x one, or normalised. */
	const struct jc_skeleton *avatar;
	struct jc_one_euro_options smooth; /* all 0: nothing is smoothed */
	int64_t epoch_ns;                  /* CLOCK_MONOTONIC at server time 0 */
};

/* Opens the port. It is read when the source is sampled, packets keeping the
 * time at which they arrived. What a silent sender, one that comes back and one that
 * jumps look like says continuity.h. The body's spot is the sender's origin. Returns
 * 0 or a negative error with the diagnostic filled. */
int jc_vmc_source_create(const struct jc_vmc_source_options *options, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic);

/* "127.0.0.1:39539" of the port that was opened. */
void jc_vmc_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT]);

#endif
