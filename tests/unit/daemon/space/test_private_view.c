/* Tests private views: a selection of shared streams, with skeletons and budgets of one
 * subscriber. */
#include <math.h>

#include "lobby.h"

static struct jc_view_options some(uint32_t a, uint32_t b)
{
	struct jc_view_options options = lobby_standard;

	options.is_some = true;
	options.bodies[options.body_count++] = a;
	options.bodies[options.body_count++] = b;
	return options;
}

/* How often streams were encoded, of all bodies. */
static uint32_t encodes(struct lobby *lobby, const struct lobby_subscriber *subscriber)
{
	uint32_t sum = 0;

	for (uint32_t id = 1; id < LOBBY_BODIES && lobby_body(lobby, id); id++) {
		const struct jc_shared_view *shared_view = subscriber->view.shared_view;

		sum += shared_view->body_streams[lobby_body(lobby, id)->slot]->encoded;
	}
	return sum;
}

static void shared_and_private_views_get_the_same_packets_encoded_once(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options two = some(1, 3);
	struct lobby_subscriber shared, private_view;

	for (int i = 0; i < 3; i++)
		lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &shared, 1);
	lobby_join(lobby, &private_view, 2);
	lobby_subscribe(&shared, &lobby_standard);
	lobby_subscribe(&private_view, &two);
	for (int i = 0; i < 30; i++) {
		lobby_run(lobby, 1);
		assert_int_equal(private_view.packet_lengths[2], 0);
		/* The last packet of a bundle has no size: those that are last in neither. */
		assert_int_equal(private_view.packet_lengths[1], shared.packet_lengths[1]);
		assert_memory_equal(
			private_view.packets[1], shared.packets[1], shared.packet_lengths[1]);
		assert_int_equal(private_view.packet_lengths[3], shared.packet_lengths[3]);
		assert_memory_equal(
			private_view.packets[3], shared.packets[3], shared.packet_lengths[3]);
	}
	assert_int_equal(encodes(lobby, &shared), 3 * 30);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 3);
	assert_int_equal(private_view.errors, 0);
	assert_int_equal(private_view.shown[2], 1);
	assert_null(private_view.assets[2]); /* it does not come */
	assert_int_equal(private_view.shown[1] + private_view.shown[3], 0);
	jc_view_leave(&shared.view);
	jc_view_leave(&private_view.view);
}

static void streams_exist_while_a_view_uses_them(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options two = some(1, 3), one = some(3, 3);
	struct lobby_subscriber a;

	for (int i = 0; i < 3; i++)
		lobby_add(lobby, 0)->restless = true;
	lobby_join(lobby, &a, 1);
	lobby_run(lobby, 3);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 0);
	lobby_subscribe(&a, &two);
	lobby_run(lobby, 3);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 2);
	lobby_subscribe(&a, &one);
	lobby_run(lobby, 3);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 1);
	assert_int_equal(a.keys[3], 1); /* this one went on */
	assert_int_equal(a.errors, 0);
	jc_space_remove(lobby->fanout.space, 3);
	lobby_run(lobby, 3);
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 0);
	lobby_add(lobby, 0)->restless = true; /* on the slot of the one that left */
	lobby_run(lobby, 3);
	assert_int_equal(a.counts[4], 0);
	jc_view_leave(&a.view);
}

static void bodies_can_leave_and_join_while_streams_are_in_use(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber shared, private_view;

	options.ignored[options.ignored_count++] = 77;
	lobby_add(lobby, 0)->radians = 0.1f;
	lobby_add(lobby, 0)->radians = 0.2f;
	lobby_join(lobby, &shared, 1);
	lobby_join(lobby, &private_view, 2);
	lobby_subscribe(&shared, &lobby_standard);
	lobby_subscribe(&private_view, &options);
	lobby_run(lobby, 5);
	jc_space_remove(lobby->fanout.space, 1);
	lobby_add(lobby, 0)->radians = 0.3f;
	lobby_run(lobby, LOBBY_ANNOUNCING);
	assert_int_equal(shared.errors + private_view.errors, 0);
	assert_true(fabsf(lobby_head(&private_view, 3) - 0.3f) < 0.25f * LOBBY_DEGREES);
	assert_true(fabsf(lobby_head(&shared, 3) - 0.3f) < 0.25f * LOBBY_DEGREES);
	jc_view_leave(&shared.view);
	jc_view_leave(&private_view.view);
}

static void bodies_use_the_requested_skeleton(void **state)
{
	struct lobby *lobby = *state;
	struct jc_skeleton_asset *giant = lobby_asset(lobby, "giant", 2.0f);
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;

	lobby_add(lobby, 0)->radians = 0.5f;
	options.asset = giant;
	lobby_run(lobby, 1);
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &options);
	assert_ptr_equal(a.assets[1], giant); /* known before the first packet */
	lobby_run(lobby, 3);
	assert_true(fabsf(lobby_head(&a, 1) - 0.5f) < 0.25f * LOBBY_DEGREES);
	lobby_add(lobby, 0);
	lobby_run(lobby, 1);
	assert_int_equal(a.counts[2], 0); /* it is in no roster yet */
	assert_null(a.assets[2]);
	lobby_run(lobby, LOBBY_ANNOUNCING - 4);
	assert_ptr_equal(a.assets[2], giant);
	assert_int_equal(a.counts[2], 1);
	lobby_subscribe(&a, &lobby_standard);
	assert_ptr_equal(a.assets[1], lobby->skeleton_table.humanoid);
	lobby_run(lobby, 3);
	assert_int_equal(a.shown[1], 2);
	assert_int_equal(a.errors, 0);
	jc_view_leave(&a.view);
}

/* What bodies wear waits in the view and not as messages: bodies that come and go while the
 * subscriber takes nothing fill no queue. */
static void choked_subscriber_gets_no_worn_message_until_it_is_ready(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber a;

	options.asset = lobby_asset(lobby, "giant", 2.0f);
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &options);
	a.choked = true;
	for (uint32_t id = 1; id <= 10; id++) {
		lobby_add(lobby, 0);
		lobby_run(lobby, LOBBY_ANNOUNCING);
		assert_int_equal(a.shown[id], 0);
		if (id < 10) {
			jc_space_remove(lobby->fanout.space, id);
		}
	}
	assert_true(a.changes >= 10);
	a.choked = false;
	lobby_run(lobby, 1);
	assert_int_equal(a.shown[10], 1);
	assert_ptr_equal(a.assets[10], options.asset);
	assert_int_equal(a.counts[10], 1);
	assert_int_equal(a.errors, 0);
	jc_view_leave(&a.view);
}

static void bodies_use_the_humanoid_beyond_the_stream_maximum(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options options = lobby_standard;
	struct lobby_subscriber subscribers[4];
	char name[2] = "a";

	lobby_close(lobby);
	lobby_open(lobby, 5);
	for (int i = 0; i < 2; i++)
		lobby_add(lobby, 0)->restless = true;
	lobby_run(lobby, 1);
	for (unsigned i = 0; i < 4; i++, name[0]++) {
		options.asset = lobby_asset(lobby, name, 1.0f + (float)i);
		lobby_join(lobby, &subscribers[i], i + 1);
		lobby_subscribe(&subscribers[i], &options);
	}
	lobby_run(lobby, 10);
	/* Two bodies on two skeletons, the first on the third: five. The rest and all of
	 * the fourth get the two that are always there. */
	assert_int_equal(jc_space_stream_count(lobby->fanout.space), 7);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(subscribers[i].errors, 0);
		assert_int_equal(subscribers[i].counts[1], 10);
		assert_int_equal(subscribers[i].counts[2], 10);
		assert_int_equal(
			subscribers[i].assets[2] == lobby->skeleton_table.humanoid, i >= 2);
		assert_int_equal(subscribers[i].shown[1], 1);
		assert_int_equal(subscribers[i].shown[2], 1);
	}
	jc_view_leave(&subscribers[0].view);
	lobby_run(lobby, 10 * LOBBY_HZ); /* there is room now, which is found sooner or later */
	assert_int_equal(
		subscribers[3].shown[1] + subscribers[3].shown[2] + subscribers[2].shown[2], 3 + 2);
	for (unsigned i = 1; i < 4; i++) {
		assert_int_equal(subscribers[i].errors, 0);
		jc_view_leave(&subscribers[i].view);
	}
}

static void ignore_hides_bodies_in_both_directions(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options both = some(1, 2);
	struct lobby_subscriber a, b, c;

	lobby_add(lobby, 11)->restless = true;
	lobby_add(lobby, 12)->restless = true;
	lobby_join(lobby, &a, 11);
	lobby_join(lobby, &b, 12);
	lobby_join(lobby, &c, 13);
	lobby_subscribe(&a, &lobby_standard);
	lobby_subscribe(&b, &both);
	lobby_subscribe(&c, &lobby_standard);
	lobby_run(lobby, LOBBY_ANNOUNCING);
	assert_int_equal(a.counts[2] + b.counts[1], 30);
	struct jc_body *body = lobby_body(lobby, 2);

	assert_int_equal(jc_fanout_ignore(&lobby->fanout, &b.base, body, true), JC_ERROR_INVALID);
	assert_int_equal(jc_fanout_ignore(&lobby->fanout, &a.base, body, true), JC_OK);
	lobby_add(lobby, 12)->restless = true; /* another one of the same */
	lobby_run(lobby, 10);
	assert_int_equal(a.counts[2] + b.counts[1], 30);
	assert_int_equal(a.counts[1], 25);
	assert_int_equal(a.counts[3], 0);
	assert_int_equal(b.counts[2], 25);
	assert_int_equal(c.counts[1] + c.counts[2] + c.counts[3], 60);
	assert_null(a.assets[2]);
	assert_int_equal(a.shown[2], 1);
	assert_int_equal(a.shown[3], 1);
	assert_int_equal(b.shown[1], 1);
	assert_int_equal(a.keys[1], 1); /* running streams continue */
	assert_int_equal(jc_fanout_ignore(&lobby->fanout, &a.base, body, false), JC_OK);
	lobby_run(lobby, 10);
	assert_int_equal(a.counts[2], 25);
	assert_int_equal(b.counts[1], 25);
	assert_non_null(a.assets[2]);
	assert_non_null(a.view.shared_view); /* shared again */
	assert_int_equal(a.errors + b.errors + c.errors, 0);
	/* Who goes takes its wishes along. */
	jc_fanout_ignore(&lobby->fanout, &a.base, body, true);
	jc_view_leave(&a.view);
	lobby_run(lobby, 5);
	assert_int_equal(b.counts[1], 25);
	jc_fanout_forget(&lobby->fanout, &a.base);
	lobby_run(lobby, 5);
	assert_int_equal(b.counts[1], 30);
	jc_view_leave(&b.view);
	jc_view_leave(&c.view);
}

static void choked_subscriber_alone_rejoins_with_its_missed_cuts(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options both = some(1, 2);
	struct lobby_source *first = lobby_add(lobby, 0), *second = lobby_add(lobby, 0);
	struct lobby_subscriber slow, fast;

	first->restless = second->restless = true;
	lobby_join(lobby, &slow, 1);
	lobby_join(lobby, &fast, 2);
	lobby_subscribe(&slow, &both);
	lobby_subscribe(&fast, &both);
	lobby_run(lobby, 5);
	slow.choked = true;
	second->cut = true;
	lobby_run(lobby, 5);
	slow.choked = false;
	lobby_run(lobby, 1);
	assert_int_equal(slow.view.skipped, 5);
	assert_int_equal(slow.keys[1], 2);
	assert_int_equal(slow.keys[2], 2);
	assert_false(slow.heads[1].cut);
	assert_true(slow.heads[2].cut);
	assert_int_equal(fast.keys[1], 1);
	assert_int_equal(fast.bundles, 11);
	lobby_run(lobby, 5);
	assert_int_equal(slow.keys[1], 2);
	assert_int_equal(slow.errors + fast.errors, 0);
	jc_view_leave(&slow.view);
	jc_view_leave(&fast.view);
}

static void bodies_at_rest_add_one_empty_bundle(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options one = some(1, 1);
	struct lobby_subscriber a;

	lobby_add(lobby, 0);
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &one);
	lobby_run(lobby, 61);
	assert_int_equal(a.counts[1], 3); /* ticks 0, 30, 60 */
	assert_int_equal(a.bundles, 5);   /* and one after each of the first two */
	jc_view_leave(&a.view);
}

static void private_views_support_coding_1(void **state)
{
	struct lobby *lobby = *state;
	struct jc_view_options one = { .spec = { .rate = 1 } };
	struct lobby_subscriber a;

	lobby_add(lobby, 0)->radians = 0.5f;
	lobby_add(lobby, 0);
	one.asset = lobby_asset(lobby, "giant", 2.0f);
	one.ignored[one.ignored_count++] = 2;
	lobby_join(lobby, &a, 1);
	lobby_subscribe(&a, &one);
	lobby_run(lobby, 10);
	assert_int_equal(a.counts[1], 10);
	assert_int_equal(a.keys[1], 10);
	assert_int_equal(a.counts[2], 0);
	assert_ptr_equal(a.assets[1], one.asset);
	jc_view_leave(&a.view);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_setup, lobby_teardown)
	const struct CMUnitTest tests[] = {
		TEST(shared_and_private_views_get_the_same_packets_encoded_once),
		TEST(streams_exist_while_a_view_uses_them),
		TEST(bodies_can_leave_and_join_while_streams_are_in_use),
		TEST(bodies_use_the_requested_skeleton),
		TEST(choked_subscriber_gets_no_worn_message_until_it_is_ready),
		TEST(bodies_use_the_humanoid_beyond_the_stream_maximum),
		TEST(ignore_hides_bodies_in_both_directions),
		TEST(choked_subscriber_alone_rejoins_with_its_missed_cuts),
		TEST(bodies_at_rest_add_one_empty_bundle),
		TEST(private_views_support_coding_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
