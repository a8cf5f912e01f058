/* A live tracked body: body frames go in as they arrive, a pose comes out each tick. For all
 * trackers, implausible joints are held or dropped, missing joints emulated, the frame is solved
 * and optionally smoothed, and gaps are bridged. Used on the loop only. */
#ifndef JC_TRACKED_BODY_H
#define JC_TRACKED_BODY_H

#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/one_euro.h"
#include "source/calibration_record.h"
#include "source/source.h"

struct jc_tracked_body_options {
	enum jc_profile profile;
	struct jc_one_euro_options smooth; /* all 0: nothing is smoothed */
	float height; /* of the person standing, metres; 0: found out from what comes */
};

struct jc_tracked_body;

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_tracked_body_create(
	const struct jc_tracked_body_options *options, struct jc_tracked_body **out_body);
void jc_tracked_body_destroy(struct jc_tracked_body *body); /* NULL is fine */

/* From the next frame on joints have these axes. The deliverer may change:
 * another device, another runtime. rest is its own T-pose as a body frame, or
 * NULL. */
void jc_tracked_body_set_profile(
	struct jc_tracked_body *body, enum jc_profile profile, const struct jc_body_frame *rest);

/* A frame of now or a moment ago: time_ns is CLOCK_MONOTONIC and later than that
 * of the frame before, else it is ignored. Positions are in a space whose floor
 * is y = 0. Untracked joints are absent. */
void jc_tracked_body_put(struct jc_tracked_body *body, const struct jc_body_frame *frame);

/* The space in which positions are given moved (recentred), or another person
 * is tracked: the next frame begins anew, as a cut. */
void jc_tracked_body_restart(struct jc_tracked_body *body);

/* As if no frame had ever come. */
void jc_tracked_body_reset(struct jc_tracked_body *body);

/* From the first frame after the next sample on, or the first of all, trackers are
 * mounted so; that frame is a cut. A calibration for another profile than the frames'
 * waits until they have it. */
void jc_tracked_body_calibrate(
	struct jc_tracked_body *body, const struct jc_calibration_record *record);
const struct jc_calibration_record *jc_tracked_body_calibration(const struct jc_tracked_body *body);

/* The one that the newest frame was put through, or NULL, and how many there were. */
const struct jc_calibration *jc_tracked_body_applied(const struct jc_tracked_body *body);
unsigned jc_tracked_body_calibrations(const struct jc_tracked_body *body);

/* The newest frame as it came, NULL before the first, and how its axes lie. */
const struct jc_body_frame *jc_tracked_body_frame(const struct jc_tracked_body *body);
enum jc_profile jc_tracked_body_profile(const struct jc_tracked_body *body);

/* The pose at now_ns. */
void jc_tracked_body_sample(
	struct jc_tracked_body *body, int64_t now_ns, struct jc_source_sample *out_sample);

/* Fills frames, held and dropped; the rest is the source's. */
void jc_tracked_body_count(const struct jc_tracked_body *body, struct jc_source_status *out_status);

#endif
