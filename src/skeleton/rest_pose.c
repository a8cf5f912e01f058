/* Computes corrections from any rest to the T-pose. K of a bone is K of the bone above,
 * followed by a residual rotation of the remaining error. The tolerated error depends on
 * the bone: a lean of the spine or of a foot is anatomy, while an arm in a T-pose points
 * sideways. */
#include "jointcast_private/rest_pose.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "rest_direction.h"
#include "rest_evidence.h"

#define DEGREES 0.01745329252f

static const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 down = { 0.0f, -1.0f, 0.0f };
static const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };

/* Direction errors that are not corrected. */
#define LIMB_TOLERANCE   (0.0f * DEGREES)
#define HAND_TOLERANCE   (25.0f * DEGREES)
#define THUMB_TOLERANCE  (80.0f * DEGREES)
#define BODY_TOLERANCE   (50.0f * DEGREES)
#define SQUARE_TOLERANCE (35.0f * DEGREES)

/* A foot is a stub within this angle of the vertical, unless the motion turns it so near to the
 * front, and level if the sine of its angle to the horizontal (three degrees) is smaller. */
#define STUB        (25.0f * DEGREES)
#define TURNED_FOOT (40.0f * DEGREES)
#define LEVEL       0.05f

/* From the T-pose to the mean of the motion. */
#define STRANGE_THUMB (60.0f * DEGREES)

/* Hips that the motion shows farther off the axes may be turned otherwise. */
#define ASKEW_HIPS (25.0f * DEGREES)

/* The rest of a limb with a larger error does not show its roll, and feet below such a
 * leg have no natural stance to keep. */
#define TURNED_LIMB (60.0f * DEGREES)
#define HALF_TURN   (150.0f * DEGREES)

/* Input and state of the analysis. */
struct analysis {
	struct jc_rest_figure figure;
	enum jc_bone *above; /* by joint: its bone, or the nearest bone above; owned */
	struct jc_rest_pose *rest;
	bool is_folded;              /* the motion, not the rest pose, shows the up of the hips */
	bool turned[JC_BONE_COUNT];  /* the limb of this bone had a large error */
	bool relaxed[JC_BONE_COUNT]; /* the thumb has its mean rotation */
};

static struct jc_vec3 mirror(struct jc_vec3 v)
{
	return (struct jc_vec3){ -v.x, v.y, v.z };
}

static struct jc_vec3 span(const struct analysis *a, enum jc_bone from, enum jc_bone to)
{
	return jc_rest_direction_between(a->figure.tree, a->figure.bones, from, to);
}

/* The nearest bone above the bone's joint; JC_BONE_NONE at the top. */
static enum jc_bone bone_above(const struct analysis *a, enum jc_bone bone)
{
	int parent = a->figure.tree->parents[a->figure.bones[bone]];

	return parent < 0 ? JC_BONE_NONE : a->above[parent];
}

static bool is_thumb(enum jc_bone left_bone)
{
	return left_bone >= JC_BONE_LEFT_THUMB_METACARPAL && left_bone <= JC_BONE_LEFT_THUMB_DISTAL;
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

static bool is_foot(enum jc_bone bone)
{
	enum jc_bone left_bone = jc_bone_left_of(bone);

	return left_bone == JC_BONE_LEFT_FOOT || left_bone == JC_BONE_LEFT_TOES;
}

/* The roll about its direction in the T-pose that a bone still lacks after its correction k. */
static struct jc_quat roll_of(
	struct analysis *a, enum jc_bone bone, struct jc_vec3 direction, struct jc_quat k)
{
	enum jc_bone above = bone_above(a, bone);
	bool is_certain = true;
	struct jc_quat roll = JC_QUAT_IDENTITY;

	direction = jc_vec3_normalize(direction);
	if (a->is_folded && above != JC_BONE_NONE) {
		roll = jc_rest_evidence_roll(&a->figure,
			&(struct jc_rest_joint){ above, bone, a->rest->corrections[above], k,
				direction, !is_foot(bone) },
			&is_certain);
	} else if (a->turned[bone] && limb_of(bone) != JC_BONE_NONE) {
		roll = jc_rest_evidence_hinge(&a->figure, limb_of(bone), direction, k);
	}
	a->rest->has_uncertain_turns |= !is_certain;
	return roll;
}

/* Direction of a bone in the rest pose, canonical axes. Toes of a folded figure are straight, so
 * their tip does not show the direction of the foot. */
static struct jc_vec3 rest_direction(const struct analysis *a, enum jc_bone bone)
{
	struct jc_vec3 d = { 0.0f, 0.0f, 0.0f };

	if (a->is_folded && jc_bone_left_of(bone) == JC_BONE_LEFT_FOOT) {
		d = span(a, bone, (enum jc_bone)(bone + 1));
	}
	if (jc_rest_direction_is_zero(d)) {
		d = jc_rest_direction_of(a->figure.tree, a->figure.bones, bone);
	}
	return jc_quat_rotate(a->figure.orientation, d);
}

/* Correction of a bone without a direction, after the correction k of the bone above. */
static struct jc_quat align(const struct analysis *a, enum jc_bone bone, struct jc_quat k)
{
	enum jc_bone above = bone_above(a, bone);

	return above == JC_BONE_NONE
		       ? k
		       : jc_rest_evidence_align(
				 &a->figure, &(struct jc_rest_joint){
						     .above = above, .bone = bone, .k_above = k });
}

/* Whether the motion turns a foot forward that points down at rest. */
static bool is_turned_up(const struct analysis *a, enum jc_bone foot)
{
	enum jc_bone above = bone_above(a, foot);
	struct jc_quat mean;

	return above != JC_BONE_NONE &&
	       jc_rest_evidence_mean(&a->figure,
		       &(struct jc_rest_joint){ .above = above,
			       .bone = foot,
			       .k_above = a->rest->corrections[above] },
		       &mean) &&
	       jc_vec3_angle(jc_quat_rotate(jc_quat_normalize(mean), rest_direction(a, foot)),
		       front) < TURNED_FOOT;
}

/* A foot whose only tip is straight below the ankle, on the floor: its direction is unknown. */
static bool is_stub(const struct analysis *a, enum jc_bone foot, struct jc_vec3 d)
{
	return !a->is_folded && jc_bone_left_of(foot) == JC_BONE_LEFT_FOOT &&
	       a->figure.bones[foot + 1] < 0 && jc_vec3_angle(d, down) < STUB &&
	       !is_turned_up(a, foot);
}

/* A foot with toes that is level in the zero pose of a motion: then the ankle would be on the
 * floor. The rest pose of a model has flat feet whatever their direction. */
static bool is_level(const struct analysis *a, enum jc_bone foot, struct jc_vec3 d)
{
	return a->figure.evidence && jc_bone_left_of(foot) == JC_BONE_LEFT_FOOT &&
	       a->figure.bones[foot + 1] >= 0 && fabsf(jc_vec3_normalize(d).y) < LEVEL;
}

/* Correction of a bone after the correction k of the bone above, by its direction. */
static struct jc_quat direct(struct analysis *a, enum jc_bone bone, struct jc_quat k)
{
	struct jc_vec3 d = rest_direction(a, bone);
	struct jc_vec3 wanted = jc_rest_direction_in_t_pose(jc_bone_left_of(bone));
	float tolerance = tolerance_of(jc_bone_left_of(bone));

	if (jc_rest_direction_is_zero(wanted) || jc_rest_direction_is_zero(d)) {
		return a->is_folded ? align(a, bone, k) : k;
	}
	wanted = jc_bone_is_right(bone) ? mirror(wanted) : wanted;
	if (limb_of(bone) != JC_BONE_NONE) {
		a->turned[bone] = jc_vec3_angle(d, wanted) > TURNED_LIMB;
	}
	d = jc_quat_rotate(k, d);
	if (is_stub(a, bone, d)) {
		return k;
	}
	if (is_foot(bone) && (a->turned[bone] || a->is_folded || is_level(a, bone, d))) {
		tolerance = LIMB_TOLERANCE;
	}
	if (jc_vec3_angle(d, wanted) > tolerance) {
		k = jc_quat_multiply(swing(d, wanted), k);
	}
	return jc_quat_multiply(roll_of(a, bone, wanted, k), k);
}

/* Correction k of a lower leg without its turn about the lateral axis. A leg that stands with bent
 * knees is straightened, and its foot stays on the floor. */
static struct jc_quat keep_level(struct jc_quat k)
{
	return jc_quat_multiply(jc_quat_from_axis_angle(left, -2.0f * atan2f(k.x, k.w)), k);
}

/* Gives a thumb its mean rotation, unless a T-pose shows it: one that is far from the mean was not
 * measured. All bones of a thumb are treated alike. */
static bool relax_thumb(struct analysis *a, enum jc_bone bone, struct jc_quat *k)
{
	enum jc_bone above = bone_above(a, bone);
	struct jc_quat mean;

	if (!is_thumb(jc_bone_left_of(bone)) || above == JC_BONE_NONE ||
		!jc_rest_evidence_relaxed(&a->figure,
			&(struct jc_rest_joint){ .above = above, .bone = bone, .k_above = *k },
			&mean)) {
		return false;
	}
	a->relaxed[bone] =
		a->is_folded || a->relaxed[above] || jc_quat_angle(mean, *k) > STRANGE_THUMB;
	if (a->relaxed[bone]) {
		*k = mean;
	}
	return a->relaxed[bone];
}

static void correct_bone(struct analysis *a, enum jc_bone bone)
{
	enum jc_bone above = bone_above(a, bone);
	enum jc_bone left_bone = jc_bone_left_of(bone);
	struct jc_quat k = above == JC_BONE_NONE ? JC_QUAT_IDENTITY : a->rest->corrections[above];

	a->turned[bone] = above != JC_BONE_NONE && a->turned[above];
	if (left_bone == JC_BONE_LEFT_FOOT && !a->turned[bone] && !a->is_folded) {
		k = keep_level(k);
	}
	if (!relax_thumb(a, bone, &k)) {
		k = direct(a, bone, k);
	}
	if (left_bone == JC_BONE_LEFT_HAND) {
		k = jc_quat_multiply(jc_rest_evidence_palm(&a->figure, bone, k), k);
	}
	a->rest->corrections[bone] = jc_quat_normalize(k);
}

static struct jc_vec3 measure_up(const struct analysis *a)
{
	static const enum jc_bone tops[] = { JC_BONE_HEAD, JC_BONE_NECK, JC_BONE_UPPER_CHEST,
		JC_BONE_CHEST, JC_BONE_SPINE };
	struct jc_vec3 v;
	size_t i;

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
	struct jc_vec3 v = jc_vec3_add(legs, arms);

	for (size_t i = 0; jc_rest_direction_is_zero(v) && i < sizeof(sides) / sizeof(*sides);
		i++) {
		v = span(a, jc_bone_mirror(sides[i]), sides[i]);
	}
	return v;
}

static void measure_orientation(struct analysis *a)
{
	struct jc_rest_pose *rest = a->rest;
	const struct jc_rest_evidence *evidence = a->figure.evidence;
	struct jc_vec3 x, y, y_axis, x_axis;

	a->is_folded = evidence && evidence->find_hips(evidence->context, &y, &x);
	if (!a->is_folded) {
		x = measure_left(a);
		y = measure_up(a);
	}
	y = jc_vec3_normalize(y);
	x = jc_vec3_normalize(jc_vec3_subtract(x, jc_vec3_scale(y, jc_vec3_dot(x, y))));
	rest->orientation = JC_QUAT_IDENTITY;
	rest->is_square = true;
	rest->is_measurable = !jc_rest_direction_is_zero(x) && !jc_rest_direction_is_zero(y);
	if (!rest->is_measurable) {
		return;
	}
	y_axis = jc_rest_direction_axis(y);
	x_axis = jc_rest_direction_axis(x);
	rest->is_square = jc_vec3_angle(y, y_axis) < SQUARE_TOLERANCE &&
			  jc_vec3_angle(x, x_axis) < SQUARE_TOLERANCE &&
			  fabsf(jc_vec3_dot(x_axis, y_axis)) < 0.5f;
	rest->has_uncertain_turns = a->is_folded && (jc_vec3_angle(y, y_axis) > ASKEW_HIPS ||
							    jc_vec3_angle(x, x_axis) > ASKEW_HIPS);
	if (rest->is_square) {
		x = x_axis;
		y = y_axis;
	}
	rest->orientation = jc_quat_conjugate(jc_quat_from_axes(x, y, jc_vec3_cross(x, y)));
}

/* Joints between bones turn with the bone above them. */
static void place_t_pose(const struct analysis *a)
{
	const struct jc_joint_tree *tree = a->figure.tree;
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
	hips = rest->t_positions[a->figure.bones[JC_BONE_HIPS]];
	for (size_t i = 0; i < tree->count; i++) {
		rest->t_positions[i] = jc_vec3_subtract(rest->t_positions[i], hips);
	}
}

static void find_bones_above(const struct analysis *a)
{
	for (size_t i = 0; i < a->figure.tree->count; i++) {
		a->above[i] = JC_BONE_NONE;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (a->figure.bones[b] >= 0) {
			a->above[a->figure.bones[b]] = (enum jc_bone)b;
		}
	}
	for (size_t i = 0; i < a->figure.tree->count; i++) {
		if (a->above[i] == JC_BONE_NONE && a->figure.tree->parents[i] >= 0) {
			a->above[i] = a->above[a->figure.tree->parents[i]];
		}
	}
}

int jc_rest_pose_init(struct jc_rest_pose *rest, const struct jc_joint_tree *tree, const int *bones,
	const struct jc_rest_evidence *evidence)
{
	struct analysis a = { .figure = { tree, bones, evidence, JC_QUAT_IDENTITY }, .rest = rest };

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
	a.figure.orientation = rest->orientation;
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
