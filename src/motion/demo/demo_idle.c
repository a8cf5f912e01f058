/* "idle": stands, breathes, shifts the weight, looks around. */
#include <math.h>

#include "demo_ease.h"
#include "demo_figure.h"
#include "demo_motion.h"

#define DURATION 12.0
#define TURN     6.28318530717959f

/* Direction of the head; the eyes are a quarter of a second ahead. */
static float look_turn(float t)
{
	static const struct jc_demo_ease_key keys[] = {
		{ 0.0f, 0.0f },
		{ 2.2f, 0.0f },
		{ 3.1f, JC_RADIANS(28.0f) },
		{ 4.9f, JC_RADIANS(31.0f) },
		{ 5.9f, JC_RADIANS(-4.0f) },
		{ 7.4f, JC_RADIANS(-6.0f) },
		{ 8.2f, JC_RADIANS(-24.0f) },
		{ 9.6f, JC_RADIANS(-22.0f) },
		{ 10.6f, JC_RADIANS(0.0f) },
	};

	return jc_demo_ease_curve(keys, sizeof(keys) / sizeof(keys[0]), (float)DURATION, t);
}

static float look_bow(float t)
{
	static const struct jc_demo_ease_key keys[] = {
		{ 0.0f, JC_RADIANS(2.0f) },
		{ 2.4f, JC_RADIANS(2.0f) },
		{ 3.4f, JC_RADIANS(-2.0f) },
		{ 6.0f, JC_RADIANS(4.0f) },
		{ 8.4f, JC_RADIANS(13.0f) },
		{ 9.4f, JC_RADIANS(12.0f) },
		{ 10.8f, JC_RADIANS(2.0f) },
	};

	return jc_demo_ease_curve(keys, sizeof(keys) / sizeof(keys[0]), (float)DURATION, t);
}

static float weight(float t)
{
	static const struct jc_demo_ease_key keys[] = {
		{ 0.0f, 0.75f },
		{ 1.6f, 0.70f },
		{ 3.4f, -0.15f },
		{ 4.6f, -0.20f },
		{ 6.4f, -0.85f },
		{ 9.0f, -0.78f },
		{ 11.0f, 0.70f },
	};

	return jc_demo_ease_curve(keys, sizeof(keys) / sizeof(keys[0]), (float)DURATION, t);
}

static void idle(double time, struct jc_demo_figure *figure)
{
	float t = (float)time;
	float loop = TURN * t / (float)DURATION;
	struct jc_demo_figure_stance stance = {
		.moved = { 0.0f, 0.0f, 0.005f * sinf(2.0f * loop) },
		.bow = JC_RADIANS(1.0f),
		.weight = weight(t),
		.breath = sinf(3.0f * loop),
		.turn = 0.25f * look_turn(t - 0.1f),
		.bend = JC_RADIANS(2.0f) + JC_RADIANS(0.8f) * sinf(loop + 1.0f),
	};

	jc_demo_figure_stand(&stance, figure);
	jc_demo_figure_set_arm(figure, JC_LEFT, jc_demo_figure_standing_arm(&stance, JC_LEFT));
	jc_demo_figure_set_arm(figure, JC_RIGHT, jc_demo_figure_standing_arm(&stance, JC_RIGHT));
	jc_demo_figure_look(
		figure, look_turn(t), look_bow(t), look_turn(t + 0.25f), look_bow(t + 0.25f));
}

const struct jc_demo jc_demo_idle = {
	.name = "idle",
	.duration = DURATION,
	.move = idle,
};
