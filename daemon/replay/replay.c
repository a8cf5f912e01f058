/* Advances the time of a recording at each tick and delivers the messages up to it. A tick never
 * waits: the time stands still while a page is missing. */
#include "replay/replay.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "replay/replay_cursor.h"

#define AHEAD       3         /* pages read ahead at speed 1 */
#define LOOP_US     2000000   /* when to read the first page of a loop, before its end */
#define REPORTED_NS 100000000 /* minimum between two reported changes */

struct jc_replay {
	struct jc_player player;
	uint32_t id;
	struct jc_replays *replays; /* borrowed; NULL: no list */
	struct jc_space *space;     /* borrowed; owns this replay */
	struct jc_replay_cursor cursor;
	struct jc_withdrawals *withdrawals; /* owned; NULL: no body is left out */
	struct jc_body_names names;
	size_t marker_count;
	const struct jc_recorded_event *markers[JC_MAX_REPLAY_MARKERS];

	int64_t begin_us, end_us;  /* range of the recording */
	int64_t from_us, until_us; /* range to play */
	double speed;
	bool loop, is_paused, has_ended;
	bool has_begun;      /* a tick has run */
	bool is_changed;     /* the state differs from the reported one */
	int64_t reported_ns; /* tick of the last report */
	bool is_seeking;     /* position is the target of a jump that still waits for pages */
	int64_t position_ns; /* server time of the recording */
	int64_t now_ns;      /* tick at which position_ns was reached */
};

static void send_report(const struct jc_replay *replay, enum jc_replay_change change)
{
	if (replay->replays && replay->replays->on_change) {
		replay->replays->on_change(replay->replays->context, replay, change);
	}
}

static int64_t position_us(const struct jc_replay *replay)
{
	return replay->position_ns / 1000;
}

static void go_to(struct jc_replay *replay, int64_t time_us)
{
	replay->position_ns = time_us * 1000;
	replay->is_seeking = true;
	replay->has_ended = false;
}

/* Moves the position forward, at most to the first page that is not read yet. */
static void advance(struct jc_replay *replay, int64_t position_ns)
{
	int64_t edge_us;

	if (!jc_replay_cursor_play(&replay->cursor, position_ns / 1000, &edge_us)) {
		position_ns = position_ns < edge_us * 1000 ? position_ns : edge_us * 1000;
		replay->is_changed = true;
	}
	replay->position_ns = position_ns > replay->position_ns ? position_ns : replay->position_ns;
	jc_replay_cursor_expect(&replay->cursor, AHEAD + (size_t)(replay->speed / 2.0));
	if (replay->loop && position_us(replay) > replay->until_us - LOOP_US) {
		jc_replay_file_expect(replay->cursor.file,
			jc_recording_page_at(replay->cursor.recording, replay->from_us));
	}
}

/* Loops or ends when the position has reached the end. */
static void pass_end(struct jc_replay *replay)
{
	if (position_us(replay) < replay->until_us) {
		return;
	}
	if (replay->loop && replay->until_us > replay->from_us) {
		go_to(replay, replay->from_us);
		replay->is_seeking = !jc_replay_cursor_settle(&replay->cursor, replay->from_us);
		replay->is_changed = true;
	} else if (!replay->has_ended) {
		replay->has_ended = true;
		replay->is_changed = true;
	}
}

/* At the end, one more tick shows the last live pose. */
static void move_bodies(const struct jc_replay *replay, bool had_ended)
{
	const struct jc_replay_position position = {
		.position_ns = replay->position_ns,
		.now_ns = replay->now_ns,
		.speed = replay->speed,
		.has_ended = had_ended && replay->has_ended,
	};

	for (size_t i = 0; i < replay->cursor.replay_roster.count; i++) {
		jc_replay_body_move(replay->cursor.replay_roster.members[i].source, &position);
	}
}

/* Limits the rate of reports: a slider changes the state at every tick. */
static void report_changes(struct jc_replay *replay)
{
	if (replay->is_changed && replay->now_ns - replay->reported_ns >= REPORTED_NS) {
		replay->is_changed = false;
		replay->reported_ns = replay->now_ns;
		send_report(replay, JC_REPLAY_CHANGED);
	}
}

static void tick(
	struct jc_player *player, struct jc_space *space, uint32_t tick, int64_t nominal_ns)
{
	struct jc_replay *replay = (struct jc_replay *)player;
	int64_t step_ns = replay->has_begun ? nominal_ns - replay->now_ns : 0;
	int64_t until_ns = replay->until_us * 1000;
	bool had_ended = replay->has_ended;

	(void)space;
	(void)tick;
	replay->has_begun = true;
	replay->now_ns = nominal_ns;
	jc_replay_roster_remove_withdrawn(&replay->cursor.replay_roster);
	if (replay->is_seeking) {
		replay->is_seeking = !jc_replay_cursor_settle(&replay->cursor, position_us(replay));
		replay->is_changed = true;
		step_ns = 0;
	}
	if (!replay->is_seeking && !replay->has_ended) {
		int64_t to_ns = replay->position_ns;

		if (!replay->is_paused) {
			to_ns += (int64_t)((double)step_ns * replay->speed);
		}
		advance(replay, to_ns < until_ns ? to_ns : until_ns);
		if (!replay->is_paused) {
			pass_end(replay);
		}
	}
	move_bodies(replay, had_ended);
	report_changes(replay);
}

static void leave_list(struct jc_replay *replay)
{
	struct jc_replays *replays = replay->replays;

	for (size_t i = 0; replays && i < replays->count; i++) {
		if (replays->list[i] == replay) {
			replays->count--;
			memmove(&replays->list[i], &replays->list[i + 1],
				(replays->count - i) * sizeof(replays->list[0]));
			send_report(replay, JC_REPLAY_ENDED);
			return;
		}
	}
}

static void destroy(struct jc_player *player)
{
	struct jc_replay *replay = (struct jc_replay *)player;

	leave_list(replay);
	if (replay->cursor.replay_roster.asset) {
		jc_skeleton_asset_unuse(replay->cursor.replay_roster.asset);
	}
	jc_replay_file_close(replay->cursor.file);
	jc_withdrawals_destroy(replay->withdrawals);
	free(replay);
}

static const struct jc_player_ops replay_ops = {
	.tick = tick,
	.destroy = destroy,
};

static void find_markers(struct jc_replay *replay)
{
	for (size_t i = 0; i < jc_recording_event_count(replay->cursor.recording); i++) {
		const struct jc_recorded_event *event =
			jc_recording_event(replay->cursor.recording, i);

		if (strcmp(event->event, "marker") == 0 &&
			replay->marker_count < JC_MAX_REPLAY_MARKERS) {
			replay->markers[replay->marker_count++] = event;
		}
	}
}

/* Converts seconds from the beginning to server time of the recording, clamped to its range. */
static int64_t time_of(const struct jc_replay *replay, double seconds)
{
	double longest = (double)(replay->end_us - replay->begin_us);

	return replay->begin_us + llround(fmin(fmax(seconds * 1e6, 0.0), longest));
}

static double seconds_of(const struct jc_replay *replay, int64_t time_us)
{
	return (double)(time_us - replay->begin_us) * 1e-6;
}

static int set_up(struct jc_replay *replay, const struct jc_replay_options *options,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_recording_session *session = jc_recording_session(replay->cursor.recording);

	replay->begin_us = session->from_us;
	replay->end_us = session->until_us;
	replay->speed = options->speed;
	replay->loop = options->loop;
	replay->is_paused = options->is_paused;
	replay->now_ns = jc_clock_now_ns();
	if (!jc_replay_set_range(replay, options->from, options->until)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"has nothing from %g to %g s: it is %.3f s long", options->from,
			options->until, jc_replay_duration(replay));
	}
	go_to(replay, replay->from_us);
	if (!options->asset) {
		jc_replay_file_keep_skeletons(
			replay->cursor.file, replay->cursor.replay_roster.skeleton_table);
	}
	find_markers(replay);
	return JC_OK;
}

static void enter_list(struct jc_replay *replay, struct jc_replays *replays)
{
	if (replays) {
		replay->id = ++replays->last_id;
		replays->list[replays->count++] = replay;
		replay->replays = replays;
		send_report(replay, JC_REPLAY_BEGAN);
	}
}

int jc_replay_create(const struct jc_replay_options *options, struct jc_replay_file *file,
	struct jc_space *space, struct jc_skeleton_table *skeleton_table,
	struct jc_replays *replays, struct jc_replay **out_replay, struct jc_diagnostic *diagnostic)
{
	struct jc_replay *replay;
	int error;

	if (replays && replays->count == JC_MAX_REPLAYS) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "more than %u replays", JC_MAX_REPLAYS);
	}
	replay = calloc(1, sizeof(*replay));
	if (!replay) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	replay->player.ops = &replay_ops;
	replay->space = space;
	replay->names = *options->names;
	replay->cursor.file = file;
	replay->cursor.recording = jc_replay_file_recording(file);
	replay->cursor.replay_roster = (struct jc_replay_roster){ .space = space,
		.skeleton_table = skeleton_table,
		.asset = options->asset ? jc_skeleton_asset_use(options->asset) : NULL,
		.names = &replay->names,
		.withdrawals = options->withdrawals };
	error = set_up(replay, options, diagnostic);
	if (error) {
		replay->cursor.file = NULL; /* still owned by the caller */
		destroy(&replay->player);
		return error;
	}
	replay->withdrawals = options->withdrawals;
	jc_space_add_player(space, &replay->player);
	enter_list(replay, replays);
	*out_replay = replay;
	return JC_OK;
}

void jc_replay_end(struct jc_replay *replay)
{
	jc_replay_roster_clear(&replay->cursor.replay_roster);
	jc_space_remove_player(replay->space, &replay->player);
}

uint32_t jc_replay_id(const struct jc_replay *replay)
{
	return replay->id;
}

const char *jc_replay_name(const struct jc_replay *replay)
{
	return jc_replay_file_name(replay->cursor.file);
}

struct jc_space *jc_replay_space(const struct jc_replay *replay)
{
	return replay->space;
}

double jc_replay_duration(const struct jc_replay *replay)
{
	return seconds_of(replay, replay->end_us);
}

void jc_replay_state(const struct jc_replay *replay, struct jc_replay_state *out_state)
{
	*out_state = (struct jc_replay_state){
		.time = seconds_of(replay, position_us(replay)),
		.from = seconds_of(replay, replay->from_us),
		.until = seconds_of(replay, replay->until_us),
		.speed = replay->speed,
		.is_paused = replay->is_paused,
		.has_ended = replay->has_ended,
		.loop = replay->loop,
		.now_ns = replay->now_ns,
	};
}

size_t jc_replay_marker_count(const struct jc_replay *replay)
{
	return replay->marker_count;
}

struct jc_replay_marker jc_replay_marker(const struct jc_replay *replay, size_t index)
{
	const struct jc_recorded_event *event = replay->markers[index];

	return (struct jc_replay_marker){ seconds_of(replay, event->time_us), event->text };
}

void jc_replay_pause(struct jc_replay *replay, bool pause)
{
	replay->is_paused = pause;
	if (!pause && replay->has_ended) {
		go_to(replay, replay->from_us);
	}
	replay->is_changed = true;
}

void jc_replay_set_speed(struct jc_replay *replay, double speed)
{
	assert(speed >= JC_REPLAY_SPEED_LEAST && speed <= JC_MAX_REPLAY_SPEED);
	replay->speed = speed;
	replay->is_changed = true;
}

void jc_replay_set_loop(struct jc_replay *replay, bool loop)
{
	replay->loop = loop;
	if (loop && replay->has_ended) {
		go_to(replay, replay->from_us);
	}
	replay->is_changed = true;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

void jc_replay_seek(struct jc_replay *replay, double time)
{
	go_to(replay, clamp(time_of(replay, time), replay->from_us, replay->until_us));
	replay->is_changed = true;
}

bool jc_replay_set_range(struct jc_replay *replay, double from, double until)
{
	int64_t from_us = time_of(replay, from);
	int64_t until_us = time_of(replay, until);

	if (until_us < from_us || from > jc_replay_duration(replay)) {
		return false;
	}
	replay->from_us = from_us;
	replay->until_us = until_us;
	if (position_us(replay) < from_us || position_us(replay) > until_us) {
		go_to(replay, clamp(position_us(replay), from_us, until_us));
	}
	replay->is_changed = true;
	return true;
}

struct jc_replay *jc_replays_find(const struct jc_replays *replays, int64_t id)
{
	for (size_t i = 0; i < replays->count; i++) {
		if (replays->list[i]->id == id) {
			return replays->list[i];
		}
	}
	return NULL;
}
