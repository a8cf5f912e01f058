/* Message `replay` and its actions on a running replay. */
#include <string.h>

#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/named_space.h"
#include "control/replay/replay_report.h"
#include "control/reply.h"
#include "jointcast/limits.h"
#include "jointcast_private/json.h"
#include "replay/replay.h"

/* Actions on a replay: nothing happens where a field is wrong, or the replay is NULL. */

static void play(struct jc_replay *replay, struct jc_fields *fields)
{
	(void)fields;
	if (replay) {
		jc_replay_pause(replay, false);
	}
}

static void pause_it(struct jc_replay *replay, struct jc_fields *fields)
{
	(void)fields;
	if (replay) {
		jc_replay_pause(replay, true);
	}
}

static void seek(struct jc_replay *replay, struct jc_fields *fields)
{
	double time;

	jc_fields_require(fields, "time");
	if (jc_fields_number(fields, "time", 0.0, JC_LIMIT_BODY_TIME, &time) && replay) {
		jc_replay_seek(replay, time);
	}
}

static void set_speed(struct jc_replay *replay, struct jc_fields *fields)
{
	double speed;

	jc_fields_require(fields, "speed");
	if (jc_fields_number(fields, "speed", JC_REPLAY_SPEED_LEAST, JC_MAX_REPLAY_SPEED, &speed) &&
		replay) {
		jc_replay_set_speed(replay, speed);
	}
}

static void set_loop(struct jc_replay *replay, struct jc_fields *fields)
{
	bool loop;

	jc_fields_require(fields, "loop");
	if (jc_fields_flag(fields, "loop", &loop) && replay) {
		jc_replay_set_loop(replay, loop);
	}
}

static void set_range(struct jc_replay *replay, struct jc_fields *fields)
{
	double from = 0.0;
	double until = JC_LIMIT_BODY_TIME;

	jc_fields_number(fields, "from", 0.0, JC_LIMIT_BODY_TIME, &from);
	jc_fields_number(fields, "until", 0.0, JC_LIMIT_BODY_TIME, &until);
	if (!fields->wrong[0] && replay && !jc_replay_set_range(replay, from, until)) {
		jc_fields_fail(fields, "from and until must have a part of the recording between "
				       "them");
	}
}

static void end(struct jc_replay *replay, struct jc_fields *fields)
{
	(void)fields;
	if (replay) {
		jc_replay_end(replay);
	}
}

static const struct {
	const char *name;
	void (*act)(struct jc_replay *replay, struct jc_fields *fields);
} actions[] = {
	{ "play", play },
	{ "pause", pause_it },
	{ "seek", seek },
	{ "speed", set_speed },
	{ "loop", set_loop },
	{ "range", set_range },
	{ "close", end },
};

/* The i-th action on the replay that the message names. */
static void act(
	struct jc_client *client, const struct jc_fanout *fanout, size_t i, const json_t *message)
{
	struct jc_fields fields = jc_fields_of(message);
	int64_t id = 0;

	jc_fields_require(&fields, "id");
	jc_fields_integer(&fields, "id", 1, UINT32_MAX, &id);
	struct jc_replay *replay = jc_replays_find(client->services->replays, id);
	bool is_here = replay && jc_replay_space(replay) == fanout->space;

	actions[i].act(is_here && !fields.wrong[0] ? replay : NULL, &fields);
	if (jc_fields_refuse(&fields, client, "replay")) {
		return;
	}
	if (is_here) {
		jc_replay_report_answer(client, fanout, actions[i].name, NULL);
	} else {
		jc_reply_error(
			client, "unknown-replay", "no replay of that id in the space", "replay");
	}
}

void jc_control_replay(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "replay");
	const char *action = json_string_value(json_object_get(message, "action"));
	bool is_rewind = action && strcmp(action, "rewind") == 0;

	/* A rewind space is private: watching is enough. */
	if (!fanout || !jc_admission_allows(client,
			       is_rewind || fanout->rewind_of[0] ? JC_ROLE_WATCH : JC_ROLE_RECORD,
			       jc_space_options(fanout->space)->name, "replay")) {
		return;
	}
	if (is_rewind) {
		jc_rewind_begin(client, fanout, message, now_ns);
		return;
	}
	if (action && strcmp(action, "state") == 0) {
		jc_replay_report_answer(client, fanout, action, NULL);
		return;
	}
	if (action && strcmp(action, "list") == 0) {
		jc_replay_files_list(client, fanout, message, now_ns);
		return;
	}
	if (action && strcmp(action, "open") == 0) {
		jc_replay_files_open(client, fanout, message, now_ns);
		return;
	}
	for (size_t i = 0; action && i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(action, actions[i].name) == 0) {
			act(client, fanout, i, message);
			return;
		}
	}
	jc_reply_error(client, "bad-field",
		"action must be list, open, play, pause, seek, speed, loop, range, close, state or "
		"rewind",
		"replay");
}
