/* Composes messages about replays. Each lists all replays of the space and so is complete by
 * itself. Times are seconds of the recording, with the server time of that position. */
#include "control/replay/replay_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "net/session.h"
#include "replay/replay.h"
#include "space/spaces.h"

#define TEXT_BYTES 255 /* of a marker in a recording */

/* Cuts between characters. */
static json_t *pack_text(const char *text)
{
	size_t length = strnlen(text, TEXT_BYTES + 1);

	if (length > TEXT_BYTES) {
		length = TEXT_BYTES;
		while (length > 0 && (text[length] & 0xc0) == 0x80) {
			length--;
		}
	}
	return json_stringn(text, length);
}

static json_t *pack_markers(const struct jc_replay *replay)
{
	json_t *markers = json_array();

	for (size_t i = 0; i < jc_replay_marker_count(replay); i++) {
		struct jc_replay_marker marker = jc_replay_marker(replay, i);

		json_array_append_new(markers,
			json_pack("{sf so}", "time", marker.time, "text", pack_text(marker.text)));
	}
	return markers;
}

/* A file name need not be UTF-8. */
static json_t *pack_name(const char *name)
{
	json_t *text = json_string(name);

	return text ? text : json_string("?");
}

static json_t *pack_replay(
	const struct jc_replay *replay, const struct jc_clock *clock, bool with_markers)
{
	struct jc_replay_state state;

	jc_replay_state(replay, &state);
	return json_pack("{sI so sf ss sf sI sf sb sf sf so*}", "id",
		(json_int_t)jc_replay_id(replay), "file", pack_name(jc_replay_name(replay)),
		"duration", jc_replay_duration(replay), "state",
		state.has_ended   ? "ended"
		: state.is_paused ? "paused"
				  : "playing",
		"time", state.time, "at",
		(json_int_t)(state.now_ns ? jc_clock_server_us(clock, state.now_ns) : 0), "speed",
		state.speed, "loop", state.loop, "from", state.from, "until", state.until,
		"markers", with_markers ? pack_markers(replay) : NULL);
}

static bool has_replays(const struct jc_replays *replays, const struct jc_space *space)
{
	for (size_t i = 0; i < replays->count; i++) {
		if (jc_replay_space(replays->list[i]) == space) {
			return true;
		}
	}
	return false;
}

static json_t *pack_all(const struct jc_replays *replays, const struct jc_space *space,
	const struct jc_clock *clock, bool with_markers)
{
	json_t *list = json_array();

	for (size_t i = 0; i < replays->count; i++) {
		if (jc_replay_space(replays->list[i]) == space) {
			json_array_append_new(
				list, pack_replay(replays->list[i], clock, with_markers));
		}
	}
	return json_pack("{ss ss so}", "type", "replaying", "space", jc_space_options(space)->name,
		"replays", list);
}

static struct jc_replays *replays_of(const struct jc_client *client)
{
	return client->services->replays;
}

static json_t *pack(
	const struct jc_control *control, const struct jc_space *space, bool with_markers)
{
	return pack_all(
		control->services->replays, space, &control->services->spaces->clock, with_markers);
}

void jc_replay_report_answer(
	struct jc_client *client, const struct jc_fanout *fanout, const char *action, json_t *more)
{
	bool is_complete = strcmp(action, "open") == 0 || strcmp(action, "state") == 0;
	json_t *message = pack(client->control, fanout->space, is_complete);

	json_object_set_new(message, "answers", json_string(action));
	if (more) {
		json_object_update(message, more);
		json_decref(more);
	}
	jc_reply_answer(client, message);
}

/* A rewind space stays paused until its requester joins. */
static void begin_rewind(struct jc_client *client, struct jc_fanout *fanout)
{
	const struct jc_replays *replays = replays_of(client);

	fanout->is_looked_at = true;
	for (size_t i = 0; i < replays->count; i++) {
		if (jc_replay_space(replays->list[i]) == fanout->space) {
			jc_replay_pause(replays->list[i], false);
		}
	}
}

void jc_replay_report_joined(struct jc_client *client, struct jc_fanout *fanout)
{
	if (fanout->rewind_of[0] && !fanout->is_looked_at) {
		begin_rewind(client, fanout);
	}
	struct jc_shared_text *text = jc_fanout_text(fanout, JC_SPACE_TEXT_REPLAYING);

	if (text) {
		jc_session_send_shared(client->session, text);
		jc_shared_text_drop(text);
	}
}

static struct jc_shared_text *share(json_t *message)
{
	char *chars = message ? json_dumps(message, JSON_COMPACT) : NULL;
	struct jc_shared_text *text = chars ? jc_shared_text_create(chars, strlen(chars)) : NULL;

	free(chars);
	json_decref(message);
	return text;
}

/* Markers never change: they are sent when a replay begins, to its requester and to clients
 * that join. */
static void on_change(void *context, const struct jc_replay *replay, enum jc_replay_change change)
{
	struct jc_control *control = context;
	const struct jc_space *space = jc_replay_space(replay);
	struct jc_fanout *fanout =
		jc_spaces_with_id(control->services->spaces, jc_space_options(space)->id);
	struct jc_shared_text *text =
		fanout ? share(pack(control, space, change == JC_REPLAY_BEGAN)) : NULL;

	if (text) {
		jc_fanout_change_text(fanout, JC_SPACE_TEXT_REPLAYING, text);
		jc_shared_text_drop(text);
	}
}

static struct jc_shared_text *compose(
	void *context, struct jc_fanout *fanout, enum jc_space_text which)
{
	const struct jc_control *control = context;

	return which == JC_SPACE_TEXT_REPLAYING &&
			       has_replays(control->services->replays, fanout->space)
		       ? share(pack(control, fanout->space, true))
		       : NULL;
}

void jc_replay_report_follow(struct jc_control *control)
{
	control->services->replays->on_change = on_change;
	control->services->replays->context = control;
	control->services->spaces->texts =
		(struct jc_space_texts){ .compose = compose, .context = control };
}

void jc_replay_report_unfollow(struct jc_control *control)
{
	control->services->replays->on_change = NULL;
	control->services->spaces->texts = (struct jc_space_texts){ .compose = NULL };
}

/* The message names the problem and the file, but not the folder. */
static void report_problem(struct jc_client *client, const struct jc_diagnostic *problem)
{
	char text[sizeof(problem->what) + sizeof(problem->where) + 3];

	snprintf(text, sizeof(text), "%s%s%s", problem->what, problem->where[0] ? ", " : "",
		problem->where);
	jc_reply_error(client, "cannot-replay", text, "replay");
}

struct jc_replay_asker jc_replay_report_asker(
	struct jc_client *client, const struct jc_fanout *fanout)
{
	return (struct jc_replay_asker){ .control = client->control,
		.client = client->session->serial,
		.space = jc_space_options(fanout->space)->id,
		.request = jc_reply_defer(client) };
}

bool jc_replay_report_resume(const struct jc_replay_asker *asker, enum jc_role role,
	const struct jc_diagnostic *problem, struct jc_client **out_client,
	struct jc_fanout **out_fanout)
{
	struct jc_client *client = jc_client_find(asker->control, asker->client);

	if (!client) {
		return false;
	}
	struct jc_fanout *fanout =
		jc_spaces_with_id(asker->control->services->spaces, asker->space);

	jc_reply_resume(client, &asker->request);
	if (problem) {
		report_problem(client, problem);
		return false;
	}
	if (!fanout || !jc_admission_knows(client, fanout)) {
		jc_named_space_refuse(client, "replay");
		return false;
	}
	*out_client = client;
	*out_fanout = fanout;
	return jc_admission_allows(client, role, jc_space_options(fanout->space)->name, "replay");
}
