/* Measures how far a figure is from the reference pose. The direction of a bone between
 * its joints shows its error; the axes of its node are compared with those of the T-pose. */
#include "jointcast_private/posture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"

#define DEGREES 0.01745329252f
#define HALF    0.70710678f

static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 down = { 0.0f, -1.0f, 0.0f };

/* Left and middle bones; the right ones are mirrored. Shoulders hang, spines curve and
 * shins lean in figures that are in a T-pose, and hips have any position: only the trunk
 * as a whole shows its posture. */
struct aim {
	enum jc_bone bone;
	enum jc_bone targets[4]; /* the first that is present is used; the rest are JC_BONE_NONE */
	struct jc_vec3 direction;
	float tolerance; /* degrees */
};

#define NONE JC_BONE_NONE
#define FINGER(name)                                                                               \
	{ JC_BONE_LEFT_##name##_PROXIMAL,                                                          \
		{ JC_BONE_LEFT_##name##_INTERMEDIATE, JC_BONE_LEFT_##name##_DISTAL, NONE, NONE },  \
		{ 1, 0, 0 }, 20 },                                                                 \
	{                                                                                          \
		JC_BONE_LEFT_##name##_INTERMEDIATE,                                                \
			{ JC_BONE_LEFT_##name##_DISTAL, NONE, NONE, NONE }, { 1, 0, 0 }, 20        \
	}

static const struct aim aims[] = {
	{ JC_BONE_HIPS, { JC_BONE_NECK, JC_BONE_HEAD, JC_BONE_UPPER_CHEST, JC_BONE_CHEST },
		{ 0, 1, 0 }, 40 },
	{ JC_BONE_SPINE, { JC_BONE_CHEST, JC_BONE_UPPER_CHEST, JC_BONE_NECK, JC_BONE_HEAD },
		{ 0, 1, 0 }, 40 },
	{ JC_BONE_CHEST, { JC_BONE_UPPER_CHEST, JC_BONE_NECK, JC_BONE_HEAD, NONE }, { 0, 1, 0 },
		40 },
	{ JC_BONE_UPPER_CHEST, { JC_BONE_NECK, JC_BONE_HEAD, NONE, NONE }, { 0, 1, 0 }, 40 },
	{ JC_BONE_NECK, { JC_BONE_HEAD, NONE, NONE, NONE }, { 0, 1, 0 }, 45 },
	{ JC_BONE_LEFT_SHOULDER, { JC_BONE_LEFT_UPPER_ARM, NONE, NONE, NONE }, { 1, 0, 0 }, 45 },
	{ JC_BONE_LEFT_UPPER_ARM, { JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_HAND, NONE, NONE },
		{ 1, 0, 0 }, 10 },
	{ JC_BONE_LEFT_LOWER_ARM, { JC_BONE_LEFT_HAND, NONE, NONE, NONE }, { 1, 0, 0 }, 10 },
	{ JC_BONE_LEFT_HAND,
		{ JC_BONE_LEFT_MIDDLE_PROXIMAL, JC_BONE_LEFT_RING_PROXIMAL,
			JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_LITTLE_PROXIMAL },
		{ 1, 0, 0 }, 25 },
	{ JC_BONE_LEFT_UPPER_LEG, { JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_FOOT, NONE, NONE },
		{ 0, -1, 0 }, 15 },
	{ JC_BONE_LEFT_LOWER_LEG, { JC_BONE_LEFT_FOOT, NONE, NONE, NONE }, { 0, -1, 0 }, 20 },
	{ JC_BONE_LEFT_FOOT, { JC_BONE_LEFT_TOES, NONE, NONE, NONE }, { 0, 0, 1 }, 15 },
	{ JC_BONE_LEFT_THUMB_METACARPAL,
		{ JC_BONE_LEFT_THUMB_PROXIMAL, JC_BONE_LEFT_THUMB_DISTAL, NONE, NONE },
		{ HALF, 0, HALF }, 30 },
	{ JC_BONE_LEFT_THUMB_PROXIMAL, { JC_BONE_LEFT_THUMB_DISTAL, NONE, NONE, NONE },
		{ HALF, 0, HALF }, 30 },
	FINGER(INDEX),
	FINGER(MIDDLE),
	FINGER(RING),
	FINGER(LITTLE),
};

static const struct aim *find_aim(enum jc_bone bone)
{
	enum jc_bone left = jc_bone_left_of(bone);

	for (size_t i = 0; i < sizeof(aims) / sizeof(*aims); i++) {
		if (aims[i].bone == left) {
			return &aims[i];
		}
	}
	return NULL;
}

struct jc_vec3 jc_posture_direction(enum jc_bone bone)
{
	const struct aim *aim = find_aim(bone);
	struct jc_vec3 direction = { 0.0f, 0.0f, 0.0f };

	if (aim) {
		direction = aim->direction;
		direction.x = jc_bone_is_right(bone) ? -direction.x : direction.x;
	}
	return direction;
}

enum jc_bone jc_posture_target(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	const struct aim *aim = find_aim(bone);

	for (size_t i = 0; aim && i < 4 && aim->targets[i] != JC_BONE_NONE; i++) {
		enum jc_bone target =
			jc_bone_is_right(bone) ? jc_bone_mirror(aim->targets[i]) : aim->targets[i];

		if (jc_skeleton_bone_node(skeleton, target) >= 0) {
			return target;
		}
	}
	return JC_BONE_NONE;
}

enum jc_bone jc_posture_child(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	for (int b = JC_BONE_SPINE; bone == JC_BONE_HIPS && b <= JC_BONE_HEAD; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			return (enum jc_bone)b;
		}
	}
	return jc_posture_target(skeleton, bone);
}

void jc_posture_t_pose(const struct jc_skeleton *skeleton, struct jc_transform *out_locals)
{
	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		out_locals[i] = jc_skeleton_nodes(skeleton)[i].rest;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		struct jc_quat parent = jc_skeleton_parent_t_pose(skeleton, (enum jc_bone)b);

		if (node >= 0) {
			out_locals[node].rotation =
				jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(parent),
					jc_skeleton_t_pose(skeleton, (enum jc_bone)b)));
		}
	}
}

const char *jc_rest_kind_name(enum jc_rest_kind kind)
{
	static const char *const names[] = {
		[JC_REST_UNKNOWN] = "unknown",
		[JC_REST_T] = "T-pose",
		[JC_REST_A] = "A-pose",
		[JC_REST_I] = "I-pose",
		[JC_REST_OTHER] = "other",
	};

	assert(kind >= 0 && (size_t)kind < sizeof(names) / sizeof(*names));
	return names[kind];
}

/* Joint positions of bones in canonical axes. */
struct joints {
	const struct jc_skeleton *skeleton;
	struct jc_vec3 at[JC_BONE_COUNT];
};

static void place_joints(
	struct joints *joints, const struct jc_skeleton *skeleton, const struct jc_mat4 *worlds)
{
	struct jc_quat back = jc_quat_conjugate(jc_skeleton_facing(skeleton));

	joints->skeleton = skeleton;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		joints->at[b] = node < 0 ? (struct jc_vec3){ 0.0f, 0.0f, 0.0f }
					 : jc_quat_rotate(back, jc_mat4_translation(worlds[node]));
	}
}

static bool has(const struct joints *joints, enum jc_bone bone)
{
	return bone != JC_BONE_NONE && jc_skeleton_bone_node(joints->skeleton, bone) >= 0;
}

/* Unit direction from one joint to another; false if one is missing or both are at one
 * point. */
static bool find_direction(const struct joints *joints, enum jc_bone from, enum jc_bone to,
	struct jc_vec3 *out_direction, float *out_length)
{
	const float least = 1e-5f; /* metres */
	struct jc_vec3 way;
	float length;

	if (!has(joints, from) || !has(joints, to)) {
		return false;
	}
	way = jc_vec3_subtract(joints->at[to], joints->at[from]);
	length = jc_vec3_length(way);
	if (!(length > least)) {
		return false;
	}
	*out_direction = jc_vec3_scale(way, 1.0f / length);
	*out_length = length;
	return true;
}

struct jc_quat jc_posture_residual(enum jc_bone bone, struct jc_vec3 direction)
{
	const float steepest = 0.25f; /* of a foot's length, along the ground */
	float length = jc_vec3_length(direction);

	if (bone == JC_BONE_LEFT_FOOT || bone == JC_BONE_RIGHT_FOOT) {
		direction.y = 0.0f;
		if (jc_vec3_length(direction) < steepest * length) {
			return JC_QUAT_IDENTITY;
		}
	}
	return jc_quat_between(direction, jc_posture_direction(bone), up);
}

static float angle_off(enum jc_bone bone, struct jc_vec3 direction)
{
	return jc_quat_angle(jc_posture_residual(bone, direction), JC_QUAT_IDENTITY);
}

static void measure_direction(const struct joints *rest, const struct joints *t_pose,
	enum jc_bone bone, struct jc_bone_posture *out_bone)
{
	enum jc_bone target = jc_posture_target(rest->skeleton, bone);
	struct jc_vec3 at_rest, in_t;
	float length;

	out_bone->has_direction = find_direction(rest, bone, target, &at_rest, &out_bone->length) &&
				  find_direction(t_pose, bone, target, &in_t, &length);
	if (out_bone->has_direction) {
		out_bone->tolerance = find_aim(bone)->tolerance * DEGREES;
		out_bone->rest_angle = angle_off(bone, at_rest);
		out_bone->t_angle = angle_off(bone, in_t);
	}
}

/* "Reference pose", the last two rules. A +Y along the bone, or along its direction in
 * the reference pose, is valid. */
static void measure_axes(
	const struct joints *t_pose, enum jc_bone bone, struct jc_bone_posture *out_bone)
{
	struct jc_quat own = jc_skeleton_t_pose(t_pose->skeleton, bone);
	struct jc_quat reference = jc_bone_reference_rotation(bone);
	struct jc_quat swing, twist;
	struct jc_vec3 along = jc_quat_rotate(own, up);
	struct jc_vec3 direction;
	float length;

	out_bone->axis_angle = jc_vec3_angle(along, jc_quat_rotate(reference, up));
	if (find_direction(
		    t_pose, bone, jc_posture_child(t_pose->skeleton, bone), &direction, &length)) {
		out_bone->axis_angle = fminf(out_bone->axis_angle, jc_vec3_angle(along, direction));
	}
	jc_quat_swing_twist(
		jc_quat_multiply(jc_quat_conjugate(reference), own), up, &swing, &twist);
	out_bone->roll_angle = jc_quat_angle(twist, JC_QUAT_IDENTITY);
}

/* Angle of an arm below the horizontal; false if the arm is not in a T-, A- or I-pose. */
static bool measure_arm(enum jc_bone upper, struct jc_vec3 direction, float *out_angle)
{
	const float narrow = 30.0f * DEGREES; /* to the front, to the back, or raised */
	float side = jc_bone_is_right(upper) ? -1.0f : 1.0f;

	*out_angle = asinf(fmaxf(-1.0f, fminf(1.0f, -direction.y)));
	return *out_angle > -narrow && fabsf(direction.z) < sinf(narrow) &&
	       (direction.x * side > 0.0f || *out_angle > 60.0f * DEGREES);
}

static bool stands_on_legs(const struct joints *rest)
{
	static const enum jc_bone legs[] = { JC_BONE_LEFT_UPPER_LEG, JC_BONE_RIGHT_UPPER_LEG };
	struct jc_vec3 direction;
	float length;

	for (size_t i = 0; i < 2; i++) {
		if (find_direction(rest, legs[i], jc_posture_target(rest->skeleton, legs[i]),
			    &direction, &length) &&
			jc_vec3_angle(direction, down) > 35.0f * DEGREES) {
			return false;
		}
	}
	return true;
}

static void find_kind(const struct joints *rest, struct jc_posture *posture)
{
	static const enum jc_bone arms[][3] = {
		{ JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_HAND, JC_BONE_LEFT_LOWER_ARM },
		{ JC_BONE_RIGHT_UPPER_ARM, JC_BONE_RIGHT_HAND, JC_BONE_RIGHT_LOWER_ARM },
	};
	const float unlike = 25.0f * DEGREES;
	float angles[2];
	size_t count = 0;
	bool is_regular = stands_on_legs(rest);

	for (size_t i = 0; i < 2; i++) {
		struct jc_vec3 direction;
		float length;

		if (find_direction(rest, arms[i][0], arms[i][1], &direction, &length) ||
			find_direction(rest, arms[i][0], arms[i][2], &direction, &length)) {
			is_regular =
				measure_arm(arms[i][0], direction, &angles[count++]) && is_regular;
		}
	}
	if (count == 0) {
		return;
	}
	posture->arm_angle = count == 2 ? 0.5f * (angles[0] + angles[1]) : angles[0];
	if (!is_regular || (count == 2 && fabsf(angles[0] - angles[1]) > unlike)) {
		posture->kind = JC_REST_OTHER;
	} else if (posture->arm_angle < 15.0f * DEGREES) {
		posture->kind = JC_REST_T;
	} else {
		posture->kind = posture->arm_angle < 70.0f * DEGREES ? JC_REST_A : JC_REST_I;
	}
}

/* From right to left, by the first pair of bones at different points. */
static bool find_left(const struct joints *joints, struct jc_vec3 *out_left)
{
	static const enum jc_bone lefts[] = { JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_UPPER_ARM,
		JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_FOOT, JC_BONE_LEFT_HAND };
	float length;

	for (size_t i = 0; i < sizeof(lefts) / sizeof(*lefts); i++) {
		if (find_direction(joints, jc_bone_mirror(lefts[i]), lefts[i], out_left, &length)) {
			return true;
		}
	}
	return false;
}

static bool find_up(const struct joints *joints, struct jc_vec3 *out_up)
{
	static const enum jc_bone pairs[][2] = {
		{ JC_BONE_HIPS, JC_BONE_HEAD },
		{ JC_BONE_HIPS, JC_BONE_NECK },
		{ JC_BONE_HIPS, JC_BONE_UPPER_CHEST },
		{ JC_BONE_HIPS, JC_BONE_CHEST },
		{ JC_BONE_HIPS, JC_BONE_SPINE },
		{ JC_BONE_LEFT_FOOT, JC_BONE_LEFT_UPPER_LEG },
	};
	float length;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (find_direction(joints, pairs[i][0], pairs[i][1], out_up, &length)) {
			return true;
		}
	}
	return false;
}

/* Direction of the face and the feet, independent of the names left and right. */
static struct jc_vec3 find_front(const struct joints *joints)
{
	static const enum jc_bone pairs[][2] = {
		{ JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES },
		{ JC_BONE_RIGHT_FOOT, JC_BONE_RIGHT_TOES },
		{ JC_BONE_HEAD, JC_BONE_LEFT_EYE },
		{ JC_BONE_HEAD, JC_BONE_RIGHT_EYE },
		{ JC_BONE_HEAD, JC_BONE_JAW },
	};
	struct jc_vec3 front = { 0.0f, 0.0f, 0.0f };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct jc_vec3 direction;
		float length;

		if (find_direction(joints, pairs[i][0], pairs[i][1], &direction, &length)) {
			front = jc_vec3_add(front, direction);
		}
	}
	return front;
}

/* In a glTF file the front is +Z and up is +Y, whatever was recognised; other formats
 * state their axes. */
static void compare_with_format(const struct jc_skeleton *skeleton, struct jc_vec3 front,
	struct jc_vec3 above, struct jc_posture *posture)
{
	const float level = 0.25f; /* a sine: a direction near the vertical has no facing */

	if (jc_skeleton_format(skeleton) == JC_SKELETON_GLTF) {
		front = jc_quat_rotate(jc_skeleton_facing(skeleton), front);
		above = jc_quat_rotate(jc_skeleton_facing(skeleton), above);
	}
	posture->format_turn = hypotf(front.x, front.z) < level ? 0.0f : atan2f(front.x, front.z);
	posture->format_tilt = jc_vec3_angle(above, up);
}

static void find_facing(const struct joints *joints, struct jc_posture *posture)
{
	struct jc_vec3 left, above, named, seen;

	if (!find_left(joints, &left) || !find_up(joints, &above)) {
		return;
	}
	named = jc_vec3_normalize(jc_vec3_cross(left, above));
	if (jc_vec3_length(named) == 0.0f) {
		return;
	}
	seen = find_front(joints);
	posture->has_facing = true;
	posture->turn = atan2f(named.x, named.z);
	posture->tilt = jc_vec3_angle(above, up);
	compare_with_format(joints->skeleton, named, above, posture);
	posture->orientation = jc_quat_from_axes(jc_vec3_cross(above, named), above, named);
	posture->is_swapped = jc_vec3_dot(seen, named) < -0.5f * jc_vec3_length(seen);
}

static void find_palms(const struct joints *t_pose, struct jc_posture *posture)
{
	static const enum jc_bone knuckles[][2] = {
		{ JC_BONE_LEFT_LITTLE_PROXIMAL, JC_BONE_LEFT_INDEX_PROXIMAL },
		{ JC_BONE_RIGHT_LITTLE_PROXIMAL, JC_BONE_RIGHT_INDEX_PROXIMAL },
	};
	const float level = 0.25f; /* a sine: a line along the hand has no roll */

	for (size_t i = 0; i < 2; i++) {
		struct jc_vec3 across;
		float length;

		if (find_direction(t_pose, knuckles[i][0], knuckles[i][1], &across, &length) &&
			hypotf(across.y, across.z) > level) {
			posture->palm_angles[i] = atan2f(fabsf(across.y), across.z);
		}
	}
}

static void find_heights(const struct joints *joints, struct jc_posture *posture)
{
	static const enum jc_bone feet[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES,
		JC_BONE_RIGHT_FOOT, JC_BONE_RIGHT_TOES };
	float lowest = INFINITY;

	for (size_t i = 0; i < sizeof(feet) / sizeof(*feet); i++) {
		if (has(joints, feet[i])) {
			lowest = fminf(lowest, joints->at[feet[i]].y);
		}
	}
	posture->has_feet = isfinite(lowest);
	posture->feet_level = posture->has_feet ? lowest : 0.0f;
	if (posture->has_feet && has(joints, JC_BONE_HEAD)) {
		posture->head_height = joints->at[JC_BONE_HEAD].y - lowest;
	}
	posture->hips = joints->at[JC_BONE_HIPS];
}

int jc_posture_measure(const struct jc_skeleton *skeleton, struct jc_posture *out_posture)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count + 1, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count + 1, sizeof(*worlds));
	struct joints rest, t_pose;
	struct jc_posture posture = { .orientation = JC_QUAT_IDENTITY };

	if (!locals || !worlds) {
		free(locals);
		free(worlds);
		return JC_ERROR_MEMORY;
	}
	jc_posture_t_pose(skeleton, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	place_joints(&rest, skeleton, jc_skeleton_rest_worlds(skeleton));
	place_joints(&t_pose, skeleton, worlds);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			measure_direction(&rest, &t_pose, (enum jc_bone)b, &posture.bones[b]);
			measure_axes(&t_pose, (enum jc_bone)b, &posture.bones[b]);
		}
	}
	find_kind(&rest, &posture);
	find_facing(&t_pose, &posture);
	find_palms(&t_pose, &posture);
	find_heights(&t_pose, &posture);
	free(locals);
	free(worlds);
	*out_posture = posture;
	return JC_OK;
}
