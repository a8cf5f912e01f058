/* The pool opens the file, mends one that was torn and reads the skeletons in it; what
 * may be done with it is judged when it is there, by what holds then. */
#include "control/replay_opening.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/log.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/named_space.h"
#include "control/replay_json.h"
#include "control/replay_report.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "net/session.h"
#include "record/recordings.h"
#include "replay/replay_folder.h"
#include "space/spaces.h"

struct opening {
	struct jc_job job;
	struct jc_control *control; /* borrowed: it outlives the loop */
	uint64_t client;            /* serial */
	uint32_t space;             /* id: the name may be another space's by then */
	char skeleton[80];          /* hash that all wear; "": each as recorded */
	struct jc_body_names names;
	struct jc_replay_options options;
	char folder[PATH_MAX];
	char file_name[NAME_MAX + 1];
	int error;
	struct jc_diagnostic diagnostic;
	struct jc_replay_file *file; /* owned */
};

static void work(void *data)
{
	struct opening *opening = data;

	opening->error = jc_replay_folder_open(
		opening->folder, opening->file_name, &opening->file, &opening->diagnostic);
}

/* Who may not have a space recorded does not get to see what was. */
static bool may_see(struct jc_client *client, const struct jc_replay_file *file)
{
	const struct jc_recording_session *recorded =
		jc_recording_session(jc_replay_file_recording(file));

	if (jc_admission_may(client, JC_ROLE_RECORD, recorded->space, NULL)) {
		return true;
	}
	if (jc_named_space_find(client, recorded->space)) {
		jc_reply_error(client, "not-allowed",
			"the recording is of a space that is not yours", "replay");
	} else {
		/* As a file that is not there: its name may tell the space's. */
		jc_reply_error(client, "cannot-replay", strerror(ENOENT), "replay");
	}
	return false;
}

static void begin(struct jc_client *client, struct jc_fanout *fanout, struct opening *opening)
{
	const struct jc_services *services = client->services;
	struct jc_replay *replay;

	if (opening->skeleton[0]) {
		opening->options.asset = jc_skeletons_find(client, opening->skeleton);
		if (!opening->options.asset) {
			jc_reply_error(client, "bad-field", "no skeleton of that hash", "replay");
			return;
		}
	}
	jc_replay_file_attach(opening->file, client->services->loop, services->log);
	if (jc_replay_create(&opening->options, opening->file, fanout->space,
		    &services->spaces->skeleton_table, services->replays, &replay,
		    &opening->diagnostic) != JC_OK) {
		jc_reply_error(client, "cannot-replay", opening->diagnostic.what, "replay");
		return;
	}
	opening->file = NULL;
	jc_log_write(services->log, JC_LOG_INFO, "'%s' is replayed in space '%s'",
		jc_replay_name(replay), jc_space_options(fanout->space)->name);
	jc_replay_report_answer(
		client, fanout, "open", json_pack("{si}", "opened", (int)jc_replay_id(replay)));
}

static void on_opened(void *data)
{
	struct opening *opening = data;
	struct jc_control *control = opening->control;
	struct jc_client *client;
	struct jc_fanout *fanout;

	control->openings--;
	if (jc_replay_report_resume(control, opening->client, opening->space, JC_ROLE_RECORD,
		    opening->error ? &opening->diagnostic : NULL, &client, &fanout) &&
		may_see(client, opening->file)) {
		begin(client, fanout, opening);
	}
	jc_replay_file_close(opening->file);
	free(opening);
}

static const struct jc_job_ops opening_ops = { .work = work, .done = on_opened };

/* NULL, or what stands against it. */
static const char *read_name(const json_t *message, char out_name[NAME_MAX + 1])
{
	const char *name = json_string_value(json_object_get(message, "file"));

	if (!jc_replay_is_name(name)) {
		return "file is the name of a recording, NAME.mcap";
	}
	strcpy(out_name, name);
	return NULL;
}

static void queue(struct jc_client *client, struct opening *opening)
{
	struct jc_control *control = client->control;

	opening->options.names = &opening->names;
	if (control->openings == JC_MAX_REPLAY_OPENINGS) {
		free(opening);
		jc_reply_error(client, "too-many", "too many recordings at a time", "replay");
		return;
	}
	control->openings++;
	jc_job_start(&opening->job, control->services->loop, &opening_ops, opening);
}

void jc_replay_opening_begin(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns)
{
	const json_t *skeleton = json_object_get(message, "skeleton");
	struct opening *opening = calloc(1, sizeof(*opening));
	const char *folder = jc_recordings_settings(client->services->recordings)->folder;
	const char *wrong = opening ? read_name(message, opening->file_name) : "out of memory";

	if (!wrong) {
		wrong = jc_replay_json_read(message, &opening->names, &opening->options);
	}
	if (!wrong && skeleton &&
		(!json_is_string(skeleton) ||
			json_string_length(skeleton) >= sizeof(opening->skeleton))) {
		wrong = "skeleton is a hash";
	}
	if (wrong) {
		free(opening);
		jc_reply_error(client, "bad-field", wrong, "replay");
		return;
	}
	if (!folder[0]) {
		free(opening);
		jc_reply_error(
			client, "cannot-replay", "there is no folder of recordings", "replay");
		return;
	}
	if (!jc_token_bucket_spend(&client->openings, 1, JC_MAX_REPLAYS_PER_SECOND, now_ns)) {
		free(opening);
		jc_reply_error(client, "too-many", "too many recordings a second", "replay");
		return;
	}
	opening->control = client->control;
	opening->client = client->session->serial;
	strcpy(opening->folder, folder);
	opening->space = jc_space_options(fanout->space)->id;
	strcpy(opening->skeleton, skeleton ? json_string_value(skeleton) : "");
	queue(client, opening);
}
