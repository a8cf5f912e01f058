/* Calls the steps of src/retarget in order, when a frame arrives, so that a tick only copies
 * a pose. */
#include "source/tracked_body.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/emulation.h"
#include "jointcast/solver.h"
#include "jointcast_private/axes.h"
#include "jointcast_private/continuity.h"
#include "jointcast_private/plausibility.h"
#include "jointcast_private/slimevr.h"
#include "jointcast_private/space_jump.h"

#define CONTRADICTED_LONG 30u  /* frames in a row before another profile is looked for */
#define LOOK_AGAIN        500u /* frames in a row until the next time */

/* Whether the person stands still. */
struct watch {
	int64_t until_ns;
	struct jc_body_frame first;
	int64_t moved_ns; /* of the last frame that differs from it */
	enum jc_joint moved;
};

struct jc_tracked_body {
	float height;
	struct jc_space_jump jump;
	struct jc_slimevr slimevr;
	struct jc_plausibility plausibility;
	struct jc_emulation emulation;
	struct jc_solver solver;
	struct jc_one_euro smooth;
	struct jc_continuity continuity;
	struct jc_calibration_record calibration;
	bool has_applied; /* `applied` corrects the frames */
	struct jc_calibration applied;
	enum {
		APPLIED,
		GIVEN,
		READY
	} change; /* a new calibration; READY: from the next frame on */
	unsigned calibrations;
	struct jc_body_frame frame; /* the newest frame before processing */
	uint64_t frames;
	struct jc_worn_trackers worn; /* of that frame */
	struct watch watch;
	enum jc_tracked_axes axes;
	enum jc_profile fitting;
	unsigned contradicted; /* frames in a row whose positions refute the profile */
};

int jc_tracked_body_create(
	const struct jc_tracked_body_options *options, struct jc_tracked_body **out_body)
{
	struct jc_tracked_body *body = calloc(1, sizeof(*body));

	if (!body) {
		return JC_ERROR_MEMORY;
	}
	body->frame.time_ns = INT64_MIN;
	body->watch.until_ns = body->watch.moved_ns = INT64_MIN;
	body->smooth.options = options->smooth;
	body->height = options->height;
	jc_tracked_body_set_profile(body, options->profile, NULL);
	*out_body = body;
	return JC_OK;
}

void jc_tracked_body_destroy(struct jc_tracked_body *body)
{
	free(body);
}

void jc_tracked_body_set_profile(
	struct jc_tracked_body *body, enum jc_profile profile, const struct jc_body_frame *rest)
{
	jc_emulation_init(&body->emulation, profile, rest, body->height);
	jc_solver_init(&body->solver, profile, rest);
	body->axes = JC_TRACKED_AXES_FIT;
	body->contradicted = 0;
}

/* A bit for each bone whose joint is in the frame. */
static uint64_t find_known(const struct jc_body_frame *frame)
{
	uint64_t known = 0;

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)joint);

		if (bone != JC_BONE_NONE && frame->joints[joint].state != JC_ABSENT) {
			known |= UINT64_C(1) << bone;
		}
	}
	return known;
}

/* The calibration changes only between samples, because recordings store it per tick. */
static void adopt_calibration(struct jc_tracked_body *body)
{
	if (body->change == APPLIED || (body->change == GIVEN && body->frames > 0)) {
		return;
	}
	body->change = APPLIED;
	body->calibrations++;
	body->has_applied = body->calibration.has_current;
	body->applied = body->calibration.current;
	jc_tracked_body_restart(body);
}

/* Whether the solver has derived more than a tenth of the tracked bones from positions. */
static bool is_contradicted(const struct jc_body_frame *frame, const struct jc_pose *pose)
{
	int tracked = 0, derived = 0;

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)joint);

		if (bone != JC_BONE_NONE && frame->joints[joint].state == JC_TRACKED) {
			tracked++;
			derived += pose->states[bone] == JC_ESTIMATED;
		}
	}
	return 10 * derived > tracked;
}

/* Looks for the profile that fits a frame whose positions refute the declared one. */
static void look_at_axes(
	struct jc_tracked_body *body, const struct jc_body_frame *frame, bool is_refuted)
{
	struct jc_axes_check check;

	body->contradicted = is_refuted ? body->contradicted + 1 : 0;
	if (body->contradicted == 0 && body->axes != JC_TRACKED_AXES_SLIMEVR) {
		body->axes = JC_TRACKED_AXES_FIT;
	}
	if (body->axes == JC_TRACKED_AXES_SLIMEVR ||
		body->contradicted % LOOK_AGAIN != CONTRADICTED_LONG) {
		return;
	}
	jc_axes_check_init(&check, body->solver.profile);
	jc_axes_check_add(&check, frame);
	if (jc_axes_check_verdict(&check, &body->fitting) == JC_AXES_DISAGREE) {
		body->axes = body->fitting == body->solver.profile ? JC_TRACKED_AXES_UNKNOWN
								   : JC_TRACKED_AXES_DIFFER;
	}
}

/* A tracker that fails for a frame has not moved. */
static void watch_frame(struct watch *watch, const struct jc_body_frame *frame)
{
	struct jc_body_frame seen = watch->first;
	enum jc_joint joint;

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		if (seen.joints[i].state != JC_ABSENT && frame->joints[i].state != JC_ABSENT) {
			seen.joints[i] = frame->joints[i];
		}
	}
	if (!jc_calibration_is_still(&watch->first, &seen, &joint)) {
		watch->moved_ns = frame->time_ns;
		watch->moved = joint;
	}
}

void jc_tracked_body_put(struct jc_tracked_body *body, const struct jc_body_frame *frame)
{
	struct jc_body_frame whole = *frame;
	struct jc_pose pose;
	uint64_t known;

	if (frame->time_ns <= body->frame.time_ns) {
		return;
	}
	adopt_calibration(body);
	if (jc_space_jump_find(&body->jump, frame)) {
		jc_tracked_body_restart(body);
	}
	if (jc_slimevr_arrange(&body->slimevr, body->solver.profile, &whole)) {
		body->axes = JC_TRACKED_AXES_SLIMEVR;
	} else if (body->axes == JC_TRACKED_AXES_SLIMEVR) {
		body->axes = JC_TRACKED_AXES_FIT;
	}
	body->frame = whole;
	body->frames++;
	if (whole.time_ns <= body->watch.until_ns) {
		watch_frame(&body->watch, &whole);
	}
	if (body->has_applied && body->applied.profile == body->solver.profile) {
		jc_calibration_apply(&body->applied, &whole);
	}
	jc_plausibility_filter(&body->plausibility, &whole);
	known = find_known(&whole);
	if (known == 0) {
		return;
	}
	jc_emulation_complete(&body->emulation, &whole);
	jc_solver_solve(&body->solver, &whole, &pose);
	look_at_axes(body, &body->frame, is_contradicted(&whole, &pose));
	jc_one_euro_filter(&body->smooth, &pose, whole.time_ns);
	jc_continuity_put(&body->continuity, &pose, known, whole.time_ns);
}

void jc_tracked_body_restart(struct jc_tracked_body *body)
{
	struct jc_plausibility *plausibility = &body->plausibility;

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		plausibility->joints[joint].is_known = false;
	}
	body->slimevr = (struct jc_slimevr){ .bones = { .is_made = false } };
	jc_emulation_restart(&body->emulation);
	body->smooth.has_begun = false;
	jc_continuity_restart(&body->continuity);
}

void jc_tracked_body_reset(struct jc_tracked_body *body)
{
	const struct jc_emulation *emulation = &body->emulation;

	jc_tracked_body_restart(body);
	body->jump = (struct jc_space_jump){ .has_begun = false };
	memset(body->plausibility.joints, 0, sizeof(body->plausibility.joints));
	body->emulation = (struct jc_emulation){ .profile = emulation->profile,
		.axes = emulation->axes,
		.reported = emulation->reported };
	jc_emulation_restart(&body->emulation);
	body->continuity = (struct jc_continuity){ .has_begun = false };
}

void jc_tracked_body_calibrate(
	struct jc_tracked_body *body, const struct jc_calibration_record *record)
{
	body->calibration = *record;
	body->change = GIVEN;
}

const struct jc_calibration_record *jc_tracked_body_calibration(const struct jc_tracked_body *body)
{
	return &body->calibration;
}

const struct jc_calibration *jc_tracked_body_applied(const struct jc_tracked_body *body)
{
	return body->has_applied ? &body->applied : NULL;
}

unsigned jc_tracked_body_calibrations(const struct jc_tracked_body *body)
{
	return body->calibrations;
}

const struct jc_body_frame *jc_tracked_body_frame(const struct jc_tracked_body *body)
{
	return body->frames > 0 ? &body->frame : NULL;
}

enum jc_profile jc_tracked_body_profile(const struct jc_tracked_body *body)
{
	return body->solver.profile;
}

void jc_tracked_body_watch(struct jc_tracked_body *body, int64_t until_ns)
{
	body->watch.first = body->frame;
	body->watch.until_ns = until_ns > body->watch.until_ns ? until_ns : body->watch.until_ns;
}

bool jc_tracked_body_has_moved(
	const struct jc_tracked_body *body, int64_t since_ns, enum jc_joint *out_joint)
{
	if (body->watch.moved_ns <= since_ns) {
		return false;
	}
	*out_joint = body->watch.moved;
	return true;
}

void jc_tracked_body_set_worn(struct jc_tracked_body *body, const struct jc_worn_trackers *trackers)
{
	body->worn.count = trackers->count;
	memcpy(body->worn.list, trackers->list, trackers->count * sizeof(trackers->list[0]));
}

const struct jc_worn_trackers *jc_tracked_body_worn(const struct jc_tracked_body *body)
{
	return &body->worn;
}

enum jc_tracked_axes jc_tracked_body_axes(
	const struct jc_tracked_body *body, enum jc_profile *out_fitting)
{
	*out_fitting = body->fitting;
	return body->axes;
}

void jc_tracked_body_sample(
	struct jc_tracked_body *body, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct jc_continuity_sample sample;

	body->change = body->change == GIVEN ? READY : body->change;
	jc_continuity_sample(&body->continuity, now_ns, &sample);
	*out_sample = (struct jc_source_sample){
		.pose = sample.pose,
		.capture_ns = sample.time_ns,
		.cut = sample.cut,
		.live = sample.live,
		.held = sample.held,
	};
}

void jc_tracked_body_count(const struct jc_tracked_body *body, struct jc_source_status *out_status)
{
	out_status->frames = body->frames;
	out_status->held = body->plausibility.held;
	out_status->dropped = body->plausibility.dropped;
}
