/* Tests properties and moderation of bodies as subscribers receive them: names, places, hidden
 * and muted bodies. */
#include <string.h>

#include "lobby.h"

static struct lobby lobby;
static struct lobby_subscriber eye;

static int open_lobby(void **)
{
	memset(&eye, 0, sizeof(eye));
	lobby_open(&lobby, 0);
	return 0;
}

static int close_lobby(void **)
{
	jc_view_leave(&eye.view);
	lobby_close(&lobby);
	return 0;
}

static void subscribe(bool private_view)
{
	struct jc_view_options options = lobby_standard;

	lobby_join(&lobby, &eye, 100);
	if (private_view) {
		options.body_count = options.ignored_count = 1;
		options.ignored[0] = 4000;
	}
	lobby_subscribe(&eye, &options);
}

/* Packets of body 1 in so many ticks. */
static int packets_in(int ticks)
{
	int before = eye.counts[1];

	lobby_run(&lobby, ticks);
	return eye.counts[1] - before;
}

static void hide_and_show(bool private_view)
{
	lobby_add(&lobby, 1)->restless = true;
	subscribe(private_view);
	assert_int_equal(packets_in(10), 10);

	int changes = eye.changes;

	jc_space_moderate(lobby.fanout.space, 1, true, false);
	jc_space_moderate(lobby.fanout.space, 1, true, false);
	assert_int_equal(packets_in(2 * LOBBY_ANNOUNCING), 0);
	assert_int_equal(eye.changes, changes + 1);
	jc_space_moderate(lobby.fanout.space, 1, false, false);
	lobby_run(&lobby, 1);
	assert_false(eye.heads[1].needs_state);
	assert_int_equal(packets_in(10), 10);
	assert_int_equal(eye.errors, 0);
}

static void hidden_body_is_in_no_bundle_and_returns_with_a_rejoin(void **)
{
	hide_and_show(false);
}

static void hidden_body_is_in_no_bundle_of_a_private_view(void **)
{
	hide_and_show(true);
}

static void muted_body_stays_in_the_bundles(void **)
{
	lobby_add(&lobby, 1)->restless = true;
	subscribe(false);
	lobby_run(&lobby, 2);
	jc_space_moderate(lobby.fanout.space, 1, false, true);
	assert_true(lobby_body(&lobby, 1)->is_muted);
	assert_int_equal(packets_in(5), 5);
}

static struct jc_placement at(float x)
{
	return (struct jc_placement){ .position = { x, 0.0f, 0.0f } };
}

static void place(float x, float seat, bool jumps)
{
	struct jc_placement placement = at(x);

	jc_space_place(lobby.fanout.space, 1, &placement, seat, jumps);
}

static void steps_are_in_packets_and_a_few_times_a_second_in_the_roster(void **)
{
	lobby_add(&lobby, 1);
	subscribe(false);
	lobby_run(&lobby, LOBBY_HZ);
	place(lobby_body(&lobby, 1)->placement.position.x + 0.5f, 0.0f, true);
	lobby_run(&lobby, LOBBY_HZ);

	float from = lobby_body(&lobby, 1)->placement.position.x;
	int changes = eye.changes;

	for (int i = 1; i <= LOBBY_HZ; i++) {
		place(from + 0.02f * (float)i, 0.0f, false);
		lobby_run(&lobby, 1);
		assert_false(eye.heads[1].cut);
		assert_true(eye.decoders[1].has_placement);
		assert_float_equal(
			eye.decoders[1].placement.position.x, from + 0.02f * (float)i, 0.0006f);
	}
	assert_in_range(eye.changes - changes, 3, 5);
}

static void jump_makes_one_cut_and_one_roster_change(void **)
{
	static const struct {
		float x, seat;
		bool jumps;
	} jumps[] = { { 0.1f, 0.0f, true }, { 1.2f, 0.0f, false }, { 1.2f, 0.45f, false } };

	lobby_add(&lobby, 1)->restless = true;
	subscribe(false);
	place(0.0f, 0.0f, true);
	lobby_run(&lobby, LOBBY_ANNOUNCING);
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		int changes = eye.changes;

		place(jumps[i].x, jumps[i].seat, jumps[i].jumps);
		place(jumps[i].x, jumps[i].seat, true);
		lobby_run(&lobby, 1);
		assert_true(eye.heads[1].cut);
		assert_float_equal(eye.decoders[1].placement.position.x, jumps[i].x, 0.0006f);
		lobby_run(&lobby, 1);
		assert_false(eye.heads[1].cut);
		lobby_run(&lobby, LOBBY_ANNOUNCING);
		assert_int_equal(eye.changes, changes + 1);
	}
}

static void names_are_unique_and_free_after_a_departure(void **)
{
	for (int i = 0; i < 3; i++) {
		lobby_add(&lobby, 1);
	}
	assert_string_equal(lobby_body(&lobby, 1)->name, "n");
	assert_string_equal(lobby_body(&lobby, 2)->name, "n (2)");
	assert_string_equal(lobby_body(&lobby, 3)->name, "n (3)");
	jc_space_remove(lobby.fanout.space, 2);
	assert_null(jc_space_named(lobby.fanout.space, "n (2)"));
	lobby_add(&lobby, 1);
	assert_int_equal(jc_space_named(lobby.fanout.space, "n (2)")->id, 4);
}

static void announces_a_changed_description_and_keeps_omitted_parts(void **)
{
	lobby_add(&lobby, 1);
	subscribe(false);
	int changes = eye.changes;

	jc_space_describe(lobby.fanout.space, 1, "Ada", strdup("{\"a\":1}"));
	jc_space_describe(lobby.fanout.space, 1, "Ada", strdup("{\"a\":1}")); /* unchanged */
	jc_space_describe(lobby.fanout.space, 1, NULL, strdup("{}"));
	assert_string_equal(lobby_body(&lobby, 1)->display, "Ada");
	assert_string_equal(lobby_body(&lobby, 1)->about, "{}");
	jc_space_describe(lobby.fanout.space, 1, "B", NULL);
	assert_string_equal(lobby_body(&lobby, 1)->display, "B");
	assert_string_equal(lobby_body(&lobby, 1)->about, "{}");
	lobby_run(&lobby, 2 * LOBBY_ANNOUNCING);
	assert_int_equal(eye.changes, changes + 1);
	jc_space_describe(lobby.fanout.space, 9, "C", strdup("{}")); /* of no body */
}

/* A change has to say something. */
static void reverted_changes_are_not_announced(void **)
{
	subscribe(false);
	lobby_add(&lobby, 1);
	lobby_run(&lobby, LOBBY_ANNOUNCING);

	int changes = eye.changes;
	uint64_t revision = jc_space_revision(lobby.fanout.space);

	lobby_add(&lobby, 1);
	jc_space_remove(lobby.fanout.space, 2);
	jc_space_set_recorded(lobby.fanout.space, true);
	jc_space_set_recorded(lobby.fanout.space, false);
	lobby_run(&lobby, 2 * LOBBY_ANNOUNCING);
	assert_int_equal(eye.changes, changes);
	assert_int_equal(jc_space_revision(lobby.fanout.space), revision);
	lobby_add(&lobby, 1);
	lobby_run(&lobby, LOBBY_ANNOUNCING);
	assert_int_equal(eye.changes, changes + 1);
	assert_int_equal(jc_space_revision(lobby.fanout.space), revision + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_lobby, close_lobby)
	const struct CMUnitTest tests[] = {
		TEST(hidden_body_is_in_no_bundle_and_returns_with_a_rejoin),
		TEST(hidden_body_is_in_no_bundle_of_a_private_view),
		TEST(muted_body_stays_in_the_bundles),
		TEST(steps_are_in_packets_and_a_few_times_a_second_in_the_roster),
		TEST(jump_makes_one_cut_and_one_roster_change),
		TEST(names_are_unique_and_free_after_a_departure),
		TEST(announces_a_changed_description_and_keeps_omitted_parts),
		TEST(reverted_changes_are_not_announced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
