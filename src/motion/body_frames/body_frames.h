/* A body-frame file in memory, shared by its parser and its motion. Absent joints are not
 * stored, so memory follows the size of the file. */
#ifndef JC_MOTION_BODY_FRAMES_H
#define JC_MOTION_BODY_FRAMES_H

#include "channel_track.h"
#include "jointcast_private/take.h"
#include "motion_private.h"

struct jc_body_frames_sample {
	struct jc_vec3 position;
	struct jc_quat orientation;
	uint8_t joint; /* enum jc_joint */
	uint8_t state; /* enum jc_state, not absent */
};

struct jc_body_frames_frame {
	double t; /* seconds after the first frame */
	float confidence;
	size_t first, count; /* range in samples */
};

struct jc_body_frames {
	struct jc_motion motion; /* first member of every concrete motion */
	struct jc_body_frame rest;
	size_t frame_count, frame_capacity;
	size_t sample_count, sample_capacity;
	struct jc_body_frames_frame *frames;   /* owned; times strictly increase */
	struct jc_body_frames_sample *samples; /* owned */
	struct jc_channel_track channels;      /* empty for a body-frame file */
	char *name;                            /* owned; may be NULL */
};

/* Used by takes: create, append frames in order of time, end. The take sets the duration
 * and the rate of the motion. */
int jc_body_frames_create(const struct jc_take_plan *plan, struct jc_body_frames **out_frames);
int jc_body_frames_append(
	struct jc_body_frames *frames, double t, const struct jc_body_frame *frame);
void jc_body_frames_end(struct jc_body_frames *frames);

/* Fills profile, rest, frames and samples; at least one frame on success. The caller
 * releases frames on failure too. lint may be NULL. */
int jc_body_frames_parse(const void *bytes, size_t length, struct jc_body_frames *frames,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
