/* Finds a runtime, connects, tracks, and connects again after a loss, one step per call. A step
 * may block in the runtime for any time, so it runs on its own thread. Results go into a ring of
 * events. */
#ifndef JC_XR_RUNNER_H
#define JC_XR_RUNNER_H

#include "source/openxr/face/xr_face_android.h"
#include "source/openxr/face/xr_face_fb.h"
#include "source/openxr/face/xr_face_htc.h"
#include "source/openxr/face/xr_gaze.h"
#include "source/openxr/trackers/xr_body_bd.h"
#include "source/openxr/trackers/xr_body_htc.h"
#include "source/openxr/trackers/xr_body_meta.h"
#include "source/openxr/trackers/xr_devices.h"
#include "source/openxr/trackers/xr_hands.h"
#include "source/openxr/trackers/xr_xdev.h"
#include "source/openxr/xr_event.h"
#include "source/openxr/xr_times.h"

/* Kinds of trackers, best first. */
enum jc_xr_kind {
	JC_XR_META,
	JC_XR_BD,
	JC_XR_HTC,
	JC_XR_TRACKED_HANDS,
	JC_XR_HELD,
	JC_XR_STRAPPED,
	JC_XR_XDEV,
	JC_XR_FB_FACE, /* first of those without joints */
	JC_XR_ANDROID_FACE,
	JC_XR_HTC_EYES, /* followed by the lips, which complete it */
	JC_XR_HTC_LIPS,
	JC_XR_GAZE,
	JC_XR_KINDS
};

struct jc_xr_runner {
	struct jc_xr_options options;
	struct jc_xr_event_ring *ring; /* borrowed */
	struct jc_xr_loader loader;
	struct jc_xr_instance instance;
	struct jc_xr_session session;
	struct jc_xr_body_meta meta;
	struct jc_xr_body_bd bd;
	struct jc_xr_body_htc htc;
	struct jc_xr_tracked_hands hands;
	struct jc_xr_tracker held, strapped;
	struct jc_xr_xdev xdev;
	struct jc_xr_face_fb fb_face;
	struct jc_xr_face_android android_face;
	struct jc_xr_face_htc htc_eyes, htc_lips;
	struct jc_xr_face_tracker gaze;
	struct jc_xr_tracker *trackers[JC_XR_KINDS]; /* pointers to the trackers above */
	struct jc_xr_pace pace;
	int64_t reopen_ns; /* next attempt to open refused trackers */
	unsigned failures; /* consecutive failed polls */
	int64_t frame_ns;  /* capture time of the newest frame */
	bool was_live, was_lost;
	struct jc_xr_state state; /* current state */
	bool state_is_new;        /* `state` is not in the ring yet */
	bool restart_is_due;      /* a restart is not in the ring yet */
	/* The last axes that were put into the ring. */
	const struct jc_xr_tracker *axes_of;
	uint32_t axes_revision;
	bool axes_known;
};

void jc_xr_runner_init(struct jc_xr_runner *runner, const struct jc_xr_options *options,
	struct jc_xr_event_ring *ring);

/* Runs one step at now_ns (CLOCK_MONOTONIC). Returns the time to the next step. */
int64_t jc_xr_runner_step(struct jc_xr_runner *runner, int64_t now_ns);

/* Disconnects from the runtime. */
void jc_xr_runner_finish(struct jc_xr_runner *runner);

#endif
