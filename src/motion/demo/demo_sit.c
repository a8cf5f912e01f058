/* "sit": sits down on a seat behind it, looks around with the hands on the thighs, and
 * stands up again. The feet do not move, so the trunk bows until the weight is above them
 * whenever the seat does not carry it. */
#include <math.h>

#include "demo_ease.h"
#include "demo_figure.h"
#include "demo_motion.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"

#define DURATION 10.0
#define TURN     6.28318530717959f

#define SEAT_HEIGHT 0.45f
#define FLESH       0.12f /* height of the hip joint above the seat */

static float look_turn(float t)
{
	static const struct jc_demo_ease_key keys[] = {
		{ 0.0f, 0.0f },
		{ 3.2f, 0.0f },
		{ 3.9f, JC_RADIANS(36.0f) },
		{ 4.7f, JC_RADIANS(38.0f) },
		{ 5.6f, JC_RADIANS(-30.0f) },
		{ 6.3f, JC_RADIANS(-33.0f) },
		{ 7.0f, 0.0f },
	};

	return jc_demo_ease_curve(keys, sizeof(keys) / sizeof(keys[0]), (float)DURATION, t);
}

/* Palm on the thigh, fingers towards the knee, elbow outwards and back. */
static void rest_hand(struct jc_demo_figure *figure, enum jc_side side, float share)
{
	static const struct jc_demo_figure_hand flat = { { 0.10f, 0.12f, 0.13f, 0.14f, 0.16f },
		JC_RADIANS(3.0f) };
	float out = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_vec3 hip = jc_demo_figure_world_position(
		figure, side == JC_LEFT ? JC_BONE_LEFT_UPPER_LEG : JC_BONE_RIGHT_UPPER_LEG);
	struct jc_vec3 knee = jc_demo_figure_world_position(
		figure, side == JC_LEFT ? JC_BONE_LEFT_LOWER_LEG : JC_BONE_RIGHT_LOWER_LEG);
	struct jc_vec3 along = jc_vec3_normalize(jc_vec3_subtract(knee, hip));
	struct jc_vec3 above =
		jc_vec3_normalize(jc_vec3_cross(along, (struct jc_vec3){ 1.0f, 0.0f, 0.0f }));
	struct jc_vec3 wrist = jc_vec3_add(jc_vec3_lerp(hip, knee, 0.52f),
		jc_vec3_add(
			jc_vec3_scale(above, 0.095f), (struct jc_vec3){ 0.03f * out, 0.0f, 0.0f }));
	/* Axes of the hand: fingers along +X (-X on the right), back of the hand +Y. */
	struct jc_vec3 fingers = jc_vec3_normalize(
		jc_vec3_add(along, jc_vec3_add((struct jc_vec3){ -0.25f * out, 0.0f, 0.0f },
					   jc_vec3_scale(above, -0.16f))));
	struct jc_vec3 x = jc_vec3_scale(fingers, out);
	struct jc_vec3 z = jc_vec3_normalize(jc_vec3_cross(x, above));

	jc_demo_figure_reach(figure, side, share, wrist,
		jc_quat_from_axes(x, jc_vec3_cross(z, x), z),
		(struct jc_vec3){ 0.5f * out, -0.2f, -0.9f });
	jc_demo_figure_set_hand(figure, side,
		jc_demo_figure_blend_hands(jc_demo_figure_relaxed_hand(), flat, share));
}

static void sit(double time, struct jc_demo_figure *figure)
{
	float t = (float)time;
	float loop = TURN * t / (float)DURATION;
	/* Back before down, and up before forward. */
	float back = jc_demo_ease_window(0.8f, 2.7f, 6.9f, 8.9f, t);
	float down = jc_demo_ease_window(0.9f, 2.9f, 7.1f, 8.8f, t);
	float bow = jc_demo_ease_window(0.7f, 1.9f, 2.2f, 3.5f, t) +
		    jc_demo_ease_window(6.2f, 7.25f, 7.6f, 8.9f, t);
	float hands = jc_demo_ease_window(1.2f, 2.8f, 7.0f, 8.5f, t);
	float eyes = look_turn(t + 0.25f);
	struct jc_demo_figure_stance stance = {
		.moved = {
			0.0f,
			(SEAT_HEIGHT + FLESH - jc_bone_rest_position(JC_BONE_HIPS).y) * down,
			-JC_DEMO_SEAT_BEHIND * back,
		},
		.bow = JC_RADIANS(1.0f) + JC_RADIANS(33.0f) * bow - JC_RADIANS(9.0f) * down,
		.weight = 0.25f * sinf(loop) * (1.0f - down),
		.breath = sinf(3.0f * loop),
		.turn = 0.25f * look_turn(t - 0.1f),
		.bend = JC_RADIANS(2.0f) + JC_RADIANS(9.0f) * bow + JC_RADIANS(9.0f) * down,
	};

	jc_demo_figure_stand(&stance, figure);
	for (int side = JC_LEFT; side <= JC_RIGHT; side++) {
		struct jc_demo_figure_arm arm =
			jc_demo_figure_standing_arm(&stance, (enum jc_side)side);

		/* Hanging arms stay vertical when the trunk bows. */
		arm.forward += JC_RADIANS(30.0f) * bow;
		jc_demo_figure_set_arm(figure, (enum jc_side)side, arm);
		rest_hand(figure, (enum jc_side)side, hands);
	}
	jc_demo_figure_look(figure, look_turn(t), JC_RADIANS(2.0f) + JC_RADIANS(14.0f) * bow, eyes,
		JC_RADIANS(3.0f) + JC_RADIANS(8.0f) * bow);
}

const struct jc_demo jc_demo_sit = {
	.name = "sit",
	.duration = DURATION,
	.seat_height = SEAT_HEIGHT,
	.move = sit,
};
