/* "walk": walks round a circle to the left. Footprints on the circle come first, with a
 * heel and a toe rocker while the foot carries and a swing between them; the pelvis
 * travels above them and the rest follows. Amplitudes are those of level walking at 1.2
 * m/s (Winter, Biomechanics and Motor Control of Human Movement; Murray 1967). */
#include <math.h>

#include "demo_ease.h"
#include "demo_motion.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"

#define DURATION 8.4
#define STRIDES  8 /* in one lap; a stride is 1.26 m */
#define PI       3.14159265358979f
#define TURN     (2.0f * PI)
#define STANCE   0.62f  /* share of the stride during which a foot is on the floor */
#define LEAD     0.30f  /* metres between the hips and the footprint ahead at heel strike */
#define TRACK    0.055f /* half the width of the track */
#define INWARD   0.045f /* how far the pelvis leans to the centre of the circle */
#define TOE_OUT  JC_RADIANS(6.0f)

/* Pivots of the foot, seen from the ankle: the heel on the floor, and the toe joint,
 * which stays in place while the heel rises. */
static const struct jc_vec3 heel = { 0.0f, -0.08f, -0.045f };
static const struct jc_vec3 ball = { 0.0f, -0.065f, 0.135f };

/* Pitch of the foot over the stride; toes down is positive. */
static float foot_pitch(float phase)
{
	static const struct jc_demo_ease_key keys[] = {
		{ 0.00f, JC_RADIANS(-17.0f) },
		{ 0.09f, JC_RADIANS(0.0f) },
		{ 0.30f, JC_RADIANS(0.0f) },
		{ 0.50f, JC_RADIANS(24.0f) },
		{ 0.61f, JC_RADIANS(52.0f) },
		{ 0.68f, JC_RADIANS(60.0f) },
		{ 0.77f, JC_RADIANS(30.0f) },
		{ 0.86f, JC_RADIANS(0.0f) },
		{ 0.95f, JC_RADIANS(-20.0f) },
	};

	return jc_demo_ease_curve(keys, sizeof(keys) / sizeof(keys[0]), 1.0f, phase);
}

/* Height of the foot in addition to its rolling. */
static float foot_lift(float phase)
{
	static const struct jc_demo_ease_key keys[] = {
		{ 0.00f, 0.0f },
		{ STANCE, 0.0f },
		{ 0.70f, 0.062f },
		{ 0.77f, 0.078f },
		{ 0.88f, 0.030f },
	};

	return jc_demo_ease_curve(keys, sizeof(keys) / sizeof(keys[0]), 1.0f, phase);
}

/* Direction at an angle of the circle: 0 walks along +Z, the centre to the left. */
static struct jc_vec3 on_circle(float angle, float radius, float height)
{
	return (struct jc_vec3){ -radius * cosf(angle), height, radius * sinf(angle) };
}

/* Share of the way to the next footprint. */
static float swing_foot(float phase)
{
	float u = fmaxf(phase - STANCE, 0.0f) / (1.0f - STANCE);

	return u * u * (3.0f - 2.0f * u);
}

/* stride counts the heel strikes of this foot; its fraction is the phase. */
static void move_leg(struct jc_demo_figure *figure, enum jc_side side, double stride)
{
	float phase = (float)(stride - floor(stride));
	float out = side == JC_LEFT ? 1.0f : -1.0f;
	float delay = side == JC_LEFT ? 0.0f : 0.5f;
	float step = swing_foot(phase);
	float radius = JC_DEMO_WALK_RADIUS - out * TRACK;
	float print = (float)floor(stride) + delay + step;
	float angle = print * TURN / STRIDES + LEAD / radius;
	float pitch = foot_pitch(phase);
	struct jc_quat yaw = jc_demo_figure_rotation(angle + out * TOE_OUT, 0.0f, 0.0f);
	struct jc_quat foot = jc_demo_figure_rotation(angle + out * TOE_OUT, pitch, 0.0f);
	/* The foot turns over the heel, then over the ball; it changes between them while
	 * it is flat, and back in the air. */
	float forefoot =
		jc_demo_ease_step(0.10f, 0.29f, phase) - jc_demo_ease_step(0.66f, 0.96f, phase);
	struct jc_vec3 pivot = jc_vec3_lerp(heel, ball, forefoot);
	struct jc_vec3 print_ankle =
		on_circle(angle, radius, jc_bone_rest_position(JC_BONE_LEFT_FOOT).y);
	struct jc_vec3 ankle = jc_vec3_add(print_ankle, jc_quat_rotate(yaw, pivot));
	/* The toes stay flat on the floor and straighten in the air. */
	float toes = pitch > 0.0f ? pitch * (1.0f - 0.75f * jc_demo_ease_step(STANCE, 0.76f, phase))
				  : 0.0f;

	ankle = jc_vec3_subtract(ankle, jc_quat_rotate(foot, pivot));
	ankle.y += foot_lift(phase);
	jc_demo_figure_plant_leg(figure, side, ankle, foot, toes,
		jc_quat_rotate(yaw, (struct jc_vec3){ out * 0.04f, 0.0f, 1.0f }));
}

/* wave is the phase of the left foot: 0 at its heel strike. The arm swings opposite to
 * its leg; the elbow bends most in front. */
static void move_arm(struct jc_demo_figure *figure, enum jc_side side, float wave)
{
	float lag = wave - (side == JC_LEFT ? 0.0f : PI) - 0.15f;
	float swing = -cosf(lag);

	jc_demo_figure_shrug(figure, side, JC_RADIANS(-3.0f));
	jc_demo_figure_set_arm(figure, side,
		(struct jc_demo_figure_arm){ .raise = JC_RADIANS(9.0f),
			.forward = JC_RADIANS(1.0f) + JC_RADIANS(21.0f) * swing,
			.twist = JC_RADIANS(-14.0f),
			.elbow = JC_RADIANS(24.0f) + JC_RADIANS(13.0f) * -cosf(lag - 0.35f),
			.supinate = JC_RADIANS(8.0f),
			.wrist = JC_RADIANS(4.0f) - JC_RADIANS(6.0f) * swing,
			.deviate = JC_RADIANS(3.0f) });
	jc_demo_figure_set_hand(figure, side, jc_demo_figure_relaxed_hand());
}

static void walk(double t, struct jc_demo_figure *figure)
{
	double stride = t / DURATION * STRIDES;
	float wave = TURN * (float)(stride - floor(stride));
	float angle = TURN * (float)(t / DURATION);
	/* Lowest shortly after each heel strike; above the carrying foot, and slowest, in
	 * the middle of its stance. */
	float height = 0.928f - 0.015f * cosf(2.0f * (wave - 0.25f));
	float sway = 0.018f * sinf(wave - 0.25f);
	float surge = 0.010f * sinf(2.0f * (wave - 0.25f));
	float look = JC_RADIANS(7.0f) + JC_RADIANS(9.0f) * sinf(angle) * sinf(angle);

	angle += surge / JC_DEMO_WALK_RADIUS;
	jc_demo_figure_place_hips(figure,
		on_circle(angle, JC_DEMO_WALK_RADIUS - INWARD - sway, height),
		jc_demo_figure_rotation(angle - JC_RADIANS(5.0f) * cosf(wave), JC_RADIANS(3.0f),
			JC_RADIANS(3.5f) * sinf(wave + 0.3f) - JC_RADIANS(1.0f)));
	jc_demo_figure_bend_trunk(figure, JC_RADIANS(10.0f) * cosf(wave - 0.1f),
		JC_RADIANS(1.5f) + JC_RADIANS(1.2f) * cosf(2.0f * (wave - 0.5f)),
		-JC_RADIANS(4.0f) * sinf(wave + 0.3f) - JC_RADIANS(1.5f));
	jc_demo_figure_aim_head(figure, jc_demo_figure_rotation(TURN * (float)(t / DURATION) + look,
						JC_RADIANS(2.0f), JC_RADIANS(-1.5f)));
	jc_demo_figure_aim_eyes(figure, JC_RADIANS(3.0f), JC_RADIANS(2.0f));
	move_leg(figure, JC_LEFT, stride);
	move_leg(figure, JC_RIGHT, stride - 0.5);
	move_arm(figure, JC_LEFT, wave);
	move_arm(figure, JC_RIGHT, wave);
}

const struct jc_demo jc_demo_walk = {
	.name = "walk",
	.duration = DURATION,
	.move = walk,
};
