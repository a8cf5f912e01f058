/* Bodies as foxglove.FrameTransforms, for programs that do not know captures. */
#ifndef JC_RECORDING_FRAME_TRANSFORMS_H
#define JC_RECORDING_FRAME_TRANSFORMS_H

#include "drawing_body.h"
#include "jointcast_private/mcap_bytes.h"

/* The root of all frames: Foxglove has +Z up. No space has this name. */
#define JC_FRAME_TRANSFORMS_ROOT "Z up"

/* A message under construction. */
struct jc_frame_transforms {
	struct jc_mcap_buffer *buffer; /* borrowed */
	uint64_t unix_ns;
	size_t count;
};

/* Begins a message with the frame of the space, whose name is escaped. */
void jc_frame_transforms_begin(struct jc_frame_transforms *transforms, const char *space,
	struct jc_mcap_buffer *buffer, uint64_t unix_ns);
void jc_frame_transforms_end(struct jc_frame_transforms *transforms);

/* SPACE to SPACE/NAME, the placement of a body. */
void jc_frame_transforms_put_body(struct jc_frame_transforms *transforms, const char *space,
	const struct jc_drawing_body *body);

/* Joints of a body frame as SPACE/NAME/JOINT, each relative to the body. */
void jc_frame_transforms_put_frame(struct jc_frame_transforms *transforms,
	const struct jc_drawing_body *body, const struct jc_body_frame *frame);

/* Bones of the figure as SPACE/NAME/BONE, each relative to its parent. */
void jc_frame_transforms_put_pose(struct jc_frame_transforms *transforms,
	const struct jc_drawing_body *body, const struct jc_pose *pose);

#endif
