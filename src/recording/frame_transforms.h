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

/* The frames of every body that has a capture: SPACE to SPACE/ID, where it stands;
 * from there joints of body frames as SPACE/ID/JOINT, each by itself; or the bones
 * of a pose, in the built-in proportions, each on the one above. Captures that are
 * damaged and rests are left out. *out_object is a new reference. */
int jc_frame_transforms_pack(struct jc_frame_transforms *transforms, uint64_t unix_ns,
	struct jc_captures *captures, struct json_t **out_object);

#endif
