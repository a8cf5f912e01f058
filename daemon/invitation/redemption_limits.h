/* Limits on failed redemptions: of each address, and of codes by all addresses together, or by all
 * clients of an edge. */
#ifndef JC_REDEMPTION_LIMITS_H
#define JC_REDEMPTION_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"
#include "base/token_bucket.h"

#define JC_REDEMPTION_BUCKETS 1024u

/* The content of a redemption. Only codes have a limit in total: nobody guesses one of the 2^128
 * secrets, and with such a limit a few addresses could deny links to all guests. */
enum jc_redemption_kind { JC_REDEEM_SECRET, JC_REDEEM_CODE };

struct jc_redemption_limits {
	struct jc_siphash_key key; /* random: clients cannot choose addresses of one bucket */
	/* An address has the bucket that its hash selects; those that share one share its
	 * failures. No address is kept. */
	struct jc_token_bucket addresses[JC_REDEMPTION_BUCKETS];
	struct jc_token_bucket codes;
	/* At an origin: the codes that edges pass on. Edges share one as addresses do. */
	struct jc_token_bucket edges[JC_REDEMPTION_BUCKETS];
};

/* Where a redemption comes from: one of the two. */
struct jc_redemption_source {
	const char *address; /* jc_address_network; NULL: an edge limits its clients by theirs */
	const char *edge;    /* name of the edge that passes it on, else NULL */
};

/* Returns 0, or JC_ERROR_UNSUPPORTED if the system has no random bytes. */
int jc_redemption_limits_init(struct jc_redemption_limits *limits, int64_t now_ns);

/* Whether an address or an edge may still fail. What edges pass on counts for each of them alone.
 */
bool jc_redemption_limits_allow(const struct jc_redemption_limits *limits,
	enum jc_redemption_kind kind, const struct jc_redemption_source *source, int64_t now_ns);

/* Counts a failure. */
void jc_redemption_limits_fail(struct jc_redemption_limits *limits, enum jc_redemption_kind kind,
	const struct jc_redemption_source *source, int64_t now_ns);

#endif
