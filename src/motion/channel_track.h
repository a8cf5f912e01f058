/* Values of named channels, a row for each frame. */
#ifndef JC_MOTION_CHANNEL_TRACK_H
#define JC_MOTION_CHANNEL_TRACK_H

#include "jointcast/motion.h"

struct jc_channel_track {
	size_t channel_count;
	struct jc_motion_channel *channels; /* owned, names too */
	size_t *offsets;                    /* owned: of each channel in a row */
	size_t row_length;
	size_t row_count, row_capacity;
	float *values; /* owned */
};

/* Names are copied; "lookAt" gets four values, any other one. */
int jc_channel_track_init(
	struct jc_channel_track *track, const char *const *names, size_t channel_count);
void jc_channel_track_finish(struct jc_channel_track *track);

/* A row; NULL repeats the one before, zeros at first. */
int jc_channel_track_append(struct jc_channel_track *track, const float *values);

/* A channel between row and the next, which is not asked for where share is 0.
 * Four values are a rotation. */
void jc_channel_track_sample(const struct jc_channel_track *track, size_t channel, size_t row,
	float share, float *out_values);

#endif
