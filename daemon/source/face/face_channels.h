/* The channels of a face on the loop: declares them when the first face arrives, and lets values
 * settle that are no longer tracked. */
#ifndef JC_FACE_CHANNELS_H
#define JC_FACE_CHANNELS_H

#include "source/capture_intake.h"
#include "source/face/face.h"

/* Values of all channels: of expressions, and of "lookAt". */
#define JC_FACE_VALUES (JC_FACE_CHANNELS + 4)

/* All zeros: initial. Times are of CLOCK_MONOTONIC. */
struct jc_face_channels {
	bool has_shapes, has_gaze;    /* declared */
	size_t shapes_at, gaze_at;    /* index of their first value */
	float shapes[JC_FACE_SHAPES]; /* the last tracked values, and their times */
	int64_t shapes_ns[JC_FACE_SHAPES];
	struct jc_quat gaze;
	int64_t gaze_ns;
	float values[JC_FACE_VALUES]; /* of the newest capture, in the order of declaration */
	int64_t frame_ns;             /* of the newest frame */
	bool is_at_rest;              /* nothing in it has to settle */
};

/* Whether jc_face_channels_take would declare channels of this face. */
bool jc_face_channels_are_new(const struct jc_face_channels *channels, const struct jc_face *face);

/* Takes a face without declaring channels: for a face that is lent to a body, with the channels of
 * jc_face_channel_names, then "lookAt" if it has a gaze. Returns their values. */
const float *jc_face_channels_note(
	struct jc_face_channels *channels, const struct jc_face *face, int64_t time_ns);

/* Takes the face of a frame and declares channels that are new. Returns the values for the capture
 * of that frame, valid until the next call; NULL: no channel is declared. Values that are not
 * tracked are held, then move to rest (no expression, gaze ahead) in the times of continuity.h. */
const float *jc_face_channels_take(struct jc_face_channels *channels, struct jc_source *source,
	const struct jc_face *face, int64_t time_ns);

/* Returns the values for a capture without joints, as jc_face_channels_take; NULL: frames
 * arrive, or all values are at rest. */
const float *jc_face_channels_settle(struct jc_face_channels *channels, int64_t now_ns);

#endif
