/* The distribution half, with subscribers that share views and take bundles or do not. */
#include "lobby.h"

#define SECOND INT64_C(1000000000)

static const struct jc_view_options plain = { .spec = { .rate = 1 } };
static void sends_bundles_to_subscribers_and_changes_to_all_members(void **state)
{
	struct lobby *lobby = *state;
	struct lobby_subscriber a, b;

	lobby_join(lobby, &a, 1);
	lobby_join(lobby, &b, 2);
	lobby_subscribe(&a, &plain);
	lobby_add(lobby, 0);
	lobby_run(lobby, 1);
	assert_int_equal(a.bundles, 1);
	assert_int_equal(b.bundles, 0);
	assert_int_equal(a.changes, 1);
	assert_int_equal(b.changes, 1);
	assert_int_equal(jc_fanout_subscribers(&lobby->fanout), 1);
	jc_view_unsubscribe(&a.view);
	lobby_run(lobby, 1);
	assert_int_equal(a.bundles, 1);
	assert_int_equal(jc_fanout_subscribers(&lobby->fanout), 0);
	jc_view_leave(&a.view);
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
	assert_int_equal(lobby->fanout.view_count, 0);
}

static void equal_options_share_a_view_and_unused_views_end(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options coarse = lobby_standard;
	struct lobby_subscriber a, b, c;

	coarse.spec.precision = JC_PRECISION_COARSE;
	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &a, 1);
	lobby_join(lobby, &b, 2);
	lobby_join(lobby, &c, 3);
	lobby_subscribe(&a, &lobby_standard);
	lobby_subscribe(&b, &lobby_standard);
	lobby_subscribe(&c, &coarse);
	assert_ptr_equal(a.view.shared_view, b.view.shared_view);
	assert_ptr_not_equal(a.view.shared_view, c.view.shared_view);
	lobby_run(lobby, 3);
	assert_int_equal(lobby->fanout.shared_view_count, 2);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 2);
	assert_int_equal(a.length, b.length);
	assert_memory_equal(a.last, b.last, a.length);
	jc_view_leave(&a.view);
	jc_view_leave(&c.view);
	lobby_run(lobby, 2);
	assert_int_equal(lobby->fanout.shared_view_count, 1);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 1);
	jc_view_leave(&b.view);
	lobby_run(lobby, 2);
	assert_int_equal(lobby->fanout.shared_view_count, 0);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 0);
}

static void views_beyond_the_maximum_of_shared_views_are_private(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber subscribers[15];

	lobby_add(lobby, 0)->restless = true;
	for (unsigned i = 0; i < 15; i++) {
		options.spec.sections = i + 1;
		lobby_join(lobby, &subscribers[i], i + 1);
		lobby_subscribe(&subscribers[i], &options);
		assert_int_equal(subscribers[i].view.shared_view != NULL, i < JC_MAX_SHARED_VIEWS);
	}
	lobby_run(lobby, 10);
	for (unsigned i = 0; i < 15; i++) {
		assert_true(subscribers[i].counts[1] > 0); /* who takes hips alone sees none move */
		assert_int_equal(subscribers[i].errors, 0);
		jc_view_leave(&subscribers[i].view);
	}
}

static void short_head_follows_a_bundle_of_the_same_space(void **state)
{
	struct lobby *lobby = *state, attic;
	struct lobby_subscriber a;
	struct jc_view other = { 0 };

	lobby_open(&attic, 0);
	lobby_join(lobby, &a, 1);
	jc_view_join(&other, &attic.fanout, &a.base);
	lobby_subscribe(&a, &plain);
	assert_int_equal(jc_view_subscribe(&other, &plain, false), JC_OK);
	lobby->tick = attic.tick = 300;
	lobby_run(lobby, 1);
	assert_int_equal(a.last[0], 0x11);
	assert_int_equal(a.length, 4);
	lobby->tick = 427; /* 300 + 127 */
	lobby_run(lobby, 1);
	assert_int_equal(a.length, 1);
	assert_int_equal(a.last[0], 0x80 | 43); /* 427 = 3 * 128 + 43 */
	lobby->tick = attic.tick = 555;
	lobby_run(lobby, 1);
	assert_int_equal(a.length, 4);
	lobby_run(&attic, 1);
	assert_int_equal(a.length, 4);
	lobby_run(&attic, 1);
	assert_int_equal(a.length, 1);
	lobby_run(lobby, 1); /* 556 */
	assert_int_equal(a.length, 4);
	a.choked = true;
	lobby_run(lobby, 1);
	a.choked = false;
	lobby_run(lobby, 1); /* a skipped bundle changes nothing */
	assert_int_equal(a.length, 1);
	jc_view_leave(&a.view);
	jc_view_join(&a.view, &lobby->fanout, &a.base);
	lobby_subscribe(&a, &plain);
	lobby_run(lobby, 1);
	assert_int_equal(a.length, 4);
	jc_view_leave(&a.view);
	jc_view_leave(&other);
	lobby_close(&attic);
}

static void choked_subscriber_skips_bundles_without_effect_on_others(void **state)
{
	struct lobby *lobby = *state;
	struct lobby_subscriber slow, fast;

	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &slow, 1);
	lobby_join(lobby, &fast, 2);
	lobby_subscribe(&slow, &plain);
	lobby_subscribe(&fast, &plain);
	slow.choked = true;
	lobby_run(lobby, 10);
	slow.choked = false;
	lobby_run(lobby, 1);
	assert_int_equal(fast.bundles, 11);
	assert_int_equal(slow.bundles, 1);
	assert_int_equal(slow.view.skipped, 10);
	assert_int_equal(lobby->fanout.delivered, 12);
	jc_view_leave(&slow.view);
	jc_view_leave(&fast.view);
}

static void next_bundle_repeats_a_missed_cut_once(void **state)
{
	struct lobby *lobby = *state;
	struct lobby_source *first = lobby_add(lobby, 0), *second = lobby_add(lobby, 0);
	struct lobby_subscriber slow, fast;

	first->restless = second->restless = true;
	lobby_join(lobby, &slow, 1);
	lobby_join(lobby, &fast, 2);
	lobby_subscribe(&slow, &plain);
	lobby_subscribe(&fast, &plain);
	lobby_run(lobby, 1);
	assert_true(slow.heads[1].cut); /* nothing came before it */
	lobby_run(lobby, 1);
	assert_false(slow.heads[1].cut);
	slow.choked = second->cut = true;
	lobby_run(lobby, 1);
	assert_false(fast.heads[1].cut);
	assert_true(fast.heads[2].cut);
	slow.choked = false;
	lobby_run(lobby, 1);
	assert_true(slow.heads[2].cut);
	assert_false(fast.heads[2].cut);
	lobby_run(lobby, 1);
	assert_false(slow.heads[2].cut);
	jc_view_leave(&slow.view);
	jc_view_leave(&fast.view);
}

static void credit_stops_a_subscriber_that_does_not_acknowledge(void **state)
{
	struct lobby *lobby = *state;
	struct lobby_subscriber silent;

	lobby_join(lobby, &silent, 1);
	assert_int_equal(jc_view_subscribe(&silent.view, &plain, true), JC_OK);
	lobby->tick = 60;
	lobby_run(lobby, 60);
	assert_int_equal(silent.bundles, 9);
	assert_false(jc_view_acknowledge(&silent.view, 69, 2 * SECOND));
	assert_true(jc_view_acknowledge(&silent.view, 68, 2 * SECOND));
	lobby_run(lobby, 1);
	assert_int_equal(silent.bundles, 10);
	jc_view_leave(&silent.view);
}

static void only_late_or_skipped_subscribers_get_a_rejoin(void **state)
{
	struct lobby *lobby = *state;
	struct lobby_source *source = lobby_add(lobby, 0);
	struct lobby_subscriber a, b;

	source->restless = true;
	lobby_join(lobby, &a, 1);
	lobby_join(lobby, &b, 2);
	lobby_subscribe(&a, &lobby_standard);
	lobby_run(lobby, 2);
	assert_int_equal(a.keys[1], 1);
	lobby_subscribe(&b, &lobby_standard);
	lobby_run(lobby, 1);
	assert_int_equal(a.keys[1], 1);
	assert_int_equal(b.keys[1], 1);
	a.choked = true;
	lobby_run(lobby, 2);
	a.choked = false;
	lobby_run(lobby, 2);
	assert_int_equal(a.keys[1], 2);
	assert_int_equal(b.keys[1], 1);
	assert_int_equal(a.bundles, 5);
	assert_int_equal(b.bundles, 5);
	source->restless = false;
	lobby_run(lobby, 4); /* the bodies stand still, and a bundle stated it */
	a.choked = true;
	lobby_run(lobby, 8);
	a.choked = false;
	lobby_run(lobby, 10);
	assert_int_equal(a.keys[1], 2); /* nothing moved, nothing is missed */
	assert_int_equal(a.errors + b.errors, 0);
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
}

static void limits_keyframes_on_request(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options private_view = lobby_standard;
	struct lobby_subscriber a, b;

	lobby_add(lobby, 0)->restless = true;
	private_view.is_some = true;
	private_view.bodies[private_view.body_count++] = 1;
	lobby_join(lobby, &a, 1);
	lobby_join(lobby, &b, 2);
	jc_view_ask_keyframe(&a.view);
	lobby_subscribe(&a, &lobby_standard);
	lobby_subscribe(&b, &private_view);
	lobby_run(lobby, 1);
	for (int i = 0; i < 60; i++) {
		jc_view_ask_keyframe(&a.view);
		jc_view_ask_keyframe(&b.view);
		lobby_run(lobby, 1);
	}
	assert_int_equal(a.keys[1], 1 + JC_MAX_KEYFRAMES_PER_SECOND);
	assert_int_equal(b.keys[1], 1 + JC_MAX_KEYFRAMES_PER_SECOND);
	assert_int_equal(a.bundles, 61);
	assert_int_equal(b.bundles, 61);
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
}

static void changed_options_change_the_view_and_start_with_a_rejoin(void **state)
{
	struct lobby *lobby = *state;
	struct lobby_subscriber a;

	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &plain);
	lobby_run(lobby, 2);
	assert_int_equal(a.bundles, 2);
	lobby_subscribe(&a, &lobby_standard);
	lobby_run(lobby, 1);
	assert_false(a.heads[1].needs_state);
	assert_true(a.heads[1].cut);
	lobby_run(lobby, 1);
	assert_true(a.heads[1].needs_state);
	lobby_subscribe(&a, &lobby_standard); /* the same again changes nothing */
	lobby_run(lobby, 1);
	assert_true(a.heads[1].needs_state);
	jc_view_unsubscribe(&a.view);
	lobby_run(lobby, 1);
	assert_int_equal(a.bundles, 5);
	jc_view_leave(&a.view);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_setup, lobby_teardown)
	const struct CMUnitTest tests[] = {
		TEST(sends_bundles_to_subscribers_and_changes_to_all_members),
		TEST(equal_options_share_a_view_and_unused_views_end),
		TEST(views_beyond_the_maximum_of_shared_views_are_private),
		TEST(short_head_follows_a_bundle_of_the_same_space),
		TEST(choked_subscriber_skips_bundles_without_effect_on_others),
		TEST(next_bundle_repeats_a_missed_cut_once),
		TEST(credit_stops_a_subscriber_that_does_not_acknowledge),
		TEST(only_late_or_skipped_subscribers_get_a_rejoin),
		TEST(limits_keyframes_on_request),
		TEST(changed_options_change_the_view_and_start_with_a_rejoin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
