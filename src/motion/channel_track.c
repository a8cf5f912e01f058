/* Stores channels as rows of numbers, one row for each frame. */
#include "channel_track.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/array.h"

int jc_channel_track_init(
	struct jc_channel_track *track, const char *const *names, size_t channel_count)
{
	*track = (struct jc_channel_track){ 0 };
	if (channel_count == 0) {
		return JC_OK;
	}
	track->channels = calloc(channel_count, sizeof(*track->channels));
	track->offsets = calloc(channel_count, sizeof(*track->offsets));
	while (track->channels && track->offsets && track->channel_count < channel_count) {
		const char *name = names[track->channel_count];
		struct jc_motion_channel *channel = &track->channels[track->channel_count];

		channel->name = strdup(name);
		if (!channel->name) {
			break;
		}
		channel->value_count = strcmp(name, "lookAt") == 0 ? 4 : 1;
		track->offsets[track->channel_count++] = track->row_length;
		track->row_length += channel->value_count;
	}
	if (track->channel_count == channel_count) {
		return JC_OK;
	}
	jc_channel_track_finish(track);
	return JC_ERROR_MEMORY;
}

void jc_channel_track_finish(struct jc_channel_track *track)
{
	for (size_t i = 0; i < track->channel_count; i++) {
		free((char *)track->channels[i].name);
	}
	free(track->channels);
	free(track->offsets);
	free(track->values);
	*track = (struct jc_channel_track){ 0 };
}

int jc_channel_track_append(struct jc_channel_track *track, const float *values)
{
	size_t length = track->row_length;
	float *row;

	if (length == 0) {
		return JC_OK;
	}
	if (!jc_array_grow(&track->values, &track->row_capacity, track->row_count + 1, SIZE_MAX,
		    length * sizeof(*row))) {
		return JC_ERROR_MEMORY;
	}
	row = track->values + track->row_count * length;
	if (values) {
		memcpy(row, values, length * sizeof(*row));
	} else if (track->row_count > 0) {
		memcpy(row, row - length, length * sizeof(*row));
	} else {
		memset(row, 0, length * sizeof(*row));
	}
	track->row_count++;
	return JC_OK;
}

void jc_channel_track_sample(const struct jc_channel_track *track, size_t channel, size_t row,
	float share, float *out_values)
{
	const float *from = track->values + row * track->row_length + track->offsets[channel];
	size_t count = track->channels[channel].value_count;
	const float *to = share > 0.0f ? from + track->row_length : from;

	if (count == 4) {
		struct jc_quat turn = jc_quat_slerp(
			jc_quat_normalize((struct jc_quat){ from[0], from[1], from[2], from[3] }),
			jc_quat_normalize((struct jc_quat){ to[0], to[1], to[2], to[3] }), share);

		memcpy(out_values, &turn, sizeof(turn));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		out_values[i] = from[i] + (to[i] - from[i]) * share;
	}
}
