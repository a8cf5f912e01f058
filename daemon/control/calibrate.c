/* One calibration at a time and connection; it ends with the connection. */
#include "control/calibrate.h"
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
	/* A space may close meanwhile: it is found by its id each time. */
	uint32_t space;
	char space_name[JC_MAX_SPACE_NAME];
	uint32_t body;
	struct jc_calibration_run run;
};

/* extra: one more field, stolen; NULL for none. */
static void tell(struct jc_client *client, const char *space, uint32_t body, const char *state,
	const char *key, json_t *extra)
{
	json_t *message = json_pack("{ss ss sI ss}", "type", "calibration", "space", space, "body",
		(json_int_t)body, "state", state);

	if (message && extra) {
		json_object_set(message, key, extra);
	}
	json_decref(extra);
	jc_reply_send(client, message);
}

void jc_calibrate_saved(const struct jc_calibration_saved *saved)
{
	tell(saved->asker, saved->space, saved->body, saved->state, "stored",
		json_boolean(saved->stored));
}

/* Whoever asked is told when it is kept, or that it is not. */
static void save(struct jc_client *client, const struct jc_space *space, const struct jc_body *body,
	const char *state)
{
	struct jc_calibration_saved saved = { .asker = client, .body = body->id, .state = state };
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

	if (!jc_calibration_record_undo(&record)) {
		tell(client, jc_space_options(space)->name, body->id, "refused", "reason",
			json_string("there is no calibration before this one"));
		return;
	}
	jc_tracked_body_calibrate(body->source->tracked, &record);
	save(client, space, body, "undone");
}

/* NULL, or what is wrong with the message. */
static const char *read_run(
	const json_t *message, struct jc_calibration_run *out_run, int64_t now_ns)
{
	const json_t *pose = json_object_get(message, "pose");
	const json_t *height = json_object_get(message, "height");
	const json_t *countdown = json_object_get(message, "countdown");
	int found = !pose                  ? JC_CALIBRATION_T
		    : json_is_string(pose) ? jc_calibration_pose_find(json_string_value(pose))
					   : -1;
	double metres = json_number_value(height);
	json_int_t seconds = countdown ? json_integer_value(countdown) : 5;

	if (found < 0) {
		return "pose is t or i";
	}
	if (!json_is_number(height) || !(metres >= JC_CALIBRATION_HEIGHT_LEAST) ||
		!(metres <= JC_CALIBRATION_HEIGHT_MOST)) {
		return "height is from 0.5 to 3";
	}
	if ((countdown && !json_is_integer(countdown)) || seconds < 0 ||
		seconds > JC_CALIBRATION_COUNTDOWN_MOST) {
		return "countdown is an integer from 0 to 60";
	}
	jc_calibration_run_init(
		out_run, (enum jc_calibration_pose)found, (float)metres, (int)seconds, now_ns);
	return NULL;
}

static void begin(struct jc_client *client, const json_t *message, struct jc_space *space,
	const struct jc_body *body, int64_t now_ns)
{
	struct jc_calibration_run run;
	const char *wrong = read_run(message, &run, now_ns);

	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "calibrate");
		return;
	}
	if (client->calibrating) {
		jc_reply_error(
			client, "too-many", "a calibration is under way already", "calibrate");
		return;
	}
	client->calibrating = malloc(sizeof(*client->calibrating));
	if (!client->calibrating) {
		jc_reply_error(client, "too-many", "out of memory", "calibrate");
		return;
	}
	*client->calibrating = (struct jc_calibrating){
		.space = jc_space_options(space)->id, .body = body->id, .run = run
	};
	strcpy(client->calibrating->space_name, jc_space_options(space)->name);
	jc_calibrate_sweep(client, now_ns);
}

void jc_control_calibrate(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_named_space_read(client, message, "calibrate");
	const json_t *id = json_object_get(message, "body");
	const json_t *back = json_object_get(message, "undo");

	if (!fanout || !jc_admission_allows(client, JC_ROLE_PUBLISH,
			       jc_space_options(fanout->space)->name, "calibrate")) {
		return;
	}
	if (!json_is_integer(id) || (back && !json_is_boolean(back))) {
		jc_reply_error(
			client, "bad-field", "body is an integer, undo a boolean", "calibrate");
		return;
	}
	const struct jc_body *body = jc_space_find(fanout->space, json_integer_value(id));

	if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "calibrate");
	} else if (!jc_admission_allows_body(client, jc_space_options(fanout->space)->name,
			   body->name, "calibrate")) {
		return;
	} else if (!body->source->tracked) {
		jc_reply_error(client, "unsupported",
			"what delivers this body has no joints to calibrate", "calibrate");
	} else if (json_is_true(back)) {
		undo(client, fanout->space, body);
	} else {
		begin(client, message, fanout->space, body, now_ns);
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
		jc_diagnose(&diagnostic, JC_ERROR_INVALID, NULL,
			"your token does not allow it any more");
	} else {
		step = jc_calibration_run_step(
			&calibrating->run, body->source->tracked, now_ns, &diagnostic);
	}
	switch (step) {
	case JC_CALIBRATION_QUIET:
		return;
	case JC_CALIBRATION_COUNTS:
		tell(client, space, calibrating->body, "counting", "left",
			json_integer(calibrating->run.left));
		return;
	case JC_CALIBRATION_REFUSED:
		tell(client, space, calibrating->body, "refused", "reason",
			json_string(diagnostic.what));
		break;
	case JC_CALIBRATION_DONE:
		save(client, fanout->space, body, "done");
		break;
	}
	end(client);
}

void jc_calibrate_leave(struct jc_client *client)
{
	end(client);
	jc_calibration_saver_forget(client->control->calibrations, client);
}
