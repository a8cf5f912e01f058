/* Reports the channels of a clip that a motion does not use. */
#include "gltf_leftovers.h"

void jc_gltf_leftovers_lint(const struct jc_gltf_leftovers *left, struct jc_lint *lint)
{
	if (left->unmapped) {
		jc_lint_add(lint, JC_WARNING, "unmapped-bone",
			"%zu channels move bones that the skeleton of the file does not have, '%s' "
			"is the first; left out",
			left->unmapped, jc_bone_name(left->lacked));
	}
	if (left->not_portable) {
		jc_lint_add(lint, JC_WARNING, "not-portable",
			"%zu channels move or scale bones and are left out; only rotations, and "
			"translations of the hips, are used",
			left->not_portable);
	}
	if (left->others) {
		jc_lint_add(lint, JC_WARNING, "other-nodes",
			"%zu channels move nodes that are no bones; left out", left->others);
	}
}
