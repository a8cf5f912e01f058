/* Finds what is wrong with a stream of trackers as a whole, which no single joint shows: other
 * axes, mirrored axes, another scale, a delay, a drift. Each needs evidence for some seconds, so
 * that no posture of a person counts as a fault. */
#ifndef JC_PRIVATE_STREAM_CHECK_H
#define JC_PRIVATE_STREAM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

enum jc_stream_fault {
	JC_STREAM_SOUND,
	JC_STREAM_SCALE,    /* lengths do not fit a person, or this person */
	JC_STREAM_AXES,     /* the body lies along another axis, or rotations do not follow it */
	JC_STREAM_MIRRORED, /* positions turn the other way round than rotations */
	JC_STREAM_DELAYED,  /* packets are older than JC_STREAM_DELAY_NS when they arrive */
	JC_STREAM_DRIFTS,   /* a tracker moves away from the body, or the body through the floor */
	JC_STREAM_FAULT_COUNT
};

#define JC_STREAM_DELAY_NS INT64_C(200000000)

/* One sentence with the remedy: "wrong scale: …"; NULL for JC_STREAM_SOUND. */
const char *jc_stream_fault_text(enum jc_stream_fault fault);

/* One frame of a stream. */
struct jc_stream_frame {
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
struct jc_stream_check {
	int64_t time_ns;                       /* of the last frame */
	float evidence[JC_STREAM_FAULT_COUNT]; /* seconds that speak for the fault */
	bool is_begun;                         /* the calibrated body has a heading: */
	float heading;                         /* radians about +Y when it began */
	struct jc_vec3 left, front;            /* smoothed: from right to left; of the rotations */
	struct jc_vec3 fronts[JC_JOINT_COUNT]; /* smoothed, of each joint */
	float reach; /* of hips to ankles, as a share of the legs; decays */
};

/* Takes the next frame and returns the fault of the stream so far. */
enum jc_stream_fault jc_stream_check_put(
	struct jc_stream_check *check, const struct jc_stream_frame *frame);

/* Forgets the calibration: another one follows. */
void jc_stream_check_restart(struct jc_stream_check *check);

#endif
