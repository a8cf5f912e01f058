/* Evaluates the tables of faces. NaN marks what is not tracked and passes through every sum. */
#include "source/openxr/face/xr_face.h"

#include <math.h>
#include <string.h>

/* Keeps NaN. */
static float clamp(float value)
{
	return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

bool jc_xr_face_map(const struct jc_face_sums *sums, const float *parameters, uint32_t regions,
	float out_shapes[JC_FACE_SHAPES])
{
	bool has_any = false;

	memset(out_shapes, 0, JC_FACE_SHAPES * sizeof(*out_shapes));
	for (size_t i = 0; i < sums->count; i++) {
		const struct jc_face_term *term = &sums->terms[i];

		out_shapes[term->to] += term->weight * clamp(parameters[term->from]);
	}
	for (int i = 0; i < JC_FACE_SHAPES; i++) {
		out_shapes[i] =
			regions >> jc_xr_face_regions[i] & 1 ? clamp(out_shapes[i]) : (float)NAN;
		has_any = has_any || !isnan(out_shapes[i]);
	}
	return has_any;
}

void jc_xr_face_finish(struct jc_xr_face_tracker *tracker, const struct jc_xr_poll_time *at,
	XrTime time, bool is_valid)
{
	struct jc_xr_tracker *base = &tracker->base;
	bool is_stale = false;

	if (is_valid) {
		base->part.time_ns = jc_xr_freshness_take(
			&tracker->freshness, &at->clock, time, JC_XR_STALE_NS, &is_stale);
	}
	base->part.live = is_valid && !is_stale;
	base->is_stale = is_stale;
}
