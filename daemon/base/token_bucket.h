/* Token buckets: limits on rates that allow bursts. A bucket holds time: it fills as time
 * passes, up to its capacity, and each unit takes its share of a second. */
#ifndef JC_TOKEN_BUCKET_H
#define JC_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct jc_token_bucket {
	int64_t capacity_ns;
	int64_t left_ns;
	int64_t reckoned_ns; /* when left_ns was true */
};

/* Starts full, with a capacity of two seconds, or of that time. */
void jc_token_bucket_init(struct jc_token_bucket *bucket, int64_t now_ns);
void jc_token_bucket_init_capacity(
	struct jc_token_bucket *bucket, int64_t capacity_ns, int64_t now_ns);

/* Takes the time of `units` at a rate of per_second out of the bucket. Returns false, and
 * takes nothing, when too little is left. */
bool jc_token_bucket_spend(
	struct jc_token_bucket *bucket, int64_t units, int64_t per_second, int64_t now_ns);

#endif
