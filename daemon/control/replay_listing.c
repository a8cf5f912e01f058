/* The pool reads the folder; of what it found each is told what it may open. */
#include "control/replay_listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/replay_report.h"
#include "control/reply.h"
#include "net/session.h"
#include "record/recordings.h"
#include "replay/replay_folder.h"

struct listing {
	struct jc_job job;
	struct jc_control *control; /* borrowed: it outlives the loop */
	uint64_t client;            /* serial */
	uint32_t space;             /* id: the name may be another space's by then */
	char path[PATH_MAX];
	struct jc_replay_folder folder;
	int error;
	struct jc_diagnostic diagnostic;
};

static void work(void *data)
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

		/* A name that is no text cannot be asked for either. */
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
	struct jc_control *control = listing->control;
	struct jc_client *client;
	struct jc_fanout *fanout;

	control->openings--;
	if (jc_replay_report_resume(control, listing->client, listing->space, JC_ROLE_RECORD,
		    listing->error ? &listing->diagnostic : NULL, &client, &fanout)) {
		jc_replay_report_answer(client, fanout, "list",
			json_pack("{so}", "recordings", pack(client, &listing->folder)));
	}
	jc_replay_folder_finish(&listing->folder);
	free(listing);
}

static const struct jc_job_ops reading = { .work = work, .done = on_listed };

static const char *folder_of(const struct jc_client *client)
{
	return jc_recordings_settings(client->services->recordings)->folder;
}

bool jc_replay_listing_is_for(const struct jc_client *client, const char *space)
{
	return folder_of(client)[0] && jc_admission_may(client, JC_ROLE_RECORD, space, NULL);
}

void jc_replay_listing_begin(
	struct jc_client *client, const struct jc_fanout *fanout, int64_t now_ns)
{
	struct jc_control *control = client->control;
	const char *folder = folder_of(client);
	struct listing *listing;

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
	listing->control = control;
	listing->client = client->session->serial;
	listing->space = jc_space_options(fanout->space)->id;
	snprintf(listing->path, sizeof(listing->path), "%s", folder);
	control->openings++;
	jc_job_start(&listing->job, control->services->loop, &reading, listing);
}
