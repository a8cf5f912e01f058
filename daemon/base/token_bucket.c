/* A token bucket that counts in nanoseconds of time earned. */
#include "base/token_bucket.h"

#define SECOND INT64_C(1000000000)
#define MOST   (2 * SECOND)

void jc_token_bucket_init(struct jc_token_bucket *bucket, int64_t now_ns)
{
	*bucket = (struct jc_token_bucket){ .left_ns = MOST, .reckoned_ns = now_ns };
}

bool jc_token_bucket_spend(
	struct jc_token_bucket *bucket, int64_t units, int64_t per_second, int64_t now_ns)
{
	int64_t cost_ns = units * SECOND / per_second;
	int64_t earned_ns = now_ns - bucket->reckoned_ns;

	bucket->reckoned_ns = now_ns;
	bucket->left_ns = earned_ns > MOST - bucket->left_ns ? MOST : bucket->left_ns + earned_ns;
	if (bucket->left_ns < cost_ns) {
		return false;
	}
	bucket->left_ns -= cost_ns;
	return true;
}
