/* Checks whether joint orientations match the axes of the declared profile. Sources sometimes
 * declare a wrong profile; joint positions show this, because the bone axis of an orientation must
 * point at the next joint. Each frame is checked alone: calibration on a first frame would make a
 * wrong roll permanent. */
#ifndef JC_PRIVATE_AXES_H
#define JC_PRIVATE_AXES_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/solver.h"

/* Maximum angle between bone axis and next joint. Bodies differ; axes of another profile differ by
 * 90 or 180 degrees. */
#define JC_AXES_SWING_MAX 1.0472f /* radians: 60 degrees */
/* Maximum roll about the bone relative to the joint above. */
#define JC_AXES_ROLL_MAX 2.0944f /* radians: 120 degrees */

enum jc_axes_state {
	JC_AXES_UNKNOWN,   /* the next joint is absent */
	JC_AXES_BORNE_OUT, /* confirmed by the positions */
	JC_AXES_REFUTED,   /* contradicted by the positions */
};

/* Prepares the check of one profile's axes. */
void jc_axes_init(struct jc_axes *axes, enum jc_profile profile);

struct jc_axes_turn {
	struct jc_quat turned; /* D: world rotation from the T-pose */
	enum jc_axes_state state;
	bool derived; /* computed from positions, because the orientation was refuted */
};

/* Computes the rotation of every present joint. Checked are: the bone axis against the next joint;
 * the roll of hips, chest and wrists against the line between legs, shoulders or knuckles; the roll
 * of other joints against the joint above, except upper arms, whose roll is not limited. The
 * rotation of a refuted joint is derived from positions: from two directions if available, else
 * from the rotation of the joint above by the shortest arc; upper arms and legs are then rolled so
 * that elbows bend forward and knees backward. A joint that cannot be checked follows a derived
 * joint above. Hips without a line across keep their orientation. */
void jc_axes_turns(const struct jc_axes *axes, const struct jc_body_frame *frame,
	struct jc_axes_turn out_turns[JC_JOINT_COUNT]);

/* Statistics of one source over all added frames; owned by the caller. */
struct jc_axes_check {
	enum jc_profile profile; /* the declared one */
	struct jc_axes axes[JC_PROFILE_COUNT];
	uint64_t borne_out[JC_PROFILE_COUNT]; /* joints times frames, for each profile */
	uint64_t refuted[JC_PROFILE_COUNT];
	uint64_t joints_refuted[JC_JOINT_COUNT]; /* frames, for the declared profile */
};

enum jc_axes_verdict {
	JC_AXES_UNDECIDED, /* fewer than JC_AXES_CHECKS_MIN joints could be checked */
	JC_AXES_AGREE,     /* at least 90 % agree with the declared profile */
	JC_AXES_DISAGREE,
};

#define JC_AXES_CHECKS_MIN 6u

void jc_axes_check_init(struct jc_axes_check *check, enum jc_profile profile);
void jc_axes_check_add(struct jc_axes_check *check, const struct jc_body_frame *frame);

/* *out_fitting (may be NULL) is the best matching profile: the declared one, unless it disagrees
 * and another agrees. pico and htc are equal. */
enum jc_axes_verdict jc_axes_check_verdict(
	const struct jc_axes_check *check, enum jc_profile *out_fitting);

#endif
