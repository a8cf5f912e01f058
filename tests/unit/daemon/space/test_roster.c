/* Changes of a roster, which are collected, and the complete roster that they add up to. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lobby.h"
#include "space/roster.h"
#include "space/space.h"
#include "unit_test.h"

/* A client that knows the roster only by the changes that it gets. */
struct follower {
	struct jc_subscriber base;
	struct jc_view view;
	int changes;
	json_t *last;   /* the last change */
	json_t *bodies; /* by id */
	bool is_late;   /* it has received a complete roster, and may lack a body that leaves */
	bool is_recorded;
	json_int_t revision;
};

struct setting {
	struct lobby lobby;
	struct jc_space *space;
	struct follower follower;
};

static const char *key_of(json_int_t id)
{
	static char key[24];

	snprintf(key, sizeof(key), "%lld", (long long)id);
	return key;
}

static json_int_t id_of(const json_t *body)
{
	assert_true(json_is_integer(json_object_get(body, "id")));
	return json_integer_value(json_object_get(body, "id"));
}

/* Applies a change as proto/CORE.md, "Roster", requires: `left` first, no body in two lists. */
static void apply(struct follower *follower, const json_t *change)
{
	json_t *seen = json_object(), *entry;
	size_t i;

	json_array_foreach(json_object_get(change, "left"), i, entry)
	{
		int status = json_object_del(follower->bodies, key_of(json_integer_value(entry)));

		assert_true(status == 0 || follower->is_late);
		json_object_set(seen, key_of(json_integer_value(entry)), entry);
	}
	json_array_foreach(json_object_get(change, "joined"), i, entry)
	{
		assert_null(json_object_get(follower->bodies, key_of(id_of(entry))));
		assert_null(json_object_get(seen, key_of(id_of(entry))));
		json_object_set(follower->bodies, key_of(id_of(entry)), entry);
		json_object_set(seen, key_of(id_of(entry)), entry);
	}
	json_array_foreach(json_object_get(change, "changed"), i, entry)
	{
		assert_non_null(json_object_get(follower->bodies, key_of(id_of(entry))));
		assert_null(json_object_get(seen, key_of(id_of(entry))));
		json_object_set(follower->bodies, key_of(id_of(entry)), entry);
	}
	json_decref(seen);
}

static void on_roster_changed(struct jc_subscriber *base, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	struct follower *follower = (struct follower *)base;
	json_t *change = json_loadb(jc_shared_text_chars(announcement->change),
		announcement->change->length, JSON_REJECT_DUPLICATES, NULL);

	assert_ptr_equal(view, &follower->view);
	assert_non_null(change);
	assert_string_equal(json_string_value(json_object_get(change, "type")), "roster");
	assert_string_equal(json_string_value(json_object_get(change, "space")), "lobby");
	assert_null(json_object_get(change, "bodies"));
	assert_int_equal(
		json_integer_value(json_object_get(change, "revision")), ++follower->revision);
	assert_int_equal(
		json_array_size(json_object_get(change, "joined")), announcement->joined_count);
	apply(follower, change);
	if (json_object_get(change, "recording")) {
		follower->is_recorded = json_is_true(json_object_get(change, "recording"));
	}
	follower->changes++;
	json_decref(follower->last);
	follower->last = change;
}

static bool is_ready(const struct jc_subscriber *base)
{
	(void)base;
	return true;
}

static enum jc_delivery on_bundle(struct jc_subscriber *base, uint8_t *bytes, size_t length)
{
	(void)base;
	(void)bytes;
	(void)length;
	return JC_DELIVERED;
}

static void on_shown(struct jc_subscriber *base, struct jc_view *view, const struct jc_shown *shown,
	size_t count)
{
	(void)base;
	(void)view;
	(void)shown;
	(void)count;
}

static const struct jc_subscriber_ops follower_ops = { .is_ready = is_ready,
	.bundle = on_bundle,
	.roster_changed = on_roster_changed,
	.shown = on_shown };

static int set_up(void **state)
{
	struct setting *setting = calloc(1, sizeof(*setting));

	if (!setting) {
		return -1;
	}
	lobby_open(&setting->lobby, 0);
	setting->space = setting->lobby.fanout.space;
	setting->follower.base.ops = &follower_ops;
	setting->follower.bodies = json_object();
	jc_view_join(&setting->follower.view, &setting->lobby.fanout, &setting->follower.base);
	*state = setting;
	return 0;
}

static int tear_down(void **state)
{
	struct setting *setting = *state;

	jc_view_leave(&setting->follower.view);
	lobby_close(&setting->lobby);
	json_decref(setting->follower.last);
	json_decref(setting->follower.bodies);
	free(setting);
	return 0;
}

static json_t *read_complete(struct jc_space *space)
{
	struct jc_shared_text *text = jc_space_roster(space);

	assert_non_null(text);
	json_t *roster =
		json_loadb(jc_shared_text_chars(text), text->length, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(roster);
	jc_shared_text_drop(text);
	return roster;
}

/* Asserts that the complete roster equals the sum of all changes. */
static void expect_sum(const struct setting *setting)
{
	const struct follower *follower = &setting->follower;
	json_t *roster = read_complete(setting->space), *body;
	json_t *bodies = json_object_get(roster, "bodies");
	size_t i;

	assert_true(json_is_array(bodies));
	assert_int_equal(
		json_integer_value(json_object_get(roster, "revision")), follower->revision);
	assert_int_equal(json_is_true(json_object_get(roster, "recording")), follower->is_recorded);
	assert_int_equal(json_array_size(bodies), json_object_size(follower->bodies));
	json_array_foreach(bodies, i, body)
	{
		assert_true(
			json_equal(body, json_object_get(follower->bodies, key_of(id_of(body)))));
	}
	json_decref(roster);
}

/* Entries of a list of the last change. */
static size_t count_of(const struct setting *setting, const char *list)
{
	return json_array_size(json_object_get(setting->follower.last, list));
}

static const json_t *entry_of(const struct setting *setting, json_int_t id)
{
	return json_object_get(setting->follower.bodies, key_of(id));
}

/* Body 1, and the options below, were announced just now. */
static void begin(struct setting *setting, int bodies)
{
	for (int i = 0; i < bodies; i++) {
		lobby_add(&setting->lobby, 0)->restless = true;
	}
	lobby_run(&setting->lobby, 1);
	assert_int_equal(setting->follower.changes, 1);
	assert_int_equal(count_of(setting, "joined"), bodies);
}

static void changes_within_250_ms_share_one_announcement(void **state)
{
	struct setting *setting = *state;

	/* The first after a long silence comes with the next tick. */
	begin(setting, 1);
	jc_space_stage(setting->space, 1, true);
	lobby_run(&setting->lobby, 7);
	lobby_add(&setting->lobby, 0);
	jc_space_moderate(setting->space, 1, false, true);
	lobby_run(&setting->lobby, LOBBY_ANNOUNCING - 8);
	assert_int_equal(setting->follower.changes, 1);
	assert_int_equal(jc_space_revision(setting->space), 1);
	lobby_run(&setting->lobby, 1);
	assert_int_equal(setting->follower.changes, 2);
	assert_int_equal(jc_space_revision(setting->space), 2);
	assert_int_equal(count_of(setting, "joined"), 1);
	assert_int_equal(count_of(setting, "changed"), 1);
	assert_true(json_is_true(json_object_get(entry_of(setting, 1), "stage")));
	assert_true(json_is_true(json_object_get(entry_of(setting, 1), "muted")));
	expect_sum(setting);
	/* Without a change there is no announcement. */
	lobby_run(&setting->lobby, 3 * LOBBY_ANNOUNCING);
	assert_int_equal(setting->follower.changes, 2);
	jc_space_stage(setting->space, 1, false);
	lobby_run(&setting->lobby, 1);
	assert_int_equal(setting->follower.changes, 3);
	expect_sum(setting);
}

static void one_announcement_has_all_kinds_of_changes(void **state)
{
	struct setting *setting = *state;

	begin(setting, 3);
	jc_space_remove(setting->space, 1);
	jc_space_stage(setting->space, 2, true);
	jc_space_set_recorded(setting->space, true);
	lobby_add(&setting->lobby, 0);
	/* One that changes and then leaves is only in `left`. */
	jc_space_stage(setting->space, 3, true);
	jc_space_remove(setting->space, 3);
	/* A new body is only in `joined`, with its current properties. */
	jc_space_stage(setting->space, 4, true);
	lobby_run(&setting->lobby, LOBBY_ANNOUNCING - 1);
	assert_int_equal(setting->follower.changes, 1);
	lobby_run(&setting->lobby, 1);
	assert_int_equal(setting->follower.changes, 2);
	assert_int_equal(count_of(setting, "left"), 2);
	assert_int_equal(count_of(setting, "changed"), 1);
	assert_int_equal(count_of(setting, "joined"), 1);
	assert_true(json_is_true(json_object_get(setting->follower.last, "recording")));
	assert_true(json_is_true(json_object_get(entry_of(setting, 4), "stage")));
	assert_null(entry_of(setting, 1));
	expect_sum(setting);
}

static void roster_of_a_revision_is_the_same_for_all(void **state)
{
	struct setting *setting = *state;

	begin(setting, 2);
	struct jc_shared_text *first = jc_space_roster(setting->space);
	struct jc_shared_text *second = jc_space_roster(setting->space);

	assert_ptr_equal(first, second);
	jc_shared_text_drop(second);
	/* Pending changes are in none. */
	lobby_add(&setting->lobby, 0);
	jc_space_set_recorded(setting->space, true);
	lobby_run(&setting->lobby, LOBBY_ANNOUNCING - 1);
	second = jc_space_roster(setting->space);
	assert_ptr_equal(first, second);
	jc_shared_text_drop(second);
	expect_sum(setting);
	/* The next revision has another roster; holders of the old one keep it. */
	lobby_run(&setting->lobby, 1);
	second = jc_space_roster(setting->space);
	assert_ptr_not_equal(first, second);
	assert_non_null(strstr(jc_shared_text_chars(first), "\"revision\":1,"));
	assert_non_null(strstr(jc_shared_text_chars(second), "\"revision\":2,"));
	jc_shared_text_drop(first);
	jc_shared_text_drop(second);
	expect_sum(setting);
}

/* A complete roster that is made while changes are pending has the next change follow. */
static void client_that_joins_late_follows_the_next_change(void **state)
{
	struct setting *setting = *state;
	struct follower late = { .bodies = json_object(), .is_late = true };
	json_t *roster, *body;
	size_t i;

	begin(setting, 3);
	jc_space_remove(setting->space, 1);
	jc_space_stage(setting->space, 2, true);
	lobby_add(&setting->lobby, 0);
	lobby_run(&setting->lobby, 3);
	roster = read_complete(setting->space);
	assert_int_equal(json_integer_value(json_object_get(roster, "revision")), 1);
	json_array_foreach(json_object_get(roster, "bodies"), i, body)
	{
		/* As it was announced, if it is there. */
		assert_true(json_equal(body, entry_of(setting, id_of(body))));
		json_object_set(late.bodies, key_of(id_of(body)), body);
	}
	assert_non_null(json_object_get(late.bodies, "2"));
	assert_non_null(json_object_get(late.bodies, "3"));
	assert_null(json_object_get(late.bodies, "4"));
	lobby_run(&setting->lobby, LOBBY_ANNOUNCING - 3);
	assert_int_equal(setting->follower.changes, 2);
	apply(&late, setting->follower.last);
	assert_true(json_equal(late.bodies, setting->follower.bodies));
	expect_sum(setting);
	json_decref(roster);
	json_decref(late.bodies);
}

static void the_roster_of_an_empty_space_is_complete(void **state)
{
	struct setting *setting = *state;

	expect_sum(setting);
	begin(setting, 1);
	jc_space_remove(setting->space, 1);
	lobby_run(&setting->lobby, LOBBY_ANNOUNCING);
	assert_int_equal(json_object_size(setting->follower.bodies), 0);
	assert_int_equal(setting->follower.revision, 2);
	expect_sum(setting);
}

static void a_body_that_is_not_announced_is_in_no_roster_and_no_bundle(void **state)
{
	struct setting *setting = *state;
	struct lobby_subscriber *subscriber = calloc(1, sizeof(*subscriber));

	assert_non_null(subscriber);
	begin(setting, 1);
	lobby_join(&setting->lobby, subscriber, 0);
	lobby_subscribe(subscriber, &lobby_standard);
	lobby_add(&setting->lobby, 0)->restless = true;
	for (int i = 1; i < LOBBY_ANNOUNCING; i++) {
		lobby_run(&setting->lobby, 1);
		assert_int_equal(subscriber->counts[1], i);
		assert_int_equal(subscriber->counts[2], 0);
		expect_sum(setting);
		assert_null(entry_of(setting, 2));
	}
	lobby_run(&setting->lobby, 1);
	assert_non_null(entry_of(setting, 2));
	assert_int_equal(subscriber->counts[2], 1);
	assert_int_equal(subscriber->keys[2], 1);
	assert_int_equal(subscriber->errors, 0);
	expect_sum(setting);
	jc_view_leave(&subscriber->view);
	free(subscriber);
}

static void a_smooth_move_is_announced(void **state)
{
	struct setting *setting = *state;

	begin(setting, 1);
	struct jc_placement placement = lobby_body(&setting->lobby, 1)->placement;
	uint64_t changes = jc_space_changes(setting->space);

	for (int i = 0; i < 5; i++) {
		placement.position.x += 0.25f;
		jc_space_place(setting->space, 1, &placement, 0.0f, false);
		lobby_run(&setting->lobby, 1);
	}
	/* Packets contain the placement: recordings need no entry for each step. */
	assert_int_equal(jc_space_changes(setting->space), changes);
	assert_int_equal(setting->follower.changes, 1);
	lobby_run(&setting->lobby, LOBBY_ANNOUNCING - 5);
	assert_int_equal(setting->follower.changes, 2);
	assert_int_equal(count_of(setting, "changed"), 1);
	assert_int_equal(jc_space_changes(setting->space), changes + 1);
	const json_t *position =
		json_object_get(json_object_get(entry_of(setting, 1), "placement"), "position");

	assert_true((float)json_real_value(json_array_get(position, 0)) == placement.position.x);
	expect_sum(setting);
	/* To the place where it is already. */
	jc_space_place(setting->space, 1, &placement, 0.0f, false);
	lobby_run(&setting->lobby, 2 * LOBBY_ANNOUNCING);
	assert_int_equal(setting->follower.changes, 2);
}

static void reverted_changes_are_not_announced(void **state)
{
	struct setting *setting = *state;

	begin(setting, 1);
	json_t *before = json_deep_copy(setting->follower.bodies);

	/* In and out again, before a tick and after some. */
	lobby_add(&setting->lobby, 0);
	jc_space_remove(setting->space, 2);
	lobby_run(&setting->lobby, 2);
	lobby_add(&setting->lobby, 0);
	jc_space_set_recorded(setting->space, true);
	lobby_run(&setting->lobby, 2);
	jc_space_remove(setting->space, 3);
	jc_space_set_recorded(setting->space, false);
	lobby_run(&setting->lobby, 2 * LOBBY_ANNOUNCING);
	assert_int_equal(setting->follower.changes, 1);
	expect_sum(setting);
	/* An entry may be repeated unchanged. */
	jc_space_stage(setting->space, 1, true);
	jc_space_stage(setting->space, 1, false);
	lobby_run(&setting->lobby, 2 * LOBBY_ANNOUNCING);
	assert_true(json_equal(setting->follower.bodies, before));
	expect_sum(setting);
	/* The next change is not held back. */
	int changes = setting->follower.changes;

	jc_space_stage(setting->space, 1, true);
	lobby_run(&setting->lobby, 1);
	assert_int_equal(setting->follower.changes, changes + 1);
	expect_sum(setting);
	json_decref(before);
}

static unsigned draw(unsigned *seed, unsigned count)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % count;
}

/* All kinds of changes of a body. */
static void disturb(struct setting *setting, unsigned *seed)
{
	struct jc_space *space = setting->space;
	size_t count = jc_space_body_count(space);
	uint32_t id = count > 0 ? jc_space_body(space, draw(seed, (unsigned)count))->id : 0;
	struct jc_placement placement = { .position = { (float)draw(seed, 7), 0.1f, 0.0f } };

	switch (draw(seed, 8)) {
	case 0:
	case 1:
		lobby_add(&setting->lobby, 0);
		break;
	case 2:
		jc_space_remove(space, id);
		break;
	case 3:
		jc_space_stage(space, id, draw(seed, 2));
		break;
	case 4:
		jc_space_moderate(space, id, draw(seed, 2), draw(seed, 2));
		break;
	case 5:
		jc_space_place(space, id, &placement, 0.0f, draw(seed, 2));
		break;
	case 6:
		jc_space_describe(space, id, draw(seed, 2) ? "A \"B\"\\" : "",
			strdup(draw(seed, 2) ? "{\"a\":\"\\\"\"}" : "{}"));
		break;
	default:
		jc_space_set_recorded(space, draw(seed, 2));
	}
}

static void complete_roster_equals_the_sum_of_all_changes(void **state)
{
	struct setting *setting = *state;
	unsigned seed = 1;

	jc_space_limit(setting->space, 12, 0);
	for (int i = 0; i < 400; i++) {
		if (jc_space_body_count(setting->space) == 12) {
			jc_space_remove(
				setting->space, jc_space_body(setting->space, draw(&seed, 12))->id);
			jc_space_let_leavers_go(setting->space);
		}
		disturb(setting, &seed);
		lobby_run(&setting->lobby, (int)draw(&seed, 12));
		expect_sum(setting);
	}
	assert_true(setting->follower.changes > 50);
	/* At most four a second. */
	assert_true(
		(uint32_t)setting->follower.changes <= setting->lobby.tick / LOBBY_ANNOUNCING + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(changes_within_250_ms_share_one_announcement),
		TEST(one_announcement_has_all_kinds_of_changes),
		TEST(roster_of_a_revision_is_the_same_for_all),
		TEST(client_that_joins_late_follows_the_next_change),
		TEST(the_roster_of_an_empty_space_is_complete),
		TEST(a_body_that_is_not_announced_is_in_no_roster_and_no_bundle),
		TEST(a_smooth_move_is_announced),
		TEST(reverted_changes_are_not_announced),
		TEST(complete_roster_equals_the_sum_of_all_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
