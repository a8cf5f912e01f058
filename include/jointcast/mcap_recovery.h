/* Mends MCAP files that a crash, a power cut or a bad disk left torn: what is
 * whole is written anew, with indexes and a summary; what is lost is counted. */
#ifndef JOINTCAST_MCAP_RECOVERY_H
#define JOINTCAST_MCAP_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"
#include "mcap_writer.h"

struct jc_mcap_recovery {
	bool closed;                   /* the writer had ended its file */
	uint64_t messages;             /* that are kept */
	uint64_t attachments;          /* and metadata, that are kept */
	uint64_t chunks;               /* kept whole */
	uint64_t parts;                /* chunks kept in part: the one at which a file is cut off */
	uint64_t damages;              /* places where something is wrong */
	uint64_t lost_bytes;           /* in these places */
	uint64_t lost_messages;        /* that can be read, but whose channel is lost */
	uint64_t start_time, end_time; /* of the messages that are kept */
	/* Time without messages because of damage, nanoseconds: between what is
	 * kept before and after, or to the end that a chunk which is cut off still
	 * tells. Where neither is known it is estimated from the bytes. What a
	 * writer had not yet written when it ended is not in it. */
	uint64_t lost_ns;
	bool is_estimate;
	uint64_t first_damage; /* where in the file */
	char first_problem[200];
};

/* Goes through all of the input, whatever is wrong in it, and writes what it
 * finds: every message of every whole chunk, those of a chunk that is cut off as
 * far as it decompresses, attachments whose CRC matches, metadata, definitions.
 * After damage it goes on with the next chunk that is whole. Equal input gives
 * equal output. JC_ERROR_SYNTAX: never was an MCAP file; JC_ERROR_ABSENT:
 * nothing in it can be kept, and what was written is of no use; JC_ERROR_LIMIT:
 * more than limits.h allows; what the sink returns, which is never
 * JC_ERROR_INVALID. */
int jc_mcap_recover(const struct jc_mcap_input *input, const char *library,
	const struct jc_mcap_sink *sink, struct jc_mcap_recovery *out_recovery,
	struct jc_diagnostic *diagnostic);

#endif
