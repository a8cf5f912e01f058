/* Finds the fault of a stream of trackers (stream_check.h): compares lengths with those of a
 * person, and rotations with places. */
#ifndef JC_PRIVATE_TRACKER_CHECK_H
#define JC_PRIVATE_TRACKER_CHECK_H

#include "jointcast/humanoid.h"
#include "jointcast_private/apps/stream_check.h"

/* One frame of the trackers. */
struct jc_tracker_frame {
	const struct jc_body_frame *body; /* calibrated, if the stream is */
	enum jc_profile profile;          /* of the frame */
	bool is_calibrated;
	float height;                /* of the person, metres; 0: unknown */
	const struct jc_vec3 *loose; /* places of trackers without a joint */
	size_t loose_count;
	/* From sending to arrival, nanoseconds; 0: unknown. */
	int64_t delay_ns;
	/* The joints of trackers have been named by a person, so left and right are certain. */
	bool is_named;
};

/* State of one stream; plain data, all zeros at first. */
struct jc_tracker_check {
	struct jc_stream_check stream;
	bool is_begun;                         /* the calibrated body has a heading: */
	float heading;                         /* radians about +Y when it began */
	struct jc_vec3 left, front;            /* smoothed: from right to left; of the rotations */
	struct jc_vec3 fronts[JC_JOINT_COUNT]; /* smoothed, of each joint */
	float reach; /* of hips to ankles, as a share of the legs; decays */
};

/* Takes the next frame and returns the fault of the stream so far. */
enum jc_stream_fault jc_tracker_check_put(
	struct jc_tracker_check *check, const struct jc_tracker_frame *frame);

/* Forgets the calibration: another one follows. */
void jc_tracker_check_restart(struct jc_tracker_check *check);

#endif
