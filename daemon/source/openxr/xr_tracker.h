/* One thing of a runtime that tracks a person: a body tracker, hands, devices. What
 * is common to all, so that a session can go through them best first. */
#ifndef JC_XR_TRACKER_H
#define JC_XR_TRACKER_H

#include "source/openxr/xr_merge.h"
#include "source/openxr/xr_place.h"
#include "source/openxr/xr_session.h"
#include "source/openxr/xr_times.h"

#define JC_XR_FAILURES_MOST 5u /* in a row, before a tracker or a runtime is given up */
#define JC_XR_STALE_NS      INT64_C(500000000) /* maximum age of tracker data */

/* When everything is located, on both clocks. */
struct jc_xr_moment {
	XrTime time;
	struct jc_xr_clock clock;
};

struct jc_xr_tracker;

struct jc_xr_tracker_ops {
	bool (*is_offered)(const struct jc_xr_instance *instance);
	XrResult (*open)(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);
	/* Fills tracker->part; may change notes, quality and rest. */
	XrResult (*locate)(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
		const struct jc_xr_moment *at);
	void (*close)(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);
};

struct jc_xr_tracker {
	const struct jc_xr_tracker_ops *ops;
	bool is_body;     /* its axes become those of the frame, its rest the body's */
	bool is_worn;     /* worn on the body at an unknown angle */
	const char *name; /* "meta body" */
	bool is_open;
	XrResult result;   /* of the last open or locate */
	unsigned failures; /* of locate in a row; at the last that is bearable it is closed */
	struct jc_xr_part part;
	bool is_stale;    /* it claims to track, but its data is old */
	char notes[64];   /* what else operators want to know: "84 joints, high fidelity" */
	uint32_t quality; /* changes with what of the notes the log should tell */
	/* The runtime's own T-pose; counts up when it is read anew, 0 before. */
	uint32_t rest_revision;
	struct jc_body_frame rest;
};

void jc_xr_tracker_open(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);
void jc_xr_tracker_locate(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_moment *at);
void jc_xr_tracker_close(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);

struct jc_xr_pose jc_xr_pose_from(const XrPosef *pose);

/* Both bits valid or it is absent; tracked when both are tracked, else estimated. */
enum jc_state jc_xr_state_from(XrSpaceLocationFlags flags);
struct jc_body_joint jc_xr_joint_from(XrSpaceLocationFlags flags, const XrPosef *pose);

bool jc_xr_part_has_joints(const struct jc_xr_part *part);

/* A runtime's T-pose made the rest of a body: hips over the origin, and where the
 * feet do not stand on the floor, as when it is given from the hips, put there. False
 * without hips or feet, which show no height: then frames show it better. */
bool jc_xr_rest_settle(struct jc_body_frame *rest);

#endif
