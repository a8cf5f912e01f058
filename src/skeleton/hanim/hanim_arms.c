/* Finds arms below the wrong joint, and arms beside the spine. */
#include "hanim_arms.h"

static int find_joint(const struct jc_hanim *hanim, enum jc_bone bone)
{
	for (size_t i = 0; hanim->bones[bone] >= 0 && i < hanim->joint_count; i++) {
		if (hanim->joints[i].bone == bone) {
			return (int)i;
		}
	}
	return -1;
}

bool jc_hanim_arms_are_below(const struct jc_hanim *hanim, const struct jc_hanim_joint *joint)
{
	static const enum jc_bone arms[] = { JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_UPPER_ARM,
		JC_BONE_RIGHT_SHOULDER, JC_BONE_RIGHT_UPPER_ARM };

	for (size_t i = 0; i < sizeof(arms) / sizeof(*arms); i++) {
		int above = find_joint(hanim, arms[i]);

		while (above >= 0 && &hanim->joints[above] != joint) {
			above = hanim->joints[above].parent;
		}
		if (above >= 0) {
			return true;
		}
	}
	return false;
}

void jc_hanim_arms_free_head(struct jc_hanim *hanim, struct jc_lint *lint)
{
	int head = find_joint(hanim, JC_BONE_HEAD);

	if (head >= 0 && jc_hanim_arms_are_below(hanim, &hanim->joints[head])) {
		jc_lint_add(lint, JC_WARNING, "hanim-head",
			"line %u: '%s' carries the arms: not used as the head",
			hanim->joints[head].node->line, hanim->joints[head].name);
		hanim->joints[head].bone = JC_BONE_NONE;
		hanim->bones[JC_BONE_HEAD] = -1;
	}
}

static void lint_arm(const struct jc_hanim *hanim, enum jc_bone upper_arm, struct jc_lint *lint)
{
	int arm = find_joint(hanim, upper_arm);
	int spine = find_joint(hanim, JC_BONE_SPINE);
	int joint = arm < 0 ? -1 : hanim->joints[arm].parent;

	while (joint >= 0 && hanim->joints[joint].vertebra < 0) {
		joint = hanim->joints[joint].parent;
	}
	if (arm >= 0 && spine >= 0 && joint < 0) {
		jc_lint_add(lint, JC_WARNING, "hanim-arm",
			"line %u: '%s' is beside the spine: it does not follow when the trunk "
			"bends",
			hanim->joints[arm].node->line, hanim->joints[arm].name);
	}
}

void jc_hanim_arms_lint(const struct jc_hanim *hanim, struct jc_lint *lint)
{
	lint_arm(hanim, JC_BONE_LEFT_UPPER_ARM, lint);
	lint_arm(hanim, JC_BONE_RIGHT_UPPER_ARM, lint);
}
