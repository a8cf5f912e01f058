/* A rewind is made by the pool. Its client, its space and its rewind buffer may have ended
 * when it is done. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "line.h"
#include "replay/rewind_buffer.h"
#include "unit_test.h"

#define TICKS 30

struct setting {
	struct line line;
	char heard[1 << 16]; /* text, one message behind the other */
	size_t length;
	uint32_t tick; /* the next one of the attic */
};

static void hear(void *context, const uint8_t *bytes, size_t length)
{
	struct setting *setting = context;

	if (bytes[0] == 0x81 && setting->length + length < sizeof(setting->heard)) {
		memcpy(setting->heard + setting->length, bytes, length);
		setting->length += length;
	}
}

static bool has_heard(const struct setting *setting, const char *text)
{
	return memmem(setting->heard, setting->length, text, strlen(text)) != NULL;
}

static void say(struct setting *setting, const char *text)
{
	assert_true(line_send(&setting->line, 1, text, strlen(text)));
}

static struct jc_fanout *attic(struct setting *setting)
{
	return jc_spaces_find(&setting->line.spaces, "attic");
}

static void run(struct setting *setting)
{
	for (int i = 0; i < TICKS; i++) {
		jc_space_tick(attic(setting)->space, ++setting->tick);
	}
}

/* A pose of the first publication: the hips at rest. */
static void move(struct setting *setting)
{
	int64_t time_us = jc_clock_server_us(&setting->line.spaces.clock, jc_clock_now_ns());
	uint8_t message[20] = { 0x21, 0, 0x41 };

	for (size_t i = 0; i < 6; i++) {
		message[4 + i] = (uint8_t)(time_us >> 8 * i);
	}
	message[10] = 1;
	assert_true(line_send(&setting->line, 2, message, sizeof(message)));
}

/* A client publishes to the attic, which is remembered. */
static int setup(void **state)
{
	struct setting *setting = calloc(1, sizeof(*setting));
	struct jc_fanout *fanout;

	assert_non_null(setting);
	setting->line.hear = hear;
	setting->line.context = setting;
	line_open(&setting->line);
	line_connect(&setting->line);
	line_shake_hands(&setting->line);
	say(setting, "{\"type\":\"hello\"}");
	say(setting, "{\"type\":\"publish\",\"space\":\"attic\",\"publication\":0,\"name\":\"Ada\","
		     "\"kind\":\"poses\",\"mayRecord\":true}");
	assert_true(has_heard(setting, "\"published\""));
	fanout = attic(setting);
	assert_int_equal(jc_rewind_buffer_create(fanout->space, &setting->line.spaces.clock, 60,
				 1 << 20, &fanout->rewind_buffer),
		JC_OK);
	for (int i = 0; i < 3; i++) {
		move(setting);
		run(setting);
	}
	*state = setting;
	return 0;
}

static int teardown(void **state)
{
	struct setting *setting = *state;

	line_close(&setting->line);
	free(setting);
	return 0;
}

static void ask(struct setting *setting)
{
	say(setting, "{\"type\":\"replay\",\"space\":\"attic\",\"action\":\"rewind\"}");
	assert_int_equal(setting->line.control.openings, 1);
	setting->length = 0;
}

/* Until the pool has done all of it. */
static void wait(struct setting *setting)
{
	while (setting->line.control.openings > 0) {
		uv_run(&setting->line.loop, UV_RUN_ONCE);
	}
}

/* The attic has no members left and closes. */
static void close_attic(struct setting *setting)
{
	attic(setting)->is_closed = true;
	jc_spaces_sweep(&setting->line.spaces, jc_clock_now_ns());
	assert_null(attic(setting));
}

static void rewind_plays_in_a_separate_space(void **state)
{
	struct setting *setting = *state;

	ask(setting);
	wait(setting);
	assert_true(has_heard(setting, "\"past\":\"attic~"));
	assert_int_equal(setting->line.replays.count, 1);
}

static void new_space_of_the_same_name_gets_no_rewind(void **state)
{
	struct setting *setting = *state;
	struct jc_fanout *fanout;

	ask(setting);
	say(setting, "{\"type\":\"unpublish\",\"publication\":0}");
	run(setting);
	close_attic(setting);
	assert_int_equal(
		jc_spaces_open_for(&setting->line.spaces, "attic", "nobody", &fanout), JC_OK);
	wait(setting);
	assert_true(has_heard(setting, "\"unknown-space\""));
	assert_false(has_heard(setting, "\"past\""));
	assert_int_equal(setting->line.replays.count, 0);
}

static void a_closed_space_gets_no_rewind(void **state)
{
	struct setting *setting = *state;

	ask(setting);
	say(setting, "{\"type\":\"unpublish\",\"publication\":0}");
	run(setting);
	close_attic(setting);
	wait(setting);
	assert_true(has_heard(setting, "\"unknown-space\""));
}

static void a_client_that_left_gets_no_rewind(void **state)
{
	struct setting *setting = *state;

	ask(setting);
	line_hang_up(&setting->line);
	wait(setting);
	assert_int_equal(setting->line.replays.count, 0);
	assert_int_equal(setting->line.spaces.count, 2);
}

static void a_rewind_survives_the_end_of_its_buffer(void **state)
{
	struct setting *setting = *state;

	ask(setting);
	jc_rewind_buffer_follow(&setting->line.spaces, 0, 1 << 20);
	assert_null(attic(setting)->rewind_buffer);
	wait(setting);
	assert_true(has_heard(setting, "\"past\":\"attic~"));
}

static void rewind_continues_after_its_space_ends(void **state)
{
	struct setting *setting = *state;

	ask(setting);
	wait(setting);
	assert_int_equal(setting->line.replays.count, 1);
	say(setting, "{\"type\":\"unpublish\",\"publication\":0}");
	run(setting);
	close_attic(setting);

	struct jc_space *past = jc_replay_space(setting->line.replays.list[0]);

	for (uint32_t tick = 1; tick < TICKS; tick++) {
		jc_space_tick(past, tick);
	}
	jc_replay_end(setting->line.replays.list[0]);
	assert_int_equal(setting->line.replays.count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(rewind_plays_in_a_separate_space),
		TEST(new_space_of_the_same_name_gets_no_rewind),
		TEST(a_closed_space_gets_no_rewind),
		TEST(a_client_that_left_gets_no_rewind),
		TEST(a_rewind_survives_the_end_of_its_buffer),
		TEST(rewind_continues_after_its_space_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
