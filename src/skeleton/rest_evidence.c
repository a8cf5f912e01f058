/* Measures the rest of bones by fingers, by hinges and by the motion. */
#include "rest_evidence.h"

#include <math.h>

#include "jointcast/transform.h"
#include "rest_direction.h"

#define DEGREES 0.01745329252f
#define QUARTER (90.0f * DEGREES)

#define PALM_TOLERANCE (30.0f * DEGREES)

/* A clip shows a hinge axis if the mean sine of the bend exceeds the first value (about
 * nine degrees), and this share of it is about one axis. */
#define LEAST_BEND      0.15f
#define LEAST_AGREEMENT 0.8f

/* A hinge shows the roll of a limb, a twist suggests it. A roll is certain if this much shows it,
 * and it is nearer to a quarter turn than this. */
#define HINGE_WEIGHT 2.0f
#define LEAST_SHARE  0.2f
#define MOST_ASKEW   (35.0f * DEGREES)

static const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };
static const struct jc_vec3 down = { 0.0f, -1.0f, 0.0f };

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

struct jc_quat jc_rest_evidence_palm(
	const struct jc_rest_figure *figure, enum jc_bone hand, struct jc_quat k)
{
	enum jc_bone index =
		jc_bone_is_right(hand) ? JC_BONE_RIGHT_INDEX_PROXIMAL : JC_BONE_LEFT_INDEX_PROXIMAL;
	enum jc_bone little = jc_bone_is_right(hand) ? JC_BONE_RIGHT_LITTLE_PROXIMAL
						     : JC_BONE_LEFT_LITTLE_PROXIMAL;
	struct jc_vec3 across =
		jc_rest_direction_between(figure->tree, figure->bones, little, index);
	float roll;

	across = jc_quat_rotate(k, jc_quat_rotate(figure->orientation, across));
	roll = roll_between(left, across, front);
	if (fabsf(roll) < PALM_TOLERANCE) {
		return JC_QUAT_IDENTITY;
	}
	return jc_quat_from_axis_angle(left, roll);
}

/* Evidence of a roll: the sine and cosine of its angle, scaled by how much it counts. */
struct evidence {
	float sine, cosine;
};

/* Angle and strength of the bend of a limb about its hinge; false if the limb is incomplete or not
 * measured. */
static bool find_hinge(const struct jc_rest_figure *figure, enum jc_bone upper, struct jc_vec3 axis,
	struct jc_quat k, struct evidence *out_evidence, float *out_bend)
{
	const struct jc_rest_evidence *evidence = figure->evidence;
	bool is_leg = jc_bone_left_of(upper) == JC_BONE_LEFT_UPPER_LEG;
	struct jc_vec3 expected = is_leg ? left : jc_bone_is_right(upper) ? up : down;
	struct jc_vec3 hinge;
	int joints[3];

	for (int i = 0; i < 3; i++) {
		joints[i] = figure->bones[upper + i];
	}
	if (!evidence || joints[0] < 0 || joints[1] < 0 || joints[2] < 0 ||
		!evidence->find_hinge(
			evidence->context, joints[0], joints[1], joints[2], &hinge, out_bend)) {
		return false;
	}
	hinge = jc_quat_rotate(k, jc_quat_rotate(figure->orientation, hinge));
	float roll = roll_between(axis, hinge, expected);
	float length = jc_vec3_length(hinge);

	*out_evidence = (struct evidence){ length * sinf(roll), length * cosf(roll) };
	return true;
}

static struct jc_quat quarters(struct jc_vec3 axis, struct evidence evidence)
{
	float roll = atan2f(evidence.sine, evidence.cosine);

	return jc_quat_from_axis_angle(axis, roundf(roll / QUARTER) * QUARTER);
}

struct jc_quat jc_rest_evidence_hinge(const struct jc_rest_figure *figure, enum jc_bone upper,
	struct jc_vec3 axis, struct jc_quat k)
{
	struct evidence hinge;
	float bend;

	if (!find_hinge(figure, upper, axis, k, &hinge, &bend) || bend < LEAST_BEND ||
		hypotf(hinge.sine, hinge.cosine) < LEAST_AGREEMENT * bend) {
		return JC_QUAT_IDENTITY;
	}
	return quarters(axis, hinge);
}

bool jc_rest_evidence_mean(const struct jc_rest_figure *figure, const struct jc_rest_joint *bone,
	struct jc_quat *out_mean)
{
	const struct jc_rest_evidence *evidence = figure->evidence;
	struct jc_quat o = figure->orientation;
	struct jc_quat mean;

	if (!evidence || !evidence->find_mean(evidence->context, figure->bones[bone->above],
				 figure->bones[bone->bone], &mean)) {
		return false;
	}
	mean = jc_quat_multiply(jc_quat_multiply(o, mean), jc_quat_conjugate(o));
	*out_mean = jc_quat_multiply(bone->k_above, mean);
	return true;
}

/* The twist of the mean rotation of a bone relative to the bone above it. */
static bool find_twist(const struct jc_rest_figure *figure, const struct jc_rest_joint *bone,
	struct evidence *out_evidence)
{
	struct jc_quat mean;

	if (!jc_rest_evidence_mean(figure, bone, &mean)) {
		return false;
	}
	mean = jc_quat_multiply(mean, jc_quat_conjugate(bone->k));
	float along = jc_vec3_dot((struct jc_vec3){ mean.x, mean.y, mean.z }, bone->axis);

	*out_evidence = (struct evidence){ 2.0f * along * mean.w, mean.w * mean.w - along * along };
	return true;
}

bool jc_rest_evidence_relaxed(const struct jc_rest_figure *figure, const struct jc_rest_joint *bone,
	struct jc_quat *out_k)
{
	struct jc_quat mean;

	if (!figure->evidence || !figure->evidence->shows_thumbs ||
		!jc_rest_evidence_mean(figure, bone, &mean)) {
		return false;
	}
	*out_k = jc_quat_normalize(mean);
	return true;
}

struct jc_quat jc_rest_evidence_align(
	const struct jc_rest_figure *figure, const struct jc_rest_joint *bone)
{
	struct jc_quat mean;

	if (!jc_rest_evidence_mean(figure, bone, &mean)) {
		return bone->k_above;
	}
	mean = jc_quat_normalize(jc_quat_multiply(mean, jc_quat_conjugate(bone->k_above)));
	struct jc_vec3 y = jc_rest_direction_axis(jc_quat_rotate(mean, up));
	struct jc_vec3 x = jc_quat_rotate(mean, left);

	x = jc_rest_direction_axis(jc_vec3_subtract(x, jc_vec3_scale(y, jc_vec3_dot(x, y))));
	return jc_quat_multiply(jc_quat_from_axes(x, y, jc_vec3_cross(x, y)), bone->k_above);
}

struct jc_quat jc_rest_evidence_roll(
	const struct jc_rest_figure *figure, const struct jc_rest_joint *bone, bool *out_is_certain)
{
	enum jc_bone left_bone = jc_bone_left_of(bone->bone);
	struct evidence sum, hinge;
	float bend;

	*out_is_certain = false;
	if (!find_twist(figure, bone, &sum)) {
		return JC_QUAT_IDENTITY;
	}
	if ((left_bone == JC_BONE_LEFT_UPPER_ARM || left_bone == JC_BONE_LEFT_UPPER_LEG) &&
		find_hinge(figure, bone->bone, bone->axis, bone->k, &hinge, &bend)) {
		sum.sine += HINGE_WEIGHT * hinge.sine;
		sum.cosine += HINGE_WEIGHT * hinge.cosine;
	}
	float roll = atan2f(sum.sine, sum.cosine);

	*out_is_certain = hypotf(sum.sine, sum.cosine) > LEAST_SHARE;
	if (!bone->is_aligned) {
		return jc_quat_from_axis_angle(bone->axis, roll);
	}
	*out_is_certain = *out_is_certain && fabsf(remainderf(roll, QUARTER)) < MOST_ASKEW;
	return quarters(bone->axis, sum);
}
