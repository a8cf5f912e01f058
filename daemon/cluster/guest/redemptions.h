/* At an edge: redeems links and codes of guests at the origins. An edge does not know which origin
 * has an invitation, so it asks all. */
#ifndef JC_REDEMPTIONS_H
#define JC_REDEMPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "services.h"

struct jc_nats_link;
struct jc_redemptions;

/* NULL: out of memory, or no random bytes. link is borrowed. */
struct jc_redemptions *jc_redemptions_create(struct jc_nats_link *link, int64_t now_ns);

/* Answers all that wait with 503. NULL is fine. */
void jc_redemptions_destroy(struct jc_redemptions *redemptions);

/* Asks origins by their subjects of requests. Returns as jc_cluster_ops.redeem does. */
int jc_redemptions_begin(struct jc_redemptions *redemptions, const struct jc_redemption *redemption,
	const char *const subjects[], size_t count, jc_on_redeemed *on_redeemed, void *context);

#endif
