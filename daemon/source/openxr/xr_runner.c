/* Handles every failure in the same way: removes the connection, reports the reason, and starts
 * again with the next step. */
#include "source/openxr/xr_runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "source/openxr/trackers/xr_merge.h"
#include "source/openxr/xr_loader.h"
#include "source/openxr/xr_remedy.h"
#include "source/openxr/xr_report.h"

#define RETRY_NS  INT64_C(500000000)  /* between two attempts to connect */
#define REOPEN_NS INT64_C(5000000000) /* between two attempts to open a refused tracker */

void jc_xr_runner_init(struct jc_xr_runner *runner, const struct jc_xr_options *options,
	struct jc_xr_event_ring *ring)
{
	*runner = (struct jc_xr_runner){ .options = *options, .ring = ring };
	jc_xr_body_meta_init(&runner->meta);
	jc_xr_body_bd_init(&runner->bd);
	jc_xr_body_htc_init(&runner->htc);
	jc_xr_tracked_hands_init(&runner->hands);
	jc_xr_held_init(&runner->held);
	jc_xr_strapped_init(&runner->strapped);
	jc_xr_xdev_init(&runner->xdev, &runner->options.trackers);
	jc_xr_face_fb_init(&runner->fb_face);
	jc_xr_face_android_init(&runner->android_face);
	jc_xr_eyes_htc_init(&runner->htc_eyes);
	jc_xr_lips_htc_init(&runner->htc_lips);
	jc_xr_gaze_init(&runner->gaze);
	runner->trackers[JC_XR_META] = &runner->meta.base;
	runner->trackers[JC_XR_BD] = &runner->bd.base;
	runner->trackers[JC_XR_HTC] = &runner->htc.base;
	runner->trackers[JC_XR_TRACKED_HANDS] = &runner->hands.base;
	runner->trackers[JC_XR_HELD] = &runner->held;
	runner->trackers[JC_XR_STRAPPED] = &runner->strapped;
	runner->trackers[JC_XR_XDEV] = &runner->xdev.base;
	runner->trackers[JC_XR_FB_FACE] = &runner->fb_face.base.base;
	runner->trackers[JC_XR_ANDROID_FACE] = &runner->android_face.base.base;
	runner->trackers[JC_XR_HTC_EYES] = &runner->htc_eyes.base.base;
	runner->trackers[JC_XR_HTC_LIPS] = &runner->htc_lips.base.base;
	runner->trackers[JC_XR_GAZE] = &runner->gaze.base;
	for (int i = 0; i < JC_XR_KINDS; i++) {
		if (runner->trackers[i]->is_body && options->profile >= 0) {
			runner->trackers[i]->part.profile = (enum jc_profile)options->profile;
		}
	}
}

static void set_state(struct jc_xr_runner *runner, const struct jc_xr_state *state)
{
	if (state->condition != runner->state.condition || state->key != runner->state.key ||
		strcmp(state->detail, runner->state.detail) != 0 ||
		state->losses != runner->state.losses) {
		runner->state = *state;
		runner->state_is_new = true;
	}
}

/* Sets a state without motion: the reason for subscribers, and the text for operators, whose hash
 * is the key. */
static void set_detail(struct jc_xr_runner *runner, enum jc_source_condition condition,
	const char *reason, const char *format, ...) __attribute__((format(printf, 4, 5)));

static void set_detail(struct jc_xr_runner *runner, enum jc_source_condition condition,
	const char *reason, const char *format, ...)
{
	struct jc_xr_state state = { .condition = condition,
		.reason = reason,
		.key = 2166136261u,
		.losses = runner->state.losses };
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(state.detail, sizeof(state.detail), format, arguments);
	va_end(arguments);
	for (const char *c = state.detail; *c; c++) {
		state.key = (state.key ^ (uint8_t)*c) * 16777619u;
	}
	set_state(runner, &state);
}

static void end_session(struct jc_xr_runner *runner)
{
	for (int i = 0; i < JC_XR_KINDS; i++) {
		if (runner->session.handle) {
			jc_xr_tracker_close(runner->trackers[i], &runner->session);
		}
	}
	jc_xr_session_destroy(&runner->session);
	runner->pace = (struct jc_xr_pace){ 0 };
	runner->failures = 0;
	runner->axes_known = false;
}

static void end_instance(struct jc_xr_runner *runner)
{
	end_session(runner);
	jc_xr_instance_destroy(&runner->instance);
}

/* The connection to the runtime, or its session, was lost. */
static void end_lost(struct jc_xr_runner *runner, XrResult why)
{
	struct jc_xr_result_name name = jc_xr_result_name(why);

	runner->was_lost = true;
	runner->state.losses++;
	set_detail(runner, JC_SOURCE_LOST, "the runtime is gone",
		"'%s' is gone (%s): start it again", runner->instance.runtime, name.text);
	if (why == XR_ERROR_SESSION_LOST) {
		end_session(runner);
	} else {
		end_instance(runner);
	}
	/* The next headset may be in another room: the next frame is a cut. */
	runner->restart_is_due = true;
}

static enum jc_source_condition while_nothing_comes(const struct jc_xr_runner *runner)
{
	return runner->was_lost   ? JC_SOURCE_LOST
	       : runner->was_live ? JC_SOURCE_STALE
				  : JC_SOURCE_WAITING;
}

/* Reports a failed attempt to connect, unless a loss was reported before. */
static void fail_to_connect(struct jc_xr_runner *runner, XrResult why, const char *missing)
{
	char detail[JC_SOURCE_DETAIL];

	if (missing) {
		set_detail(runner, while_nothing_comes(runner), "no headless sessions",
			"the OpenXR runtime has no %s: use one that has it, such as Monado or "
			"WiVRn",
			missing);
	} else if (why == XR_ERROR_LIMIT_REACHED) {
		/* The loader permits one instance per process. */
		set_detail(runner, while_nothing_comes(runner), "another source has the runtime",
			"another source has the OpenXR runtime: keep one source 'openxr:'");
	} else if (!runner->was_lost) {
		jc_xr_remedy_runtime(&runner->loader, why, detail);
		set_detail(runner, JC_SOURCE_WAITING, "no OpenXR runtime", "%s", detail);
	}
}

static void refuse_session(struct jc_xr_runner *runner, XrResult why)
{
	struct jc_xr_result_name name = jc_xr_result_name(why);
	enum jc_source_condition condition = while_nothing_comes(runner);
	const char *runtime = runner->instance.runtime;

	if (why == XR_ERROR_FORM_FACTOR_UNAVAILABLE || why == XR_ERROR_FORM_FACTOR_UNSUPPORTED) {
		set_detail(runner, condition, "no headset", "no headset at '%s': %s", runtime,
			jc_xr_remedy_headset(runtime));
		return; /* keeps the instance */
	}
	bool is_dead = why == XR_ERROR_INSTANCE_LOST || why == XR_ERROR_RUNTIME_FAILURE ||
		       why == XR_ERROR_RUNTIME_UNAVAILABLE;

	if (is_dead && runner->was_lost) {
		/* The loss was reported already. */
	} else if (jc_xr_result_is_denial(why)) {
		set_detail(runner, condition, "permission denied",
			"'%s': permission denied: permit jointcastd in its settings", runtime);
	} else if (why == XR_ERROR_LIMIT_REACHED) {
		set_detail(runner, condition, "another program has the runtime",
			"'%s' is in use by another program: end that program", runtime);
	} else {
		set_detail(runner, condition, "no session",
			"'%s' refuses a session (%s): restart it", runtime, name.text);
	}
	end_instance(runner);
}

static void open_trackers(struct jc_xr_runner *runner, int64_t now_ns)
{
	for (int i = 0; i < JC_XR_KINDS; i++) {
		struct jc_xr_tracker *tracker = runner->trackers[i];

		if (!tracker->is_open && tracker->ops->is_offered(&runner->instance)) {
			jc_xr_tracker_open(tracker, &runner->session);
		}
	}
	runner->reopen_ns = now_ns + REOPEN_NS;
}

/* Returns whether a session exists now. */
static bool connect(struct jc_xr_runner *runner, int64_t now_ns)
{
	const char *missing = NULL;
	XrResult result = XR_SUCCESS;

	if (!jc_xr_loader_open(&runner->loader)) {
		char detail[JC_SOURCE_DETAIL];

		jc_xr_remedy_loader(detail);
		set_detail(runner, JC_SOURCE_WAITING, "no OpenXR loader", "%s", detail);
		return false;
	}
	if (!runner->instance.handle) {
		result = jc_xr_instance_create(
			&runner->loader, runner->options.is_faceless, &runner->instance, &missing);
		if (XR_FAILED(result)) {
			fail_to_connect(runner, result, missing);
			return false;
		}
	}
	result = jc_xr_instance_find_system(&runner->instance);
	if (XR_SUCCEEDED(result)) {
		result =
			jc_xr_session_create(&runner->instance, &runner->options, &runner->session);
	}
	if (XR_FAILED(result)) {
		refuse_session(runner, result);
		return false;
	}
	open_trackers(runner, now_ns);
	return true;
}

static XrResult look_at_clocks(
	const struct jc_xr_runner *runner, struct jc_xr_poll_time *out_moment)
{
	struct timespec now;
	XrTime time = 0;

	clock_gettime(CLOCK_MONOTONIC, &now);
	XrResult result = runner->instance.call.ConvertTimespecTimeToTimeKHR(
		runner->instance.handle, &now, &time);

	out_moment->time = time;
	out_moment->clock.now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	out_moment->clock.xr = time;
	return XR_SUCCEEDED(result) && time <= 0 ? XR_ERROR_TIME_INVALID : result;
}

/* Fails if the session or the instance has ended, or a tracker reports a runtime failure while
 * no other tracker delivers. */
static XrResult look_at_trackers(struct jc_xr_runner *runner, const struct jc_xr_poll_time *at)
{
	XrResult worst = XR_SUCCESS;
	bool live = false;

	for (int i = 0; i < JC_XR_KINDS; i++) {
		bool was_open = runner->trackers[i]->is_open;

		jc_xr_tracker_locate(runner->trackers[i], &runner->session, at);
		XrResult result = runner->trackers[i]->result;

		if (result == XR_ERROR_INSTANCE_LOST || result == XR_ERROR_SESSION_LOST) {
			return result;
		}
		live = live || runner->trackers[i]->part.live;
		if (was_open && result == XR_ERROR_RUNTIME_FAILURE) {
			worst = result;
		}
	}
	return live ? XR_SUCCESS : worst;
}

/* The tracker that determines the axes of frames: the best open body tracker; NULL: the draft's
 * axes, which are those of hands. */
static const struct jc_xr_tracker *find_axes(const struct jc_xr_runner *runner)
{
	for (int i = 0; i < JC_XR_KINDS; i++) {
		if (runner->trackers[i]->is_body && runner->trackers[i]->is_open) {
			return runner->trackers[i];
		}
	}
	return NULL;
}

static bool put_axes(struct jc_xr_runner *runner, const struct jc_xr_tracker *body)
{
	uint32_t revision = body ? body->rest_revision : 0;
	struct jc_xr_event *event;

	if (runner->axes_known && runner->axes_of == body && runner->axes_revision == revision) {
		return true;
	}
	event = jc_xr_event_ring_free(runner->ring);
	if (!event) {
		return false;
	}
	event->kind = JC_XR_AXES;
	event->profile = body ? body->part.profile : JC_PROFILE_WEBXR_SPEC;
	event->has_rest = revision > 0;
	if (revision > 0) {
		event->frame = body->rest;
	}
	jc_xr_event_ring_put(runner->ring);
	runner->axes_known = true;
	runner->axes_of = body;
	runner->axes_revision = revision;
	return true;
}

static bool put_restart(struct jc_xr_runner *runner)
{
	struct jc_xr_event *event =
		runner->restart_is_due ? jc_xr_event_ring_free(runner->ring) : NULL;

	if (!runner->restart_is_due) {
		return true;
	}
	if (!event) {
		return false;
	}
	event->kind = JC_XR_RESTART;
	jc_xr_event_ring_put(runner->ring);
	runner->restart_is_due = false;
	return true;
}

/* Gives the trackers of a frame to the loop. A joint that a better part has is not theirs. */
static void fill_worn(const struct jc_xr_part *const *parts, const struct jc_worn_trackers *worn,
	struct jc_worn_trackers *out_worn)
{
	out_worn->count = worn->count;
	for (size_t i = 0; i < worn->count; i++) {
		struct jc_worn_tracker *tracker = &out_worn->list[i];

		*tracker = worn->list[i];
		for (int kind = 0; tracker->joint != JC_JOINT_NONE && kind < JC_XR_XDEV; kind++) {
			if (parts[kind]->live &&
				parts[kind]->joints[tracker->joint].state != JC_ABSENT) {
				tracker->joint = JC_JOINT_NONE;
			}
		}
	}
}

static void add_lips(const struct jc_face *lips, struct jc_face *face)
{
	for (int i = 0; i < JC_FACE_SHAPES; i++) {
		if (jc_xr_face_regions[i] == JC_XR_FACE_LOWER) {
			face->shapes[i] = lips->shapes[i];
		}
	}
}

/* The shapes of the best face tracker that delivers, and the gaze. */
static void collect_face(const struct jc_xr_runner *runner, struct jc_face *out_face)
{
	int best = -1;

	out_face->has_shapes = false;
	out_face->has_gaze = false;
	for (int i = JC_XR_FB_FACE; i < JC_XR_KINDS; i++) {
		const struct jc_xr_face_tracker *tracker =
			(const struct jc_xr_face_tracker *)runner->trackers[i];

		if (!tracker->base.part.live) {
			continue;
		}
		if (tracker->face.has_shapes && !out_face->has_shapes) {
			best = i;
			out_face->has_shapes = true;
			memcpy(out_face->shapes, tracker->face.shapes, sizeof(out_face->shapes));
		} else if (best == JC_XR_HTC_EYES && i == JC_XR_HTC_LIPS) {
			add_lips(&tracker->face, out_face);
		}
		if (tracker->face.has_gaze) {
			out_face->has_gaze = true;
			out_face->gaze = tracker->face.gaze;
		}
	}
}

/* Drops a frame that does not fit into the ring; states, axes and restarts wait for the next
 * poll. Returns whether there was a new frame. */
static bool put_frame(struct jc_xr_runner *runner)
{
	const struct jc_xr_part *parts[JC_XR_KINDS];
	const struct jc_xr_tracker *body = find_axes(runner);
	struct jc_body_frame frame;
	struct jc_xr_event *event;

	for (int i = 0; i < JC_XR_KINDS; i++) {
		parts[i] = &runner->trackers[i]->part;
	}
	if (!jc_xr_merge(parts, JC_XR_KINDS, body ? body->part.profile : JC_PROFILE_WEBXR_SPEC,
		    &frame) ||
		frame.time_ns <= runner->frame_ns) {
		return false;
	}
	runner->frame_ns = frame.time_ns;
	if (!put_axes(runner, body) || !put_restart(runner)) {
		return true;
	}
	event = jc_xr_event_ring_free(runner->ring);
	if (event) {
		event->kind = JC_XR_FRAME;
		event->frame = frame;
		fill_worn(parts, &runner->xdev.worn, &event->worn);
		collect_face(runner, &event->face);
		jc_xr_event_ring_put(runner->ring);
	}
	return true;
}

static void put_state(struct jc_xr_runner *runner)
{
	struct jc_xr_event *event =
		runner->state_is_new ? jc_xr_event_ring_free(runner->ring) : NULL;

	if (event) {
		event->kind = JC_XR_STATE;
		event->state = runner->state;
		jc_xr_event_ring_put(runner->ring);
		runner->state_is_new = false;
	}
}

static void report(struct jc_xr_runner *runner)
{
	struct jc_xr_state state = { .losses = runner->state.losses };

	if (runner->session.is_unworn) {
		runner->was_lost = false;
		set_detail(runner, while_nothing_comes(runner), "nobody wears the headset",
			"'%s': nobody wears the headset: put it on", runner->instance.runtime);
		return;
	}
	jc_xr_report((const struct jc_xr_tracker *const *)runner->trackers, JC_XR_KINDS,
		&runner->instance, runner->was_live, &state);
	runner->was_live = runner->was_live || state.condition == JC_SOURCE_LIVE;
	runner->was_lost = false;
	set_state(runner, &state);
}

/* Polls a running session once. Returns the time to the next poll. */
static int64_t poll_session(struct jc_xr_runner *runner, int64_t now_ns)
{
	struct jc_xr_poll_time at;
	XrResult result = look_at_clocks(runner, &at);

	if (XR_SUCCEEDED(result)) {
		result = look_at_trackers(runner, &at);
	}
	if (XR_FAILED(result) &&
		(++runner->failures >= JC_XR_FAILURES_MOST || result == XR_ERROR_INSTANCE_LOST ||
			result == XR_ERROR_SESSION_LOST)) {
		end_lost(runner, result);
		return RETRY_NS;
	}
	if (XR_FAILED(result)) {
		return JC_XR_FAST_NS;
	}
	runner->failures = 0;
	if (jc_xr_session_has_moved(&runner->session, at.time) ||
		jc_xr_session_has_newcomer(&runner->session)) {
		runner->restart_is_due = true;
	}
	bool is_new = !runner->session.is_unworn && put_frame(runner);

	report(runner);
	if (now_ns >= runner->reopen_ns) {
		/* The capabilities of the device may have changed. */
		jc_xr_instance_find_system(&runner->instance);
		open_trackers(runner, now_ns);
	}
	/* A face without a body has new frames too. */
	return jc_xr_pace_next(&runner->pace, now_ns, true,
		is_new || runner->state.condition == JC_SOURCE_LIVE, is_new);
}

int64_t jc_xr_runner_step(struct jc_xr_runner *runner, int64_t now_ns)
{
	int64_t wait_ns = RETRY_NS;

	if (runner->session.handle || connect(runner, now_ns)) {
		XrResult result = jc_xr_session_poll(&runner->session);

		if (XR_FAILED(result)) {
			end_lost(runner, result);
		} else if (runner->session.running) {
			wait_ns = poll_session(runner, now_ns);
		} else {
			set_detail(runner, while_nothing_comes(runner), "no session",
				"'%s' does not run the session yet: switch the headset on",
				runner->instance.runtime);
			wait_ns = jc_xr_pace_next(&runner->pace, now_ns, false, false, false);
		}
	}
	put_state(runner);
	return wait_ns;
}

void jc_xr_runner_finish(struct jc_xr_runner *runner)
{
	end_instance(runner);
}
