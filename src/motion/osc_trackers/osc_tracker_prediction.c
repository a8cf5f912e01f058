/* A lost packet would leave the body behind by a frame. The last two frames predict it better than
 * a longer past, because limbs accelerate. The usual interval is a median, because packets are lost
 * and arrive in bursts. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/osc_trackers.h"

static int compare(const void *a, const void *b)
{
	int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

	return first < second ? -1 : first > second;
}

void jc_osc_tracker_prediction_note(
	struct jc_osc_tracker_prediction *prediction, const struct jc_osc_tracker_frame *frame)
{
	int64_t sorted_ns[JC_OSC_PREDICTION_SAMPLES];
	int64_t *intervals_ns = prediction->intervals_ns;

	memmove(intervals_ns + 1, intervals_ns, sizeof(sorted_ns) - sizeof(sorted_ns[0]));
	intervals_ns[0] =
		prediction->last.number > 0 ? frame->time_ns - prediction->last.time_ns : 0;
	memcpy(sorted_ns, intervals_ns, sizeof(sorted_ns));
	qsort(sorted_ns, JC_OSC_PREDICTION_SAMPLES, sizeof(sorted_ns[0]), compare);
	prediction->usual_ns = sorted_ns[JC_OSC_PREDICTION_SAMPLES / 2];
	prediction->before = prediction->last;
	prediction->last = *frame;
}

/* Moves a tracker on by `share` of its way between the two frames. */
static void go_on(const struct jc_osc_tracker *before, float share, struct jc_osc_tracker *tracker)
{
	if (before->has_position && tracker->position_ns > before->position_ns) {
		tracker->position = jc_vec3_lerp(before->position, tracker->position, 1.0f + share);
	}
	if (before->has_rotation && tracker->rotation_ns > before->rotation_ns) {
		struct jc_quat turn =
			jc_quat_multiply(tracker->rotation, jc_quat_conjugate(before->rotation));

		tracker->rotation = jc_quat_normalize(jc_quat_multiply(
			jc_quat_slerp(JC_QUAT_IDENTITY, turn, share), tracker->rotation));
	}
}

bool jc_osc_tracker_prediction_frame(const struct jc_osc_tracker_prediction *prediction,
	int64_t now_ns, struct jc_osc_tracker_frame *out_frame)
{
	const struct jc_osc_tracker_frame *before = &prediction->before, *last = &prediction->last;
	int64_t way_ns = last->time_ns - before->time_ns;
	int64_t ahead_ns = now_ns - last->time_ns;

	if (prediction->usual_ns == 0 || way_ns > JC_OSC_PREDICTED_NS ||
		ahead_ns < prediction->usual_ns || ahead_ns > JC_OSC_PREDICTED_NS) {
		return false;
	}
	/* Frames that arrive in a burst were not sent so. */
	way_ns = way_ns > prediction->usual_ns ? way_ns : prediction->usual_ns;
	*out_frame = *last;
	out_frame->time_ns = now_ns;
	out_frame->sent_ns = INT64_MIN;
	for (int i = 0; i < JC_OSC_TRACKER_COUNT; i++) {
		go_on(&before->trackers[i], (float)ahead_ns / (float)way_ns,
			&out_frame->trackers[i]);
	}
	return true;
}
