/* A motion put together frame by frame, for readers that find its frames one
 * after another, as those of recordings do. */
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
	/* Copied. "lookAt" has four values, any other one. */
	const char *const *channel_names;
};

struct jc_take;

int jc_take_create(const struct jc_take_plan *plan, struct jc_take **out_take);
void jc_take_destroy(struct jc_take *take);

/* Values of all channels together. */
size_t jc_take_value_count(const struct jc_take *take);

/* The next frame, of the kind that was planned, with the values of its channels in
 * order (NULL: those of the frame before, 0 at first). t: seconds, wherever they
 * begin. A frame that is not later than the one before is left out. JC_ERROR_LIMIT
 * past JC_LIMIT_BODY_FRAMES. */
int jc_take_add_pose(
	struct jc_take *take, double t, const struct jc_pose *pose, const float *values);
int jc_take_add_body_frame(
	struct jc_take *take, double t, const struct jc_body_frame *frame, const float *values);

/* Ends the take, which is the motion's from then on; JC_ERROR_ABSENT without a
 * frame: then it stays the caller's. */
int jc_take_finish(struct jc_take *take, struct jc_motion **out_motion);

#endif
