/* Finds the fault of a stream of poses (stream_check.h) whose sender gives rotations of bones
 * and the place of the hips. A sender has no axes, sides or sizes of its own that could be
 * compared; so the pose itself has to be that of a person: elbows bend forward and knees backward,
 * feet carry the body and stay where they stand. */
#ifndef JC_PRIVATE_POSE_CHECK_H
#define JC_PRIVATE_POSE_CHECK_H

#include "jointcast/humanoid.h"
#include "jointcast_private/apps/sender_clock.h"
#include "jointcast_private/apps/stream_check.h"

#define JC_POSE_CHECK_PARTS 5 /* shins, feet and trunk: joints twist little there */

/* State of one stream; plain data, all zeros at first. */
struct jc_pose_check {
	struct jc_stream_check stream;
	bool has_moved; /* the hips have had a place */

	bool is_begun;                     /* the frame before is known: */
	struct jc_vec3 hips, feet[2];      /* places; of feet, relative to the hips */
	int support;                       /* the lower foot */
	float twists[JC_POSE_CHECK_PARTS]; /* smoothed, radians about their own length */

	/* Horizontal ways of the hips as complex numbers x + iz, sums that decay: by the feet u
	 * and as sent v. */
	float walked, sent;       /* |u|^2, |v|^2 */
	float turned_x, turned_z; /* v u*: v is u, turned and scaled */
	float folded_x, folded_z; /* v u: v is the mirror image of u */

	struct jc_vec3 slid;            /* way of the lower foot while both stand; decays */
	int64_t stood_ns, suspended_ns; /* times of the last frames on the floor and off it */
	float seconds;                  /* of standing on the floor */
};

/* Takes the next pose with its time, and returns the fault of the stream so far. clock: of its
 * sender; NULL: it gives no time. */
enum jc_stream_fault jc_pose_check_put(struct jc_pose_check *check, const struct jc_pose *pose,
	int64_t time_ns, const struct jc_sender_clock *clock);

#endif
