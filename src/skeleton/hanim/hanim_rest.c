/* Computes corrections from the I-pose of H-Anim to the T-pose. Arms turn by a right
 * angle about the front axis, then by the shortest arc to the horizontal, because no
 * figure's arms hang exactly straight (the upper arm of the standard figure is 5.6
 * degrees off). The shortest arc does not change the roll. Legs and trunk are already in
 * the T-pose and are not measured: the shin of the standard figure leans 14 degrees by
 * design. */
#include "hanim_skeleton.h"

#include "jointcast/transform.h"

static bool find_center(const struct jc_hanim *hanim, enum jc_bone bone, struct jc_vec3 *out_center)
{
	int node = hanim->bones[bone];

	if (node < 1) {
		return false;
	}
	*out_center = hanim->joints[node - 1].center;
	return true;
}

/* Direction of a bone at rest; false if nothing shows it. */
static bool measure(const struct jc_hanim *hanim, enum jc_bone from, enum jc_bone to,
	struct jc_vec3 *out_direction)
{
	const float least = 1e-6f;
	struct jc_vec3 start, end;

	if (!find_center(hanim, from, &start) || !find_center(hanim, to, &end)) {
		return false;
	}
	*out_direction = jc_vec3_subtract(end, start);
	return jc_vec3_length(*out_direction) > least;
}

/* Left arm bones and the bones that they point at; the right ones are mirrored. */
struct aim {
	enum jc_bone bone, target;
};

static const struct aim arm[] = {
	{ JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM },
	{ JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_HAND },
	{ JC_BONE_LEFT_HAND, JC_BONE_LEFT_MIDDLE_PROXIMAL },
	{ JC_BONE_LEFT_HAND, JC_BONE_LEFT_RING_PROXIMAL },
	{ JC_BONE_LEFT_HAND, JC_BONE_LEFT_INDEX_PROXIMAL },
	{ JC_BONE_LEFT_HAND, JC_BONE_LEFT_LITTLE_PROXIMAL },
};

static const struct aim thumb[] = {
	{ JC_BONE_LEFT_THUMB_METACARPAL, JC_BONE_LEFT_THUMB_PROXIMAL },
	{ JC_BONE_LEFT_THUMB_PROXIMAL, JC_BONE_LEFT_THUMB_DISTAL },
};

static enum jc_bone on_side(enum jc_bone left, bool is_left)
{
	return is_left ? left : jc_bone_mirror(left);
}

/* A figure may violate the rule and rest with its arms out; then they are not turned by
 * the right angle. */
static bool arms_hang(const struct jc_hanim *hanim, bool is_left)
{
	const float half_right_angle = 0.70710678f;
	struct jc_vec3 direction;

	for (size_t i = 0; i < 2; i++) {
		if (measure(hanim, on_side(arm[i].bone, is_left), on_side(arm[i].target, is_left),
			    &direction)) {
			return -direction.y >= half_right_angle * jc_vec3_length(direction);
		}
	}
	return true;
}

/* The turn, then the remaining rotation from the turned direction to the goal. */
static struct jc_quat aim_at(struct jc_quat turn, struct jc_vec3 direction, struct jc_vec3 goal)
{
	const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };

	return jc_quat_multiply(jc_quat_between(jc_quat_rotate(turn, direction), goal, up), turn);
}

static void correct_thumb(struct jc_hanim *hanim, bool is_left, struct jc_quat turn)
{
	const struct jc_vec3 goal = { is_left ? 1.0f : -1.0f, 0.0f, 1.0f };
	struct jc_quat last = turn;
	struct jc_vec3 direction;

	for (size_t i = 0; i < 2; i++) {
		enum jc_bone bone = on_side(thumb[i].bone, is_left);

		if (measure(hanim, bone, on_side(thumb[i].target, is_left), &direction)) {
			last = aim_at(turn, direction, goal);
		}
		hanim->corrections[bone] = last;
	}
	/* The tip of the thumb is unknown: the last bone follows the one before it. */
	hanim->corrections[on_side(JC_BONE_LEFT_THUMB_DISTAL, is_left)] = last;
}

static void correct_arm(struct jc_hanim *hanim, bool is_left)
{
	const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };
	const struct jc_vec3 side = { is_left ? 1.0f : -1.0f, 0.0f, 0.0f };
	const float right_angle = 1.57079633f;
	struct jc_quat turn = JC_QUAT_IDENTITY;
	bool hand_aimed = false;

	if (arms_hang(hanim, is_left)) {
		turn = jc_quat_from_axis_angle(front, is_left ? right_angle : -right_angle);
	}
	for (int b = JC_BONE_LEFT_UPPER_ARM; b <= JC_BONE_LEFT_HAND; b++) {
		hanim->corrections[on_side((enum jc_bone)b, is_left)] = turn;
	}
	for (int b = JC_BONE_LEFT_INDEX_PROXIMAL; b <= JC_BONE_LEFT_LITTLE_DISTAL; b++) {
		hanim->corrections[on_side((enum jc_bone)b, is_left)] = turn;
	}
	for (size_t i = 0; i < sizeof(arm) / sizeof(*arm); i++) {
		enum jc_bone bone = on_side(arm[i].bone, is_left);
		struct jc_vec3 direction;

		if ((arm[i].bone == JC_BONE_LEFT_HAND && hand_aimed) ||
			!measure(hanim, bone, on_side(arm[i].target, is_left), &direction)) {
			continue;
		}
		hand_aimed = arm[i].bone == JC_BONE_LEFT_HAND;
		hanim->corrections[bone] = aim_at(turn, direction, side);
	}
	correct_thumb(hanim, is_left, turn);
}

void jc_hanim_rest_correct(struct jc_hanim *hanim, struct jc_lint *lint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		hanim->corrections[b] = JC_QUAT_IDENTITY;
	}
	correct_arm(hanim, true);
	correct_arm(hanim, false);
	if (!arms_hang(hanim, true) || !arms_hang(hanim, false)) {
		jc_lint_add(lint, JC_WARNING, "hanim-rest",
			"the arms do not hang down at rest, as the default pose of H-Anim demands");
	}
}
