/* Tests the limit of ticks in flight: 150 ms and a round trip (proto/SMALL-PACKETS.md). */
#include "space/ack_credit.h"
#include "unit_test.h"

/* Sends the permitted ticks of first..last; returns their number. */
static int send(struct jc_ack_credit *credit, uint32_t first, uint32_t last)
{
	int count = 0;

	for (uint32_t tick = first; tick <= last; tick++) {
		if (!jc_ack_credit_allows(credit, 60, tick))
			continue;
		jc_ack_credit_sent(credit, tick);
		count++;
	}
	return count;
}

static void allows_every_bundle_when_credit_is_off(void **)
{
	struct jc_ack_credit credit;

	jc_ack_credit_init(&credit, false);
	assert_int_equal(send(&credit, 1, 1000), 1000);
}

static void sends_nine_bundles_without_an_acknowledgement(void **)
{
	struct jc_ack_credit credit;

	jc_ack_credit_init(&credit, true);
	assert_int_equal(send(&credit, 1000, 2000), 9); /* 0.15 s at 60 Hz */
}

static void ten_acknowledgements_per_second_never_block(void **)
{
	struct jc_ack_credit credit;
	int sent = 0;

	jc_ack_credit_init(&credit, true);
	for (uint32_t tick = 100; tick < 1300; tick += 6) {
		sent += send(&credit, tick, tick + 5);
		/* Arrives 30 ms, two ticks, after it was sent. */
		assert_true(jc_ack_credit_acknowledge(&credit, tick + 3, 30000));
	}
	assert_int_equal(sent, 1200);
}

static void credit_includes_the_round_trip_time(void **)
{
	struct jc_ack_credit credit;

	jc_ack_credit_init(&credit, true);
	assert_int_equal(send(&credit, 1, 9), 9);
	assert_true(jc_ack_credit_acknowledge(&credit, 9, 500000));
	/* 150 ms + 500 ms at 60 Hz */
	assert_int_equal(send(&credit, 45, 1000), 39);
}

static void acknowledgement_after_a_stall_restores_credit(void **)
{
	struct jc_ack_credit credit;

	jc_ack_credit_init(&credit, true);
	assert_int_equal(send(&credit, 1, 600), 9);
	assert_true(jc_ack_credit_acknowledge(&credit, 4, 9800000));
	assert_int_equal(send(&credit, 601, 601), 0); /* 5 to 9 are still on their way */
	assert_true(jc_ack_credit_acknowledge(&credit, 9, 9800000));
	assert_int_equal(send(&credit, 602, 602), 1);
}

static void rejects_acknowledgement_of_a_tick_that_was_not_sent(void **)
{
	struct jc_ack_credit credit;

	jc_ack_credit_init(&credit, true);
	assert_true(jc_ack_credit_acknowledge(&credit, 5, 0)); /* of a subscription before */
	assert_int_equal(send(&credit, 10, 12), 3);
	assert_false(jc_ack_credit_acknowledge(&credit, 13, 0));
	assert_true(jc_ack_credit_acknowledge(&credit, 12, 0));
	assert_true(jc_ack_credit_acknowledge(&credit, 11, 0)); /* late, and harmless */
	assert_int_equal(credit.acked, 12);
}

static void a_new_epoch_takes_late_acknowledgements_of_the_earlier_one(void **)
{
	struct jc_ack_credit credit;

	jc_ack_credit_init(&credit, true);
	assert_int_equal(send(&credit, 500, 520), 9);
	jc_ack_credit_restart(&credit);
	assert_int_equal(send(&credit, 3, 5), 3);
	assert_true(jc_ack_credit_acknowledge(&credit, 508, 0));
	assert_int_equal(credit.acked, 2); /* it frees no credit */
	assert_int_equal(send(&credit, 6, 100), 6);
	assert_true(jc_ack_credit_acknowledge(&credit, 11, 0));
	assert_int_equal(send(&credit, 12, 12), 1);
	assert_false(jc_ack_credit_acknowledge(&credit, 509, 0)); /* of no epoch */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allows_every_bundle_when_credit_is_off),
		cmocka_unit_test(sends_nine_bundles_without_an_acknowledgement),
		cmocka_unit_test(ten_acknowledgements_per_second_never_block),
		cmocka_unit_test(credit_includes_the_round_trip_time),
		cmocka_unit_test(acknowledgement_after_a_stall_restores_credit),
		cmocka_unit_test(rejects_acknowledgement_of_a_tick_that_was_not_sent),
		cmocka_unit_test(a_new_epoch_takes_late_acknowledgements_of_the_earlier_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
