/* Recognises figures that exporters made of BVH or Mixamo skeletons and kept their joint names. */
#include "hanim_recognition.h"

#include <stdlib.h>

#include "jointcast_private/recognition.h"

int jc_hanim_recognition_apply(struct jc_hanim *hanim, struct jc_lint *lint)
{
	size_t count = hanim->joint_count;
	const char **names = calloc(count + 1, sizeof(*names));
	int *parents = calloc(count + 1, sizeof(*parents));
	struct jc_joint_tree tree = {
		.count = count, .joint_count = count, .names = names, .parents = parents
	};
	struct jc_recognition recognition;
	int error = names && parents ? JC_OK : JC_ERROR_MEMORY;

	for (size_t i = 0; !error && i < count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		names[i] = *joint->name ? joint->name : joint->node->def;
		parents[i] = joint->parent;
	}
	if (!error) {
		error = jc_recognize_names(&tree, &recognition, NULL);
	}
	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		if (recognition.bones[b] >= 0) {
			struct jc_hanim_joint *joint = &hanim->joints[recognition.bones[b]];

			joint->bone = (enum jc_bone)b;
			hanim->bones[b] = joint->skeleton_node;
		}
	}
	if (!error) {
		jc_lint_add(lint, JC_WARNING, "hanim-names",
			"the joints do not have the names of H-Anim: their bones follow from the "
			"names of family '%s'",
			recognition.family);
	}
	free(parents);
	free(names);
	return error;
}
