/* Limits on failed redemptions, of each address and of all together. */
#ifndef JC_REDEMPTION_LIMITS_H
#define JC_REDEMPTION_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/siphash.h"
#include "base/token_bucket.h"

#define JC_REDEMPTION_BUCKETS 1024u

/* The content of a redemption. The kinds have separate limits in total: guesses at codes do not
 * stop links. */
enum jc_redemption_kind { JC_REDEEM_SECRET, JC_REDEEM_CODE, JC_REDEMPTION_KINDS };

struct jc_redemption_limits {
	struct jc_siphash_key key; /* random: clients cannot choose addresses of one bucket */
	/* An address has the bucket that its hash selects; those that share one share its
	 * failures. No address is kept. */
	struct jc_token_bucket addresses[JC_REDEMPTION_BUCKETS];
	struct jc_token_bucket all[JC_REDEMPTION_KINDS];
};

/* Returns 0, or JC_ERROR_UNSUPPORTED if the system has no random bytes. */
int jc_redemption_limits_init(struct jc_redemption_limits *limits, int64_t now_ns);

/* Whether an address (jc_address_network) may still fail. */
bool jc_redemption_limits_allow(const struct jc_redemption_limits *limits,
	enum jc_redemption_kind kind, const char *address, int64_t now_ns);

/* Counts a failure. */
void jc_redemption_limits_fail(struct jc_redemption_limits *limits, enum jc_redemption_kind kind,
	const char *address, int64_t now_ns);

#endif
