/* A bucket of each address, one of each edge and one for the codes of all others, in which a
 * failure takes so many seconds. */
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
		jc_token_bucket_init_capacity(
			&limits->edges[i], JC_MAX_CODE_FAILURES_OF_ALL * SECOND, now_ns);
	}
	jc_token_bucket_init_capacity(&limits->codes, JC_MAX_CODE_FAILURES_OF_ALL * SECOND, now_ns);
	return jc_siphash_key_init(&limits->key);
}

static size_t index_of(const struct jc_redemption_limits *limits, const char *name)
{
	return jc_siphash(&limits->key, name, strlen(name)) % JC_REDEMPTION_BUCKETS;
}

static bool spend_of_address(struct jc_token_bucket *bucket, int64_t now_ns)
{
	return jc_token_bucket_spend(bucket, JC_REDEMPTION_FAILURE_SECONDS, 1, now_ns);
}

bool jc_redemption_limits_allow(const struct jc_redemption_limits *limits,
	enum jc_redemption_kind kind, const struct jc_redemption_source *source, int64_t now_ns)
{
	struct jc_token_bucket codes =
		source->edge ? limits->edges[index_of(limits, source->edge)] : limits->codes;

	if (source->address) {
		struct jc_token_bucket one = limits->addresses[index_of(limits, source->address)];

		if (!spend_of_address(&one, now_ns)) {
			return false;
		}
	}
	return kind != JC_REDEEM_CODE || jc_token_bucket_spend(&codes, 1, 1, now_ns);
}

void jc_redemption_limits_fail(struct jc_redemption_limits *limits, enum jc_redemption_kind kind,
	const struct jc_redemption_source *source, int64_t now_ns)
{
	if (source->address) {
		spend_of_address(&limits->addresses[index_of(limits, source->address)], now_ns);
	}
	if (kind == JC_REDEEM_CODE) {
		jc_token_bucket_spend(source->edge ? &limits->edges[index_of(limits, source->edge)]
						   : &limits->codes,
			1, 1, now_ns);
	}
}
