/* A token bucket: time fills it with up to two seconds' worth, and each unit costs its share of a
 * second. */
#ifndef JC_TOKEN_BUCKET_H
#define JC_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct jc_token_bucket {
	int64_t left_ns;
	int64_t reckoned_ns; /* the time of the last filling */
};

/* A new bucket is full. */
void jc_token_bucket_init(struct jc_token_bucket *bucket, int64_t now_ns);

/* Takes `units`, of which there are per_second; false: there are too few, and nothing is taken. */
bool jc_token_bucket_spend(
	struct jc_token_bucket *bucket, int64_t units, int64_t per_second, int64_t now_ns);

#endif
