/* Poses the built-in figure for the demo motions: forward kinematics, trunk, head,
 * fingers, two-bone solutions for arms and legs, and standing. */
#include "demo_figure.h"

#include <math.h>

#include "jointcast/transform.h"

static const struct jc_vec3 axis_x = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 axis_y = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 axis_z = { 0.0f, 0.0f, 1.0f };

/* The bone of that side for a left arm, leg or finger bone. */
static enum jc_bone bone_of_side(enum jc_bone left, enum jc_side side)
{
	int stride = JC_BONE_RIGHT_SHOULDER - JC_BONE_LEFT_SHOULDER; /* the same for legs */

	if (left >= JC_BONE_LEFT_THUMB_METACARPAL) {
		stride = JC_BONE_RIGHT_THUMB_METACARPAL - JC_BONE_LEFT_THUMB_METACARPAL;
	}
	return (enum jc_bone)(side == JC_LEFT ? left : left + stride);
}

struct jc_quat jc_demo_figure_rotation(float turn, float bow, float lean)
{
	return jc_quat_multiply(jc_quat_from_axis_angle(axis_y, turn),
		jc_quat_multiply(jc_quat_from_axis_angle(axis_x, bow),
			jc_quat_from_axis_angle(axis_z, lean)));
}

void jc_demo_figure_init(struct jc_demo_figure *figure)
{
	jc_pose_init(&figure->pose);
	figure->hips = jc_bone_rest_position(JC_BONE_HIPS);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		figure->pose.states[bone] = bone == JC_BONE_JAW ? JC_ABSENT : JC_TRACKED;
	}
}

/* From the parent's joint to the bone's joint in the T-pose. */
static struct jc_vec3 offset_of(enum jc_bone bone)
{
	return jc_vec3_subtract(
		jc_bone_rest_position(bone), jc_bone_rest_position(jc_bone_parent(bone)));
}

static struct jc_quat world_rotation(const struct jc_demo_figure *figure, enum jc_bone bone)
{
	struct jc_quat rotation = JC_QUAT_IDENTITY;

	for (; bone != JC_BONE_NONE; bone = jc_bone_parent(bone)) {
		rotation = jc_quat_multiply(figure->pose.rotations[bone], rotation);
	}
	return rotation;
}

struct jc_vec3 jc_demo_figure_world_position(const struct jc_demo_figure *figure, enum jc_bone bone)
{
	struct jc_vec3 position = { 0.0f, 0.0f, 0.0f };

	while (bone != JC_BONE_HIPS) {
		enum jc_bone parent = jc_bone_parent(bone);

		position = jc_quat_rotate(
			figure->pose.rotations[parent], jc_vec3_add(offset_of(bone), position));
		bone = parent;
	}
	return jc_vec3_add(figure->hips, position);
}

void jc_demo_figure_place_hips(
	struct jc_demo_figure *figure, struct jc_vec3 position, struct jc_quat rotation)
{
	figure->hips = position;
	figure->pose.rotations[JC_BONE_HIPS] = rotation;
}

void jc_demo_figure_bend_trunk(struct jc_demo_figure *figure, float turn, float bow, float lean)
{
	static const struct {
		enum jc_bone bone;
		float share;
	} parts[] = {
		{ JC_BONE_SPINE, 0.30f },
		{ JC_BONE_CHEST, 0.35f },
		{ JC_BONE_UPPER_CHEST, 0.35f },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		float share = parts[i].share;

		figure->pose.rotations[parts[i].bone] =
			jc_demo_figure_rotation(turn * share, bow * share, lean * share);
	}
}

void jc_demo_figure_aim_head(struct jc_demo_figure *figure, struct jc_quat rotation)
{
	struct jc_quat chest = world_rotation(figure, JC_BONE_UPPER_CHEST);
	struct jc_quat bend = jc_quat_multiply(jc_quat_conjugate(chest), rotation);
	struct jc_quat neck = jc_quat_slerp(JC_QUAT_IDENTITY, bend, 0.45f);

	figure->pose.rotations[JC_BONE_NECK] = neck;
	figure->pose.rotations[JC_BONE_HEAD] = jc_quat_multiply(jc_quat_conjugate(neck), bend);
}

void jc_demo_figure_aim_eyes(struct jc_demo_figure *figure, float turn, float bow)
{
	struct jc_quat gaze = jc_demo_figure_rotation(turn, bow, 0.0f);

	figure->pose.rotations[JC_BONE_LEFT_EYE] = gaze;
	figure->pose.rotations[JC_BONE_RIGHT_EYE] = gaze;
}

struct jc_demo_figure_hand jc_demo_figure_relaxed_hand(void)
{
	return (struct jc_demo_figure_hand){ { 0.25f, 0.20f, 0.27f, 0.32f, 0.36f }, 0.0f };
}

struct jc_demo_figure_hand jc_demo_figure_blend_hands(
	struct jc_demo_figure_hand a, struct jc_demo_figure_hand b, float share)
{
	for (int i = 0; i < 5; i++) {
		a.curl[i] += (b.curl[i] - a.curl[i]) * share;
	}
	a.spread += (b.spread - a.spread) * share;
	return a;
}

/* Fingers lie along +X on the left, palm down: they curl about -Z and spread about -Y.
 * The thumb, half way between +X and +Z, first sinks below the palm and then bends about
 * the vertical. */
void jc_demo_figure_set_hand(
	struct jc_demo_figure *figure, enum jc_side side, struct jc_demo_figure_hand hand)
{
	static const float bends[3] = { JC_RADIANS(78.0f), JC_RADIANS(98.0f), JC_RADIANS(62.0f) };
	struct jc_quat *thumb =
		&figure->pose.rotations[bone_of_side(JC_BONE_LEFT_THUMB_METACARPAL, side)];
	struct jc_quat *fingers =
		&figure->pose.rotations[bone_of_side(JC_BONE_LEFT_INDEX_PROXIMAL, side)];
	float sign = side == JC_LEFT ? 1.0f : -1.0f;
	float curl = hand.curl[0];

	thumb[0] = jc_demo_figure_rotation(sign * (JC_RADIANS(22.0f) * curl - 0.5f * hand.spread),
		JC_RADIANS(10.0f) + JC_RADIANS(35.0f) * curl, 0.0f);
	thumb[1] = jc_demo_figure_rotation(sign * JC_RADIANS(48.0f) * curl, 0.0f, 0.0f);
	thumb[2] = jc_demo_figure_rotation(sign * JC_RADIANS(60.0f) * curl, 0.0f, 0.0f);
	for (int finger = 0; finger < 4; finger++) {
		/* Away from the middle finger, less when bent. */
		float spread =
			hand.spread * (1.0f - (float)finger) * (1.0f - hand.curl[finger + 1]);

		for (int part = 0; part < 3; part++) {
			fingers[finger * 3 + part] =
				jc_demo_figure_rotation(part == 0 ? -sign * spread : 0.0f, 0.0f,
					-sign * bends[part] * hand.curl[finger + 1]);
		}
	}
}

float jc_demo_figure_hips_height(void)
{
	return jc_bone_rest_position(JC_BONE_HIPS).y -
	       fminf(jc_bone_rest_position(JC_BONE_LEFT_FOOT).y,
		       jc_bone_rest_position(JC_BONE_LEFT_TOES).y);
}

void jc_demo_figure_finish(const struct jc_demo_figure *figure, struct jc_pose *out_pose)
{
	struct jc_vec3 moved = jc_vec3_subtract(figure->hips, jc_bone_rest_position(JC_BONE_HIPS));

	*out_pose = figure->pose;
	out_pose->hips_translation = jc_vec3_scale(moved, 1.0f / jc_demo_figure_hips_height());
}

/* The middle joint of a chain of two bones of lengths a and b from `root` to `end`, in
 * the half plane of `pole`. *out_bend: unit direction of that joint, perpendicular to the
 * line from root to end. */
static struct jc_vec3 solve_hinge(struct jc_vec3 root, struct jc_vec3 end, float a, float b,
	struct jc_vec3 pole, struct jc_vec3 *out_bend)
{
	struct jc_vec3 line = jc_vec3_subtract(end, root);
	float distance = jc_vec3_length(line);
	struct jc_vec3 along = jc_vec3_normalize(line);
	struct jc_vec3 across =
		jc_vec3_subtract(pole, jc_vec3_scale(along, jc_vec3_dot(pole, along)));
	float reach = (distance * distance + a * a - b * b) / (2.0f * distance);
	float height = sqrtf(fmaxf(a * a - reach * reach, 0.0f));

	*out_bend = jc_vec3_normalize(across);
	return jc_vec3_add(
		root, jc_vec3_add(jc_vec3_scale(along, reach), jc_vec3_scale(*out_bend, height)));
}

/* `end`, moved towards `root` until the chain reaches it. */
static struct jc_vec3 within_reach(struct jc_vec3 root, struct jc_vec3 end, float reach)
{
	struct jc_vec3 line = jc_vec3_subtract(end, root);
	float distance = jc_vec3_length(line);

	return jc_vec3_add(root, jc_vec3_scale(line, fminf(reach / distance, 1.0f)));
}

/* A limb never turns by half a turn against its parent, so the sign with w >= 0 is
 * continuous in time. */
static void set_world_rotation(struct jc_demo_figure *figure, enum jc_bone bone,
	struct jc_quat parent, struct jc_quat rotation)
{
	struct jc_quat q = jc_quat_multiply(jc_quat_conjugate(parent), rotation);

	if (q.w < 0.0f) {
		q = (struct jc_quat){ -q.x, -q.y, -q.z, -q.w };
	}
	figure->pose.rotations[bone] = jc_quat_normalize(q);
}

void jc_demo_figure_plant_leg(struct jc_demo_figure *figure, enum jc_side side,
	struct jc_vec3 ankle, struct jc_quat foot, float toes, struct jc_vec3 forward)
{
	enum jc_bone upper = bone_of_side(JC_BONE_LEFT_UPPER_LEG, side);
	enum jc_bone lower = bone_of_side(JC_BONE_LEFT_LOWER_LEG, side);
	enum jc_bone end = bone_of_side(JC_BONE_LEFT_FOOT, side);
	struct jc_vec3 thigh = offset_of(lower);
	struct jc_vec3 shin = offset_of(end);
	struct jc_vec3 hip = jc_demo_figure_world_position(figure, upper);
	struct jc_vec3 bend, knee, x, y, down;
	struct jc_quat pelvis = figure->pose.rotations[JC_BONE_HIPS];
	struct jc_quat upper_world, lower_world;
	/* The shin of the T-pose leans back slightly. */
	float lean = atan2f(-shin.z, -shin.y);

	ankle = within_reach(hip, ankle, jc_vec3_length(jc_vec3_add(thigh, shin)));
	knee = solve_hinge(hip, ankle, jc_vec3_length(thigh), jc_vec3_length(shin), forward, &bend);
	y = jc_vec3_normalize(jc_vec3_subtract(hip, knee));
	x = jc_vec3_normalize(jc_vec3_cross(y, bend));
	upper_world = jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
	down = jc_vec3_normalize(jc_vec3_subtract(ankle, knee));
	y = jc_vec3_scale(down, -1.0f);
	lower_world = jc_quat_multiply(jc_quat_from_axes(x, y, jc_vec3_cross(x, y)),
		jc_quat_from_axis_angle(axis_x, -lean));
	set_world_rotation(figure, upper, pelvis, upper_world);
	set_world_rotation(figure, lower, upper_world, lower_world);
	set_world_rotation(figure, end, lower_world, foot);
	figure->pose.rotations[bone_of_side(JC_BONE_LEFT_TOES, side)] =
		jc_quat_from_axis_angle(axis_x, -toes);
}

void jc_demo_figure_shrug(struct jc_demo_figure *figure, enum jc_side side, float raise)
{
	figure->pose.rotations[bone_of_side(JC_BONE_LEFT_SHOULDER, side)] =
		jc_quat_from_axis_angle(axis_z, side == JC_LEFT ? raise : -raise);
}

static float blend(float a, float b, float share)
{
	return a + (b - a) * share;
}

struct jc_demo_figure_arm jc_demo_figure_blend_arms(
	struct jc_demo_figure_arm a, struct jc_demo_figure_arm b, float share)
{
	return (struct jc_demo_figure_arm){
		.raise = blend(a.raise, b.raise, share),
		.forward = blend(a.forward, b.forward, share),
		.twist = blend(a.twist, b.twist, share),
		.elbow = blend(a.elbow, b.elbow, share),
		.supinate = blend(a.supinate, b.supinate, share),
		.wrist = blend(a.wrist, b.wrist, share),
		.deviate = blend(a.deviate, b.deviate, share),
	};
}

/* The left arm lies along +X in the T-pose, palm down, elbow bending to +Z. */
void jc_demo_figure_set_arm(
	struct jc_demo_figure *figure, enum jc_side side, struct jc_demo_figure_arm arm)
{
	struct jc_quat *rotations = figure->pose.rotations;
	float sign = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_quat swing = jc_demo_figure_rotation(
		0.0f, -arm.forward, -sign * (JC_RADIANS(90.0f) - arm.raise));

	rotations[bone_of_side(JC_BONE_LEFT_UPPER_ARM, side)] =
		jc_quat_multiply(swing, jc_quat_from_axis_angle(axis_x, -arm.twist));
	rotations[bone_of_side(JC_BONE_LEFT_LOWER_ARM, side)] =
		jc_demo_figure_rotation(-sign * arm.elbow, -arm.supinate, 0.0f);
	rotations[bone_of_side(JC_BONE_LEFT_HAND, side)] =
		jc_demo_figure_rotation(-sign * arm.deviate, 0.0f, -sign * arm.wrist);
}

void jc_demo_figure_reach(struct jc_demo_figure *figure, enum jc_side side, float share,
	struct jc_vec3 wrist, struct jc_quat hand, struct jc_vec3 elbow)
{
	enum jc_bone upper = bone_of_side(JC_BONE_LEFT_UPPER_ARM, side);
	enum jc_bone lower = bone_of_side(JC_BONE_LEFT_LOWER_ARM, side);
	enum jc_bone end = bone_of_side(JC_BONE_LEFT_HAND, side);
	float a = jc_vec3_length(offset_of(lower));
	float b = jc_vec3_length(offset_of(end));
	float sign = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_vec3 root = jc_demo_figure_world_position(figure, upper);
	struct jc_vec3 old_wrist = jc_demo_figure_world_position(figure, end);
	struct jc_vec3 old_elbow = jc_demo_figure_world_position(figure, lower);
	struct jc_quat shoulder = world_rotation(figure, jc_bone_parent(upper));
	struct jc_quat upper_world, lower_world, twist, swing;
	struct jc_vec3 bend, middle, x, y;

	wrist = within_reach(root, jc_vec3_lerp(old_wrist, wrist, share), 0.995f * (a + b));
	hand = jc_quat_slerp(world_rotation(figure, end), hand, share);
	old_elbow =
		jc_vec3_normalize(jc_vec3_subtract(old_elbow, jc_vec3_lerp(root, old_wrist, 0.5f)));
	elbow = jc_vec3_lerp(old_elbow, elbow, share);

	middle = solve_hinge(root, wrist, a, b, elbow, &bend);
	x = jc_vec3_scale(jc_vec3_normalize(jc_vec3_subtract(middle, root)), sign);
	/* The forearm bends away from the elbow's direction. */
	y = jc_vec3_normalize(jc_vec3_cross(x, bend));
	upper_world = jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
	x = jc_vec3_scale(jc_vec3_normalize(jc_vec3_subtract(wrist, middle)), sign);
	lower_world = jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
	/* The forearm takes half of the roll of the hand. */
	jc_quat_swing_twist(
		jc_quat_multiply(jc_quat_conjugate(lower_world), hand), axis_x, &swing, &twist);
	lower_world = jc_quat_multiply(lower_world, jc_quat_slerp(JC_QUAT_IDENTITY, twist, 0.5f));

	set_world_rotation(figure, upper, shoulder, upper_world);
	set_world_rotation(figure, lower, upper_world, lower_world);
	set_world_rotation(figure, end, lower_world, hand);
}

static void plant_foot(struct jc_demo_figure *figure, enum jc_side side)
{
	float out = side == JC_LEFT ? 1.0f : -1.0f;
	struct jc_vec3 ankle = jc_bone_rest_position(JC_BONE_LEFT_FOOT);
	struct jc_quat foot = jc_demo_figure_rotation(out * JC_RADIANS(9.0f), 0.0f, 0.0f);

	ankle.x = out * 0.108f;
	jc_demo_figure_plant_leg(
		figure, side, ankle, foot, 0.0f, (struct jc_vec3){ out * 0.12f, 0.0f, 1.0f });
}

void jc_demo_figure_stand(const struct jc_demo_figure_stance *stance, struct jc_demo_figure *figure)
{
	struct jc_vec3 even = jc_bone_rest_position(JC_BONE_HIPS);
	float weight = stance->weight;
	struct jc_vec3 hips = jc_vec3_add(even, stance->moved);

	hips.x += 0.027f * weight;
	hips.y -= 0.009f - 0.0015f * stance->breath;
	/* The pelvis drops on the side without weight, and its knee bends. */
	jc_demo_figure_place_hips(figure, hips,
		jc_demo_figure_rotation(
			JC_RADIANS(-2.0f) * weight, stance->bow, JC_RADIANS(2.6f) * weight));
	jc_demo_figure_bend_trunk(figure, stance->turn + JC_RADIANS(2.0f) * weight,
		stance->bend - JC_RADIANS(1.3f) * stance->breath, JC_RADIANS(-3.4f) * weight);
	plant_foot(figure, JC_LEFT);
	plant_foot(figure, JC_RIGHT);
	for (int side = JC_LEFT; side <= JC_RIGHT; side++) {
		jc_demo_figure_shrug(figure, (enum jc_side)side,
			JC_RADIANS(-3.0f) + JC_RADIANS(1.2f) * stance->breath);
		jc_demo_figure_set_hand(figure, (enum jc_side)side, jc_demo_figure_relaxed_hand());
	}
}

struct jc_demo_figure_arm jc_demo_figure_standing_arm(
	const struct jc_demo_figure_stance *stance, enum jc_side side)
{
	float out = side == JC_LEFT ? 1.0f : -1.0f;

	return (struct jc_demo_figure_arm){
		.raise = JC_RADIANS(10.0f) + JC_RADIANS(1.0f) * stance->breath +
			 JC_RADIANS(1.5f) * out * stance->weight,
		.forward = JC_RADIANS(1.0f) + JC_RADIANS(2.0f) * out * stance->weight,
		.twist = JC_RADIANS(-20.0f),
		.elbow = JC_RADIANS(17.0f) - JC_RADIANS(1.5f) * stance->breath,
		.supinate = JC_RADIANS(6.0f),
		.wrist = JC_RADIANS(6.0f),
		.deviate = JC_RADIANS(2.0f),
	};
}

void jc_demo_figure_look(
	struct jc_demo_figure *figure, float turn, float bow, float eyes_turn, float eyes_bow)
{
	jc_demo_figure_aim_head(figure, jc_demo_figure_rotation(turn, bow, 0.0f));
	jc_demo_figure_aim_eyes(figure, eyes_turn - turn, eyes_bow - bow);
}
