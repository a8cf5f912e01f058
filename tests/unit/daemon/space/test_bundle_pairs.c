/* Messages with the bundles of two ticks, in shared and in private views. */
#include "lobby.h"

/* Private where `private` is set: an option that names a body makes it so. */
static struct jc_view_options paired(bool is_private)
{
	struct jc_view_options options = lobby_standard;

	options.is_paired = true;
	options.favoured_count = is_private;
	options.favoured[0] = 1;
	return options;
}

static void check_same_heads(const struct lobby_subscriber *a, const struct lobby_subscriber *b)
{
	assert_true(lobby_head(a, 1) == lobby_head(b, 1));
	assert_int_equal(a->errors + b->errors, 0);
}

/* Runs so many ticks, and one more where a bundle would be held then. */
static void run_even(struct lobby *lobby, int ticks)
{
	lobby_run(lobby, ticks);
	lobby_run(lobby, lobby->tick % 2 == 0);
}

/* Ticks 1 and 2 come together after tick 2, and so on: each tick once, in order. */
static void a_message_has_the_bundles_of_two_ticks(void **state)
{
	(void)state;
	for (int is_private = 0; is_private < 2; is_private++) {
		struct lobby lobby;
		struct jc_view_options options = paired(is_private);
		struct lobby_subscriber single, pair;

		lobby_open(&lobby, 0);
		lobby_join(&lobby, &single, 1);
		lobby_join(&lobby, &pair, 2);
		lobby_subscribe(&single, &lobby_standard);
		lobby_subscribe(&pair, &options);
		lobby_add(&lobby, 0)->restless = true;
		run_even(&lobby, 4);
		assert_int_equal(pair.view.private_view != NULL, is_private);

		int messages = pair.messages, bundles = pair.bundles;

		for (int i = 1; i <= 5; i++) {
			lobby_run(&lobby, 2);
			assert_int_equal(pair.messages, messages + i);
			assert_int_equal(pair.bundles, bundles + 2 * i);
			assert_int_equal(pair.last[0], 0x31);
			check_same_heads(&single, &pair);
		}
		jc_view_leave(&single.view);
		jc_view_leave(&pair.view);
		lobby_close(&lobby);
	}
}

static void the_second_bundle_is_of_an_even_tick(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = paired(false);
	struct lobby_subscriber subscriber;

	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &subscriber, 1);
	lobby_subscribe(&subscriber, &options);
	lobby->tick = 301;
	lobby_run(lobby, 1);
	assert_int_equal(subscriber.messages, 0);
	lobby_run(lobby, 1); /* the state first, alone */
	assert_int_equal(subscriber.messages, 1);
	assert_int_equal(subscriber.last[0], 0x11);
	assert_int_equal(subscriber.keys[1], 1);
	lobby_run(lobby, 1);
	assert_int_equal(subscriber.messages, 1);
	lobby_run(lobby, 1);
	assert_int_equal(subscriber.messages, 2);
	assert_int_equal(subscriber.last[0], 0x31);
	assert_int_equal(subscriber.last[2], 0x80 | 303 % 128);
	assert_int_equal(subscriber.last[2 + subscriber.last[1]], 0x80 | 304 % 128);
	assert_int_equal(subscriber.head.tick, 304);
	/* At every other tick, ticks 306 and 308 make a message. */
	options.spec.rate = 2;
	lobby_subscribe(&subscriber, &options);
	lobby_run(lobby, 4); /* up to 308: the state */
	lobby_run(lobby, 4);
	assert_int_equal(subscriber.head.tick, 312);
	assert_int_equal(subscriber.last[2], 0x80 | 310 % 128);
	assert_int_equal(subscriber.errors, 0);
	jc_view_leave(&subscriber.view);
}

static void who_misses_a_message_gets_the_state(void **state)
{
	(void)state;
	for (int is_private = 0; is_private < 2; is_private++) {
		struct lobby lobby;
		struct jc_view_options options = paired(is_private);
		struct lobby_subscriber single, pair;

		lobby_open(&lobby, 0);
		lobby_join(&lobby, &single, 1);
		lobby_join(&lobby, &pair, 2);
		lobby_subscribe(&single, &lobby_standard);
		lobby_subscribe(&pair, &options);
		lobby_add(&lobby, 0)->restless = true;
		run_even(&lobby, 9);
		for (int choked = 1; choked < 4; choked++) {
			pair.choked = choked & 1;
			lobby_run(&lobby, 1);
			pair.choked = choked & 2;
			lobby_run(&lobby, 1);
			pair.choked = false;
			lobby_run(&lobby, 6);
			check_same_heads(&single, &pair);
		}
		jc_view_ask_keyframe(&pair.view);
		int keys = pair.keys[1];

		lobby_run(&lobby, LOBBY_HZ);
		assert_int_equal(pair.keys[1], keys + 1);
		assert_int_equal(pair.errors, 0);
		jc_view_leave(&single.view);
		jc_view_leave(&pair.view);
		lobby_close(&lobby);
	}
}

static void a_body_that_stands_still_costs_one_empty_bundle(void **state)
{
	(void)state;
	for (int is_private = 0; is_private < 2; is_private++) {
		struct lobby lobby;
		struct jc_view_options options = paired(is_private);
		struct lobby_subscriber pair;

		lobby_open(&lobby, 0);
		lobby_join(&lobby, &pair, 2);
		lobby_subscribe(&pair, &options);
		lobby_add(&lobby, 0);
		lobby_run(&lobby, 2 * LOBBY_HZ);
		int messages = pair.messages;

		lobby_run(&lobby, 2 * LOBBY_HZ);
		/* Two packets a second, and an empty bundle after each. */
		assert_in_range(pair.messages - messages, 4, 10);
		assert_int_equal(pair.errors, 0);
		jc_view_leave(&pair.view);
		lobby_close(&lobby);
	}
}

/* A change of skeleton is announced before the first packet on it, and after the last one on the
 * skeleton before. */
static void a_held_bundle_comes_before_another_skeleton(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = paired(true);
	struct lobby_subscriber pair;
	struct jc_skeleton_asset *tall = lobby_asset(lobby, "tall", 3.0f);

	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &pair, 2);
	lobby_subscribe(&pair, &options);
	run_even(lobby, 8);
	lobby_run(lobby, 1); /* its bundle is held */
	int bundles = pair.bundles, shown = pair.shown[1];

	options.asset = tall;
	lobby_subscribe(&pair, &options);
	lobby_run(lobby, 4);
	assert_int_equal(pair.shown[1], shown + 1);
	assert_true(pair.bundles > bundles);
	assert_int_equal(pair.errors, 0);
	jc_view_leave(&pair.view);
}

static void a_cut_in_either_tick_is_not_lost(void **state)
{
	(void)state;
	for (int is_private = 0; is_private < 2; is_private++) {
		for (int at = 0; at < 2; at++) {
			struct lobby lobby;
			struct jc_view_options options = paired(is_private);
			struct lobby_subscriber pair;
			struct lobby_source *source;

			lobby_open(&lobby, 0);
			source = lobby_add(&lobby, 0);
			source->restless = true;
			lobby_join(&lobby, &pair, 2);
			lobby_subscribe(&pair, &options);
			run_even(&lobby, 9);
			lobby_run(&lobby, at);
			pair.choked = true;
			source->cut = true;
			lobby_run(&lobby, 1);
			source->cut = false;
			lobby_run(&lobby, 1 - at);
			pair.choked = false;
			int cuts = pair.cuts[1];

			lobby_run(&lobby, 4);
			assert_true(pair.cuts[1] > cuts);
			assert_int_equal(pair.errors, 0);
			jc_view_leave(&pair.view);
			lobby_close(&lobby);
		}
	}
}

/* The origin begins anew between two ticks, or stands still for long. */
static void a_held_bundle_does_not_outlive_its_epoch(void **state)
{
	(void)state;
	for (int is_private = 0; is_private < 2; is_private++) {
		struct lobby lobby;
		struct jc_view_options options = paired(is_private);
		struct lobby_subscriber pair;

		lobby_open(&lobby, 0);
		lobby_add(&lobby, 0)->restless = true;
		lobby_join(&lobby, &pair, 2);
		lobby_subscribe(&pair, &options);
		run_even(&lobby, 9);
		lobby_run(&lobby, 1);
		lobby.tick += 200;
		lobby_run(&lobby, 6);
		assert_int_equal(pair.errors, 0);
		run_even(&lobby, 1);
		lobby_run(&lobby, 1);
		jc_fanout_restart(&lobby.fanout);
		lobby_run(&lobby, 6);
		assert_int_equal(pair.errors, 0);
		assert_true(pair.bundles > 0);
		jc_view_leave(&pair.view);
		lobby_close(&lobby);
	}
}

static void pairs_are_views_of_their_own(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = paired(false);
	struct lobby_subscriber a, b, c;

	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &a, 1);
	lobby_join(lobby, &b, 2);
	lobby_join(lobby, &c, 3);
	lobby_subscribe(&a, &options);
	lobby_subscribe(&b, &options);
	lobby_subscribe(&c, &lobby_standard);
	assert_ptr_equal(a.view.shared_view, b.view.shared_view);
	assert_ptr_not_equal(a.view.shared_view, c.view.shared_view);
	assert_true(jc_view_is_paired(&a.view));
	assert_false(jc_view_is_paired(&c.view));
	lobby_run(lobby, 20);
	/* One stream for both, and one message for two bundles. */
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 1);
	assert_true(lobby->fanout.pairs > 0);
	assert_int_equal(lobby->fanout.delivered, (uint64_t)(a.bundles + b.bundles + c.bundles));
	/* A viewpoint makes it private, and it stays paired. */
	const struct jc_viewpoint viewpoint = { .position = { 0.0f, 0.0f, 1.0f } };

	assert_int_equal(jc_view_look(&a.view, &viewpoint, 1), JC_OK);
	assert_true(jc_view_is_paired(&a.view));
	run_even(lobby, 20);
	assert_int_equal(a.last[0], 0x31);
	options.is_paired = false;
	lobby_subscribe(&a, &options);
	lobby_run(lobby, 3);
	assert_int_not_equal(a.last[0], 0x31);
	assert_int_equal(a.errors + b.errors + c.errors, 0);
	jc_view_leave(&a.view);
	jc_view_leave(&b.view);
	jc_view_leave(&c.view);
}

/* Packets of coding 1 need no state, and come in pairs too. */
static void coding_1_comes_in_pairs(void **state)
{
	struct lobby *lobby = *state;
	const struct jc_view_options options = { .spec = { .rate = 1 }, .is_paired = true };
	struct lobby_subscriber a;

	lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &options);
	run_even(lobby, 8);
	assert_int_equal(a.last[0], 0x31);
	assert_int_equal(a.errors, 0);
	assert_int_equal(a.keys[1], a.counts[1]);
	assert_int_equal(a.counts[1], lobby->tick);
	jc_view_leave(&a.view);
}

#define WITH_LOBBY(test) cmocka_unit_test_setup_teardown(test, lobby_setup, lobby_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LOBBY(a_message_has_the_bundles_of_two_ticks),
		WITH_LOBBY(the_second_bundle_is_of_an_even_tick),
		WITH_LOBBY(who_misses_a_message_gets_the_state),
		WITH_LOBBY(a_body_that_stands_still_costs_one_empty_bundle),
		WITH_LOBBY(a_held_bundle_comes_before_another_skeleton),
		WITH_LOBBY(a_cut_in_either_tick_is_not_lost),
		WITH_LOBBY(a_held_bundle_does_not_outlive_its_epoch),
		WITH_LOBBY(pairs_are_views_of_their_own),
		WITH_LOBBY(coding_1_comes_in_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
