/* The thread pool makes a recording of the file, which plays in a space as a rewind does: only the
 * client that sent the file may join the space, and it closes when the client has left. */
#include "http/motion_routes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "base/address.h"
#include "base/job.h"
#include "http/bearer.h"
#include "http/target.h"
#include "jointcast/limits.h"
#include "jointcast/mcap.h"
#include "jointcast_private/text.h"
#include "net/connection.h"
#include "replay/motion_recording.h"
#include "replay/replay.h"
#include "services.h"
#include "space/description.h"

#define PREFIX  "/motions/"
#define UNKNOWN "no such space, or it plays no motions for you"

/* The options of a request, and its client. */
struct asked {
	char space[JC_MAX_SPACE_NAME];
	char name[JC_MAX_BODY_NAME]; /* of the file */
	char who[JC_MAX_WHO];        /* as control/admission.h names clients */
};

struct reading {
	struct jc_job job;
	struct jc_exchange *exchange; /* owned until it is answered */
	struct asked asked;
	char *bytes; /* owned */
	size_t length;
	int error;
	struct jc_diagnostic diagnostic;
	struct jc_replay_file *file; /* owned */
};

static bool read_target(struct jc_text target, struct asked *out_asked, const char **out_reason)
{
	struct jc_text path = jc_target_path(target);
	struct jc_text options = jc_target_options(target);
	struct jc_text key, value;

	strcpy(out_asked->name, "motion");
	path.bytes += strlen(PREFIX);
	path.length -= strlen(PREFIX);
	if (!jc_target_unescape(path, out_asked->space, sizeof(out_asked->space))) {
		*out_reason = "the name of the space is not valid";
		return false;
	}
	while (jc_target_next(&options, &key, &value)) {
		if (key.length != 4 || memcmp(key.bytes, "name", 4) != 0 ||
			!jc_target_value(value, out_asked->name, sizeof(out_asked->name)) ||
			!out_asked->name[0] ||
			!jc_utf8_is_valid(out_asked->name, strlen(out_asked->name))) {
			*out_reason = "nothing but ?name=FILE, of at most 63 bytes, may follow "
				      "the space";
			return false;
		}
	}
	return true;
}

/* A space that the visitor may not know is absent. */
static struct jc_fanout *find_space(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const struct asked *asked)
{
	struct jc_fanout *fanout = jc_spaces_find(exchange->services->spaces, asked->space);

	return fanout && jc_bearer_may(exchange, grant, JC_ROLE_WATCH, asked->space) &&
			       jc_permit_allows(&fanout->policy.motions, grant, asked->space)
		       ? fanout
		       : NULL;
}

/* Returns 200 with the space, or the status that refuses the request. */
static int find(struct jc_exchange *exchange, struct asked *out_asked,
	struct jc_fanout **out_fanout, const char **out_reason)
{
	const struct jc_services *services = exchange->services;
	struct jc_grant grant;
	char network[JC_ADDRESS_TEXT];
	int status = jc_bearer_read(exchange, &grant, out_reason);

	if (status != 200) {
		return status;
	}
	if (!read_target(exchange->request.target, out_asked, out_reason)) {
		return 400;
	}
	jc_address_network(&exchange->connection->peer.sa, network);
	if (jc_auth_policy_is_open(services->auth_policy)) {
		snprintf(out_asked->who, JC_MAX_WHO, "address %.63s", network);
	} else {
		snprintf(out_asked->who, JC_MAX_WHO, "subject %s", grant.subject);
	}
	*out_fanout = find_space(exchange, &grant, out_asked);
	if (!*out_fanout) {
		*out_reason = UNKNOWN;
		return 404;
	}
	if (!jc_spaces_has_room_for_rewind(services->spaces, out_asked->who)) {
		*out_reason = "too many private spaces";
		return 429;
	}
	return 200;
}

int jc_motion_admit(struct jc_exchange *exchange, const char **out_reason)
{
	struct jc_fanout *fanout;
	struct asked asked;
	int status = find(exchange, &asked, &fanout, out_reason);

	if (status == 200 && exchange->services->replays->openings >= JC_MAX_MOTION_OPENINGS) {
		*out_reason = "too many motions wait to be read";
		return 429;
	}
	return status;
}

static void work(void *data)
{
	struct reading *reading = data;

	reading->error = jc_motion_recording_open(reading->bytes, reading->length,
		reading->asked.name, &reading->file, &reading->diagnostic);
}

/* A motion without a name has a body with the name of the file, without its suffix. */
static void name_body(const struct reading *reading, struct jc_body_names *out_names)
{
	struct jc_body_rename *rename = &out_names->renames[0];
	const char *file = reading->asked.name;
	const char *dot = strrchr(file, '.');
	int length = dot && dot > file ? (int)(dot - file) : (int)strlen(file);

	if (jc_mcap_is(reading->bytes, reading->length) || !jc_description_is_name(file)) {
		return;
	}
	strcpy(rename->from, "body"); /* of jc_write_recording */
	snprintf(rename->to, sizeof(rename->to), "%.*s", length, file);
	out_names->rename_count = 1;
}

/* Steals the file on success. */
static int open_space(struct reading *reading, struct jc_fanout *of, struct jc_fanout **out_fanout)
{
	struct jc_body_names names = { 0 };
	const struct jc_services *services = reading->exchange->services;
	const struct jc_replay_options options = { .names = &names,
		.until = JC_LIMIT_BODY_TIME,
		.speed = 1.0,
		.loop = true,
		.is_paused = true };
	struct jc_replay *replay;

	name_body(reading, &names);

	int status = jc_spaces_open_rewind(services->spaces, of, reading->asked.who, out_fanout);

	if (status != JC_OK) {
		return jc_diagnose(&reading->diagnostic, status, NULL, "too many private spaces");
	}
	jc_replay_file_attach(reading->file, services->loop, services->log);
	/* On failure the empty space closes by itself. */
	status = jc_replay_create(&options, reading->file, (*out_fanout)->space,
		&services->spaces->skeleton_table, services->replays, &replay,
		&reading->diagnostic);
	if (status == JC_OK) {
		reading->file = NULL;
	}
	return status;
}

/* The rights of the client, and the space, may have changed since the request began. */
static void answer(struct reading *reading)
{
	struct jc_exchange *exchange = reading->exchange;
	struct jc_fanout *of, *played;
	const char *reason = reading->diagnostic.what;
	int status = 400;

	if (!reading->error && exchange->connection) {
		status = find(exchange, &reading->asked, &of, &reason);
		if (status == 200 && open_space(reading, of, &played) != JC_OK) {
			status = 503;
			reason = reading->diagnostic.what;
		}
	}
	if (status == 200) {
		json_t *object = json_pack("{ss}", "space", jc_space_options(played->space)->name);

		jc_exchange_answer(exchange, 201, "application/json",
			object ? json_dumps(object, JSON_COMPACT) : NULL);
		json_decref(object);
	} else {
		jc_exchange_status(exchange, status, reason);
	}
}

static void on_read(void *data)
{
	struct reading *reading = data;

	reading->exchange->services->replays->openings--;
	answer(reading);
	jc_replay_file_close(reading->file);
	free(reading->bytes);
	free(reading);
}

static const struct jc_job_ops reading_ops = { .work = work, .done = on_read };

void jc_motion_serve(struct jc_exchange *exchange)
{
	const struct jc_services *services = exchange->services;
	struct reading *reading;
	struct jc_fanout *fanout;
	struct asked asked;
	const char *reason;
	int status = find(exchange, &asked, &fanout, &reason);

	/* Other files may have arrived while the body was received. */
	if (status == 200 && services->replays->openings >= JC_MAX_MOTION_OPENINGS) {
		status = 429;
		reason = "too many motions wait to be read";
	}
	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
		return;
	}
	reading = calloc(1, sizeof(*reading));
	if (!reading) {
		jc_exchange_status(exchange, 503, "out of memory");
		return;
	}
	reading->exchange = exchange;
	reading->asked = asked;
	reading->bytes = jc_exchange_take_body(exchange, &reading->length);
	services->replays->openings++;
	jc_job_start(&reading->job, services->loop, &reading_ops, reading);
}
