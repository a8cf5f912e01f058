/* The body that an OpenXR runtime tracks, as a source. */
#ifndef JC_OPENXR_SOURCE_H
#define JC_OPENXR_SOURCE_H

#include "base/log.h"
#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "source/source.h"

struct jc_openxr_source_options {
	int profile; /* enum jc_profile of the runtime's body joints; -1: by what delivers them */
	struct jc_one_euro_options smooth; /* jc_tracked_body_options */
	float height;                      /* of the person standing, metres; 0: not known */
	const struct jc_log *log;          /* borrowed */
	int64_t epoch_ns;                  /* CLOCK_MONOTONIC at server time 0 */
};

/* Starts the thread that owns every OpenXR call and returns at once: loader,
 * runtime and headset may come later, go and come back, all of which the source
 * outlives. How it does is in its status and one line of the log per change:
 *
 *  condition  detail begins with
 *  waiting    "no OpenXR loader"      libopenxr_loader.so.1 is not installed
 *             "no OpenXR runtime"     none is set up, or its service does not run
 *             "no headset"            the runtime runs, but no device is there
 *             "'RUNTIME' …"           it lacks what is needed, or refuses a session
 *             "'RUNTIME': nobody is tracked"
 *  live       "'RUNTIME': meta body, 84 joints, high fidelity, calibrated, hands, head"
 *  stale      "'RUNTIME': nobody is tracked" after somebody was; "'RUNTIME': meta body is
 *             stale" when its own time stands still for 0.5 s while it claims that all
 *             is well, and nothing else tracks; "the runtime does not answer" while a
 *             call of it blocks for over 2 s
 *  lost       "'RUNTIME' is gone (XR_ERROR_…)": it is tried again every half second
 *
 * While Vive trackers deliver that were not calibrated the detail ends with "trackers
 * are not calibrated". Where the body tracker is stale but others are not, they
 * deliver on: the source is live and its detail says "meta body is stale". A tracker
 * whose permission was denied is named with "permission denied" and asked for again
 * every 5 s.
 *
 * Returns 0 or a negative error with the diagnostic filled: JC_ERROR_UNSUPPORTED in
 * a build without OpenXR. The Khronos loader admits one instance a process, so
 * there is one such source at a time; a second one waits, saying "another source has
 * the OpenXR runtime".
 *
 * Destroying waits 2 s at most for the thread; when a call of the runtime blocks
 * for longer it is left to itself and the process then ends without running the
 * runtime's own clean-up. */
int jc_openxr_source_create(const struct jc_openxr_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic);

#endif
