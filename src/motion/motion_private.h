/* What motions of every kind share inside this room: readers make them,
 * motion.c dispatches to them, nobody else sees them. */
#ifndef JC_MOTION_PRIVATE_H
#define JC_MOTION_PRIVATE_H

#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"

/* t comes clamped to 0..duration by the caller and is finite. Of pose and
 * body_frame the one that info.kind names is set, the other NULL. */
struct jc_motion_ops {
	void (*destroy)(struct jc_motion *motion);
	void (*pose)(const struct jc_motion *motion, double t, struct jc_pose *out_pose);
	void (*body_frame)(
		const struct jc_motion *motion, double t, struct jc_body_frame *out_frame);
	/* NULL where channel_count is 0; index is below it. */
	void (*channel)(const struct jc_motion *motion, size_t index, double t, float *out_values);
};

/* First member of every concrete motion, which owns what info borrows. */
struct jc_motion {
	const struct jc_motion_ops *ops;
	struct jc_motion_info info;
	enum jc_profile profile;            /* of body frames */
	const struct jc_skeleton *skeleton; /* that it came on, owned by the motion; may be NULL */
	const struct jc_body_frame *rest;   /* of body frames, owned by the motion; may be NULL */
	size_t channel_count;
	const struct jc_motion_channel *channels; /* owned by the motion */
};

/* Frames of a motion of known duration whose keys stand at times of their own;
 * densest: keys a second of its densest track, 0 where none has two. */
void jc_motion_count_frames(struct jc_motion_info *info, double densest);

/* The readers of the single formats; where no index is asked for, a file holds
 * one motion. */
int jc_motion_read_bvh(const void *bytes, size_t length, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
int jc_motion_read_csv(const void *bytes, size_t length, struct jc_motion **out_motion,
	struct jc_diagnostic *diagnostic);
int jc_motion_read_body_frames(const void *bytes, size_t length, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
int jc_motion_read_gltf(const void *bytes, size_t length, size_t index,
	const struct jc_gltf_resolver *resolver, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
int jc_motion_read_hanim(const void *bytes, size_t length, size_t index,
	struct jc_motion **out_motion, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
