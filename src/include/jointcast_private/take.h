/* Builds a motion frame by frame, for readers of recordings. */
#ifndef JC_PRIVATE_TAKE_H
#define JC_PRIVATE_TAKE_H

#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/motion.h"

struct jc_take_plan {
	enum jc_motion_kind kind;
	const char *format;               /* static: of struct jc_motion_info */
	const char *name;                 /* copied */
	enum jc_profile profile;          /* of body frames */
	const struct jc_body_frame *rest; /* of body frames, copied; NULL: none */
	size_t channel_count;             /* JC_LIMIT_MOTION_CHANNELS at most */
	/* Copied. "lookAt" has four values, other channels have one. */
	const char *const *channel_names;
};

struct jc_take;

int jc_take_create(const struct jc_take_plan *plan, struct jc_take **out_take);
void jc_take_destroy(struct jc_take *take);

/* Number of values of all channels. */
size_t jc_take_value_count(const struct jc_take *take);

/* Append a frame of the planned kind with its channel values in order (NULL: the values of the
 * previous frame, initially 0). t: seconds from any origin. A frame that is not later than the
 * previous one is skipped. JC_ERROR_LIMIT past JC_LIMIT_BODY_FRAMES. */
int jc_take_add_pose(
	struct jc_take *take, double t, const struct jc_pose *pose, const float *values);
int jc_take_add_body_frame(
	struct jc_take *take, double t, const struct jc_body_frame *frame, const float *values);

/* Converts the take to a motion, which then owns it. JC_ERROR_ABSENT if it has no frame; the caller
 * then still owns it. */
int jc_take_finish(struct jc_take *take, struct jc_motion **out_motion);

#endif
