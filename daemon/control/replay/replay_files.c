/* Actions `list` and `open` of `replay`: the pool reads the folder of recordings, or opens one of
 * them, repairs a torn one and reads its skeletons. Permissions are checked when that is done. */
#include "control/fields.h"
#include "control/messages.h"

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
#include "control/replay/replay_report.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "jointcast/limits.h"
#include "net/session.h"
#include "record/recordings.h"
#include "replay/replay.h"
#include "replay/replay_folder.h"
#include "space/spaces.h"

struct listing {
	struct jc_job job;
	struct jc_replay_asker asker;
	char path[PATH_MAX];
	struct jc_replay_folder folder;
	int error;
	struct jc_diagnostic diagnostic;
};

static void read_folder(void *data)
{
	struct listing *listing = data;

	listing->error =
		jc_replay_folder_read(listing->path, &listing->folder, &listing->diagnostic);
}

static json_t *pack(const struct jc_client *client, const struct jc_replay_folder *folder)
{
	json_t *files = json_array();

	for (size_t i = 0; i < folder->count; i++) {
		const struct jc_replay_entry *entry = &folder->entries[i];

		/* A name that is not UTF-8 is left out: no client could send it. */
		if (jc_admission_may(client, JC_ROLE_RECORD, entry->space, NULL)) {
			json_array_append_new(
				files, json_pack("{ss ss sf sI sI}", "file", entry->name, "space",
					       entry->space, "duration", entry->seconds, "bytes",
					       (json_int_t)entry->bytes, "changed",
					       (json_int_t)entry->changed_s));
		}
	}
	return files;
}

static void on_listed(void *data)
{
	struct listing *listing = data;
	struct jc_client *client;
	struct jc_fanout *fanout;

	listing->asker.control->openings--;
	if (jc_replay_report_resume(&listing->asker, JC_ROLE_RECORD,
		    listing->error ? &listing->diagnostic : NULL, &client, &fanout)) {
		jc_replay_report_answer(client, fanout, "list",
			json_pack("{so}", "recordings", pack(client, &listing->folder)));
	}
	jc_replay_folder_finish(&listing->folder);
	free(listing);
}

static const struct jc_job_ops reading = { .work = read_folder, .done = on_listed };

static const char *folder_of(const struct jc_client *client)
{
	return jc_recordings_settings(client->services->recordings)->folder;
}

void jc_replay_files_list(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns)
{
	struct jc_control *control = client->control;
	const char *folder = folder_of(client);
	struct listing *listing;

	(void)message;
	if (!folder[0]) {
		jc_reply_error(
			client, "cannot-replay", "there is no folder of recordings", "replay");
		return;
	}
	if (control->openings == JC_MAX_REPLAY_OPENINGS ||
		!jc_token_bucket_spend(&client->openings, 1, JC_MAX_REPLAYS_PER_SECOND, now_ns)) {
		jc_reply_error(client, "too-many", "too many recordings a second", "replay");
		return;
	}
	listing = calloc(1, sizeof(*listing));
	if (!listing) {
		jc_reply_error(client, "failed", "the folder cannot be read now", "replay");
		return;
	}
	listing->asker = jc_replay_report_asker(client, fanout);
	snprintf(listing->path, sizeof(listing->path), "%s", folder);
	control->openings++;
	jc_job_start(&listing->job, control->services->loop, &reading, listing);
}

struct opening {
	struct jc_job job;
	struct jc_replay_asker asker;
	char skeleton[JC_HASH_TEXT]; /* hash of the skeleton for all bodies; "": each as recorded
				      */
	struct jc_body_names names;
	struct jc_replay_options options;
	char folder[PATH_MAX];
	char file_name[NAME_MAX + 1];
	int error;
	struct jc_diagnostic diagnostic;
	struct jc_replay_file *file; /* owned */
};

static void open_file(void *data)
{
	struct opening *opening = data;

	opening->error = jc_replay_folder_open(
		opening->folder, opening->file_name, &opening->file, &opening->diagnostic);
}

/* Only clients that may record a space may replay its recordings. Recordings have full precision:
 * those of a space that limits it play in that space alone. */
static bool may_see(
	struct jc_client *client, const struct jc_fanout *fanout, const struct jc_replay_file *file)
{
	const struct jc_recording_session *recorded =
		jc_recording_session(jc_replay_file_recording(file));

	if (jc_admission_may(client, JC_ROLE_RECORD, recorded->space, NULL)) {
		if (strcmp(recorded->space, jc_space_options(fanout->space)->name) == 0 ||
			!jc_admission_limits_precision(client, recorded->space)) {
			return true;
		}
		jc_reply_error(client, "not-allowed",
			"the space of the recording limits the precision: replay it there",
			"replay");
		return false;
	}
	if (jc_named_space_find(client, recorded->space)) {
		jc_reply_error(client, "not-allowed",
			"the recording is of a space that is not yours", "replay");
	} else {
		/* Answered like a missing file: the file name may contain the name of the
		 * space. */
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
			jc_reply_error(
				client, "unknown-skeleton", "no skeleton of that hash", "replay");
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
	struct jc_client *client;
	struct jc_fanout *fanout;

	opening->asker.control->openings--;
	if (jc_replay_report_resume(&opening->asker, JC_ROLE_RECORD,
		    opening->error ? &opening->diagnostic : NULL, &client, &fanout) &&
		may_see(client, fanout, opening->file)) {
		begin(client, fanout, opening);
	}
	jc_replay_file_close(opening->file);
	free(opening);
}

static const struct jc_job_ops opening_ops = { .work = open_file, .done = on_opened };

static void read_names(struct jc_fields *fields, struct jc_body_names *names)
{
	json_t *map = json_object_get(fields->object, "names");
	const char *prefix = "", *from;
	json_t *to;

	*names = (struct jc_body_names){ 0 };
	jc_fields_text(fields, "prefix", 0, JC_MAX_BODY_NAME - 1, &prefix);
	strcpy(names->prefix, prefix);
	if ((map && !json_is_object(map)) || json_object_size(map) > JC_MAX_REPLAY_RENAMES) {
		jc_fields_fail(fields, "names must be an object of at most 16 new names");
		return;
	}
	json_object_foreach(map, from, to)
	{
		struct jc_body_rename *rename = &names->renames[names->rename_count++];
		struct jc_fields inner = jc_fields_of(map);
		const char *name = "";

		jc_fields_text(&inner, from, 1, JC_MAX_BODY_NAME - 1, &name);
		if (inner.wrong[0] || !from[0] || strlen(from) >= sizeof(rename->from)) {
			jc_fields_fail(fields, "names must have names of 1 to 63 bytes");
			return;
		}
		strcpy(rename->from, from);
		strcpy(rename->to, name);
	}
}

static void read_options(struct jc_fields *fields, struct jc_replay_options *options)
{
	*options = (struct jc_replay_options){ .speed = 1.0, .until = JC_LIMIT_BODY_TIME };
	jc_fields_number(
		fields, "speed", JC_REPLAY_SPEED_LEAST, JC_MAX_REPLAY_SPEED, &options->speed);
	jc_fields_number(fields, "from", 0.0, JC_LIMIT_BODY_TIME, &options->from);
	jc_fields_number(fields, "until", 0.0, JC_LIMIT_BODY_TIME, &options->until);
	jc_fields_flag(fields, "loop", &options->loop);
	jc_fields_flag(fields, "paused", &options->is_paused);
}

static void read_opening(struct jc_fields *fields, struct opening *opening)
{
	const char *file = json_string_value(json_object_get(fields->object, "file"));
	const char *skeleton = "";

	if (!jc_replay_is_name(file)) {
		jc_fields_fail(fields, "file must be the name of a recording, NAME.mcap");
		return;
	}
	strcpy(opening->file_name, file);
	read_options(fields, &opening->options);
	read_names(fields, &opening->names);
	jc_fields_hash(fields, "skeleton", &skeleton);
	strcpy(opening->skeleton, skeleton);
}

static void queue(struct jc_client *client, const struct jc_fanout *fanout, struct opening *opening)
{
	struct jc_control *control = client->control;

	opening->options.names = &opening->names;
	if (control->openings == JC_MAX_REPLAY_OPENINGS) {
		free(opening);
		jc_reply_error(client, "too-many",
			"the server is already opening too many recordings", "replay");
		return;
	}
	opening->asker = jc_replay_report_asker(client, fanout);
	control->openings++;
	jc_job_start(&opening->job, control->services->loop, &opening_ops, opening);
}

void jc_replay_files_open(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns)
{
	struct jc_fields fields = jc_fields_of(message);
	struct opening *opening = calloc(1, sizeof(*opening));
	const char *folder = folder_of(client);

	if (opening) {
		read_opening(&fields, opening);
	} else {
		jc_fields_fail(&fields, "out of memory");
	}
	if (jc_fields_refuse(&fields, client, "replay")) {
		free(opening);
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
	strcpy(opening->folder, folder);
	queue(client, fanout, opening);
}
