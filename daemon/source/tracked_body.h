/* A live tracked body: takes body frames as they arrive and gives a pose at each tick. Cuts at
 * jumps of the tracking space, holds or drops implausible joints, estimates missing ones, solves
 * the pose, smooths it on request, and bridges gaps. Used on the loop only. */
#ifndef JC_TRACKED_BODY_H
#define JC_TRACKED_BODY_H

#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/one_euro.h"
#include "source/calibration_record.h"
#include "source/source.h"
#include "source/worn_trackers.h"

struct jc_tracked_body_options {
	enum jc_profile profile;
	struct jc_one_euro_options smooth; /* all 0: no smoothing */
	float height; /* height of the standing person, metres; 0: estimated from frames */
};

struct jc_tracked_body;

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_tracked_body_create(
	const struct jc_tracked_body_options *options, struct jc_tracked_body **out_body);
void jc_tracked_body_destroy(struct jc_tracked_body *body); /* NULL is fine */

/* Sets the axis convention of later frames, for example when device or runtime change. rest: its
 * T-pose as a body frame, or NULL. */
void jc_tracked_body_set_profile(
	struct jc_tracked_body *body, enum jc_profile profile, const struct jc_body_frame *rest);

/* Takes a frame with CLOCK_MONOTONIC time_ns; ignores one that is not later than the previous
 * one. The floor is at y = 0. Untracked joints are absent. A frame to which the tracking space
 * jumped (space_jump.h) is a cut, as after jc_tracked_body_restart. */
void jc_tracked_body_put(struct jc_tracked_body *body, const struct jc_body_frame *frame);

/* Makes the next frame a cut without history: the space of positions has moved (recentred), or
 * another person is tracked. */
void jc_tracked_body_restart(struct jc_tracked_body *body);

/* Discards all history. */
void jc_tracked_body_reset(struct jc_tracked_body *body);

/* Applies a calibration from the first frame after the next sample, or from the first frame of
 * all; that frame is a cut. A calibration for another profile waits until frames have this profile.
 */
void jc_tracked_body_calibrate(
	struct jc_tracked_body *body, const struct jc_calibration_record *record);
const struct jc_calibration_record *jc_tracked_body_calibration(const struct jc_tracked_body *body);

/* The calibration applied to the newest frame (NULL: none), and the number of changes. */
const struct jc_calibration *jc_tracked_body_applied(const struct jc_tracked_body *body);
unsigned jc_tracked_body_calibrations(const struct jc_tracked_body *body);

/* The newest frame before processing (NULL: none yet), and its axis convention. */
const struct jc_body_frame *jc_tracked_body_frame(const struct jc_tracked_body *body);
enum jc_profile jc_tracked_body_profile(const struct jc_tracked_body *body);

/* Compares each frame captured from now until until_ns with the newest one, which exists. */
void jc_tracked_body_watch(struct jc_tracked_body *body, int64_t until_ns);

/* Whether a watched frame captured after since_ns differed by more than jc_calibration_is_still
 * permits; then *out_joint moved. A joint that is absent in one of both frames does not count. */
bool jc_tracked_body_has_moved(
	const struct jc_tracked_body *body, int64_t since_ns, enum jc_joint *out_joint);

/* The trackers of the newest frame whose joints a calibration may change; none at first. */
void jc_tracked_body_set_worn(
	struct jc_tracked_body *body, const struct jc_worn_trackers *trackers);
const struct jc_worn_trackers *jc_tracked_body_worn(const struct jc_tracked_body *body);

enum jc_tracked_axes {
	JC_TRACKED_AXES_FIT,     /* the profile's, or not contradicted yet */
	JC_TRACKED_AXES_DIFFER,  /* another profile fits the positions */
	JC_TRACKED_AXES_UNKNOWN, /* no profile fits the positions */
	JC_TRACKED_AXES_SLIMEVR, /* the joints are SlimeVR's bones (slimevr.h); any profile fits */
};

/* Axes that the joints of the newest frames show. *out_fitting: the profile that fits
 * where another one does. */
enum jc_tracked_axes jc_tracked_body_axes(
	const struct jc_tracked_body *body, enum jc_profile *out_fitting);

/* The pose at now_ns. */
void jc_tracked_body_sample(
	struct jc_tracked_body *body, int64_t now_ns, struct jc_source_sample *out_sample);

/* Fills frames, held and dropped; the source fills the others. */
void jc_tracked_body_count(const struct jc_tracked_body *body, struct jc_source_status *out_status);

#endif
