/* What a client may spend: time fills the purse, up to two seconds' worth, and what
 * it does costs its share of a second. */
#ifndef JC_TOKEN_BUCKET_H
#define JC_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct jc_token_bucket {
	int64_t left_ns;
	int64_t reckoned_ns; /* when time last filled it */
};

/* Begins full. */
void jc_token_bucket_init(struct jc_token_bucket *bucket, int64_t now_ns);

/* Whether `units` can be paid of which there are per_second; if so, they are. */
bool jc_token_bucket_spend(
	struct jc_token_bucket *bucket, int64_t units, int64_t per_second, int64_t now_ns);

#endif
