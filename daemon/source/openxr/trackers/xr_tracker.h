/* The common interface of all trackers of a runtime (body, hands, devices), so that a session
 * can use them in order of quality. */
#ifndef JC_XR_TRACKER_H
#define JC_XR_TRACKER_H

#include "jointcast_private/device_place.h"
#include "source/openxr/trackers/xr_merge.h"
#include "source/openxr/xr_session.h"
#include "source/openxr/xr_times.h"

#define JC_XR_FAILURES_MOST 5u /* consecutive failures that close a tracker or end a connection */
#define JC_XR_STALE_NS      INT64_C(500000000)  /* maximum age of tracker data */
#define JC_XR_SILENCE_NS    INT64_C(3000000000) /* without data for longer than a blink */

/* The time of one poll, on both clocks. */
struct jc_xr_poll_time {
	XrTime time;
	struct jc_xr_clock clock;
};

struct jc_xr_tracker;

struct jc_xr_tracker_ops {
	bool (*is_offered)(const struct jc_xr_instance *instance);
	XrResult (*open)(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);
	/* Fills tracker->part; may change notes, advice, quality and rest. */
	XrResult (*locate)(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
		const struct jc_xr_poll_time *at);
	void (*close)(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);
};

struct jc_xr_tracker {
	const struct jc_xr_tracker_ops *ops;
	bool is_body;     /* frames get its axes, and the body its T-pose */
	bool is_face;     /* delivers a face or gaze, which make no body; else joints */
	bool is_worn;     /* worn on the body in an unknown orientation */
	const char *name; /* such as "meta body" */
	/* The remedy if the tracker is open without data, or denied; NULL: no remedy is known. */
	const char *remedy;
	bool is_open;
	XrResult result;   /* of the last open or locate */
	unsigned failures; /* consecutive failures of locate, at most JC_XR_FAILURES_MOST */
	struct jc_xr_part part;
	bool is_stale;  /* reports tracking, but the data is old */
	int64_t age_ns; /* of stale data */
	/* Has delivered nothing since it was opened, or for JC_XR_SILENCE_NS: worth a remedy. */
	bool is_silent;
	int64_t live_ns; /* of the last poll with data; 0: none since it was opened */
	/* Why the data of the last locate is no person's, with the remedy; NULL: it may be one's.
	 */
	const char *fault;
	char notes[96];   /* more for operators: "84 joints, high fidelity" */
	char advice[384]; /* what an operator can do for more joints; empty: nothing */
	uint32_t quality; /* changes when the log should show notes or advice again */
	/* Optional structures of open and locate; refused ones are left out until the session
	 * ends. */
	struct jc_xr_chain chain;
	/* The runtime's T-pose. The revision grows with each new T-pose; 0: none yet. */
	uint32_t rest_revision;
	struct jc_body_frame rest;
};

void jc_xr_tracker_open(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);
void jc_xr_tracker_locate(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at);
/* Whether nothing came for JC_XR_SILENCE_NS, or ever. live_ns: time of the last data; 0: none. */
bool jc_xr_is_silent(int64_t live_ns, int64_t now_ns);

void jc_xr_tracker_close(struct jc_xr_tracker *tracker, const struct jc_xr_session *session);

struct jc_device_pose jc_xr_pose_from(const XrPosef *pose);

/* Absent unless both bits are valid; tracked if both are tracked, else estimated. */
enum jc_state jc_xr_state_from(XrSpaceLocationFlags flags);
struct jc_body_joint jc_xr_joint_from(XrSpaceLocationFlags flags, const XrPosef *pose);

bool jc_xr_part_has_joints(const struct jc_xr_part *part);

/* Turns a runtime's T-pose into the rest of a body: hips over the origin and feet on the floor.
 * Returns false without hips or feet: the height is then measured from frames. */
bool jc_xr_rest_settle(struct jc_body_frame *rest);

#endif
