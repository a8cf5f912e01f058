/* Token bucket: bursts, refill and refusals. */
#include "base/token_bucket.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

static int spend_all(struct jc_token_bucket *bucket, int64_t per_second, int64_t now_ns)
{
	int count = 0;

	while (jc_token_bucket_spend(bucket, 1, per_second, now_ns)) {
		count++;
	}
	return count;
}

static void burst_spends_two_seconds_of_tokens(void **)
{
	struct jc_token_bucket bucket;

	jc_token_bucket_init(&bucket, 5 * SECOND);
	assert_int_equal(spend_all(&bucket, 50, 5 * SECOND), 100);
}

static void time_refills_the_bucket(void **)
{
	struct jc_token_bucket bucket;

	jc_token_bucket_init(&bucket, 0);
	spend_all(&bucket, 50, 0);
	assert_int_equal(spend_all(&bucket, 50, SECOND / 2), 25);
	assert_int_equal(spend_all(&bucket, 50, SECOND), 25);
	/* After any idle time it has at most one burst. */
	assert_int_equal(spend_all(&bucket, 50, INT64_MAX / 2), 100);
}

static void a_refused_amount_costs_nothing(void **)
{
	struct jc_token_bucket bucket;

	jc_token_bucket_init(&bucket, 0);
	assert_false(jc_token_bucket_spend(&bucket, 2001, 1000, 0));
	assert_true(jc_token_bucket_spend(&bucket, 2000, 1000, 0));
	assert_false(jc_token_bucket_spend(&bucket, 1, 1000, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(burst_spends_two_seconds_of_tokens),
		cmocka_unit_test(time_refills_the_bucket),
		cmocka_unit_test(a_refused_amount_costs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
