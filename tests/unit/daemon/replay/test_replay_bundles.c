/* Tests that a replay gives the same bundles each time, byte by byte, for all view options. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "lobby.h"
#include "replay/replay.h"
#include "source/motion_source.h"
#include "tape.h"

#define TICKS 240
#define KINDS 3

static const struct jc_view_options wishes[KINDS] = {
	{ .spec = { .chains = true,
		  .precision = JC_PRECISION_FINE,
		  .rate = 1,
		  .sections = JC_STREAM_ALL } },
	{ .spec = { .rate = 1 } },
	/* A private view that loses detail when its budget is small. */
	{ .spec = { .chains = true,
		  .precision = JC_PRECISION_STANDARD,
		  .rate = 1,
		  .sections = JC_STREAM_ALL },
		.budget = 3000 },
};

/* All bundles of one subscriber, in order. */
struct heard {
	uint8_t *bytes; /* owned */
	size_t length;
	int bundles;
};

static void add_performer(struct lobby *lobby, const char *name)
{
	const struct jc_motion_source_options options = { .loop = true, .speed = 1.0 };
	struct jc_motion *motion;
	struct jc_source *source;

	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	assert_int_equal(jc_motion_source_create(motion, &options, &source), JC_OK);
	assert_int_equal(
		jc_space_add(lobby->fanout.space, name, lobby->skeleton_table.humanoid, source),
		JC_OK);
}

static void record(struct tape *tape)
{
	struct lobby lobby;

	lobby_open(&lobby, 0);
	tape_begin(tape, lobby.fanout.space, false);
	add_performer(&lobby, "walk");
	for (int tick = 0; tick < TICKS; tick++) {
		if (tick == TICKS / 3) {
			add_performer(&lobby, "wave");
		}
		lobby_run(&lobby, 1);
		tape_turn(tape);
	}
	tape_end(tape);
	lobby_close(&lobby);
}

static void listen_to(struct heard *heard, const struct lobby_subscriber *subscriber)
{
	if (subscriber->bundles == heard->bundles) {
		return;
	}
	heard->bytes = realloc(heard->bytes, heard->length + subscriber->length);
	assert_non_null(heard->bytes);
	memcpy(heard->bytes + heard->length, subscriber->last, subscriber->length);
	heard->length += subscriber->length;
	heard->bundles = subscriber->bundles;
}

static void replay(const char *path, struct heard heard[KINDS])
{
	static const struct jc_body_names names;
	const struct jc_replay_options options = {
		.names = &names, .until = JC_LIMIT_BODY_TIME, .speed = 1.0
	};
	struct lobby_subscriber *subscribers = calloc(KINDS, sizeof(*subscribers));
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_replay_file *file;
	struct jc_replay *replay;
	struct lobby lobby;

	assert_non_null(subscribers);
	lobby_open(&lobby, 0);
	assert_int_equal(jc_replay_file_open(path, &file, &diagnostic), JC_OK);
	assert_int_equal(jc_replay_create(&options, file, lobby.fanout.space, &lobby.skeleton_table,
				 NULL, &replay, &diagnostic),
		JC_OK);
	for (int i = 0; i < KINDS; i++) {
		heard[i] = (struct heard){ 0 };
		lobby_join(&lobby, &subscribers[i], (uint64_t)i + 1);
		assert_int_equal(jc_view_subscribe(&subscribers[i].view, &wishes[i], false), JC_OK);
	}
	for (int tick = 0; tick < TICKS; tick++) {
		lobby_run(&lobby, 1);
		for (int i = 0; i < KINDS; i++) {
			listen_to(&heard[i], &subscribers[i]);
		}
	}
	for (int i = 0; i < KINDS; i++) {
		assert_int_equal(subscribers[i].errors, 0);
		jc_view_leave(&subscribers[i].view);
	}
	lobby_close(&lobby);
	free(subscribers);
}

static void two_replays_give_the_same_bundles(void **)
{
	struct heard first[KINDS], second[KINDS];
	struct tape tape;

	record(&tape);
	replay(tape.path, first);
	replay(tape.path, second);
	for (int i = 0; i < KINDS; i++) {
		assert_true(first[i].bundles > TICKS / 2);
		assert_true(first[i].length > 2000);
		assert_int_equal(second[i].bundles, first[i].bundles);
		assert_int_equal(second[i].length, first[i].length);
		assert_memory_equal(second[i].bytes, first[i].bytes, first[i].length);
		free(first[i].bytes);
		free(second[i].bytes);
	}
	tape_remove(&tape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_replays_give_the_same_bundles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
