/* From --times, --fps and --loop to seconds inside a motion. */
#include "timeline.h"

#include <math.h>

size_t jc_timeline_count(const struct jc_timeline *timeline, const struct jc_motion_info *info)
{
	if (timeline->times) {
		return timeline->count;
	}
	if (timeline->fps > 0.0) {
		/* A last frame that rounding puts just past the end still counts. */
		return (size_t)floor(info->duration * timeline->fps + 1.0e-6) + 1;
	}
	return info->frame_count;
}

static double nominal_time(
	const struct jc_timeline *timeline, const struct jc_motion_info *info, size_t index)
{
	if (timeline->times) {
		return timeline->times[index];
	}
	if (timeline->fps > 0.0) {
		return (double)index / timeline->fps;
	}
	if (info->frame_count < 2) {
		return 0.0;
	}
	return info->duration * ((double)index / (double)(info->frame_count - 1));
}

double jc_timeline_time(
	const struct jc_timeline *timeline, const struct jc_motion_info *info, size_t index)
{
	double t = nominal_time(timeline, info, index);

	if (timeline->loop && info->duration > 0.0 && (t < 0.0 || t > info->duration)) {
		t = fmod(t, info->duration);
		if (t < 0.0) {
			t += info->duration;
		}
	}
	return fmin(fmax(t, 0.0), info->duration);
}
