/* Computes corrections from any rest to the T-pose. K of a bone is K of the bone above,
 * followed by a residual rotation of the remaining error. The tolerated error depends on
 * the bone: a lean of the spine or of a foot is anatomy, while an arm in a T-pose points
 * sideways. */
#include "jointcast_private/rest_pose.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "rest_direction.h"

#define DEGREES 0.01745329252f

static const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };
static const struct jc_vec3 down = { 0.0f, -1.0f, 0.0f };

/* Direction errors that are not corrected. */
#define LIMB_TOLERANCE   (0.0f * DEGREES)
#define HAND_TOLERANCE   (25.0f * DEGREES)
#define PALM_TOLERANCE   (30.0f * DEGREES)
#define THUMB_TOLERANCE  (80.0f * DEGREES)
#define BODY_TOLERANCE   (50.0f * DEGREES)
#define SQUARE_TOLERANCE (35.0f * DEGREES)

/* The rest of a limb with a larger error does not show its roll, and feet below such a
 * leg have no natural stance to keep. */
#define TURNED_LIMB (60.0f * DEGREES)
#define HALF_TURN   (150.0f * DEGREES)

/* Input and state of the analysis. */
struct analysis {
	const struct jc_joint_tree *tree;
	const int *bones;
	const struct jc_rest_evidence *evidence; /* may be NULL */
	enum jc_bone *above; /* by joint: its bone, or the nearest bone above; owned */
	struct jc_rest_pose *rest;
	bool turned[JC_BONE_COUNT]; /* the limb of this bone had a large error */
};

static struct jc_vec3 mirror(struct jc_vec3 v)
{
	return (struct jc_vec3){ -v.x, v.y, v.z };
}

static struct jc_vec3 span(const struct analysis *a, enum jc_bone from, enum jc_bone to)
{
	return jc_rest_direction_between(a->tree, a->bones, from, to);
}

/* The nearest bone above the bone's joint; JC_BONE_NONE at the top. */
static enum jc_bone bone_above(const struct analysis *a, enum jc_bone bone)
{
	int parent = a->tree->parents[a->bones[bone]];

	return parent < 0 ? JC_BONE_NONE : a->above[parent];
}

/* Tolerance for the direction of a left or middle bone. */
static float tolerance_of(enum jc_bone bone)
{
	switch (bone) {
	case JC_BONE_LEFT_UPPER_ARM:
	case JC_BONE_LEFT_LOWER_ARM:
	case JC_BONE_LEFT_UPPER_LEG:
	case JC_BONE_LEFT_LOWER_LEG:
		return LIMB_TOLERANCE;
	case JC_BONE_SPINE:
	case JC_BONE_CHEST:
	case JC_BONE_UPPER_CHEST:
	case JC_BONE_NECK:
	case JC_BONE_HEAD:
	case JC_BONE_LEFT_SHOULDER:
	case JC_BONE_LEFT_FOOT:
	case JC_BONE_LEFT_TOES:
		return BODY_TOLERANCE;
	case JC_BONE_LEFT_THUMB_METACARPAL:
	case JC_BONE_LEFT_THUMB_PROXIMAL:
	case JC_BONE_LEFT_THUMB_DISTAL:
		return THUMB_TOLERANCE;
	default:
		return HAND_TOLERANCE;
	}
}

/* Turns `from` to `to` the short way. Opposite directions turn about the lateral axis
 * first, like a leg that is swung down from overhead. */
static struct jc_quat swing(struct jc_vec3 from, struct jc_vec3 to)
{
	struct jc_quat half = { 1.0f, 0.0f, 0.0f, 0.0f };

	if (jc_vec3_angle(from, to) < HALF_TURN) {
		return jc_quat_between(from, to, left);
	}
	if (fabsf(jc_vec3_normalize(to).x) > 0.9f) {
		half = (struct jc_quat){ 0.0f, 0.0f, 1.0f, 0.0f };
	}
	return jc_quat_multiply(jc_quat_between(jc_quat_rotate(half, from), to, left), half);
}

/* Angle about `axis` from `from` to `to`, both projected along it. */
static float roll_between(struct jc_vec3 axis, struct jc_vec3 from, struct jc_vec3 to)
{
	struct jc_vec3 a = jc_vec3_subtract(from, jc_vec3_scale(axis, jc_vec3_dot(axis, from)));
	struct jc_vec3 b = jc_vec3_subtract(to, jc_vec3_scale(axis, jc_vec3_dot(axis, to)));

	if (jc_rest_direction_is_zero(a) || jc_rest_direction_is_zero(b)) {
		return 0.0f;
	}
	return atan2f(jc_vec3_dot(axis, jc_vec3_cross(a, b)), jc_vec3_dot(a, b));
}

/* The upper bone of the limb that begins with this bone, or JC_BONE_NONE. A shoulder has
 * no hinge; with a large error its roll is that of the arm. */
static enum jc_bone limb_of(enum jc_bone bone)
{
	switch (jc_bone_left_of(bone)) {
	case JC_BONE_LEFT_SHOULDER:
		return (enum jc_bone)(bone + 1);
	case JC_BONE_LEFT_UPPER_ARM:
	case JC_BONE_LEFT_UPPER_LEG:
		return bone;
	default:
		return JC_BONE_NONE;
	}
}

/* Roll correction from the hinge of a limb in the T-pose: knees flex about +X, left
 * elbows about -Y, right ones about +Y. Rigs are aligned with axes, so the roll is
 * rounded to quarter turns, which removes the noise of the clip. */
static struct jc_quat limb_roll(const struct analysis *a, enum jc_bone upper, struct jc_quat k)
{
	const float quarter = 90.0f * DEGREES;
	bool is_leg = jc_bone_left_of(upper) == JC_BONE_LEFT_UPPER_LEG;
	struct jc_vec3 expected = is_leg ? left : jc_bone_is_right(upper) ? up : down;
	struct jc_vec3 axis = is_leg ? down : jc_bone_is_right(upper) ? mirror(left) : left;
	enum jc_bone lower = (enum jc_bone)(upper + 1);
	enum jc_bone end = (enum jc_bone)(upper + 2);
	struct jc_vec3 hinge;
	float roll;

	if (!a->evidence || a->bones[upper] < 0 || a->bones[lower] < 0 || a->bones[end] < 0 ||
		!a->evidence->find_hinge(a->evidence->context, a->bones[upper], a->bones[lower],
			a->bones[end], &hinge)) {
		return JC_QUAT_IDENTITY;
	}
	hinge = jc_quat_rotate(k, jc_quat_rotate(a->rest->orientation, hinge));
	roll = roll_between(axis, hinge, expected);
	return jc_quat_from_axis_angle(axis, roundf(roll / quarter) * quarter);
}

/* Roll correction of a hand: palms face the floor, the index finger is in front. */
static struct jc_quat palm_roll(const struct analysis *a, enum jc_bone hand, struct jc_quat k)
{
	enum jc_bone index =
		jc_bone_is_right(hand) ? JC_BONE_RIGHT_INDEX_PROXIMAL : JC_BONE_LEFT_INDEX_PROXIMAL;
	enum jc_bone little = jc_bone_is_right(hand) ? JC_BONE_RIGHT_LITTLE_PROXIMAL
						     : JC_BONE_LEFT_LITTLE_PROXIMAL;
	struct jc_vec3 across =
		jc_quat_rotate(k, jc_quat_rotate(a->rest->orientation, span(a, little, index)));
	float roll = roll_between(left, across, front);

	if (fabsf(roll) < PALM_TOLERANCE) {
		return JC_QUAT_IDENTITY;
	}
	return jc_quat_from_axis_angle(left, roll);
}

static void correct_bone(struct analysis *a, enum jc_bone bone)
{
	enum jc_bone above = bone_above(a, bone);
	enum jc_bone left_bone = jc_bone_left_of(bone);
	struct jc_quat k = above == JC_BONE_NONE ? JC_QUAT_IDENTITY : a->rest->corrections[above];
	bool is_foot = left_bone == JC_BONE_LEFT_FOOT || left_bone == JC_BONE_LEFT_TOES;
	struct jc_vec3 d =
		jc_quat_rotate(a->rest->orientation, jc_rest_direction_of(a->tree, a->bones, bone));
	struct jc_vec3 wanted = jc_rest_direction_in_t_pose(left_bone);
	float tolerance = tolerance_of(left_bone);

	a->turned[bone] = above != JC_BONE_NONE && a->turned[above];
	if (!jc_rest_direction_is_zero(wanted) && !jc_rest_direction_is_zero(d)) {
		enum jc_bone upper = limb_of(bone);

		wanted = jc_bone_is_right(bone) ? mirror(wanted) : wanted;
		if (upper != JC_BONE_NONE) {
			a->turned[bone] = jc_vec3_angle(d, wanted) > TURNED_LIMB;
		}
		if (is_foot && a->turned[bone]) {
			tolerance = LIMB_TOLERANCE;
		}
		d = jc_quat_rotate(k, d);
		if (jc_vec3_angle(d, wanted) > tolerance) {
			k = jc_quat_multiply(swing(d, wanted), k);
		}
		if (upper != JC_BONE_NONE && a->turned[bone]) {
			k = jc_quat_multiply(limb_roll(a, upper, k), k);
		}
	}
	if (left_bone == JC_BONE_LEFT_HAND) {
		k = jc_quat_multiply(palm_roll(a, bone, k), k);
	}
	a->rest->corrections[bone] = jc_quat_normalize(k);
}

/* The coordinate axis nearest to v, with its sign. */
static struct jc_vec3 nearest_axis(struct jc_vec3 v)
{
	float x = fabsf(v.x);
	float y = fabsf(v.y);
	float z = fabsf(v.z);

	if (x >= y && x >= z) {
		return (struct jc_vec3){ copysignf(1.0f, v.x), 0.0f, 0.0f };
	}
	if (y >= z) {
		return (struct jc_vec3){ 0.0f, copysignf(1.0f, v.y), 0.0f };
	}
	return (struct jc_vec3){ 0.0f, 0.0f, copysignf(1.0f, v.z) };
}

static struct jc_vec3 measure_up(const struct analysis *a)
{
	static const enum jc_bone tops[] = { JC_BONE_HEAD, JC_BONE_NECK, JC_BONE_UPPER_CHEST,
		JC_BONE_CHEST, JC_BONE_SPINE };
	struct jc_vec3 v;
	size_t i;

	if (a->evidence && a->evidence->find_up(a->evidence->context, &v)) {
		return v;
	}
	for (i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		v = span(a, JC_BONE_HIPS, tops[i]);
		if (!jc_rest_direction_is_zero(v)) {
			return v;
		}
	}
	v = jc_vec3_add(span(a, JC_BONE_LEFT_FOOT, JC_BONE_HIPS),
		span(a, JC_BONE_RIGHT_FOOT, JC_BONE_HIPS));
	return v;
}

static struct jc_vec3 measure_left(const struct analysis *a)
{
	static const enum jc_bone sides[] = { JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_HAND,
		JC_BONE_LEFT_EYE };
	struct jc_vec3 legs = span(a, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_LEFT_UPPER_LEG);
	struct jc_vec3 arms = span(a, JC_BONE_RIGHT_UPPER_ARM, JC_BONE_LEFT_UPPER_ARM);
	/* A folded trunk may show the arms on the other side. */
	struct jc_vec3 v = jc_vec3_dot(legs, arms) < 0.0f ? legs : jc_vec3_add(legs, arms);

	for (size_t i = 0; jc_rest_direction_is_zero(v) && i < sizeof(sides) / sizeof(*sides);
		i++) {
		v = span(a, jc_bone_mirror(sides[i]), sides[i]);
	}
	return v;
}

static void measure_orientation(struct analysis *a)
{
	struct jc_rest_pose *rest = a->rest;
	struct jc_vec3 y = jc_vec3_normalize(measure_up(a));
	struct jc_vec3 x = measure_left(a);
	struct jc_vec3 y_axis, x_axis;

	x = jc_vec3_normalize(jc_vec3_subtract(x, jc_vec3_scale(y, jc_vec3_dot(x, y))));
	rest->orientation = JC_QUAT_IDENTITY;
	rest->is_square = true;
	rest->is_measurable = !jc_rest_direction_is_zero(x) && !jc_rest_direction_is_zero(y);
	if (!rest->is_measurable) {
		return;
	}
	y_axis = nearest_axis(y);
	x_axis = nearest_axis(x);
	rest->is_square = jc_vec3_angle(y, y_axis) < SQUARE_TOLERANCE &&
			  jc_vec3_angle(x, x_axis) < SQUARE_TOLERANCE &&
			  fabsf(jc_vec3_dot(x_axis, y_axis)) < 0.5f;
	if (rest->is_square) {
		x = x_axis;
		y = y_axis;
	}
	rest->orientation = jc_quat_conjugate(jc_quat_from_axes(x, y, jc_vec3_cross(x, y)));
}

/* Joints between bones turn with the bone above them. */
static void place_t_pose(const struct analysis *a)
{
	const struct jc_joint_tree *tree = a->tree;
	struct jc_rest_pose *rest = a->rest;
	struct jc_vec3 hips;

	for (size_t i = 0; i < tree->count; i++) {
		int parent = tree->parents[i];
		struct jc_vec3 offset = tree->positions[i];

		if (parent < 0) {
			rest->t_positions[i] = jc_quat_rotate(rest->orientation, offset);
			continue;
		}
		offset = jc_quat_rotate(
			rest->orientation, jc_vec3_subtract(offset, tree->positions[parent]));
		if (a->above[parent] != JC_BONE_NONE) {
			offset = jc_quat_rotate(rest->corrections[a->above[parent]], offset);
		}
		rest->t_positions[i] = jc_vec3_add(rest->t_positions[parent], offset);
	}
	hips = rest->t_positions[a->bones[JC_BONE_HIPS]];
	for (size_t i = 0; i < tree->count; i++) {
		rest->t_positions[i] = jc_vec3_subtract(rest->t_positions[i], hips);
	}
}

static void find_bones_above(const struct analysis *a)
{
	for (size_t i = 0; i < a->tree->count; i++) {
		a->above[i] = JC_BONE_NONE;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (a->bones[b] >= 0) {
			a->above[a->bones[b]] = (enum jc_bone)b;
		}
	}
	for (size_t i = 0; i < a->tree->count; i++) {
		if (a->above[i] == JC_BONE_NONE && a->tree->parents[i] >= 0) {
			a->above[i] = a->above[a->tree->parents[i]];
		}
	}
}

int jc_rest_pose_init(struct jc_rest_pose *rest, const struct jc_joint_tree *tree, const int *bones,
	const struct jc_rest_evidence *evidence)
{
	struct analysis a = { .tree = tree, .bones = bones, .evidence = evidence, .rest = rest };

	*rest = (struct jc_rest_pose){
		.t_positions = calloc(tree->count, sizeof(*rest->t_positions)),
	};
	a.above = calloc(tree->count, sizeof(*a.above));
	if (!rest->t_positions || !a.above) {
		free(a.above);
		jc_rest_pose_finish(rest);
		return JC_ERROR_MEMORY;
	}
	find_bones_above(&a);
	measure_orientation(&a);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		rest->corrections[bone] = JC_QUAT_IDENTITY;
		if (bones[bone] >= 0) {
			correct_bone(&a, (enum jc_bone)bone);
		}
	}
	place_t_pose(&a);
	free(a.above);
	return JC_OK;
}

void jc_rest_pose_finish(struct jc_rest_pose *rest)
{
	free(rest->t_positions);
	rest->t_positions = NULL;
}
