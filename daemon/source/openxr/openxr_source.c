/* The loop's side of the OpenXR source. It reads the ring of events only when it is sampled:
 * poses leave at ticks, so waking the loop between ticks would gain nothing. */
#include "source/openxr/openxr_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/capture_intake.h"
#include "source/face/face_channels.h"
#include "source/openxr/xr_client.h"
#include "source/openxr/xr_event.h"
#include "source/tracked_body.h"

#define BLOCKED_NS                                                                                 \
	INT64_C(2000000000) /* a step this long means that the runtime does not answer             \
			     */

/* Limits the log lines about changes: a burst, then one per interval. */
#define LINES_MOST 8
#define LINE_NS    INT64_C(2000000000)

struct openxr_source {
	struct jc_source base;
	const struct jc_log *log;
	struct jc_xr_client *client;   /* owned */
	struct jc_tracker_roles roles; /* that the thread has from a calibration */
	struct jc_xr_state reported;   /* the thread's newest state */
	struct jc_xr_state state;      /* the state to report: differs while the runtime blocks */
	struct jc_face_channels face;
	uint32_t logged_key;
	int lines;        /* log lines that may be written now */
	int64_t lines_ns; /* when `lines` was last increased */
};

/* Returns false for an event that must wait: all frames of one sample have the same axes and
 * channels. */
static bool take(struct openxr_source *source, const struct jc_xr_event *event, bool is_begun)
{
	struct jc_capture_intake *intake = source->base.intake;

	switch (event->kind) {
	case JC_XR_FRAME:
		if (is_begun && jc_face_channels_are_new(&source->face, &event->face)) {
			return false;
		}
		jc_capture_intake_put_frame(intake, &event->frame,
			jc_face_channels_take(
				&source->face, &source->base, &event->face, event->frame.time_ns));
		jc_tracked_body_set_worn(source->base.tracked, &event->worn);
		break;
	case JC_XR_AXES:
		if (is_begun) {
			return false;
		}
		jc_capture_intake_set_profile(
			intake, event->profile, event->has_rest ? &event->frame : NULL);
		break;
	case JC_XR_RESTART:
		jc_capture_intake_restart(intake);
		break;
	case JC_XR_STATE:
		source->reported = event->state;
		break;
	}
	return true;
}

/* A calibration may be made, undone or restored at any time. */
static void pass_on_roles(struct openxr_source *source)
{
	const struct jc_calibration_record *record =
		jc_tracked_body_calibration(source->base.tracked);

	if (!jc_tracker_roles_equal(&record->trackers, &source->roles)) {
		source->roles = record->trackers;
		jc_xr_client_set_roles(source->client, &source->roles);
	}
}

/* Appends what the joints show about their axes. */
static void add_axes(const struct openxr_source *source, char *detail, size_t capacity)
{
	size_t length = strlen(detail);
	enum jc_profile fitting;

	switch (jc_tracked_body_axes(source->base.tracked, &fitting)) {
	case JC_TRACKED_AXES_FIT:
		break;
	case JC_TRACKED_AXES_SLIMEVR:
		snprintf(detail + length, capacity - length, "; bones of SlimeVR");
		break;
	case JC_TRACKED_AXES_DIFFER:
		snprintf(detail + length, capacity - length,
			"; axes look like '%s': start with --source openxr:?profile=%s",
			jc_profile_name(fitting), jc_profile_name(fitting));
		break;
	case JC_TRACKED_AXES_UNKNOWN:
		snprintf(detail + length, capacity - length,
			"; axes contradict the positions of the joints, and no profile fits");
		break;
	}
}

/* Frames without a face settle it themselves; this is for the time without any frame. */
static void settle_face(struct openxr_source *source, int64_t now_ns)
{
	const float *values = jc_face_channels_settle(&source->face, now_ns);
	const struct jc_body_frame nobody = { .time_ns = now_ns };

	if (values) {
		jc_capture_intake_put_frame(source->base.intake, &nobody, values);
	}
}

static void update_state(struct openxr_source *source, int64_t now_ns)
{
	char *detail = source->state.detail;
	enum jc_profile fitting;
	size_t length;

	source->state = source->reported;
	if (source->state.condition == JC_SOURCE_LIVE) {
		add_axes(source, detail, sizeof(source->state.detail));
		source->state.key += 2 * jc_tracked_body_axes(source->base.tracked, &fitting);
	}
	if (source->reported.is_worn &&
		!jc_tracked_body_calibration(source->base.tracked)->has_current) {
		length = strlen(detail);
		source->state.key++;
		snprintf(detail + length, sizeof(source->state.detail) - length,
			"; trackers are not calibrated: run jointcast calibrate");
	}
	if (jc_xr_client_busy_ns(source->client, now_ns) > BLOCKED_NS) {
		source->state.condition = JC_SOURCE_STALE;
		source->state.reason = "the runtime does not answer";
		source->state.key = 1;
		snprintf(detail, sizeof(source->state.detail),
			"the runtime does not answer: restart its service");
	}
	source->base.reason = source->state.reason;
}

static void log_state(struct openxr_source *source, int64_t now_ns)
{
	bool bad = source->state.condition == JC_SOURCE_LOST ||
		   source->state.condition == JC_SOURCE_STALE;

	if (now_ns - source->lines_ns > LINE_NS) {
		source->lines_ns = now_ns;
		source->lines += source->lines < LINES_MOST;
	}
	if (source->state.key == source->logged_key || !source->state.detail[0]) {
		return;
	}
	if (source->lines == 0) {
		return; /* a later call logs the state */
	}
	source->lines--;
	source->logged_key = source->state.key;

	const char *condition = jc_source_condition_name(source->state.condition);
	const struct jc_log_about about = { .source = "openxr", .state = condition };

	jc_log_event(source->log, bad ? JC_LOG_WARNING : JC_LOG_INFO, &about, "openxr: %s: %s",
		condition, source->state.detail);
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct openxr_source *source = (struct openxr_source *)base;
	const struct jc_xr_event *event;
	bool is_begun = false;

	/* Takes only the events present at the start: the thread may add them faster. */
	for (unsigned i = 0; i < JC_XR_RING_SLOTS; i++) {
		event = jc_xr_client_peek(source->client);
		if (!event || !take(source, event, is_begun)) {
			break;
		}
		is_begun = is_begun || event->kind == JC_XR_FRAME;
		jc_xr_client_drop(source->client);
	}
	pass_on_roles(source);
	settle_face(source, now_ns);
	update_state(source, now_ns);
	log_state(source, now_ns);
	jc_capture_intake_sample(base->intake, now_ns, out_sample);
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct openxr_source *source = (const struct openxr_source *)base;

	*out_status = (struct jc_source_status){
		.kind = "openxr",
		.condition = source->state.condition,
		.losses = source->state.losses,
	};
	memcpy(out_status->detail, source->state.detail, sizeof(out_status->detail));
	jc_capture_intake_report(base->intake, out_status);
}

static void destroy(struct jc_source *base)
{
	struct openxr_source *source = (struct openxr_source *)base;

	jc_xr_client_destroy(source->client);
	jc_capture_intake_destroy(base->intake);
	free(source);
}

static const struct jc_source_ops openxr_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

int jc_openxr_source_create(const struct jc_openxr_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	const struct jc_xr_options client = { .profile = options->profile,
		.height = options->height,
		.trackers = options->trackers,
		.is_faceless = options->is_faceless };
	const struct jc_capture_form form = {
		.kind = JC_CAPTURE_BODY_FRAME,
		.profile = options->profile >= 0 ? (enum jc_profile)options->profile
						 : JC_PROFILE_WEBXR_SPEC,
		.smooth = options->smooth,
		.height = options->height,
	};
	struct openxr_source *source = calloc(1, sizeof(*source));
	int status = JC_ERROR_MEMORY;

	if (!source) {
		return jc_diagnose(diagnostic, status, NULL, "out of memory");
	}
	status = jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake);
	if (status != JC_OK) {
		goto fail;
	}
	/* Silences the loader: the states report its errors once. */
	setenv("XR_LOADER_DEBUG", "none", 0);
	source->base.ops = &openxr_source_ops;
	/* OpenXR's spaces have -Z ahead; a body on its spot has +Z ahead. */
	source->base.start_yaw = (float)M_PI;
	source->base.is_awaited = true;
	source->base.comes_and_goes = true;
	source->base.takes_face = true;
	source->base.tracked = jc_capture_intake_tracked(source->base.intake);
	source->log = options->log;
	source->lines = LINES_MOST;
	status = jc_xr_client_create(&client, &source->client);
	if (status != JC_OK) {
		goto fail;
	}
	*out_source = &source->base;
	return JC_OK;

fail:
	jc_capture_intake_destroy(source->base.intake);
	free(source);
	return jc_diagnose(diagnostic, status, NULL, "cannot track: %s", jc_error_name(status));
}
