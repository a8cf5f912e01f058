/* Repairs MCAP files damaged by a crash, a power cut or a disk error: writes the intact parts to a
 * new file with indexes and a summary, and counts losses. */
#ifndef JOINTCAST_MCAP_RECOVERY_H
#define JOINTCAST_MCAP_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "mcap.h"
#include "mcap_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kept and lost parts of a file. */
struct jc_mcap_recovery {
	bool closed;                   /* the file has an intact end */
	uint64_t messages;             /* kept */
	uint64_t attachments;          /* kept, metadata included */
	uint64_t chunks;               /* kept whole */
	uint64_t parts;                /* chunks kept in part, where the file is cut off */
	uint64_t damages;              /* damaged places */
	uint64_t lost_bytes;           /* in the damaged places */
	uint64_t lost_messages;        /* intact messages whose channel is lost */
	uint64_t start_time, end_time; /* of the kept messages */
	/* Time without messages because of damage, nanoseconds: from the last kept message before
	 * to the first after it, or to the end time in the head of a chunk that is cut off;
	 * estimated from the number of bytes if neither is known. Data that the writer had not yet
	 * written is not included. */
	uint64_t lost_ns;
	bool is_estimate;        /* lost_ns was estimated from a number of bytes */
	uint64_t first_damage;   /* file offset */
	char first_problem[200]; /* what is wrong there */
};

/* Reads the whole input despite damage and writes all messages of intact chunks, the messages of a
 * cut-off chunk as far as it decompresses, attachments with a matching CRC, metadata and
 * definitions. After damage it continues with the next intact chunk. Equal input gives equal
 * output. Errors: JC_ERROR_SYNTAX, not an MCAP file; JC_ERROR_ABSENT, nothing can be kept and the
 * output is useless; JC_ERROR_LIMIT; errors of the sink, which must not be JC_ERROR_INVALID. */
int jc_mcap_recover(const struct jc_mcap_input *input, const char *library,
	const struct jc_mcap_sink *sink, struct jc_mcap_recovery *out_recovery,
	struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
