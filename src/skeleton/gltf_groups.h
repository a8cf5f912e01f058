/* The parts of a glTF file's node forest in which a body may be. */
#ifndef JC_SKELETON_GLTF_GROUPS_H
#define JC_SKELETON_GLTF_GROUPS_H

#include <stdbool.h>

#include "jointcast/gltf.h"
#include "jointcast/recognition.h"

struct jc_gltf_groups {
	const struct jc_gltf *gltf;
	size_t node_count;
	int *parents, *order; /* owned, by node; parents first */
	int *groups;          /* owned, by node: a number below count, or -1 */
	size_t count;
	bool are_skins; /* else trees of nodes */
};

/* One group for all skins whose joints hang together: the joints and what stands
 * between them. In the order of the skins. */
int jc_gltf_groups_init_skins(struct jc_gltf_groups *groups, const struct jc_gltf *gltf);

/* One group for every root node: all that is below it. */
int jc_gltf_groups_init_trees(struct jc_gltf_groups *groups, const struct jc_gltf *gltf);
void jc_gltf_groups_finish(struct jc_gltf_groups *groups);

/* A group as a tree; nodes without a mesh that end a joint are its tips. */
struct jc_gltf_tree {
	struct jc_joint_tree tree;
	int *nodes; /* owned, by joint or tip, as are the other arrays */
	const char **names;
	int *parents;
	struct jc_vec3 *positions;
};

/* Stands the group as `locals` (by node) have it. */
int jc_gltf_tree_init(struct jc_gltf_tree *tree, const struct jc_gltf_groups *groups, size_t group,
	const struct jc_transform *locals);
void jc_gltf_tree_finish(struct jc_gltf_tree *tree);

#endif
