/* Values of named channels, one row for each frame. */
#ifndef JC_MOTION_CHANNEL_TRACK_H
#define JC_MOTION_CHANNEL_TRACK_H

#include "jointcast/motion.h"

struct jc_channel_track {
	size_t channel_count;
	struct jc_motion_channel *channels; /* owned, with the names */
	size_t *offsets;                    /* owned: of each channel in a row */
	size_t row_length;
	size_t row_count, row_capacity;
	float *values; /* owned */
};

/* Copies the names; "lookAt" gets four values, any other name one. */
int jc_channel_track_init(
	struct jc_channel_track *track, const char *const *names, size_t channel_count);
void jc_channel_track_finish(struct jc_channel_track *track);

/* Appends a row; NULL repeats the previous one, or zeros if it is the first. */
int jc_channel_track_append(struct jc_channel_track *track, const float *values);

/* Interpolates a channel between a row and the next; the next row is not read where share
 * is 0. Four values are a rotation. */
void jc_channel_track_sample(const struct jc_channel_track *track, size_t channel, size_t row,
	float share, float *out_values);

#endif
