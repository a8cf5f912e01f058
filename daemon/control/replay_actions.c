/* Actions of the message `replay`. */
#include <string.h>

#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/named_space.h"
#include "control/replay_report.h"
#include "control/reply.h"
#include "jointcast/limits.h"
#include "replay/replay.h"

/* What is done to a replay; NULL, or what is wrong with the message. */
static const char *play(struct jc_replay *replay, const json_t *message)
{
	(void)message;
	jc_replay_pause(replay, false);
	return NULL;
}

static const char *pause_it(struct jc_replay *replay, const json_t *message)
{
	(void)message;
	jc_replay_pause(replay, true);
	return NULL;
}

static const char *seek(struct jc_replay *replay, const json_t *message)
{
	double time = -1.0;

	if (!jc_fields_number(message, "time", 0.0, JC_LIMIT_BODY_TIME, &time) || time < 0.0) {
		return "time is seconds of the recording";
	}
	jc_replay_seek(replay, time);
	return NULL;
}

static const char *set_speed(struct jc_replay *replay, const json_t *message)
{
	double speed = 0.0;

	if (!jc_fields_number(
		    message, "speed", JC_REPLAY_SPEED_LEAST, JC_MAX_REPLAY_SPEED, &speed) ||
		speed <= 0.0) {
		return "speed is from 0.1 to 10";
	}
	jc_replay_set_speed(replay, speed);
	return NULL;
}

static const char *set_loop(struct jc_replay *replay, const json_t *message)
{
	const json_t *loop = json_object_get(message, "loop");

	if (!json_is_boolean(loop)) {
		return "loop is a boolean";
	}
	jc_replay_set_loop(replay, json_is_true(loop));
	return NULL;
}

static const char *set_range(struct jc_replay *replay, const json_t *message)
{
	double from = 0.0;
	double until = JC_LIMIT_BODY_TIME;

	if (!jc_fields_number(message, "from", 0.0, JC_LIMIT_BODY_TIME, &from) ||
		!jc_fields_number(message, "until", 0.0, JC_LIMIT_BODY_TIME, &until) ||
		!jc_replay_set_range(replay, from, until)) {
		return "from and until are seconds of the recording, with something between them";
	}
	return NULL;
}

static const char *end(struct jc_replay *replay, const json_t *message)
{
	(void)message;
	jc_replay_end(replay);
	return NULL;
}

static const struct {
	const char *name;
	const char *(*act)(struct jc_replay *replay, const json_t *message);
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
	const json_t *id = json_object_get(message, "id");
	struct jc_replay *replay = json_is_integer(id) ? jc_replays_find(client->services->replays,
								 json_integer_value(id))
						       : NULL;
	const char *wrong;

	if (!replay || jc_replay_space(replay) != fanout->space) {
		jc_reply_error(
			client, "unknown-replay", "no replay of that id in the space", "replay");
		return;
	}
	wrong = actions[i].act(replay, message);
	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "replay");
	} else {
		jc_replay_report_answer(client, fanout, actions[i].name, NULL);
	}
}

void jc_control_replay(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "replay");
	const char *action = json_string_value(json_object_get(message, "action"));
	bool is_rewind = action && strcmp(action, "rewind") == 0;

	/* Who looks back disturbs nobody. */
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
		"action is list, open, play, pause, seek, speed, loop, range, close, state or "
		"rewind",
		"replay");
}
