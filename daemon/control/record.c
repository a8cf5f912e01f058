/* Message `record`: starts, stops and marks recordings. The configuration sets their folder
 * and kinds. */
#include <stdio.h>
#include <string.h>

#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "net/session.h"
#include "record/recordings.h"
#include "source/source_uri.h"

#define LABEL_BYTES 256 /* of a marker, with the NUL */

static void answer(struct jc_client *client, const struct jc_space *space, const char *state,
	const struct jc_recorder_totals *totals)
{
	jc_reply_answer(
		client, json_pack("{ss ss ss ss* sI sI sI}", "type", "recording", "space",
				jc_space_options(space)->name, "state", state, "file",
				totals->file[0] ? totals->file : NULL, "bytes",
				(json_int_t)totals->bytes, "captures", (json_int_t)totals->captures,
				"dropped", (json_int_t)totals->dropped));
}

/* recorder: NULL for the totals of the recording that was stopped last. */
static void send_report(
	struct jc_client *client, const struct jc_space *space, const struct jc_recorder *recorder)
{
	static const struct jc_recorder_totals none;
	const struct jc_recorder_totals *last =
		jc_recordings_last(client->services->recordings, space);
	struct jc_recorder_state state;
	struct jc_recorder_totals totals = none;

	if (!recorder) {
		answer(client, space, "stopped", last ? last : &none);
		return;
	}
	jc_recorder_report(recorder, &state);
	const char *name = strrchr(state.path, '/');

	snprintf(totals.file, sizeof(totals.file), "%s", name ? name + 1 : "");
	totals.bytes = state.bytes;
	totals.captures = state.captures;
	totals.dropped = state.dropped;
	answer(client, space, state.is_failing ? "failing" : "recording", &totals);
}

static void start(struct jc_client *client, struct jc_space *space, const json_t *message)
{
	struct jc_recordings *recordings = client->services->recordings;
	struct jc_record_settings settings = *jc_recordings_settings(recordings);
	static const char *const kinds[] = { "anonymous", "raw" };
	struct jc_fields fields = jc_fields_of(message);
	const char *name = NULL;
	int kind = 0;
	struct jc_diagnostic diagnostic = { 0 };

	if (jc_fields_text(&fields, "name", 1, JC_MAX_SPACE_NAME - 1, &name) &&
		!jc_source_space_name_is_valid(name)) {
		jc_fields_fail(&fields, "name must be a valid name of a space");
	}
	jc_fields_choice(&fields, "kind", kinds, 2, &kind);
	if (jc_fields_refuse(&fields, client, "record")) {
		return;
	}
	bool is_raw = kind == 1;

	if (is_raw && !settings.raw) {
		jc_reply_error(client, "not-allowed", "this server does not make raw recordings",
			"record");
		return;
	}
	settings.raw = is_raw;
	if (jc_recordings_begin(recordings, space, &settings, name, &diagnostic) != JC_OK) {
		jc_reply_error(client, "cannot-record", diagnostic.what, "record");
		return;
	}
	send_report(client, space, jc_recordings_find(recordings, space));
}

static void act(struct jc_client *client, struct jc_space *space, const char *action,
	const json_t *message, int64_t now_ns)
{
	struct jc_recordings *recordings = client->services->recordings;
	struct jc_recorder *recorder = jc_recordings_find(recordings, space);
	struct jc_fields fields = jc_fields_of(message);
	const char *label = "";

	if (strcmp(action, "marker") == 0) {
		jc_fields_require(&fields, "label");
		jc_fields_text(&fields, "label", 1, LABEL_BYTES - 1, &label);
	}
	if (jc_fields_refuse(&fields, client, "record")) {
		return;
	}
	if (strcmp(action, "start") == 0) {
		start(client, space, message);
	} else if (strcmp(action, "state") == 0) {
		send_report(client, space, recorder);
	} else if (!recorder) {
		jc_reply_error(client, "cannot-record", "the space is not recorded", "record");
	} else if (strcmp(action, "stop") == 0) {
		jc_recordings_end(recordings, recorder);
		send_report(client, space, NULL);
	} else {
		jc_recorder_mark(recorder, label, now_ns);
		send_report(client, space, recorder);
	}
}

void jc_control_record(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	static const char *const actions[] = { "start", "stop", "marker", "state" };
	struct jc_fanout *fanout = jc_named_space_read(client, message, "record");
	struct jc_fields fields = jc_fields_of(message);
	int action = -1;

	if (!fanout) {
		return;
	}
	jc_fields_choice(&fields, "action", actions, sizeof(actions) / sizeof(actions[0]), &action);
	if (!jc_fields_refuse(&fields, client, "record") &&
		jc_admission_allows(
			client, JC_ROLE_RECORD, jc_space_options(fanout->space)->name, "record")) {
		act(client, fanout->space, actions[action], message, now_ns);
	}
}
