/* The distribution half, with subscribers that take or do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "space/fanout.h"

#define SECOND INT64_C(1000000000)

struct fake_subscriber {
	struct jc_subscriber base;
	struct jc_view view;
	bool choked, leaves;
	int rejoins;
	int bundles, changes;
	const uint8_t *bytes; /* of its packets */
	size_t head_length;
	uint8_t head;
	uint8_t first_flags, second_flags;
};

static enum jc_delivery on_bundle(struct jc_subscriber *base, uint8_t *bytes, size_t length)
{
	struct fake_subscriber *subscriber = (struct fake_subscriber *)base;

	if (subscriber->leaves)
		jc_view_leave(&subscriber->view);
	if (subscriber->choked)
		return JC_CHOKED;
	/* One byte of head where it got one shortly before, else those of the bundle. */
	subscriber->head_length = length - 4;
	subscriber->head = bytes[0];
	bytes += subscriber->head_length;
	subscriber->bundles++;
	subscriber->rejoins += bytes[0];
	subscriber->bytes = bytes;
	subscriber->first_flags = bytes[1];
	subscriber->second_flags = bytes[3];
	return JC_DELIVERED;
}

static bool is_ready(const struct jc_subscriber *base)
{
	return !((const struct fake_subscriber *)base)->choked;
}

static void on_body_changed(
	struct jc_subscriber *base, struct jc_view *view, const struct jc_body *body, bool joined)
{
	struct fake_subscriber *subscriber = (struct fake_subscriber *)base;

	(void)body;
	(void)joined;
	assert_ptr_equal(view, &subscriber->view);
	subscriber->changes++;
}

static const struct jc_subscriber_ops subscriber_ops = {
	.is_ready = is_ready,
	.bundle = on_bundle,
	.body_changed = on_body_changed,
};

static const struct jc_wish plain = { .rate = 1 };

/* One bundle of coding 1 of two packets whose flags are bytes 1 and 3; the second is cut
 * where `cut` says so. */
static void send(struct jc_fanout *fanout, uint32_t tick, bool cut)
{
	uint8_t buffer[JC_BUNDLE_HEADROOM + 4] = { 0 };
	uint8_t *bytes = buffer + JC_BUNDLE_HEADROOM;
	struct jc_bundle bundle = { .bytes = bytes,
		.length = 4,
		.tick = tick,
		.cut = cut,
		.head = { 0x11, 1, 2 },
		.head_length = 3,
		.packet_count = 2,
		.flags_count = 2,
		.flags_at = { 1, 3 } };

	bytes[1] = 0x40;
	bytes[3] = cut ? 0x41 : 0x40;
	struct jc_variant *variant = jc_space_acquire(fanout->space, &plain);

	fanout->distribution.ops->bundle(&fanout->distribution, variant, &bundle, NULL);
	jc_space_release(variant);
	/* Whatever subscribers needed, the next one finds the bundle as it was. */
	assert_int_equal(bytes[1], 0x40);
	assert_int_equal(bytes[3], cut ? 0x41 : 0x40);
}

static void open_space(struct jc_fanout *fanout)
{
	struct jc_space_options options = { .name = "lobby",
		.id = 1,
		.hz = 60,
		.start_ns = 0,
		.distribution = &fanout->distribution };

	jc_fanout_init(fanout);
	assert_int_equal(jc_space_create(&options, &fanout->space), JC_OK);
}

static void join(struct jc_fanout *fanout, struct fake_subscriber *subscriber)
{
	*subscriber = (struct fake_subscriber){ .base.ops = &subscriber_ops };
	jc_view_join(&subscriber->view, fanout, &subscriber->base);
}

static void bundles_go_to_subscribers_and_changes_to_all_who_joined(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber a, b;

	(void)state;
	open_space(&fanout);
	join(&fanout, &a);
	join(&fanout, &b);
	jc_view_subscribe(&a.view, &plain, false);
	send(&fanout, 1, false);
	fanout.distribution.ops->body_changed(&fanout.distribution, NULL, true);
	assert_int_equal(a.bundles, 1);
	assert_int_equal(b.bundles, 0);
	assert_int_equal(a.changes, 1);
	assert_int_equal(b.changes, 1);
	jc_view_unsubscribe(&a.view);
	send(&fanout, 2, false);
	assert_int_equal(a.bundles, 1);
	jc_view_leave(&a.view);
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
	assert_int_equal(fanout.view_count, 0);
	jc_fanout_finish(&fanout);
}

static void all_get_the_same_bytes(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber a, b;

	(void)state;
	open_space(&fanout);
	join(&fanout, &a);
	join(&fanout, &b);
	jc_view_subscribe(&a.view, &plain, false);
	jc_view_subscribe(&b.view, &plain, false);
	send(&fanout, 1, false);
	assert_ptr_equal(a.bytes, b.bytes);
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
	jc_fanout_finish(&fanout);
}

static void the_head_is_short_for_who_got_one_of_the_space_last(void **state)
{
	struct jc_fanout fanouts[2];
	struct fake_subscriber a;
	struct jc_view other = { 0 };

	(void)state;
	open_space(&fanouts[0]);
	open_space(&fanouts[1]);
	join(&fanouts[0], &a);
	jc_view_join(&other, &fanouts[1], &a.base);
	jc_view_subscribe(&a.view, &plain, false);
	jc_view_subscribe(&other, &plain, false);
	send(&fanouts[0], 300, false);
	assert_int_equal(a.head, 0x11);
	assert_int_equal(a.head_length, 3);
	send(&fanouts[0], 427, false); /* 300 + 127 */
	assert_int_equal(a.head_length, 1);
	assert_int_equal(a.head, 0x80 | 43); /* 427 = 3 * 128 + 43 */
	send(&fanouts[0], 555, false);
	assert_int_equal(a.head_length, 3);
	send(&fanouts[1], 555, false);
	assert_int_equal(a.head_length, 3);
	send(&fanouts[1], 556, false);
	assert_int_equal(a.head_length, 1);
	send(&fanouts[0], 556, false);
	assert_int_equal(a.head_length, 3);
	a.choked = true;
	send(&fanouts[0], 557, false);
	a.choked = false;
	send(&fanouts[0], 558, false); /* what it did not get changes nothing */
	assert_int_equal(a.head_length, 1);
	jc_view_leave(&a.view);
	jc_view_join(&a.view, &fanouts[0], &a.base);
	jc_view_subscribe(&a.view, &plain, false);
	send(&fanouts[0], 559, false);
	assert_int_equal(a.head_length, 3);
	jc_view_leave(&a.view);
	jc_view_leave(&other);
	jc_fanout_finish(&fanouts[0]);
	jc_fanout_finish(&fanouts[1]);
}

static void who_is_choked_misses_the_bundle_and_costs_the_others_nothing(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber slow, fast;

	(void)state;
	open_space(&fanout);
	join(&fanout, &slow);
	join(&fanout, &fast);
	jc_view_subscribe(&slow.view, &plain, false);
	jc_view_subscribe(&fast.view, &plain, false);
	slow.choked = true;
	for (uint32_t tick = 1; tick <= 10; tick++)
		send(&fanout, tick, false);
	slow.choked = false;
	send(&fanout, 11, false);
	assert_int_equal(fast.bundles, 11);
	assert_int_equal(slow.bundles, 1);
	assert_int_equal(slow.view.skipped, 10);
	assert_int_equal(fanout.delivered, 12);
	jc_view_leave(&slow.view);
	jc_view_leave(&fast.view);
	jc_fanout_finish(&fanout);
}

static void a_cut_that_was_missed_comes_with_the_next_bundle_and_only_there(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber slow, fast;

	(void)state;
	open_space(&fanout);
	join(&fanout, &slow);
	join(&fanout, &fast);
	jc_view_subscribe(&slow.view, &plain, false);
	jc_view_subscribe(&fast.view, &plain, false);
	send(&fanout, 1, false);
	assert_int_equal(slow.first_flags, 0x41); /* nothing came before it */
	send(&fanout, 2, false);
	assert_int_equal(slow.first_flags, 0x40);
	slow.choked = true;
	send(&fanout, 3, true);
	assert_int_equal(fast.first_flags, 0x40);
	assert_int_equal(fast.second_flags, 0x41);
	slow.choked = false;
	send(&fanout, 4, false);
	assert_int_equal(slow.second_flags, 0x41);
	assert_int_equal(fast.second_flags, 0x40);
	send(&fanout, 5, false);
	assert_int_equal(slow.second_flags, 0x40);
	jc_view_leave(&slow.view);
	jc_view_leave(&fast.view);
	jc_fanout_finish(&fanout);
}

static void a_subscriber_may_leave_while_it_is_served(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber subscribers[3];

	(void)state;
	open_space(&fanout);
	for (int i = 0; i < 3; i++) {
		join(&fanout, &subscribers[i]);
		jc_view_subscribe(&subscribers[i].view, &plain, false);
	}
	subscribers[1].leaves = true;
	send(&fanout, 1, false);
	send(&fanout, 2, false);
	assert_int_equal(subscribers[0].bundles, 2);
	assert_int_equal(subscribers[1].bundles, 1);
	assert_int_equal(subscribers[2].bundles, 2);
	assert_int_equal(fanout.view_count, 2);
	jc_view_leave(&subscribers[0].view);
	jc_view_leave(&subscribers[2].view);
	jc_fanout_finish(&fanout);
}

static void credit_stops_who_does_not_acknowledge(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber silent;

	(void)state;
	open_space(&fanout);
	join(&fanout, &silent);
	jc_view_subscribe(&silent.view, &plain, true);
	for (uint32_t tick = 60; tick < 120; tick++)
		send(&fanout, tick, false);
	assert_int_equal(silent.bundles, 15);
	assert_false(jc_view_acknowledge(&silent.view, 75, 2 * SECOND));
	assert_true(jc_view_acknowledge(&silent.view, 74, 2 * SECOND));
	send(&fanout, 120, false);
	assert_int_equal(silent.bundles, 16);
	jc_view_leave(&silent.view);
	jc_fanout_finish(&fanout);
}

static const struct jc_wish chains = {
	.chains = true, .precision = JC_PRECISION_FINE, .rate = 1, .sections = JC_STREAM_ALL
};

/* A tick of chains as the space would make it: the bundles begin with 0, or with
 * 1 where it is the rejoin. Returns whether one was wanted. */
static bool cast(struct jc_fanout *fanout, uint32_t tick, size_t packets)
{
	const struct jc_distribution_ops *ops = fanout->distribution.ops;
	uint8_t buffers[2][JC_BUNDLE_HEADROOM + 4] = { { 0 }, { 0 } };
	struct jc_variant *variant = jc_space_acquire(fanout->space, &chains);
	struct jc_bundle common = { .bytes = buffers[0] + JC_BUNDLE_HEADROOM,
		.length = 4,
		.tick = tick,
		.needs_state = true,
		.packet_count = packets,
		.head = { 0x11, 1, 2 },
		.head_length = 3,
		.flags_count = 2,
		.flags_at = { 1, 3 } };
	struct jc_bundle rejoin = common;
	bool wanted = ops->wants_rejoin(&fanout->distribution, variant, tick);

	rejoin.bytes = buffers[1] + JC_BUNDLE_HEADROOM;
	rejoin.bytes[0] = 1;
	ops->bundle(&fanout->distribution, variant, &common, wanted ? &rejoin : NULL);
	jc_space_release(variant);
	return wanted;
}

static void who_comes_late_or_was_skipped_gets_a_rejoin_and_only_then(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber a, b;

	(void)state;
	open_space(&fanout);
	join(&fanout, &a);
	join(&fanout, &b);
	jc_view_subscribe(&a.view, &chains, false);
	assert_true(cast(&fanout, 1, 2));
	assert_false(cast(&fanout, 2, 2));
	assert_int_equal(a.rejoins, 1);
	jc_view_subscribe(&b.view, &chains, false);
	assert_true(cast(&fanout, 3, 2));
	assert_int_equal(a.rejoins, 1);
	assert_int_equal(b.rejoins, 1);
	a.choked = true;
	assert_false(cast(&fanout, 4, 2));
	assert_false(cast(&fanout, 5, 2)); /* none is made for who cannot take it */
	a.choked = false;
	assert_true(cast(&fanout, 6, 2));
	assert_false(cast(&fanout, 7, 2));
	assert_int_equal(a.rejoins, 2);
	assert_int_equal(b.rejoins, 1);
	assert_int_equal(a.bundles, 5);
	assert_int_equal(b.bundles, 5);
	a.choked = true;
	cast(&fanout, 8, 0); /* nothing moved, nothing is missed */
	a.choked = false;
	assert_false(cast(&fanout, 9, 2));
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
	jc_fanout_finish(&fanout);
}

static void keyframes_come_on_request_but_not_in_herds(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber a;
	int rejoins = 0;

	(void)state;
	open_space(&fanout);
	join(&fanout, &a);
	jc_view_ask_keyframe(&a.view);
	jc_view_subscribe(&a.view, &chains, false);
	cast(&fanout, 1, 2);
	for (uint32_t tick = 2; tick < 62; tick++) {
		jc_view_ask_keyframe(&a.view);
		rejoins += cast(&fanout, tick, 2);
	}
	assert_int_equal(rejoins, JC_MAX_KEYFRAMES_PER_SECOND);
	assert_int_equal(a.rejoins, 1 + JC_MAX_KEYFRAMES_PER_SECOND);
	assert_int_equal(a.bundles, 61);
	jc_view_leave(&a.view);
	jc_fanout_finish(&fanout);
}

static void another_wish_is_another_variant_and_begins_with_a_rejoin(void **state)
{
	struct jc_fanout fanout;
	struct fake_subscriber a;

	(void)state;
	open_space(&fanout);
	join(&fanout, &a);
	jc_view_subscribe(&a.view, &plain, false);
	send(&fanout, 1, false);
	cast(&fanout, 1, 2);
	assert_int_equal(a.bundles, 1);
	jc_view_subscribe(&a.view, &chains, false);
	send(&fanout, 2, false);
	assert_true(cast(&fanout, 2, 2));
	assert_int_equal(a.bundles, 2);
	jc_view_subscribe(&a.view, &chains, false);
	assert_false(cast(&fanout, 3, 2));
	assert_int_equal(a.bundles, 3);
	jc_view_unsubscribe(&a.view);
	cast(&fanout, 4, 2);
	assert_int_equal(a.bundles, 3);
	jc_view_leave(&a.view);
	jc_fanout_finish(&fanout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bundles_go_to_subscribers_and_changes_to_all_who_joined),
		cmocka_unit_test(all_get_the_same_bytes),
		cmocka_unit_test(the_head_is_short_for_who_got_one_of_the_space_last),
		cmocka_unit_test(who_is_choked_misses_the_bundle_and_costs_the_others_nothing),
		cmocka_unit_test(a_cut_that_was_missed_comes_with_the_next_bundle_and_only_there),
		cmocka_unit_test(a_subscriber_may_leave_while_it_is_served),
		cmocka_unit_test(credit_stops_who_does_not_acknowledge),
		cmocka_unit_test(who_comes_late_or_was_skipped_gets_a_rejoin_and_only_then),
		cmocka_unit_test(keyframes_come_on_request_but_not_in_herds),
		cmocka_unit_test(another_wish_is_another_variant_and_begins_with_a_rejoin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
