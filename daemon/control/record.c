/* What is recorded and where says the configuration; who may says the token. */
#include <string.h>

#include "control/admission.h"
#include "control/client.h"
#include "control/messages.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "net/session.h"
#include "record/recordings.h"
#include "source/source_uri.h"

#define LABEL_BYTES 256 /* of a marker, with the NUL */

static void tell(
	struct jc_client *client, const struct jc_space *space, const struct jc_recorder *recorder)
{
	struct jc_recorder_state state = { .path = "" };
	const char *file = NULL;

	if (recorder) {
		jc_recorder_report(recorder, &state);
		file = strrchr(state.path, '/');
	}
	jc_reply_send(
		client, json_pack("{ss ss ss ss* sI sI sI}", "type", "recording", "space",
				jc_space_options(space)->name, "state",
				!recorder          ? "stopped"
				: state.is_failing ? "failing"
						   : "recording",
				"file", file ? file + 1 : NULL, "bytes", (json_int_t)state.bytes,
				"captures", (json_int_t)state.captures, "dropped",
				(json_int_t)state.dropped));
}

static void start(struct jc_client *client, struct jc_space *space, const json_t *message)
{
	struct jc_recordings *recordings = client->services->recordings;
	struct jc_record_settings settings = *jc_recordings_settings(recordings);
	const json_t *name = json_object_get(message, "name");
	const json_t *kind = json_object_get(message, "kind");
	const char *kind_name = kind ? json_string_value(kind) : "anonymous";
	struct jc_diagnostic diagnostic = { 0 };
	bool is_raw = kind_name && strcmp(kind_name, "raw") == 0;

	if (name && (!json_is_string(name) ||
			    !jc_source_space_name_is_valid(json_string_value(name)))) {
		jc_reply_error(
			client, "bad-field", "name is one that a space could have", "record");
		return;
	}
	if (!kind_name || (!is_raw && strcmp(kind_name, "anonymous") != 0)) {
		jc_reply_error(client, "bad-field", "kind is anonymous or raw", "record");
		return;
	}
	if (is_raw && !settings.raw) {
		jc_reply_error(client, "not-allowed", "this server records poses only", "record");
		return;
	}
	settings.raw = is_raw;
	if (jc_recordings_begin(
		    recordings, space, &settings, json_string_value(name), &diagnostic) != JC_OK) {
		jc_reply_error(client, "cannot-record", diagnostic.what, "record");
		return;
	}
	tell(client, space, jc_recordings_find(recordings, space));
}

static bool is_label(const char *label)
{
	size_t length = label ? strlen(label) : 0;

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)label[i] < 0x20 || label[i] == 0x7f) {
			return false;
		}
	}
	return length > 0 && length < LABEL_BYTES;
}

static void act(struct jc_client *client, struct jc_space *space, const char *action,
	const json_t *message, int64_t now_ns)
{
	struct jc_recordings *recordings = client->services->recordings;
	struct jc_recorder *recorder = jc_recordings_find(recordings, space);
	const char *label = json_string_value(json_object_get(message, "label"));

	if (strcmp(action, "start") == 0) {
		start(client, space, message);
	} else if (strcmp(action, "state") == 0) {
		tell(client, space, recorder);
	} else if (!recorder) {
		jc_reply_error(client, "cannot-record", "the space is not recorded", "record");
	} else if (strcmp(action, "stop") == 0) {
		jc_recordings_end(recordings, recorder);
		tell(client, space, NULL);
	} else if (!is_label(label)) {
		jc_reply_error(client, "bad-field",
			"label is 1 to 255 bytes without control characters", "record");
	} else {
		jc_recorder_mark(recorder, label, now_ns);
		tell(client, space, recorder);
	}
}

void jc_control_record(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	static const char *const actions[] = { "start", "stop", "marker", "state" };
	struct jc_fanout *fanout = jc_named_space_read(client, message, "record");
	const char *action = json_string_value(json_object_get(message, "action"));

	if (!fanout) {
		return;
	}
	for (size_t i = 0; action && i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(action, actions[i]) != 0) {
			continue;
		}
		if (jc_admission_allows(client, JC_ROLE_RECORD,
			    jc_space_options(fanout->space)->name, "record")) {
			act(client, fanout->space, action, message, now_ns);
		}
		return;
	}
	jc_reply_error(client, "bad-field", "action is start, stop, marker or state", "record");
}
