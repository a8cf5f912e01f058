/* "wave": greets with the right hand, then counts to five on the left. */
#include <math.h>

#include "demo_ease.h"
#include "demo_figure.h"
#include "demo_motion.h"

#define DURATION 10.0
#define TURN     6.28318530717959f

#define COUNT_FIRST 6.1f /* time of the first finger */
#define COUNT_EVERY 0.5f

static void wave_right(
	const struct jc_demo_figure_stance *stance, float t, struct jc_demo_figure *figure)
{
	static const struct jc_demo_figure_hand open = { { 0.0f, 0.03f, 0.03f, 0.04f, 0.05f },
		JC_RADIANS(11.0f) };
	float up = jc_demo_ease_window(0.3f, 1.5f, 3.9f, 5.1f, t);
	/* The forearm sways five and a half times; the hand trails behind. */
	float swaying = jc_demo_ease_window(1.1f, 1.7f, 3.6f, 4.2f, t);
	float phase = TURN * 1.9f * (t - 1.2f);
	struct jc_demo_figure_arm raised = {
		.raise = JC_RADIANS(56.0f),
		.forward = JC_RADIANS(20.0f),
		.twist = JC_RADIANS(78.0f) + JC_RADIANS(4.0f) * swaying * sinf(phase - 0.2f),
		.elbow = JC_RADIANS(110.0f) + JC_RADIANS(19.0f) * swaying * sinf(phase),
		.supinate = JC_RADIANS(-6.0f),
		.wrist = JC_RADIANS(-6.0f),
		.deviate = JC_RADIANS(12.0f) * swaying * sinf(phase - 0.9f),
	};

	jc_demo_figure_shrug(figure, JC_RIGHT, JC_RADIANS(-3.0f) + JC_RADIANS(9.0f) * up);
	jc_demo_figure_set_arm(figure, JC_RIGHT,
		jc_demo_figure_blend_arms(
			jc_demo_figure_standing_arm(stance, JC_RIGHT), raised, up));
	jc_demo_figure_set_hand(figure, JC_RIGHT,
		jc_demo_figure_blend_hands(jc_demo_figure_relaxed_hand(), open,
			jc_demo_ease_window(0.6f, 1.5f, 3.9f, 4.8f, t)));
}

static void count_left(
	const struct jc_demo_figure_stance *stance, float t, struct jc_demo_figure *figure)
{
	/* Index, middle, ring and little finger, then the thumb. */
	static const int order[5] = { 4, 0, 1, 2, 3 };
	float up = jc_demo_ease_window(4.9f, 6.0f, 8.8f, 9.9f, t);
	struct jc_demo_figure_hand hand = { .spread = JC_RADIANS(9.0f) };
	float last = COUNT_FIRST;
	struct jc_demo_figure_arm raised = {
		.raise = JC_RADIANS(24.0f),
		.forward = JC_RADIANS(28.0f),
		.twist = JC_RADIANS(24.0f),
		.elbow = JC_RADIANS(124.0f),
		.supinate = JC_RADIANS(-62.0f),
		.wrist = JC_RADIANS(-8.0f),
	};

	for (int finger = 0; finger < 5; finger++) {
		float start = COUNT_FIRST + COUNT_EVERY * (float)order[finger];
		/* The thumb is outside the fist. */
		float closed = finger == 0 ? 0.85f : 0.97f;

		hand.curl[finger] = closed * (1.0f - jc_demo_ease_step(start, start + 0.28f, t));
		last = fmaxf(last, start);
	}
	/* The hand nods a little at each number. */
	if (t > COUNT_FIRST && t < last + COUNT_EVERY) {
		float beat = sinf(0.5f * TURN * (t - COUNT_FIRST) / COUNT_EVERY);

		raised.elbow -= JC_RADIANS(5.0f) * beat * beat;
	}
	jc_demo_figure_set_arm(figure, JC_LEFT,
		jc_demo_figure_blend_arms(
			jc_demo_figure_standing_arm(stance, JC_LEFT), raised, up));
	jc_demo_figure_set_hand(figure, JC_LEFT,
		jc_demo_figure_blend_hands(jc_demo_figure_relaxed_hand(), hand,
			jc_demo_ease_window(4.9f, 5.8f, 8.9f, 9.7f, t)));
}

/* To the front while it waves, to the hand while it counts. */
static float look_turn(float t)
{
	return JC_RADIANS(-7.0f) * jc_demo_ease_window(0.4f, 1.3f, 3.8f, 4.8f, t) +
	       JC_RADIANS(17.0f) * jc_demo_ease_window(5.0f, 5.8f, 8.6f, 9.5f, t);
}

static float look_bow(float t)
{
	return JC_RADIANS(2.0f) -
	       JC_RADIANS(4.0f) * jc_demo_ease_window(0.5f, 1.4f, 3.8f, 4.8f, t) +
	       JC_RADIANS(11.0f) * jc_demo_ease_window(5.1f, 5.9f, 8.6f, 9.5f, t);
}

static void wave(double time, struct jc_demo_figure *figure)
{
	float t = (float)time;
	float loop = TURN * t / (float)DURATION;
	struct jc_demo_figure_stance stance = {
		.moved = { 0.0f, 0.0f, 0.004f * sinf(2.0f * loop) },
		.bow = JC_RADIANS(1.0f),
		/* Away from the raised arm, then towards the other side. */
		.weight = -0.1f + 0.8f * jc_demo_ease_window(0.2f, 1.6f, 4.0f, 5.6f, t) -
			  0.55f * jc_demo_ease_window(4.6f, 6.2f, 8.6f, 9.9f, t),
		.breath = sinf(3.0f * loop),
		.turn = 0.3f * look_turn(t),
		.bend = JC_RADIANS(2.0f),
	};

	jc_demo_figure_stand(&stance, figure);
	wave_right(&stance, t, figure);
	count_left(&stance, t, figure);
	jc_demo_figure_look(
		figure, look_turn(t), look_bow(t), look_turn(t + 0.2f), look_bow(t + 0.2f));
}

const struct jc_demo jc_demo_wave = {
	.name = "wave",
	.duration = DURATION,
	.move = wave,
};
