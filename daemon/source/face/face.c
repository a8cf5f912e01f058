/* Evaluates the table of presets. */
#include "source/face/face.h"

#include <string.h>

static float clamp(float value)
{
	return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

void jc_face_derive(float channels[JC_FACE_CHANNELS])
{
	const struct jc_face_sums *sums = &jc_face_presets;

	memset(channels + JC_FACE_SHAPES, 0, JC_FACE_PRESETS * sizeof(*channels));
	for (size_t i = 0; i < sums->count; i++) {
		const struct jc_face_term *term = &sums->terms[i];
		bool is_last = i + 1 == sums->count || sums->terms[i + 1].to != term->to;

		channels[term->to] += term->weight * channels[term->from];
		if (is_last) {
			channels[term->to] = clamp(channels[term->to]);
		}
	}
}
