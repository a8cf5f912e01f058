/* Estimates feet without trackers: they stay planted until the body has moved away, then step one
 * after the other to the place where they will be needed. emulation.c states the origin of the
 * constants. */
#include <math.h>

#include "emulation_body.h"

#define WIDTH         0.095f /* distance of each foot from the middle, metres for size 1 */
#define BEHIND        (-0.02f)
#define APART         0.12f /* distance from its place at which a foot steps, metres for size 1 */
#define OUTWARD       0.3f  /* weight of the outward part of that distance */
#define APART_TURNED  0.55f /* angle at which a foot steps, radians */
#define APART_SECONDS 0.27f /* added to APART: seconds of the walking velocity */
#define LEAD_SECONDS  0.27f /* seconds of the walking velocity by which a foot is set down ahead */
#define STEP_SECONDS  0.38f
#define STEP_QUICKER  0.06f /* reduction of the step time, seconds per metre per second */
#define STEP_LEAST    0.22f
#define LOST          1.2f /* feet farther away are placed again, metres */
#define VELOCITY_LAG  0.15f
#define LOW_FROM      0.75f /* share of the hips height; below it feet move to the front */
#define LOW_AHEAD     1.6f

static struct jc_vec3 turn_about_up(struct jc_vec3 v, float yaw)
{
	return jc_quat_rotate(jc_emulated_about(jc_up, yaw), v);
}

static float flat_distance(struct jc_vec3 a, struct jc_vec3 b)
{
	return hypotf(a.x - b.x, a.z - b.z);
}

/* The point of the floor below the centre of the trunk. */
static struct jc_vec3 find_middle(const struct jc_emulated *body)
{
	struct jc_vec3 middle = jc_vec3_lerp(
		body->positions[JC_BONE_HIPS], body->positions[JC_BONE_UPPER_CHEST], 0.4f);

	middle.y = 0.0f;
	return middle;
}

static struct jc_vec3 find_home(
	const struct jc_emulation *emulation, const struct jc_emulated *body, int side)
{
	float standing = jc_bone_rest_position(JC_BONE_HIPS).y * body->size;
	float low = LOW_FROM - body->positions[JC_BONE_HIPS].y / standing;
	struct jc_vec3 place = {
		(side == 0 ? WIDTH : -WIDTH) * body->size,
		0.0f,
		(BEHIND + LOW_AHEAD * jc_emulated_clamp(low, 0.0f, 0.5f)) * body->size,
	};

	return jc_vec3_add(emulation->middle, turn_about_up(place, emulation->heading));
}

static void set_down(struct jc_emulation_foot *foot, struct jc_vec3 place, float yaw)
{
	*foot = (struct jc_emulation_foot){
		.from = place, .to = place, .from_yaw = yaw, .to_yaw = yaw, .share = 1.0f
	};
}

static void follow_middle(struct jc_emulation *emulation, const struct jc_emulated *body)
{
	struct jc_vec3 middle = find_middle(body);
	struct jc_vec3 velocity = { 0.0f, 0.0f, 0.0f };

	if (emulation->has_begun && body->seconds > 0.0f) {
		velocity = jc_vec3_scale(
			jc_vec3_subtract(middle, emulation->middle), 1.0f / body->seconds);
		velocity = jc_vec3_lerp(
			emulation->velocity, velocity, jc_emulated_follow(body, VELOCITY_LAG));
	}
	emulation->velocity = velocity;
	emulation->middle = middle;
}

/* Urgency of a step: above 1 the foot steps. The foot on the side of the movement is more
 * urgent, so that legs do not cross. */
static float urge(const struct jc_emulation *emulation, const struct jc_emulated *body, int side)
{
	const struct jc_emulation_foot *foot = &emulation->feet[side];
	float speed = jc_vec3_length(emulation->velocity);
	struct jc_vec3 home = find_home(emulation, body, side);
	float apart = flat_distance(home, foot->to);
	float aside = turn_about_up(jc_vec3_subtract(home, foot->to), -emulation->heading).x;
	float turned = fabsf(jc_emulated_wrap(emulation->heading - foot->to_yaw));

	apart += OUTWARD * (side == 0 ? aside : -aside);
	return fmaxf(apart / (APART * body->size + APART_SECONDS * speed), turned / APART_TURNED);
}

/* Duration of a step: shorter at higher speed and if the other foot is also urgent. */
static float step_seconds(
	const struct jc_emulation *emulation, const struct jc_emulated *body, int side)
{
	float seconds = STEP_SECONDS - STEP_QUICKER * jc_vec3_length(emulation->velocity);

	return fmaxf(seconds / fmaxf(urge(emulation, body, 1 - side), 1.0f), STEP_LEAST);
}

/* Moves a lifted foot towards the place where the body will need it. */
static void swing(struct jc_emulation *emulation, const struct jc_emulated *body, int side)
{
	struct jc_emulation_foot *foot = &emulation->feet[side];
	float seconds = step_seconds(emulation, body, side);
	float left = (1.0f - foot->share) * seconds;

	foot->to = jc_vec3_add(find_home(emulation, body, side),
		jc_vec3_scale(emulation->velocity, left + LEAD_SECONDS));
	foot->to.y = 0.0f;
	foot->to_yaw = emulation->heading;
	foot->share = fminf(foot->share + body->seconds / seconds, 1.0f);
}

void jc_emulation_step(
	struct jc_emulation *emulation, const struct jc_emulated *body, const bool is_free[2])
{
	float urges[2];
	int next;

	follow_middle(emulation, body);
	for (int side = 0; side < 2; side++) {
		struct jc_emulation_foot *foot = &emulation->feet[side];
		struct jc_vec3 home = find_home(emulation, body, side);

		if (!emulation->has_begun || !is_free[side] ||
			flat_distance(foot->to, home) > LOST) {
			set_down(foot, home, emulation->heading);
		} else if (foot->share < 1.0f) {
			swing(emulation, body, side);
		}
		urges[side] = is_free[side] ? urge(emulation, body, side) : 0.0f;
	}
	next = urges[1] > urges[0];
	if (urges[next] > 1.0f && emulation->feet[0].share >= 1.0f &&
		emulation->feet[1].share >= 1.0f) {
		struct jc_emulation_foot *foot = &emulation->feet[next];

		foot->from = foot->to;
		foot->from_yaw = foot->to_yaw;
		foot->share = 0.0f;
	}
}
