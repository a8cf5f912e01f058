/* Computes easing and key curves of the demo motions. */
#include "demo_ease.h"

#include <math.h>

float jc_demo_ease_step(float a, float b, float x)
{
	float u = fminf(fmaxf((x - a) / (b - a), 0.0f), 1.0f);

	return u * u * u * (u * (6.0f * u - 15.0f) + 10.0f);
}

float jc_demo_ease_window(float a, float b, float c, float d, float x)
{
	return jc_demo_ease_step(a, b, x) - jc_demo_ease_step(c, d, x);
}

/* Slope at a key between two secants: zero at an extreme or beside a plateau, else their
 * weighted harmonic mean. */
static float slope(float width_before, float secant_before, float width_after, float secant_after)
{
	float a = 2.0f * width_after + width_before;
	float b = width_after + 2.0f * width_before;

	if (secant_before * secant_after <= 0.0f) {
		return 0.0f;
	}
	return (a + b) / (a / secant_before + b / secant_after);
}

float jc_demo_ease_curve(const struct jc_demo_ease_key *keys, size_t count, float period, float x)
{
	float at[4], value[4], width[3], secant[3];
	size_t next = 0;
	float u, m0, m1;

	x -= period * floorf(x / period);
	while (next < count && keys[next].at <= x) {
		next++;
	}
	/* The two keys before and the two after, across the end of the period. */
	for (size_t i = 0; i < 4; i++) {
		size_t key = next + count + i - 2;
		size_t lap = key / count;

		at[i] = keys[key % count].at + period * ((float)lap - 1.0f);
		value[i] = keys[key % count].value;
	}
	for (size_t i = 0; i < 3; i++) {
		width[i] = at[i + 1] - at[i];
		secant[i] = (value[i + 1] - value[i]) / width[i];
	}
	m0 = slope(width[0], secant[0], width[1], secant[1]) * width[1];
	m1 = slope(width[1], secant[1], width[2], secant[2]) * width[1];
	u = (x - at[1]) / width[1];
	return value[1] + u * (m0 + u * (3.0f * (value[2] - value[1]) - 2.0f * m0 - m1 +
						u * (m0 + m1 - 2.0f * (value[2] - value[1]))));
}
