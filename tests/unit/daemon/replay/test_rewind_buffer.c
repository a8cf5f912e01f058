/* Tests the rewind buffer, and that withdrawn consent removes a person from the buffer, from
 * snapshots and from rewinds that play. */
#include <stdlib.h>
#include <string.h>

#include "lobby.h"

#include "jointcast/limits.h"
#include "replay/replay.h"
#include "replay/rewind_buffer.h"

#define SECONDS 300
#define BYTES   (8u << 20)
#define TICKS   120 /* that a scene goes on at first */
#define BEGIN   600 /* the first tick */
#define IDS     16  /* below which bodies are counted one by one */

struct scene {
	struct lobby now, past;
	bool is_closed; /* the space of now */
	struct jc_clock clock;
	struct jc_rewind_buffer *rewind_buffer; /* the space's */
	struct jc_snapshot *snapshot;
	struct jc_withdrawals *withdrawals;
	struct jc_replay_file *file;
	struct jc_replay *replay; /* of past; NULL: none */
	struct jc_diagnostic diagnostic;
};

static int setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->clock.wall_us = INT64_C(1700000000000000);
	lobby_open(&scene->now, 0);
	scene->now.tick = BEGIN;
	lobby_open(&scene->past, 0);
	assert_int_equal(jc_rewind_buffer_create(scene->now.fanout.space, &scene->clock, SECONDS,
				 BYTES, &scene->rewind_buffer),
		JC_OK);
	*state = scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;

	jc_snapshot_destroy(scene->snapshot);
	jc_replay_file_close(scene->file);
	lobby_close(&scene->past);
	jc_withdrawals_destroy(scene->withdrawals);
	if (!scene->is_closed) {
		lobby_close(&scene->now);
	}
	free(scene);
	return 0;
}

static void consent(struct scene *scene, uint32_t id, bool may_record)
{
	const struct jc_consent consent = { .may_record = may_record };

	jc_space_consent(scene->now.fanout.space, id, &consent);
}

/* What one recording has of each body. */
struct found {
	size_t rosters[IDS];  /* in which it is recorded */
	size_t captures[IDS]; /* of it, each later than the one before, */
	size_t gaps[IDS];     /* and ticks in between without one */
	int64_t last_us[IDS];
	size_t bodies;
};

static void count_rosters(const struct jc_recording *recording, struct found *found)
{
	for (size_t i = 0; i < jc_recording_roster_count(recording); i++) {
		const struct jc_recorded_roster *roster = jc_recording_roster(recording, i);

		for (size_t k = 0; k < roster->body_count; k++) {
			const struct jc_recorded_body *body = &roster->bodies[k];

			assert_true(body->id > 0);
			if (body->id < IDS) {
				found->rosters[body->id] += body->recorded != JC_RECORDED_NOTHING;
			}
		}
	}
}

static void count_captures(const struct jc_recorded_message *message, struct found *found)
{
	struct jc_recorded_capture capture;
	struct jc_captures captures;

	assert_true(jc_captures_begin(message->bytes, message->length, &captures));
	while (jc_captures_next(&captures, &capture)) {
		if (capture.body >= IDS) {
			continue;
		}
		int64_t *last_us = &found->last_us[capture.body];

		assert_true(message->time_us > *last_us);
		found->gaps[capture.body] +=
			*last_us > 0 && message->time_us - *last_us > 1000000 / LOBBY_HZ + 2;
		*last_us = message->time_us;
		found->captures[capture.body]++;
	}
	assert_ptr_equal(captures.at, captures.end);
}

/* Copies the buffer; made into a recording later. */
static void recall(struct scene *scene)
{
	jc_snapshot_destroy(scene->snapshot);
	jc_withdrawals_destroy(scene->withdrawals);
	scene->withdrawals = NULL;
	scene->snapshot = NULL;
	assert_int_equal(jc_rewind_buffer_snapshot(scene->rewind_buffer, SECONDS, &scene->snapshot,
				 &scene->withdrawals),
		JC_OK);
}

static void make(struct scene *scene)
{
	jc_replay_file_close(scene->file);
	scene->file = NULL;
	assert_int_equal(
		jc_snapshot_open(scene->snapshot, &scene->file, &scene->diagnostic), JC_OK);
}

static void look(struct scene *scene, struct found *found)
{
	const struct jc_recording *recording;

	memset(found, 0, sizeof(*found));
	recall(scene);
	make(scene);
	recording = jc_replay_file_recording(scene->file);
	found->bodies = jc_recording_body_count(recording);
	count_rosters(recording, found);
	for (size_t i = 0; i < jc_recording_page_count(recording); i++) {
		struct jc_recording_page *page;

		assert_int_equal(jc_recording_read_page(recording, i, &page), JC_OK);
		assert_int_equal(page->error, JC_OK);
		for (size_t k = 0; k < page->message_count; k++) {
			count_captures(&page->messages[k], found);
		}
		jc_recording_page_destroy(page);
	}
}

static void expect_gone(const struct found *found, uint32_t id)
{
	assert_int_equal(found->rosters[id], 0);
	assert_int_equal(found->captures[id], 0);
}

static void expect_whole(const struct found *found, uint32_t id, size_t ticks)
{
	assert_true(found->rosters[id] > 0);
	assert_int_equal(found->captures[id], ticks);
	assert_int_equal(found->gaps[id], 0);
}

static void run(struct scene *scene, int ticks)
{
	lobby_run(&scene->now, ticks);
}

/* Ada, Ben and Cleo, each of another party. */
static void begin(struct scene *scene)
{
	for (uint64_t party = 1; party <= 3; party++) {
		const char display[] = { (char)('0' + party), '\0' };

		lobby_add(&scene->now, party)->restless = true;
		jc_space_describe(scene->now.fanout.space, (uint32_t)party, display, NULL);
	}
	run(scene, TICKS);
}

static void withdrawn_consent_removes_one_person_only(void **state)
{
	struct scene *scene = *state;
	struct found found;

	begin(scene);
	look(scene, &found);
	for (uint32_t id = 1; id <= 3; id++) {
		expect_whole(&found, id, TICKS);
	}
	/* Before the next tick, and after it. */
	consent(scene, 2, false);
	for (int i = 0; i < 2; i++) {
		look(scene, &found);
		expect_gone(&found, 2);
		expect_whole(&found, 1, TICKS + (size_t)i);
		expect_whole(&found, 3, TICKS + (size_t)i);
		run(scene, 1);
	}
	/* New consent is for new motion. */
	consent(scene, 2, true);
	run(scene, 10);
	look(scene, &found);
	assert_int_equal(found.captures[2], 10);
	expect_whole(&found, 1, TICKS + 12);
	consent(scene, 1, false);
	consent(scene, 2, false);
	consent(scene, 3, false);
	run(scene, 1);
	recall(scene);
	assert_int_equal(jc_snapshot_open(scene->snapshot, &scene->file, &scene->diagnostic),
		JC_ERROR_ABSENT);
}

static void withdrawal_between_two_ticks_takes_effect(void **state)
{
	struct scene *scene = *state;
	struct found found;

	begin(scene);
	consent(scene, 1, false);
	consent(scene, 1, true);
	consent(scene, 2, false);
	jc_space_remove(scene->now.fanout.space, 2);
	jc_space_moderate(scene->now.fanout.space, 3, true, false);
	jc_space_moderate(scene->now.fanout.space, 3, false, false);
	lobby_add(&scene->now, 4);
	run(scene, 5);
	look(scene, &found);
	assert_int_equal(found.captures[1], 5);
	expect_gone(&found, 2);
	assert_int_equal(found.captures[3], 5);
	expect_whole(&found, 4, 5);
}

static void leaving_does_not_withdraw_consent(void **state)
{
	struct scene *scene = *state;
	struct found found;

	begin(scene);
	jc_space_remove(scene->now.fanout.space, 2);
	run(scene, TICKS);
	look(scene, &found);
	expect_whole(&found, 2, TICKS);
	expect_whole(&found, 1, 2 * TICKS);
}

/* Body 2 leaves and its party comes back as 4, beside another body, 5. */
static void withdrawal_removes_earlier_bodies_of_the_same_client(void **state)
{
	struct scene *scene = *state;
	struct found found;

	begin(scene);
	lobby_add(&scene->now, 0); /* 4: the server's own */
	run(scene, 1);
	jc_space_remove(scene->now.fanout.space, 2);
	jc_space_remove(scene->now.fanout.space, 4);
	run(scene, 1);
	lobby_add(&scene->now, 2);
	lobby_add(&scene->now, 2);
	lobby_add(&scene->now, 0);
	run(scene, TICKS);
	consent(scene, 5, false);
	consent(scene, 7, false);
	look(scene, &found);
	expect_gone(&found, 2);
	expect_gone(&found, 5);
	expect_gone(&found, 7);
	expect_whole(&found, 6, TICKS);
	expect_whole(&found, 4, 1);
	expect_whole(&found, 1, 2 * TICKS + 2);
}

static void dress(struct scene *scene, uint32_t id, struct jc_skeleton_asset *asset)
{
	struct jc_body *body = lobby_body(&scene->now, id);

	jc_skeleton_asset_unuse(body->asset);
	body->asset = jc_skeleton_asset_use(asset);
}

static bool has_skeleton(struct scene *scene, const struct jc_skeleton_asset *asset)
{
	struct jc_skeleton *skeleton;
	struct found found;

	look(scene, &found);
	if (jc_recording_read_skeleton(jc_replay_file_recording(scene->file), asset->hash,
		    &skeleton, &scene->diagnostic) != JC_OK) {
		return false;
	}
	jc_skeleton_destroy(skeleton);
	return true;
}

static void removes_a_skeleton_with_the_last_body_that_uses_it(void **state)
{
	struct scene *scene = *state;
	struct jc_skeleton_asset *tall = lobby_asset(&scene->now, "tall", 1.2f);
	struct jc_skeleton_asset *small = lobby_asset(&scene->now, "small", 0.6f);

	for (uint64_t party = 1; party <= 4; party++) {
		lobby_add(&scene->now, party);
	}
	dress(scene, 1, tall);
	dress(scene, 2, small);
	dress(scene, 3, small);
	run(scene, TICKS);
	/* A body that has left still uses it. */
	jc_space_remove(scene->now.fanout.space, 3);
	run(scene, 1);
	consent(scene, 1, false);
	consent(scene, 2, false);
	assert_false(has_skeleton(scene, tall));
	assert_true(has_skeleton(scene, small));
	/* The skeleton is added again for its next body; its stored copy is dropped. */
	consent(scene, 1, true);
	run(scene, 1);
	assert_true(has_skeleton(scene, tall));
	assert_true(has_skeleton(scene, small));
	jc_rewind_buffer_limit(scene->rewind_buffer, 1, BYTES);
	run(scene, 4 * LOBBY_HZ);
	assert_true(has_skeleton(scene, tall));
	consent(scene, 1, false);
	assert_false(has_skeleton(scene, tall));
}

static void withdrawal_finds_a_body_with_any_description(void **state)
{
	static const char about[] = "{\"id\":1,\"bodies\":\"[{\\\"id\\\":3}\",\"a}{\":\"\\\\\"}";
	struct scene *scene = *state;
	struct jc_space *space = scene->now.fanout.space;
	struct found found;

	for (uint64_t party = 1; party <= 3; party++) {
		lobby_add(&scene->now, party);
		jc_space_describe(space, (uint32_t)party, "\"},{\"id\":3,\"\\", strdup(about));
	}
	run(scene, TICKS);
	consent(scene, 2, false);
	look(scene, &found);
	expect_gone(&found, 2);
	expect_whole(&found, 1, TICKS);
	expect_whole(&found, 3, TICKS);
	consent(scene, 1, false);
	look(scene, &found);
	expect_gone(&found, 1);
	expect_whole(&found, 3, TICKS);
}

/* The rewind plays at once. */
static void play(struct scene *scene)
{
	static const struct jc_body_names names;
	const struct jc_replay_options options = { .names = &names,
		.until = JC_LIMIT_BODY_TIME,
		.speed = 1.0,
		.withdrawals = scene->withdrawals };

	assert_int_equal(
		jc_replay_create(&options, scene->file, scene->past.fanout.space,
			&scene->past.skeleton_table, NULL, &scene->replay, &scene->diagnostic),
		JC_OK);
	scene->file = NULL;
	scene->withdrawals = NULL;
}

/* Returns the ids that the bodies shown after so many ticks had when they were recorded,
 * each as a digit. */
static int shown(struct scene *scene, int ticks)
{
	const struct jc_space *space = scene->past.fanout.space;
	int ids = 0;

	lobby_run(&scene->past, ticks);
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		ids = 10 * ids + jc_space_body(space, i)->display[0] - '0';
	}
	return ids;
}

static void running_rewind_removes_the_person_at_its_next_tick(void **state)
{
	struct scene *scene = *state;

	begin(scene);
	recall(scene);
	make(scene);
	play(scene);
	assert_int_equal(shown(scene, 30), 123);
	consent(scene, 2, false);
	assert_int_equal(shown(scene, 1), 13);
	/* Neither a jump nor consent to new motion brings the old one back. */
	jc_replay_seek(scene->replay, 0.1);
	assert_int_equal(shown(scene, 1), 13);
	consent(scene, 2, true);
	run(scene, 10);
	jc_replay_seek(scene->replay, 1.0);
	assert_int_equal(shown(scene, 20), 13);
	jc_replay_pause(scene->replay, true);
	assert_int_equal(shown(scene, 2), 13);
	jc_space_moderate(scene->now.fanout.space, 3, true, false);
	assert_int_equal(shown(scene, 1), 1);
}

static void rewind_in_preparation_omits_the_person(void **state)
{
	struct scene *scene = *state;

	begin(scene);
	recall(scene);
	consent(scene, 3, false);
	make(scene);
	consent(scene, 1, false);
	play(scene);
	assert_int_equal(shown(scene, 1), 2);
	assert_int_equal(shown(scene, 30), 2);
}

/* The bodies of the rewind at that time, seconds. */
static size_t count_shown(struct scene *scene, double at_s)
{
	jc_replay_seek(scene->replay, at_s);
	lobby_run(&scene->past, 1);
	return jc_space_body_count(scene->past.fanout.space);
}

/* Body 4 appears, leaves and appears again as 6; body 5 is another one of the server's. */
static void hide_visitor(struct scene *scene, bool is_away)
{
	struct jc_space *space = scene->now.fanout.space;
	struct lobby_source *visitor;
	struct found found;

	begin(scene);
	visitor = lobby_add_visitor(&scene->now);
	lobby_add_visitor(&scene->now);
	jc_space_set_leave_after(space, INT64_C(1000000000));
	for (int i = 0; i < 2; i++) {
		visitor->is_silent = false;
		run(scene, TICKS);
		visitor->is_silent = is_away || i == 0;
		run(scene, TICKS);
	}
	look(scene, &found);
	assert_true(found.captures[4] > 0 && found.captures[6] > 0);
	recall(scene);
	make(scene);
	play(scene);
	assert_int_equal(count_shown(scene, 3.0), 5);
	assert_int_equal(jc_space_waiting_count(space), is_away);
	jc_space_moderate(space, 4, true, false);
	assert_int_equal(count_shown(scene, 3.0), 4);
	look(scene, &found);
	expect_gone(&found, 4);
	expect_gone(&found, 6);
	expect_whole(&found, 1, 5 * TICKS);
	expect_whole(&found, 5, 4 * TICKS);
}

static void hiding_a_body_removes_its_earlier_appearances(void **state)
{
	hide_visitor(*state, false);
}

static void hiding_an_absent_body_removes_its_appearances(void **state)
{
	hide_visitor(*state, true);
}

static void withdrawal_takes_effect_after_the_buffer_ends(void **state)
{
	struct scene *scene = *state;

	begin(scene);
	recall(scene);
	make(scene);
	play(scene);
	jc_rewind_buffer_end(scene->rewind_buffer);
	run(scene, 1);
	assert_int_equal(shown(scene, 2), 123);
	consent(scene, 1, false);
	assert_int_equal(shown(scene, 1), 23);
	/* It goes on without the space, and ends by itself. */
	lobby_close(&scene->now);
	scene->is_closed = true;
	assert_int_equal(shown(scene, 10), 23);
	jc_replay_end(scene->replay);
	assert_int_equal(shown(scene, 1), 0);
}

static void withdrawal_after_the_end_of_a_rewind_is_safe(void **state)
{
	struct scene *scene = *state;

	begin(scene);
	recall(scene);
	make(scene);
	play(scene);
	shown(scene, 1);
	jc_replay_end(scene->replay);
	consent(scene, 1, false);
	run(scene, 2);
	assert_int_equal(shown(scene, 1), 0);
}

/* The maximum number of bodies in a recording. */
static void frequent_joins_keep_the_rewind_of_other_bodies(void **state)
{
	struct scene *scene = *state;
	struct found found;

	lobby_add(&scene->now, 1);
	for (uint32_t i = 0; i < 2 * JC_LIMIT_RECORDED_BODIES; i++) {
		lobby_add(&scene->now, 2);
		run(scene, 1);
		jc_space_remove(scene->now.fanout.space, i + 2);
	}
	run(scene, 1);
	look(scene, &found);
	assert_in_range(found.bodies, JC_MAX_REWIND_BODIES / 2, JC_LIMIT_RECORDED_BODIES);
	expect_whole(&found, 1, 2 * JC_LIMIT_RECORDED_BODIES + 1);
	expect_gone(&found, 2);
}

/* Nor does a recording list them oftener than so. */
static void frequent_roster_changes_keep_the_rewind(void **state)
{
	struct scene *scene = *state;
	struct found found;

	jc_rewind_buffer_limit(scene->rewind_buffer, SECONDS, JC_MAX_REWIND_BYTES);
	for (uint64_t party = 1; party <= JC_MAX_BODIES; party++) {
		lobby_add(&scene->now, party);
	}
	for (int i = 0; i < 1200; i++) {
		consent(scene, 2, i % 2 != 0);
		run(scene, 1);
	}
	look(scene, &found);
	assert_true(found.captures[1] > 900);
	assert_int_equal(found.gaps[1], 0);
}

static void space_with_a_rewind_buffer_can_close(void **state)
{
	struct scene *scene = *state;

	begin(scene);
	recall(scene);
	for (uint32_t id = 1; id <= 3; id++) {
		assert_false(jc_space_is_idle(scene->now.fanout.space));
		jc_space_remove(scene->now.fanout.space, id);
	}
	run(scene, 1);
	assert_true(jc_space_is_idle(scene->now.fanout.space));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(withdrawn_consent_removes_one_person_only),
		TEST(withdrawal_between_two_ticks_takes_effect),
		TEST(leaving_does_not_withdraw_consent),
		TEST(withdrawal_removes_earlier_bodies_of_the_same_client),
		TEST(removes_a_skeleton_with_the_last_body_that_uses_it),
		TEST(withdrawal_finds_a_body_with_any_description),
		TEST(running_rewind_removes_the_person_at_its_next_tick),
		TEST(rewind_in_preparation_omits_the_person),
		TEST(hiding_a_body_removes_its_earlier_appearances),
		TEST(hiding_an_absent_body_removes_its_appearances),
		TEST(withdrawal_takes_effect_after_the_buffer_ends),
		TEST(withdrawal_after_the_end_of_a_rewind_is_safe),
		TEST(frequent_joins_keep_the_rewind_of_other_bodies),
		TEST(frequent_roster_changes_keep_the_rewind),
		TEST(space_with_a_rewind_buffer_can_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
