/* The life with a runtime: found, connected, tracked with, lost, found again. One
 * step at a time, each of which may block in the runtime for as long as that likes;
 * whoever calls it has a thread for it. What it learns goes into a ring. */
#ifndef JC_XR_RUNNER_H
#define JC_XR_RUNNER_H

#include "source/openxr/xr_body_bd.h"
#include "source/openxr/xr_body_htc.h"
#include "source/openxr/xr_body_meta.h"
#include "source/openxr/xr_devices.h"
#include "source/openxr/xr_event.h"
#include "source/openxr/xr_hands.h"
#include "source/openxr/xr_times.h"

/* Trackers, best first. */
enum jc_xr_kind {
	JC_XR_META,
	JC_XR_BD,
	JC_XR_HTC,
	JC_XR_TRACKED_HANDS,
	JC_XR_HELD,
	JC_XR_STRAPPED,
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
	struct jc_xr_tracker *trackers[JC_XR_KINDS]; /* those above */
	struct jc_xr_pace pace;
	int64_t reopen_ns; /* when trackers that did not open are asked again */
	unsigned failures; /* looks in a row that failed */
	int64_t frame_ns;  /* of the newest frame */
	bool was_live, was_lost;
	struct jc_xr_state state; /* as it is, */
	bool state_is_new;        /* and not in the ring yet */
	bool restart_is_due;      /* likewise */
	/* The axes that were put into the ring last. */
	const struct jc_xr_tracker *axes_of;
	uint32_t axes_revision;
	bool axes_known;
};

void jc_xr_runner_init(struct jc_xr_runner *runner, const struct jc_xr_options *options,
	struct jc_xr_event_ring *ring);

/* Does what is to be done at now_ns (CLOCK_MONOTONIC). Returns the time to the next
 * step. */
int64_t jc_xr_runner_step(struct jc_xr_runner *runner, int64_t now_ns);

/* Leaves the runtime, if one is there. */
void jc_xr_runner_finish(struct jc_xr_runner *runner);

#endif
