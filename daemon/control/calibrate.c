/* Message `calibrate`. A client runs one calibration at a time, which ends with its
 * connection. */
#include "control/calibrate.h"
#include "control/fields.h"
#include "control/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "net/session.h"
#include "source/calibration_run.h"
#include "space/spaces.h"

struct jc_calibrating {
	/* The space may close meanwhile: it is found by its id each time. */
	uint32_t space;
	char space_name[JC_MAX_SPACE_NAME];
	uint32_t body;
	struct jc_request_tag request; /* repeated by each report */
	struct jc_calibration_run run;
};

/* extra: one more field, stolen; NULL for none. */
static void send_report(struct jc_client *client, const struct jc_request_tag *request,
	const char *space, uint32_t body, const char *state, const char *key, json_t *extra)
{
	json_t *message = json_pack("{ss ss sI ss}", "type", "calibration", "space", space, "body",
		(json_int_t)body, "state", state);

	if (message && extra) {
		json_object_set(message, key, extra);
	}
	json_decref(extra);
	jc_reply_put_request(message, request);
	jc_reply_send(client, message);
}

void jc_calibrate_saved(const struct jc_calibration_saved *saved)
{
	send_report(saved->asker, &saved->request, saved->space, saved->body, saved->state,
		"stored", json_boolean(saved->stored));
}

/* The client gets the answer when the calibration is on disk, or could not be written. */
static void save(struct jc_client *client, const struct jc_request_tag *request,
	const struct jc_space *space, const struct jc_body *body, const char *state)
{
	struct jc_calibration_saved saved = {
		.asker = client, .request = *request, .body = body->id, .state = state
	};
	const char *name = jc_space_options(space)->name;

	snprintf(saved.space, sizeof(saved.space), "%s", name);
	jc_log_event(client->services->log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = name, .body = body->name, .state = state },
		"'%s' in space '%s': calibration %s", body->name, name, state);
	jc_calibration_saver_save(client->control->calibrations, body->name,
		jc_tracked_body_calibration(body->source->tracked), &saved);
}

static void undo(struct jc_client *client, const struct jc_space *space, const struct jc_body *body)
{
	struct jc_calibration_record record = *jc_tracked_body_calibration(body->source->tracked);
	struct jc_request_tag request = jc_reply_defer(client);

	if (!jc_calibration_record_undo(&record)) {
		send_report(client, &request, jc_space_options(space)->name, body->id, "refused",
			"reason", json_string("there is no calibration before this one"));
		return;
	}
	jc_tracked_body_calibrate(body->source->tracked, &record);
	save(client, &request, space, body, "undone");
}

static void read_run(
	struct jc_fields *fields, bool is_undo, struct jc_calibration_run *out_run, int64_t now_ns)
{
	static const char *const poses[] = { "t", "i" };
	double height = 0.0;
	int64_t countdown = 5;
	int pose = 0;

	jc_fields_choice(fields, "pose", poses, 2, &pose);
	if (!is_undo) {
		jc_fields_require(fields, "height");
	}
	jc_fields_number(
		fields, "height", JC_CALIBRATION_HEIGHT_LEAST, JC_CALIBRATION_HEIGHT_MOST, &height);
	jc_fields_integer(fields, "countdown", 0, JC_CALIBRATION_COUNTDOWN_MOST, &countdown);
	jc_calibration_run_init(out_run, pose == 0 ? JC_CALIBRATION_T : JC_CALIBRATION_I,
		(float)height, (int)countdown, now_ns);
}

static void begin(struct jc_client *client, const struct jc_calibration_run *run,
	struct jc_space *space, const struct jc_body *body, int64_t now_ns)
{
	if (client->calibrating) {
		jc_reply_error(client, "too-many", "a calibration is already running", "calibrate");
		return;
	}
	client->calibrating = malloc(sizeof(*client->calibrating));
	if (!client->calibrating) {
		jc_reply_error(client, "too-many", "out of memory", "calibrate");
		return;
	}
	*client->calibrating = (struct jc_calibrating){ .space = jc_space_options(space)->id,
		.body = body->id,
		.request = jc_reply_defer(client),
		.run = *run };
	strcpy(client->calibrating->space_name, jc_space_options(space)->name);
	jc_calibrate_sweep(client, now_ns);
}

void jc_control_calibrate(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "calibrate");
	struct jc_fields fields = jc_fields_of(message);
	struct jc_calibration_run run;
	bool is_undo = false;
	int64_t id = 0;

	if (!fanout || !jc_admission_allows(client, JC_ROLE_PUBLISH,
			       jc_space_options(fanout->space)->name, "calibrate")) {
		return;
	}
	/* A calibration stays in the state of the daemon. */
	if (jc_admission_is_local_page(client)) {
		jc_reply_error(client, "not-allowed", JC_LOCAL_PAGE_REFUSAL, "calibrate");
		return;
	}
	jc_fields_body(&fields, &id);
	jc_fields_flag(&fields, "undo", &is_undo);
	read_run(&fields, is_undo, &run, now_ns);
	if (jc_fields_refuse(&fields, client, "calibrate")) {
		return;
	}
	const struct jc_body *body = jc_space_find(fanout->space, id);

	if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "calibrate");
	} else if (!jc_admission_allows_body(client, jc_space_options(fanout->space)->name,
			   body->name, "calibrate")) {
		return;
	} else if (!body->source->tracked) {
		jc_reply_error(client, "unsupported",
			"the source of this body has no joints to calibrate", "calibrate");
	} else if (is_undo) {
		undo(client, fanout->space, body);
	} else {
		begin(client, &run, fanout->space, body, now_ns);
	}
}

static void end(struct jc_client *client)
{
	free(client->calibrating);
	client->calibrating = NULL;
}

void jc_calibrate_sweep(struct jc_client *client, int64_t now_ns)
{
	struct jc_calibrating *calibrating = client->calibrating;
	struct jc_diagnostic diagnostic = { 0 };

	if (!calibrating) {
		return;
	}
	struct jc_fanout *fanout = jc_spaces_with_id(client->services->spaces, calibrating->space);
	const struct jc_body *body =
		fanout ? jc_space_find(fanout->space, calibrating->body) : NULL;
	const char *space = calibrating->space_name;
	enum jc_calibration_step step = JC_CALIBRATION_REFUSED;

	if (!body) {
		jc_diagnose(&diagnostic, JC_ERROR_ABSENT, NULL,
			fanout ? "the body left" : "the space closed");
	} else if (!jc_admission_may(client, JC_ROLE_PUBLISH, space, body->name)) {
		jc_diagnose(
			&diagnostic, JC_ERROR_INVALID, NULL, "your token no longer permits this");
	} else {
		step = jc_calibration_run_step(
			&calibrating->run, body->source->tracked, now_ns, &diagnostic);
	}
	switch (step) {
	case JC_CALIBRATION_QUIET:
		return;
	case JC_CALIBRATION_COUNTS:
		send_report(client, &calibrating->request, space, calibrating->body, "counting",
			"left", json_integer(calibrating->run.left));
		return;
	case JC_CALIBRATION_REFUSED:
		send_report(client, &calibrating->request, space, calibrating->body, "refused",
			"reason", json_string(diagnostic.what));
		break;
	case JC_CALIBRATION_DONE:
		save(client, &calibrating->request, fanout->space, body, "done");
		break;
	}
	end(client);
}

void jc_calibrate_leave(struct jc_client *client)
{
	end(client);
	jc_calibration_saver_forget(client->control->calibrations, client);
}
