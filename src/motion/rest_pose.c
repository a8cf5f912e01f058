/* The T-pose out of the zero pose. K of a bone is K of the bone above, which
 * it rides on, and a residual that turns what is left of it into place; how
 * much may be left depends on the bone, because a lean of the spine or of a
 * foot is anatomy, while an arm in a T-pose points sideways. */
#include "rest_pose.h"

#include <math.h>
#include <stdlib.h>

#include "bvh_frame.h"
#include "jointcast/transform.h"
#include "rest_hinge.h"

#define DEGREES 0.01745329252f

static const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };
static const struct jc_vec3 down = { 0.0f, -1.0f, 0.0f };

/* How far a direction may be off before it is corrected. */
#define LIMB_TOLERANCE   (0.0f * DEGREES)
#define HAND_TOLERANCE   (25.0f * DEGREES)
#define PALM_TOLERANCE   (30.0f * DEGREES)
#define THUMB_TOLERANCE  (80.0f * DEGREES)
#define BODY_TOLERANCE   (50.0f * DEGREES)
#define SQUARE_TOLERANCE (35.0f * DEGREES)

/* A limb farther off than this tells nothing about its roll, and feet below
 * such a leg have no natural stance to keep. */
#define TURNED_LIMB (60.0f * DEGREES)
#define HALF_TURN   (150.0f * DEGREES)

/* What the measuring needs at hand. */
struct analysis {
	const struct jc_bvh *bvh;
	const int *bones;
	struct jc_vec3 *zero; /* joints of the zero pose, file axes; owned */
	struct jc_rest_pose *rest;
	bool turned[JC_BONE_COUNT]; /* the limb this bone belongs to was far off */
};

static float angle_between(struct jc_vec3 a, struct jc_vec3 b)
{
	return atan2f(jc_vec3_length(jc_vec3_cross(a, b)), jc_vec3_dot(a, b));
}

static bool is_zero(struct jc_vec3 v)
{
	return !(jc_vec3_length(v) > 1e-6f);
}

static struct jc_vec3 mirror(struct jc_vec3 v)
{
	return (struct jc_vec3){ -v.x, v.y, v.z };
}

static bool is_right(enum jc_bone bone)
{
	return jc_bone_mirror(bone) < bone;
}

static enum jc_bone left_of(enum jc_bone bone)
{
	return is_right(bone) ? jc_bone_mirror(bone) : bone;
}

enum jc_bone jc_rest_pose_bone_at(const struct jc_bvh *bvh, const int *bones, int joint)
{
	for (; joint >= 0; joint = bvh->joints[joint].parent) {
		int bone;

		for (bone = 0; bone < JC_BONE_COUNT; bone++) {
			if (bones[bone] == joint) {
				return (enum jc_bone)bone;
			}
		}
	}
	return JC_BONE_NONE;
}

/* From one bone's joint to another's; zero when either is missing. */
static struct jc_vec3 span(const struct analysis *a, enum jc_bone from, enum jc_bone to)
{
	if (a->bones[from] < 0 || a->bones[to] < 0) {
		return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	return jc_vec3_subtract(a->zero[a->bones[to]], a->zero[a->bones[from]]);
}

static bool is_bone(const struct analysis *a, int joint)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (a->bones[bone] == joint) {
			return true;
		}
	}
	return false;
}

/* From a joint to what hangs on it: End Site and children together. Bones among
 * these branch off, as eyes do in front of a head, and do not tell its way. */
static struct jc_vec3 tip(const struct analysis *a, int joint)
{
	const struct jc_bvh_joint *joints = a->bvh->joints;
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	size_t i;

	if (joints[joint].has_end) {
		sum = joints[joint].end;
	}
	for (i = (size_t)joint + 1; i < a->bvh->joint_count; i++) {
		if (joints[i].parent == joint && !is_bone(a, (int)i)) {
			sum = jc_vec3_add(sum, joints[i].offset);
		}
	}
	return sum;
}

/* The bone that a bone of the left side or the middle points at. */
static enum jc_bone next_bone(const struct analysis *a, enum jc_bone bone)
{
	static const enum jc_bone trunk[] = { JC_BONE_SPINE, JC_BONE_CHEST, JC_BONE_UPPER_CHEST,
		JC_BONE_NECK, JC_BONE_HEAD };
	int i;

	if (bone >= JC_BONE_SPINE && bone < JC_BONE_HEAD) {
		for (i = bone - JC_BONE_SPINE + 1; i < 5; i++) {
			if (a->bones[trunk[i]] >= 0) {
				return trunk[i];
			}
		}
		return JC_BONE_NONE;
	}
	switch (bone) {
	case JC_BONE_LEFT_SHOULDER:
	case JC_BONE_LEFT_UPPER_ARM:
	case JC_BONE_LEFT_LOWER_ARM:
	case JC_BONE_LEFT_UPPER_LEG:
	case JC_BONE_LEFT_LOWER_LEG:
	case JC_BONE_LEFT_THUMB_METACARPAL:
	case JC_BONE_LEFT_THUMB_PROXIMAL:
	case JC_BONE_LEFT_INDEX_PROXIMAL:
	case JC_BONE_LEFT_INDEX_INTERMEDIATE:
	case JC_BONE_LEFT_MIDDLE_PROXIMAL:
	case JC_BONE_LEFT_MIDDLE_INTERMEDIATE:
	case JC_BONE_LEFT_RING_PROXIMAL:
	case JC_BONE_LEFT_RING_INTERMEDIATE:
	case JC_BONE_LEFT_LITTLE_PROXIMAL:
	case JC_BONE_LEFT_LITTLE_INTERMEDIATE:
		return (enum jc_bone)(bone + 1);
	default:
		return JC_BONE_NONE;
	}
}

/* Along the fingers where there are any. */
static struct jc_vec3 hand_direction(const struct analysis *a, enum jc_bone hand)
{
	static const enum jc_bone fingers[] = { JC_BONE_LEFT_INDEX_PROXIMAL,
		JC_BONE_LEFT_MIDDLE_PROXIMAL, JC_BONE_LEFT_RING_PROXIMAL,
		JC_BONE_LEFT_LITTLE_PROXIMAL };
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	size_t i;

	for (i = 0; i < 4; i++) {
		enum jc_bone finger = is_right(hand) ? jc_bone_mirror(fingers[i]) : fingers[i];

		sum = jc_vec3_add(sum, span(a, hand, finger));
	}
	return is_zero(sum) ? tip(a, a->bones[hand]) : sum;
}

/* To the tip of the toes, because some files have the ball right below the
 * ankle. */
static struct jc_vec3 foot_direction(const struct analysis *a, enum jc_bone foot)
{
	enum jc_bone toes = is_right(foot) ? JC_BONE_RIGHT_TOES : JC_BONE_LEFT_TOES;

	if (a->bones[toes] < 0) {
		return tip(a, a->bones[foot]);
	}
	return jc_vec3_add(span(a, foot, toes), tip(a, a->bones[toes]));
}

/* Of a mapped bone in the zero pose, file axes; zero when it shows none. */
static struct jc_vec3 direction(const struct analysis *a, enum jc_bone bone)
{
	enum jc_bone next = next_bone(a, left_of(bone));
	struct jc_vec3 d;

	if (left_of(bone) == JC_BONE_LEFT_HAND) {
		return hand_direction(a, bone);
	}
	if (left_of(bone) == JC_BONE_LEFT_FOOT) {
		return foot_direction(a, bone);
	}
	if (next != JC_BONE_NONE) {
		return span(a, bone, is_right(bone) ? jc_bone_mirror(next) : next);
	}
	d = tip(a, a->bones[bone]);
	if (is_zero(d) && left_of(bone) == JC_BONE_LEFT_TOES) {
		/* A stump goes on as the foot does. */
		return span(a, jc_bone_parent(bone), bone);
	}
	return d;
}

/* Where a bone of the left side or the middle points in the T-pose, and how far
 * off it may be; false for bones that only ride along. */
static bool t_pose_of(enum jc_bone bone, struct jc_vec3 *out_direction, float *out_tolerance)
{
	*out_direction = left;
	*out_tolerance = HAND_TOLERANCE;
	switch (bone) {
	case JC_BONE_HIPS:
	case JC_BONE_LEFT_EYE:
	case JC_BONE_JAW:
		return false;
	case JC_BONE_SPINE:
	case JC_BONE_CHEST:
	case JC_BONE_UPPER_CHEST:
	case JC_BONE_NECK:
	case JC_BONE_HEAD:
		*out_direction = up;
		*out_tolerance = BODY_TOLERANCE;
		return true;
	case JC_BONE_LEFT_SHOULDER:
		*out_tolerance = BODY_TOLERANCE;
		return true;
	case JC_BONE_LEFT_UPPER_ARM:
	case JC_BONE_LEFT_LOWER_ARM:
		*out_tolerance = LIMB_TOLERANCE;
		return true;
	case JC_BONE_LEFT_UPPER_LEG:
	case JC_BONE_LEFT_LOWER_LEG:
		*out_direction = down;
		*out_tolerance = LIMB_TOLERANCE;
		return true;
	case JC_BONE_LEFT_FOOT:
		*out_direction = jc_vec3_subtract(jc_bone_rest_position(JC_BONE_LEFT_TOES),
			jc_bone_rest_position(JC_BONE_LEFT_FOOT));
		*out_tolerance = BODY_TOLERANCE;
		return true;
	case JC_BONE_LEFT_TOES:
		*out_direction = front;
		*out_tolerance = BODY_TOLERANCE;
		return true;
	case JC_BONE_LEFT_THUMB_METACARPAL:
	case JC_BONE_LEFT_THUMB_PROXIMAL:
	case JC_BONE_LEFT_THUMB_DISTAL:
		*out_direction = jc_vec3_add(left, front);
		*out_tolerance = THUMB_TOLERANCE;
		return true;
	default:
		return true;
	}
}

/* Turns `from` to `to` the short way; what points the other way turns about the
 * lateral axis first, as a leg does that is swung down from overhead. */
static struct jc_quat swing(struct jc_vec3 from, struct jc_vec3 to)
{
	struct jc_quat half = { 1.0f, 0.0f, 0.0f, 0.0f };

	if (angle_between(from, to) < HALF_TURN) {
		return jc_quat_between(from, to, left);
	}
	if (fabsf(jc_vec3_normalize(to).x) > 0.9f) {
		half = (struct jc_quat){ 0.0f, 0.0f, 1.0f, 0.0f };
	}
	return jc_quat_multiply(jc_quat_between(jc_quat_rotate(half, from), to, left), half);
}

/* Angle about `axis` from `from` to `to`, both seen along it. */
static float roll_between(struct jc_vec3 axis, struct jc_vec3 from, struct jc_vec3 to)
{
	struct jc_vec3 a = jc_vec3_subtract(from, jc_vec3_scale(axis, jc_vec3_dot(axis, from)));
	struct jc_vec3 b = jc_vec3_subtract(to, jc_vec3_scale(axis, jc_vec3_dot(axis, to)));

	if (is_zero(a) || is_zero(b)) {
		return 0.0f;
	}
	return atan2f(jc_vec3_dot(axis, jc_vec3_cross(a, b)), jc_vec3_dot(a, b));
}

/* The upper bone of the limb that begins with this bone, or JC_BONE_NONE. A
 * shoulder has no hinge, but where it is far off its roll is the arm's. */
static enum jc_bone limb_of(enum jc_bone bone)
{
	switch (left_of(bone)) {
	case JC_BONE_LEFT_SHOULDER:
		return (enum jc_bone)(bone + 1);
	case JC_BONE_LEFT_UPPER_ARM:
	case JC_BONE_LEFT_UPPER_LEG:
		return bone;
	default:
		return JC_BONE_NONE;
	}
}

/* The hinge of a limb in the T-pose: knees flex about +X, left elbows about -Y,
 * right ones about +Y. Rigs are built along axes, so the roll is taken to the
 * next quarter turn, which keeps the scatter of the clip out of it. */
static struct jc_quat limb_roll(const struct analysis *a, enum jc_bone upper, struct jc_quat k)
{
	const float quarter = 90.0f * DEGREES;
	bool is_leg = left_of(upper) == JC_BONE_LEFT_UPPER_LEG;
	struct jc_vec3 expected = is_leg ? left : is_right(upper) ? up : down;
	struct jc_vec3 axis = is_leg ? down : is_right(upper) ? mirror(left) : left;
	enum jc_bone lower = (enum jc_bone)(upper + 1);
	enum jc_bone end = (enum jc_bone)(upper + 2);
	struct jc_vec3 hinge;
	float roll;

	if (a->bones[upper] < 0 || a->bones[lower] < 0 || a->bones[end] < 0 ||
		!jc_rest_hinge_measure(
			a->bvh, a->zero, a->bones[upper], a->bones[lower], a->bones[end], &hinge)) {
		return JC_QUAT_IDENTITY;
	}
	hinge = jc_quat_rotate(k, jc_quat_rotate(a->rest->orientation, hinge));
	roll = roll_between(axis, hinge, expected);
	return jc_quat_from_axis_angle(axis, roundf(roll / quarter) * quarter);
}

/* Palms face the floor: the index finger's side is in front. */
static struct jc_quat palm_roll(const struct analysis *a, enum jc_bone hand, struct jc_quat k)
{
	enum jc_bone index =
		is_right(hand) ? JC_BONE_RIGHT_INDEX_PROXIMAL : JC_BONE_LEFT_INDEX_PROXIMAL;
	enum jc_bone little =
		is_right(hand) ? JC_BONE_RIGHT_LITTLE_PROXIMAL : JC_BONE_LEFT_LITTLE_PROXIMAL;
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
	enum jc_bone above =
		jc_rest_pose_bone_at(a->bvh, a->bones, a->bvh->joints[a->bones[bone]].parent);
	struct jc_quat k = above == JC_BONE_NONE ? JC_QUAT_IDENTITY : a->rest->corrections[above];
	bool is_foot = left_of(bone) == JC_BONE_LEFT_FOOT || left_of(bone) == JC_BONE_LEFT_TOES;
	struct jc_vec3 d = jc_quat_rotate(a->rest->orientation, direction(a, bone));
	struct jc_vec3 wanted;
	float tolerance;

	a->turned[bone] = above != JC_BONE_NONE && a->turned[above];
	if (t_pose_of(left_of(bone), &wanted, &tolerance) && !is_zero(d)) {
		enum jc_bone upper = limb_of(bone);

		wanted = is_right(bone) ? mirror(wanted) : wanted;
		if (upper != JC_BONE_NONE) {
			a->turned[bone] = angle_between(d, wanted) > TURNED_LIMB;
		}
		if (is_foot && a->turned[bone]) {
			tolerance = LIMB_TOLERANCE;
		}
		d = jc_quat_rotate(k, d);
		if (angle_between(d, wanted) > tolerance) {
			k = jc_quat_multiply(swing(d, wanted), k);
		}
		if (upper != JC_BONE_NONE && a->turned[bone]) {
			k = jc_quat_multiply(limb_roll(a, upper, k), k);
		}
	}
	if (left_of(bone) == JC_BONE_LEFT_HAND) {
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

	for (i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		v = span(a, JC_BONE_HIPS, tops[i]);
		if (!is_zero(v)) {
			return v;
		}
	}
	v = jc_vec3_add(span(a, JC_BONE_LEFT_FOOT, JC_BONE_HIPS),
		span(a, JC_BONE_RIGHT_FOOT, JC_BONE_HIPS));
	return v;
}

static void measure_orientation(struct analysis *a)
{
	struct jc_rest_pose *rest = a->rest;
	struct jc_vec3 y = jc_vec3_normalize(measure_up(a));
	struct jc_vec3 x = jc_vec3_add(span(a, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_LEFT_UPPER_LEG),
		span(a, JC_BONE_RIGHT_UPPER_ARM, JC_BONE_LEFT_UPPER_ARM));
	struct jc_vec3 y_axis, x_axis;

	x = jc_vec3_normalize(jc_vec3_subtract(x, jc_vec3_scale(y, jc_vec3_dot(x, y))));
	rest->orientation = JC_QUAT_IDENTITY;
	rest->is_square = true;
	rest->is_measurable = !is_zero(x) && !is_zero(y);
	if (!rest->is_measurable) {
		return;
	}
	y_axis = nearest_axis(y);
	x_axis = nearest_axis(x);
	rest->is_square = angle_between(y, y_axis) < SQUARE_TOLERANCE &&
			  angle_between(x, x_axis) < SQUARE_TOLERANCE &&
			  fabsf(jc_vec3_dot(x_axis, y_axis)) < 0.5f;
	if (rest->is_square) {
		x = x_axis;
		y = y_axis;
	}
	rest->orientation = jc_quat_conjugate(jc_quat_from_axes(x, y, jc_vec3_cross(x, y)));
}

/* What lies between bones turns with the bone above it. */
static void place_t_pose(const struct analysis *a)
{
	struct jc_rest_pose *rest = a->rest;
	struct jc_vec3 hips;
	size_t i;

	for (i = 0; i < a->bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &a->bvh->joints[i];
		enum jc_bone above = jc_rest_pose_bone_at(a->bvh, a->bones, joint->parent);
		struct jc_vec3 offset = jc_quat_rotate(rest->orientation, joint->offset);

		if (above != JC_BONE_NONE) {
			offset = jc_quat_rotate(rest->corrections[above], offset);
		}
		rest->t_positions[i] =
			joint->parent < 0 ? offset
					  : jc_vec3_add(rest->t_positions[joint->parent], offset);
	}
	hips = rest->t_positions[a->bones[JC_BONE_HIPS]];
	for (i = 0; i < a->bvh->joint_count; i++) {
		rest->t_positions[i] = jc_vec3_subtract(rest->t_positions[i], hips);
	}
}

int jc_rest_pose_init(struct jc_rest_pose *rest, const struct jc_bvh *bvh, const int *bones)
{
	struct analysis a = { .bvh = bvh, .bones = bones, .rest = rest };
	int bone;

	rest->t_positions = calloc(bvh->joint_count, sizeof(*rest->t_positions));
	a.zero = calloc(bvh->joint_count, sizeof(*a.zero));
	if (!rest->t_positions || !a.zero) {
		free(a.zero);
		jc_rest_pose_finish(rest);
		return JC_ERROR_MEMORY;
	}
	jc_bvh_zero_positions(bvh, a.zero);
	measure_orientation(&a);
	for (bone = 0; bone < JC_BONE_COUNT; bone++) {
		rest->corrections[bone] = JC_QUAT_IDENTITY;
		if (bones[bone] >= 0) {
			correct_bone(&a, (enum jc_bone)bone);
		}
	}
	place_t_pose(&a);
	free(a.zero);
	return JC_OK;
}

void jc_rest_pose_finish(struct jc_rest_pose *rest)
{
	free(rest->t_positions);
	rest->t_positions = NULL;
}
