/* Reports problems of how a figure stands: against the T-pose, the axes, the floor and
 * human size. jc_posture_measure makes the measurements; this file decides which become
 * findings. */
#include <math.h>
#include <stdlib.h>

#include "jointcast_private/posture.h"
#include "skeleton_lint.h"

#define DEGREES 57.29577951

/* Parts of a body that are corrected together. */
static const struct part {
	const char *code, *name;
	enum jc_bone first, last; /* left or middle bones; also stands for the right ones */
} parts[] = {
	{ "rest-trunk", "bones of the trunk", JC_BONE_HIPS, JC_BONE_NECK },
	{ "rest-shoulders", "shoulders", JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_SHOULDER },
	{ "rest-arms", "arms", JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM },
	{ "rest-hands", "hands", JC_BONE_LEFT_HAND, JC_BONE_LEFT_HAND },
	{ "rest-legs", "legs", JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG },
	{ "rest-feet", "feet", JC_BONE_LEFT_FOOT, JC_BONE_LEFT_FOOT },
	{ "rest-thumbs", "thumbs", JC_BONE_LEFT_THUMB_METACARPAL, JC_BONE_LEFT_THUMB_DISTAL },
	{ "rest-fingers", "fingers", JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_LITTLE_DISTAL },
};

static bool is_of_part(const struct part *part, enum jc_bone bone)
{
	enum jc_bone mirror = jc_bone_mirror(bone);

	return (bone >= part->first && bone <= part->last) ||
	       (mirror >= part->first && mirror <= part->last);
}

/* Reports parts of the body whose rest differs from the T-pose, from which motions start. */
static void lint_parts(
	const struct jc_skeleton *skeleton, const struct jc_posture *posture, struct jc_lint *lint)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		enum jc_bone worst = JC_BONE_NONE;
		struct jc_skeleton_lint_bones off = { .count = 0 };

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			const struct jc_bone_posture *bone = &posture->bones[b];

			if (!is_of_part(&parts[i], (enum jc_bone)b) || !bone->has_direction ||
				bone->t_angle <= bone->tolerance) {
				continue;
			}
			jc_skeleton_lint_add_bone(&off, (enum jc_bone)b);
			if (worst == JC_BONE_NONE ||
				bone->t_angle > posture->bones[worst].t_angle) {
				worst = (enum jc_bone)b;
			}
		}
		if (off.count) {
			jc_lint_add_at(lint, JC_WARNING, parts[i].code, worst,
				jc_skeleton_bone_node(skeleton, worst),
				"the %s are off the T-pose, %s by %.1f degrees: %s", parts[i].name,
				jc_bone_name(worst),
				(double)posture->bones[worst].t_angle * DEGREES, off.text);
		}
	}
}

/* Reports a rest pose that differs from the T-pose and is corrected to it. */
static void lint_kind(
	const struct jc_skeleton *skeleton, const struct jc_posture *posture, struct jc_lint *lint)
{
	enum jc_bone worst = JC_BONE_NONE;
	size_t count = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const struct jc_bone_posture *bone = &posture->bones[b];

		if (bone->has_direction && bone->rest_angle > bone->tolerance &&
			bone->t_angle <= bone->tolerance) {
			count++;
			if (worst == JC_BONE_NONE ||
				bone->rest_angle > posture->bones[worst].rest_angle) {
				worst = (enum jc_bone)b;
			}
		}
	}
	if (count) {
		jc_lint_add_at(lint, JC_NOTE, "rest-pose", worst,
			jc_skeleton_bone_node(skeleton, worst),
			"the rest pose is of kind '%s', with the arms %.0f degrees below level; "
			"%zu bones are corrected to the T-pose, %s the most, by %.1f degrees",
			jc_rest_kind_name(posture->kind), (double)posture->arm_angle * DEGREES,
			count, jc_bone_name(worst),
			(double)posture->bones[worst].rest_angle * DEGREES);
	}
}

/* Reports hands whose palms do not face the ground, though they point sideways. */
static void lint_palms(
	const struct jc_skeleton *skeleton, const struct jc_posture *posture, struct jc_lint *lint)
{
	static const enum jc_bone hands[] = { JC_BONE_LEFT_HAND, JC_BONE_RIGHT_HAND };

	for (size_t i = 0; i < 2; i++) {
		if (posture->palm_angles[i] > JC_POSTURE_PALM_TOLERANCE) {
			jc_lint_add_at(lint, JC_WARNING, "rest-palms", hands[i],
				jc_skeleton_bone_node(skeleton, hands[i]),
				"the palm of %s is turned by %.1f degrees away from the ground",
				jc_bone_name(hands[i]), (double)posture->palm_angles[i] * DEGREES);
		}
	}
}

/* Only EXT_skeleton_humanoid demands axes; its animations fit only figures with the same
 * axes. */
static void lint_axes(
	const struct jc_skeleton *skeleton, const struct jc_posture *posture, struct jc_lint *lint)
{
	enum jc_bone worst = JC_BONE_NONE;
	float most = JC_POSTURE_AXIS_TOLERANCE;
	size_t count = 0, mapped = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const struct jc_bone_posture *bone = &posture->bones[b];
		float angle = fmaxf(bone->axis_angle, bone->roll_angle);

		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) < 0) {
			continue;
		}
		mapped++;
		count += angle > JC_POSTURE_AXIS_TOLERANCE;
		if (angle > most) {
			most = angle;
			worst = (enum jc_bone)b;
		}
	}
	if (count) {
		jc_lint_add_at(lint,
			jc_skeleton_format(skeleton) == JC_SKELETON_EXT ? JC_WARNING : JC_NOTE,
			"bone-axes", worst, jc_skeleton_bone_node(skeleton, worst),
			"%zu of %zu bones do not have their +Y axis along the bone and their +X "
			"axis as bend axis; the worst is %s: +Y differs by %.1f degrees, +X by "
			"%.1f",
			count, mapped, jc_bone_name(worst),
			(double)posture->bones[worst].axis_angle * DEGREES,
			(double)posture->bones[worst].roll_angle * DEGREES);
	}
}

static void lint_facing(const struct jc_posture *posture, struct jc_lint *lint)
{
	const double far = 15.0;
	double turn = (double)posture->format_turn * DEGREES;
	double tilt = (double)posture->format_tilt * DEGREES;

	if (!posture->has_facing) {
		return;
	}
	if (posture->is_swapped) {
		jc_lint_add(lint, JC_WARNING, "left-right",
			"left and right are swapped: by the names of its limbs it would face the "
			"other way than feet, eyes and jaw do");
	} else if (fabs(turn) > far) {
		jc_lint_add(lint, JC_WARNING, "facing",
			"is turned by %.1f degrees about the vertical from the facing of its "
			"format",
			turn);
	}
	if (tilt > far) {
		jc_lint_add(lint, JC_WARNING, "tilted", "leans by %.1f degrees from the vertical",
			tilt);
	}
}

static void lint_size(const struct jc_posture *posture, struct jc_lint *lint)
{
	double height = (double)posture->head_height;

	if (height > 0.0 && (height < 0.3 || height > 4.0)) {
		jc_lint_add(lint, JC_WARNING, "size",
			"the head joint is %.4g m above the feet; for an adult that is about 1.5 m",
			height);
	} else if (height > 0.0 && (height < 1.0 || height > 2.0)) {
		jc_lint_add(lint, JC_NOTE, "size",
			"the head joint is %.2f m above the feet; for an adult that is about 1.5 m",
			height);
	}
}

static void lint_place(
	const struct jc_skeleton *skeleton, const struct jc_posture *posture, struct jc_lint *lint)
{
	double hips_height = (double)jc_skeleton_hips_height(skeleton);
	double level = (double)posture->feet_level;
	double aside = hypot((double)posture->hips.x, (double)posture->hips.z);

	if (posture->has_feet && fabs(level) > 0.2 * hips_height) {
		jc_lint_add(lint, JC_WARNING, "ground",
			"the feet are %.2f m %s y = 0, where the ground is expected", fabs(level),
			level > 0.0 ? "over" : "below");
	}
	if (jc_skeleton_bone_node(skeleton, JC_BONE_HIPS) >= 0 && aside > 0.2 * hips_height) {
		jc_lint_add_at(lint, JC_NOTE, "off-centre", JC_BONE_HIPS,
			jc_skeleton_bone_node(skeleton, JC_BONE_HIPS),
			"the hips are %.2f m away from the origin", aside);
	}
}

int jc_rest_lint(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	struct jc_posture posture;
	int error = jc_posture_measure(skeleton, &posture);

	if (error) {
		return error;
	}
	lint_kind(skeleton, &posture, lint);
	lint_parts(skeleton, &posture, lint);
	lint_palms(skeleton, &posture, lint);
	lint_axes(skeleton, &posture, lint);
	lint_facing(&posture, lint);
	lint_size(&posture, lint);
	lint_place(skeleton, &posture, lint);
	return JC_OK;
}
