/* The body that an OpenXR runtime tracks, as a source. */
#ifndef JC_OPENXR_SOURCE_H
#define JC_OPENXR_SOURCE_H

#include "base/log.h"
#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "source/source.h"
#include "source/tracker_role.h"

struct jc_openxr_source_options {
	int profile; /* enum jc_profile of the runtime's body joints; -1: chosen by extension */
	struct jc_one_euro_options smooth; /* jc_tracked_body_options */
	float height;                      /* height of the standing person, metres; 0: unknown */
	struct jc_tracker_roles trackers;  /* roles of trackers by serial or name */
	bool is_faceless;                  /* the person wants no face and gaze */
	const struct jc_log *log;          /* borrowed */
	int64_t epoch_ns;                  /* CLOCK_MONOTONIC at server time 0 */
};

/* Starts the thread that owns every OpenXR call, and returns at once. Loader, runtime and headset
 * may come, go and return while the source runs. The status, and one log line per change, state
 * the condition:
 *
 *  condition  detail begins with
 *  waiting    "no OpenXR loader"      libopenxr_loader.so.1 cannot be loaded
 *             "no OpenXR runtime"     none is configured, its files are faulty, or its service
 *                                     does not run
 *             "no headset"            the runtime runs without a device
 *             "'RUNTIME' …"           it lacks a feature, or refuses a session
 *             "'RUNTIME': nobody is tracked", also while a face or gaze arrives: it
 *             follows as "without a body: fb face"
 *  live       "'RUNTIME': meta body, 84 joints, high fidelity, calibrated, hands, head"
 *  stale      "'RUNTIME': nobody is tracked" after a person was tracked
 *             "'RUNTIME': nobody wears the headset", also before a person was tracked: waiting
 *             "'RUNTIME': the runtime's body calibration is invalid: …", or another reason why the
 *             joints are no person's
 *             "'RUNTIME': meta body: joints have not changed for N s: …" if the tracker's time
 *             stands still for 0.5 s and no other tracker delivers
 *             "the runtime does not answer" if a call blocks for more than 2 s
 *  lost       "'RUNTIME' is gone (XR_ERROR_…)"; tried again every half second
 *
 * A detail without motion ends with a colon and the remedy. Trackers on the body are listed with
 * their roles: "2 trackers: waist, left foot; 1 tracker without a role ('LHR-1A2B3C4D'): calibrate
 * or set roles". Only operators see the detail. While trackers are not calibrated the detail
 * contains "trackers are not calibrated". If only the body tracker is stale, the source is live and
 * its detail contains "have not changed". The detail names a refused tracker with "permission
 * denied"; it is tried again every 5 s.
 * If the axes of the joints contradict their positions, the detail of a live source ends with
 * "axes look like 'pico': start with --source openxr:?profile=pico"; for joints of a SlimeVR
 * server, which any profile reads, with "bones of SlimeVR".
 *
 * Returns 0 or a negative error with the diagnostic filled: JC_ERROR_UNSUPPORTED in a build without
 * OpenXR. The Khronos loader permits one instance per process, so a second source waits with
 * "another source has the OpenXR runtime". Destroying waits at most 2 s for the thread; if a call
 * blocks longer, the process later ends without the runtime's clean-up. */
int jc_openxr_source_create(const struct jc_openxr_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic);

#endif
