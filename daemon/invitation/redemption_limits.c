/* A bucket of each address, and one for the codes of all, in which a failure takes so many seconds.
 */
#include "invitation/redemption_limits.h"

#include <string.h>

#include "jointcast/error.h"
#include "maxima.h"

#define SECOND INT64_C(1000000000)

int jc_redemption_limits_init(struct jc_redemption_limits *limits, int64_t now_ns)
{
	for (size_t i = 0; i < JC_REDEMPTION_BUCKETS; i++) {
		jc_token_bucket_init_capacity(&limits->addresses[i],
			JC_MAX_REDEMPTION_FAILURES * JC_REDEMPTION_FAILURE_SECONDS * SECOND,
			now_ns);
	}
	jc_token_bucket_init_capacity(&limits->codes, JC_MAX_CODE_FAILURES_OF_ALL * SECOND, now_ns);
	return jc_siphash_key_init(&limits->key);
}

static size_t index_of(const struct jc_redemption_limits *limits, const char *address)
{
	return jc_siphash(&limits->key, address, strlen(address)) % JC_REDEMPTION_BUCKETS;
}

static bool spend_of_address(struct jc_token_bucket *bucket, int64_t now_ns)
{
	return jc_token_bucket_spend(bucket, JC_REDEMPTION_FAILURE_SECONDS, 1, now_ns);
}

bool jc_redemption_limits_allow(const struct jc_redemption_limits *limits,
	enum jc_redemption_kind kind, const char *address, int64_t now_ns)
{
	struct jc_token_bucket codes = limits->codes;

	if (address) {
		struct jc_token_bucket one = limits->addresses[index_of(limits, address)];

		if (!spend_of_address(&one, now_ns)) {
			return false;
		}
	}
	return kind != JC_REDEEM_CODE || jc_token_bucket_spend(&codes, 1, 1, now_ns);
}

void jc_redemption_limits_fail(struct jc_redemption_limits *limits, enum jc_redemption_kind kind,
	const char *address, int64_t now_ns)
{
	if (address) {
		spend_of_address(&limits->addresses[index_of(limits, address)], now_ns);
	}
	if (kind == JC_REDEEM_CODE) {
		jc_token_bucket_spend(&limits->codes, 1, 1, now_ns);
	}
}
