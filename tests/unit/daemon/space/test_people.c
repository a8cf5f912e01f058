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

static void who_is_hidden_is_in_no_bundle_and_comes_back_by_a_rejoin(void **)
{
	hide_and_show(false);
}

static void nor_in_one_of_a_personal_view(void **)
{
	hide_and_show(true);
}

static void who_is_muted_stays_in_the_bundles(void **)
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

static void a_step_is_told_by_packets_and_by_the_roster_a_few_times_a_second(void **)
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

static void a_jump_cuts_once_and_is_in_one_roster_change(void **)
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

static void a_name_stands_once_and_is_free_again_when_its_body_leaves(void **)
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

static void what_is_said_of_a_body_is_announced_and_what_is_not_stays(void **)
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
static void what_is_undone_before_it_is_announced_is_no_change(void **)
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
		TEST(who_is_hidden_is_in_no_bundle_and_comes_back_by_a_rejoin),
		TEST(nor_in_one_of_a_personal_view),
		TEST(who_is_muted_stays_in_the_bundles),
		TEST(a_step_is_told_by_packets_and_by_the_roster_a_few_times_a_second),
		TEST(a_jump_cuts_once_and_is_in_one_roster_change),
		TEST(a_name_stands_once_and_is_free_again_when_its_body_leaves),
		TEST(what_is_said_of_a_body_is_announced_and_what_is_not_stays),
		TEST(what_is_undone_before_it_is_announced_is_no_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
