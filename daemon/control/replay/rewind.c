/* Action `rewind` of `replay`: the loop copies the rewind buffer, the pool makes a
 * recording of the copy, which plays in a private space for the client. */
#include <stdlib.h>

#include "base/job.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/messages.h"
#include "control/replay/replay_report.h"
#include "control/reply.h"
#include "jointcast/limits.h"
#include "net/session.h"
#include "replay/replay.h"
#include "replay/rewind_buffer.h"
#include "space/spaces.h"

#define SECONDS 30.0 /* default */

struct rewinding {
	struct jc_job job;
	struct jc_replay_asker asker;
	struct jc_snapshot *snapshot;       /* owned */
	struct jc_withdrawals *withdrawals; /* owned; not used by the pool */
	int error;
	struct jc_diagnostic diagnostic;
	struct jc_replay_file *file; /* owned */
};

static void destroy(struct rewinding *rewinding)
{
	jc_snapshot_destroy(rewinding->snapshot);
	jc_replay_file_close(rewinding->file);
	jc_withdrawals_destroy(rewinding->withdrawals);
	free(rewinding);
}

static void work(void *data)
{
	struct rewinding *rewinding = data;

	rewinding->error =
		jc_snapshot_open(rewinding->snapshot, &rewinding->file, &rewinding->diagnostic);
}

static void begin(struct jc_client *client, struct jc_fanout *fanout, struct rewinding *rewinding)
{
	static const struct jc_body_names names;
	const struct jc_services *services = client->services;
	const struct jc_replay_options options = { .names = &names,
		.until = JC_LIMIT_BODY_TIME,
		.speed = 1.0,
		.is_paused = true,
		.withdrawals = rewinding->withdrawals };
	char who[JC_MAX_WHO];
	struct jc_fanout *past;
	struct jc_replay *replay;

	jc_admission_who(client, who);
	if (jc_spaces_open_rewind(services->spaces, fanout, who, &past) != JC_OK) {
		jc_reply_error(client, "too-many", "too many rewind spaces", "replay");
		return;
	}
	jc_replay_file_attach(rewinding->file, client->services->loop, services->log);
	/* On failure the empty space closes by itself. */
	if (jc_replay_create(&options, rewinding->file, past->space,
		    &services->spaces->skeleton_table, services->replays, &replay,
		    &rewinding->diagnostic) != JC_OK) {
		jc_reply_error(client, "cannot-replay", rewinding->diagnostic.what, "replay");
		return;
	}
	rewinding->file = NULL;
	rewinding->withdrawals = NULL;
	jc_replay_report_answer(client, fanout, "rewind",
		json_pack("{ss}", "past", jc_space_options(past->space)->name));
}

static void on_made(void *data)
{
	struct rewinding *rewinding = data;
	struct jc_client *client;
	struct jc_fanout *fanout;

	rewinding->asker.control->openings--;
	if (jc_replay_report_resume(&rewinding->asker, JC_ROLE_WATCH,
		    rewinding->error ? &rewinding->diagnostic : NULL, &client, &fanout)) {
		begin(client, fanout, rewinding);
	}
	destroy(rewinding);
}

static const struct jc_job_ops making = { .work = work, .done = on_made };

/* NULL, or the reason to refuse. Checked before the copy, which costs time on the loop. */
static const char *find_obstacle(struct jc_client *client, int64_t now_ns)
{
	char who[JC_MAX_WHO];

	if (!jc_token_bucket_spend(&client->openings, 1, JC_MAX_REPLAYS_PER_SECOND, now_ns)) {
		return "too many rewinds a second";
	}
	if (client->control->openings >= JC_MAX_REPLAY_OPENINGS) {
		return "the server is already opening too many recordings";
	}
	jc_admission_who(client, who);
	return jc_spaces_has_room_for_rewind(client->services->spaces, who)
		       ? NULL
		       : "too many rewind spaces";
}

void jc_rewind_begin(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns)
{
	struct rewinding *rewinding;
	struct jc_fields fields = jc_fields_of(message);
	double seconds = SECONDS;

	if (client->session->carrier.is_relayed) {
		jc_reply_error(client, "unsupported",
			"edges serve no rewinds: connect to the origin of the space", "replay");
		return;
	}
	jc_fields_number(&fields, "seconds", 1.0, JC_MAX_REWIND_SECONDS, &seconds);
	if (jc_fields_refuse(&fields, client, "replay")) {
		return;
	}
	const char *obstacle = find_obstacle(client, now_ns);

	if (obstacle) {
		jc_reply_error(client, "too-many", obstacle, "replay");
		return;
	}
	rewinding = calloc(1, sizeof(*rewinding));
	if (!rewinding) {
		jc_reply_error(client, "failed", "out of memory", "replay");
		return;
	}
	if (!fanout->rewind_buffer ||
		jc_rewind_buffer_snapshot(fanout->rewind_buffer, seconds, &rewinding->snapshot,
			&rewinding->withdrawals) != JC_OK) {
		destroy(rewinding);
		jc_reply_error(client, "cannot-replay", "the space has no rewind buffer", "replay");
		return;
	}
	rewinding->asker = jc_replay_report_asker(client, fanout);
	client->control->openings++;
	jc_job_start(&rewinding->job, client->services->loop, &making, rewinding);
}
