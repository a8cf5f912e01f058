/* Bodies as foxglove.FrameTransforms, for programs that do not know body frames. */
#ifndef JC_RECORDING_FRAME_TRANSFORMS_H
#define JC_RECORDING_FRAME_TRANSFORMS_H

#include "jointcast/recording_reader.h"

struct json_t;
struct jc_frame_transforms;

int jc_frame_transforms_create(const char *space, struct jc_frame_transforms **out_transforms);
void jc_frame_transforms_destroy(struct jc_frame_transforms *transforms);

/* Sets the placements of bodies from the JSON of a roster; bodies past the maximum are ignored. */
void jc_frame_transforms_place(
	struct jc_frame_transforms *transforms, const void *roster, size_t length);

/* The frames of every body with a capture: SPACE to SPACE/ID, its placement; from there each
 * joint of a body frame as SPACE/ID/JOINT, or the bones of a pose in the built-in proportions, each
 * relative to its parent. Omits damaged captures and T-poses. *out_object is a new reference. */
int jc_frame_transforms_pack(struct jc_frame_transforms *transforms, uint64_t unix_ns,
	struct jc_captures *captures, struct json_t **out_object);

#endif
