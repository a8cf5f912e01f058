/* Takes one person out of a recording: the same file without that body, whole, with
 * its indexes. */
#ifndef JOINTCAST_RECORDING_FORGET_H
#define JOINTCAST_RECORDING_FORGET_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"
#include "mcap_writer.h"

struct jc_forgotten {
	size_t bodies; /* of that name that were in it */
	uint64_t captures;
	size_t skeletons; /* that nobody else wore */
	size_t markers;   /* that stay although they have the name, or what people read instead, in
			     their text */
};

/* Writes the recording without the bodies of that name: their entries in rosters, their
 * captures, transforms, packets and events, and skeletons that nobody else wears. What
 * markers say stays. JC_ERROR_ABSENT where no body has the name, and nothing was written;
 * JC_ERROR_UNSUPPORTED for an MCAP file of others, JC_ERROR_TRUNCATED for one that was not
 * closed; JC_ERROR_LIMIT, JC_ERROR_MEMORY; what the sink returns. After any other than the
 * first what was written is of no use. */
int jc_recording_forget(const struct jc_mcap_input *input, const char *name, const char *library,
	const struct jc_mcap_sink *sink, struct jc_forgotten *out_forgotten,
	struct jc_diagnostic *diagnostic);

#endif
