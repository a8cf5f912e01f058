/* The pool reads the folder; of what it found each is told what it may open. */
#include "control/replay_listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "control/admission.h"
#include "control/control.h"
#include "control/replay_actions.h"
#include "net/server_private.h"
#include "record/recordings.h"
#include "replay/replay_folder.h"

struct listing {
	struct jc_job job;
	struct jc_server *server; /* borrowed: it waits for the pool */
	uint64_t session;         /* serial */
	uint32_t space;           /* id: the name may be another space's by then */
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

static json_t *pack(const struct jc_session *session, const struct jc_replay_folder *folder)
{
	json_t *files = json_array();

	for (size_t i = 0; i < folder->count; i++) {
		const struct jc_replay_entry *entry = &folder->entries[i];

		/* A name that is no text cannot be asked for either. */
		if (jc_admission_may(session, JC_ROLE_RECORD, entry->space, NULL)) {
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
	struct jc_server *server = listing->server;
	struct jc_session *session;
	struct jc_fanout *fanout;

	server->openings--;
	if (jc_control_resume_replay(server, listing->session, listing->space, JC_ROLE_RECORD,
		    listing->error ? &listing->diagnostic : NULL, &session, &fanout)) {
		jc_control_replaying(session, fanout, "list",
			json_pack("{so}", "recordings", pack(session, &listing->folder)));
	}
	jc_replay_folder_finish(&listing->folder);
	free(listing);
}

static const struct jc_job_ops reading = { .work = work, .done = on_listed };

static const char *folder_of(const struct jc_session *session)
{
	return jc_recordings_settings(session->server->options.recordings)->folder;
}

bool jc_replay_listing_is_for(const struct jc_session *session, const char *space)
{
	return folder_of(session)[0] && jc_admission_may(session, JC_ROLE_RECORD, space, NULL);
}

void jc_replay_listing_begin(
	struct jc_session *session, const struct jc_fanout *fanout, int64_t now_ns)
{
	struct jc_server *server = session->server;
	const char *folder = folder_of(session);
	struct listing *listing;

	if (!folder[0]) {
		jc_control_error(
			session, "cannot-replay", "there is no folder of recordings", "replay");
		return;
	}
	if (server->openings == JC_MAX_REPLAY_OPENINGS ||
		!jc_token_bucket_spend(&session->openings, 1, JC_MAX_REPLAYS_PER_SECOND, now_ns)) {
		jc_control_error(session, "too-many", "too many recordings a second", "replay");
		return;
	}
	listing = calloc(1, sizeof(*listing));
	if (!listing) {
		jc_control_error(session, "failed", "the folder cannot be read now", "replay");
		return;
	}
	listing->server = server;
	listing->session = session->serial;
	listing->space = jc_space_options(fanout->space)->id;
	snprintf(listing->path, sizeof(listing->path), "%s", folder);
	server->openings++;
	jc_job_start(&listing->job, server->loop, &reading, listing);
}
