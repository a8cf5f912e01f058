/* JSON schemas of foxglove.FrameTransforms and foxglove.SceneUpdate
 * (github.com/foxglove/foxglove-sdk, MIT), without descriptions, lists of required fields, and
 * titles of parts. */
#ifndef JC_RECORDING_FOXGLOVE_SCHEMAS_H
#define JC_RECORDING_FOXGLOVE_SCHEMAS_H

extern const char jc_foxglove_frame_transforms[];
extern const char jc_foxglove_scene_update[];

#endif
