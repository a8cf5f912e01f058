/* The parts of a glTF file's node forest in which a body may be. */
#ifndef JC_SKELETON_GLTF_GROUPS_H
#define JC_SKELETON_GLTF_GROUPS_H

#include <stdbool.h>

#include "jointcast/gltf.h"
#include "jointcast_private/recognition.h"

/* A stretch of the members: joints, then tips. */
struct jc_gltf_group {
	size_t first, joint_count, tip_count;
};

struct jc_gltf_groups {
	const struct jc_gltf *gltf;
	size_t node_count;
	int *parents, *order; /* owned, by node; parents first */
	int *groups;          /* owned, by node: a number below count, or -1 */
	size_t count;
	bool are_skins;               /* else trees of nodes */
	struct jc_gltf_group *ranges; /* owned, by group */
	int *members;                 /* owned: nodes group by group, parents first */
	int *places;                  /* owned, by node: from where its group begins */
	struct jc_vec3 *positions;    /* owned, by node, as last placed */
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

/* Stands all nodes as `locals` (by node) have it. */
int jc_gltf_groups_place(struct jc_gltf_groups *groups, const struct jc_transform *locals);

/* Of placed nodes; takes as long as the group is large, however many there are. */
int jc_gltf_tree_init(struct jc_gltf_tree *tree, const struct jc_gltf_groups *groups, size_t group);
void jc_gltf_tree_finish(struct jc_gltf_tree *tree);

#endif
