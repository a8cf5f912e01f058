/* A token bucket that counts in nanoseconds of time earned. */
#include "base/token_bucket.h"

#define SECOND INT64_C(1000000000)

void jc_token_bucket_init(struct jc_token_bucket *bucket, int64_t now_ns)
{
	jc_token_bucket_init_capacity(bucket, 2 * SECOND, now_ns);
}

void jc_token_bucket_init_capacity(
	struct jc_token_bucket *bucket, int64_t capacity_ns, int64_t now_ns)
{
	*bucket = (struct jc_token_bucket){
		.capacity_ns = capacity_ns, .left_ns = capacity_ns, .reckoned_ns = now_ns
	};
}

bool jc_token_bucket_spend(
	struct jc_token_bucket *bucket, int64_t units, int64_t per_second, int64_t now_ns)
{
	int64_t cost_ns = units * SECOND / per_second;
	int64_t earned_ns = now_ns - bucket->reckoned_ns;

	bucket->reckoned_ns = now_ns;
	bucket->left_ns = earned_ns > bucket->capacity_ns - bucket->left_ns
				  ? bucket->capacity_ns
				  : bucket->left_ns + earned_ns;
	if (bucket->left_ns < cost_ns) {
		return false;
	}
	bucket->left_ns -= cost_ns;
	return true;
}
