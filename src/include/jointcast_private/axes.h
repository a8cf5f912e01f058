/* Do the joints of a frame stand where the axes of its profile say? Sources declare
 * profiles wrongly, and no format proves one, but where the joints are does: the
 * bone of an orientation has to point at the next joint. Nothing is calibrated from
 * a first frame, which would bake a wrong roll in: every frame is judged by itself. */
#ifndef JC_PRIVATE_AXES_H
#define JC_PRIVATE_AXES_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/solver.h"

/* A bone may point this far past the next joint, for bodies differ; axes that are
 * another profile's are off by 90 or 180 degrees. */
#define JC_AXES_SWING_MAX 1.0472f /* radians: 60 degrees */
/* Turned about its own bone against the joint above. */
#define JC_AXES_ROLL_MAX 2.0944f /* radians: 120 degrees */

enum jc_axes_state {
	JC_AXES_UNKNOWN,   /* the joint it should point at is not there */
	JC_AXES_BORNE_OUT, /* by the positions */
	JC_AXES_REFUTED,
};

/* Prepares the check of one profile's axes. */
void jc_axes_init(struct jc_axes *axes, enum jc_profile profile);

struct jc_axes_turn {
	struct jc_quat turned; /* D: the world rotation since the T-pose */
	enum jc_axes_state state;
	bool derived; /* from positions, the orientation not being believed */
};

/* The turn of every joint that is there. Checked are: the bone against the next
 * joint; the roll of hips, chest and wrists against the line between the legs, the
 * shoulders, the knuckles; that of the others against the joint above, but for the
 * upper arms, which no roll is too much for. A refuted joint's turn is derived from
 * positions: from both directions where there are two, else from the turn of the
 * joint above by the shortest way, upper arms and legs then rolled so that elbows
 * bend to the front and knees to the back. A joint that cannot be checked goes with
 * the one above where that is derived. Hips without any line across stay as they
 * came. */
void jc_axes_turns(const struct jc_axes *axes, const struct jc_body_frame *frame,
	struct jc_axes_turn out_turns[JC_JOINT_COUNT]);

/* The verdict on a source, over as many frames as it was shown; the caller's. */
struct jc_axes_check {
	enum jc_profile profile; /* the declared one */
	struct jc_axes axes[JC_PROFILE_COUNT];
	uint64_t borne_out[JC_PROFILE_COUNT]; /* joints times frames, under each profile */
	uint64_t refuted[JC_PROFILE_COUNT];
	uint64_t joints_refuted[JC_JOINT_COUNT]; /* frames, under the declared one */
};

enum jc_axes_verdict {
	JC_AXES_UNDECIDED, /* fewer than JC_AXES_CHECKS_MIN joints could be checked */
	JC_AXES_AGREE,     /* with the declared profile, nine of ten at least */
	JC_AXES_DISAGREE,
};

#define JC_AXES_CHECKS_MIN 6u

void jc_axes_check_init(struct jc_axes_check *check, enum jc_profile profile);
void jc_axes_check_add(struct jc_axes_check *check, const struct jc_body_frame *frame);

/* *out_fitting is the profile that the joints fit best: the declared one unless it
 * disagrees and another agrees. pico and htc are the same. May be NULL. */
enum jc_axes_verdict jc_axes_check_verdict(
	const struct jc_axes_check *check, enum jc_profile *out_fitting);

#endif
