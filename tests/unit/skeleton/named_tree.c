/* Builds joint trees from names; see named_tree.h. */
#include "named_tree.h"

#include <stdbool.h>
#include <string.h>

#include "unit_test.h"

void named_tree_add(struct named_tree *tree, const char *name, int parent)
{
	tree->names[tree->count] = name;
	tree->parents[tree->count] = parent;
	tree->count++;
}

int named_tree_joint(const struct named_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->count; i++) {
		if (strcmp(tree->names[i], name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

void named_tree_recognize(struct named_tree *tree)
{
	const struct jc_joint_tree joints = { .count = tree->count,
		.joint_count = tree->count,
		.names = tree->names,
		.parents = tree->parents };
	struct jc_recognition recognition;
	bool is_humanoid = jc_recognize(&joints, &recognition, NULL) == JC_OK;

	memcpy(tree->bones, recognition.bones, sizeof(tree->bones));
	tree->family = recognition.family;
	tree->found = is_humanoid ? recognition.bone_count : 0;
	tree->confidence = recognition.confidence;
}

void named_tree_build(struct named_tree *tree, const char *const (*pairs)[2])
{
	memset(tree, 0, sizeof(*tree));
	for (; (*pairs)[0]; pairs++) {
		named_tree_add(
			tree, (*pairs)[0], (*pairs)[1] ? named_tree_joint(tree, (*pairs)[1]) : -1);
	}
	named_tree_recognize(tree);
}

void named_tree_assert_bone(const struct named_tree *tree, enum jc_bone bone, const char *name)
{
	int found = tree->bones[bone];

	if (strcmp(found < 0 ? "" : tree->names[found], name) != 0) {
		fail_msg("%s is '%s', not '%s'", jc_bone_name(bone),
			found < 0 ? "" : tree->names[found], name);
	}
}
