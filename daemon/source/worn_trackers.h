/* Trackers on a body, and the joints on which the person wears them, found at a calibration. */
#ifndef JC_WORN_TRACKERS_H
#define JC_WORN_TRACKERS_H

#include <stddef.h>

#include "jointcast_private/calibration.h"
#include "source/tracker_role.h"

#define JC_WORN_TRACKERS 32u

struct jc_worn_tracker {
	char name[JC_TRACKER_NAME]; /* serial or name, different from all others */
	enum jc_joint joint;        /* the joint that it gives to the frame, or JC_JOINT_NONE */
	struct jc_vec3 position;    /* in the space of the frame */
	/* The rotation since the T-pose, if it is worn upright with -Z to the front. */
	struct jc_quat turn;
	enum jc_state state;
};

/* The trackers of one frame whose joint a calibration may change. All zeros: none. */
struct jc_worn_trackers {
	size_t count;
	struct jc_worn_tracker list[JC_WORN_TRACKERS];
};

/* Removes the joints that the trackers give from their frame, and adds them to it. */
void jc_worn_trackers_take_off(
	const struct jc_worn_trackers *trackers, struct jc_body_frame *frame);
void jc_worn_trackers_put_on(const struct jc_worn_trackers *trackers, enum jc_profile profile,
	struct jc_body_frame *frame);

/* Sets the joint of each tracker from the place where a person of that height wears it in that
 * pose: the nearest joint of jc_calibration_figure that has a role and that the frame lacks.
 * JC_JOINT_NONE for a tracker farther than JC_CALIBRATION_OFF_MOST from all of them, which is not
 * worn, and for one that is nearer to the head or to a joint that the frame has, such as a tracker
 * on the headset that aligns two tracking systems. JC_ERROR_INVALID with the reason for the person,
 * and without a change: a tracker is nearly as near to a second joint, two trackers are nearest to
 * the same joint, or nothing shows the facing. */
int jc_worn_trackers_assign(struct jc_worn_trackers *trackers, const struct jc_body_frame *frame,
	enum jc_profile profile, enum jc_calibration_pose pose, float height,
	struct jc_diagnostic *diagnostic);

/* Gives the trackers the joints that trackers of the same name have in `other`, else none. */
void jc_worn_trackers_follow(
	struct jc_worn_trackers *trackers, const struct jc_worn_trackers *other);

/* The roles of the trackers that have a joint. */
struct jc_tracker_roles jc_worn_trackers_roles(const struct jc_worn_trackers *trackers);

#endif
