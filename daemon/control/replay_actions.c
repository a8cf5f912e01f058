/* Whoever is in a space is told of all its replays at once, so that no message needs
 * another to be understood. */
#include "control/replay_actions.h"

#include <stdlib.h>
#include <string.h>

#include "control/admission.h"
#include "control/control.h"
#include "control/control_private.h"
#include "control/replay_json.h"
#include "control/replay_listing.h"
#include "control/replay_opening.h"
#include "control/rewind.h"
#include "jointcast/limits.h"
#include "net/server_private.h"

static struct jc_replays *replays_of(const struct jc_session *session)
{
	return session->server->options.replays;
}

static json_t *pack(const struct jc_server *server, const struct jc_space *space, bool with_markers)
{
	return jc_replay_json_pack(
		server->options.replays, space, &server->options.spaces->clock, with_markers);
}

void jc_control_replaying(struct jc_session *session, const struct jc_fanout *fanout,
	const char *action, json_t *more)
{
	bool is_complete = strcmp(action, "open") == 0 || strcmp(action, "state") == 0;
	json_t *message = pack(session->server, fanout->space, is_complete);

	json_object_set_new(message, "answers", json_string(action));
	if (more) {
		json_object_update(message, more);
		json_decref(more);
	}
	jc_control_send(session, message);
}

/* What was waits for who asked for it. */
static void begin_rewind(struct jc_session *session, struct jc_fanout *fanout)
{
	const struct jc_replays *replays = replays_of(session);

	fanout->is_looked_at = true;
	for (size_t i = 0; i < replays->count; i++) {
		if (jc_replay_space(replays->list[i]) == fanout->space) {
			jc_replay_pause(replays->list[i], false);
		}
	}
}

void jc_control_report_replays(struct jc_session *session, struct jc_fanout *fanout)
{
	if (fanout->rewind_of[0] && !fanout->is_looked_at) {
		begin_rewind(session, fanout);
	}
	if (jc_replay_json_has(replays_of(session), fanout->space)) {
		jc_control_send(session, pack(session->server, fanout->space, true));
	}
}

static bool watches(const struct jc_session *session, const struct jc_space *space)
{
	for (size_t i = 0; session && i < JC_MAX_VIEWS; i++) {
		const struct jc_view *view = session->views[i];

		if (view && view->fanout && view->fanout->space == space) {
			return true;
		}
	}
	return false;
}

/* Markers never change, so only who opened or comes is told of them, and everybody when
 * there is another replay. */
static void on_change(void *context, const struct jc_replay *replay, enum jc_replay_change change)
{
	struct jc_server *server = context;
	const struct jc_space *space = jc_replay_space(replay);
	json_t *message = pack(server, space, change == JC_REPLAY_BEGAN);

	for (struct jc_connection *at = server->connections; message && at; at = at->next) {
		if (watches(at->session, space)) {
			jc_control_send(at->session, json_incref(message));
		}
	}
	json_decref(message);
}

void jc_control_follow_replays(struct jc_server *server)
{
	server->options.replays->on_change = on_change;
	server->options.replays->context = server;
}

void jc_control_unfollow_replays(struct jc_server *server)
{
	server->options.replays->on_change = NULL;
}

struct jc_session *jc_control_find_session(const struct jc_server *server, uint64_t serial)
{
	for (struct jc_connection *at = server->connections; at; at = at->next) {
		if (at->session && at->session->serial == serial) {
			return at->session->close_code ? NULL : at->session;
		}
	}
	return NULL;
}

/* What is wrong with a file says what and where, but not in which folder. */
static void report_problem(struct jc_session *session, const struct jc_diagnostic *problem)
{
	char text[sizeof(problem->what) + sizeof(problem->where) + 3];

	snprintf(text, sizeof(text), "%s%s%s", problem->what, problem->where[0] ? ", " : "",
		problem->where);
	jc_control_error(session, "cannot-replay", text, "replay");
}

bool jc_control_resume_replay(struct jc_server *server, uint64_t serial, uint32_t space,
	enum jc_role role, const struct jc_diagnostic *problem, struct jc_session **out_session,
	struct jc_fanout **out_fanout)
{
	struct jc_session *session = jc_control_find_session(server, serial);

	if (!session) {
		return false;
	}
	struct jc_fanout *fanout = jc_spaces_with_id(server->options.spaces, space);

	if (problem) {
		report_problem(session, problem);
		return false;
	}
	if (!fanout || !jc_admission_knows(session, fanout)) {
		jc_control_unknown_space(session, "replay");
		return false;
	}
	*out_session = session;
	*out_fanout = fanout;
	return !server->stopping &&
	       jc_admission_allows(session, role, jc_space_options(fanout->space)->name, "replay");
}

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

	if (!jc_replay_json_number(message, "time", 0.0, JC_LIMIT_BODY_TIME, &time) || time < 0.0) {
		return "time is seconds of the recording";
	}
	jc_replay_seek(replay, time);
	return NULL;
}

static const char *set_speed(struct jc_replay *replay, const json_t *message)
{
	double speed = 0.0;

	if (!jc_replay_json_number(
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

	if (!jc_replay_json_number(message, "from", 0.0, JC_LIMIT_BODY_TIME, &from) ||
		!jc_replay_json_number(message, "until", 0.0, JC_LIMIT_BODY_TIME, &until) ||
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
	struct jc_session *session, const struct jc_fanout *fanout, size_t i, const json_t *message)
{
	const json_t *id = json_object_get(message, "id");
	struct jc_replay *replay =
		json_is_integer(id) ? jc_replays_find(replays_of(session), json_integer_value(id))
				    : NULL;
	const char *wrong;

	if (!replay || jc_replay_space(replay) != fanout->space) {
		jc_control_error(
			session, "unknown-replay", "no replay of that id in the space", "replay");
		return;
	}
	wrong = actions[i].act(replay, message);
	if (wrong) {
		jc_control_error(session, "bad-field", wrong, "replay");
	} else {
		jc_control_replaying(session, fanout, actions[i].name, NULL);
	}
}

void jc_control_replay(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, "replay");
	const char *action = json_string_value(json_object_get(message, "action"));
	bool is_rewind = action && strcmp(action, "rewind") == 0;

	/* Who looks back disturbs nobody. */
	if (!fanout || !jc_admission_allows(session,
			       is_rewind || fanout->rewind_of[0] ? JC_ROLE_WATCH : JC_ROLE_RECORD,
			       jc_space_options(fanout->space)->name, "replay")) {
		return;
	}
	if (is_rewind) {
		jc_rewinding_begin(session, fanout, message, now_ns);
		return;
	}
	if (action && strcmp(action, "state") == 0) {
		jc_control_replaying(session, fanout, action, NULL);
		return;
	}
	if (action && strcmp(action, "list") == 0) {
		jc_replay_listing_begin(session, fanout, now_ns);
		return;
	}
	if (action && strcmp(action, "open") == 0) {
		jc_replay_opening_begin(session, fanout, message, now_ns);
		return;
	}
	for (size_t i = 0; action && i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(action, actions[i].name) == 0) {
			act(session, fanout, i, message);
			return;
		}
	}
	jc_control_error(session, "bad-field",
		"action is list, open, play, pause, seek, speed, loop, range, close, state or "
		"rewind",
		"replay");
}
