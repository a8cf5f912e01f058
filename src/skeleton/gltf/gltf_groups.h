/* The groups of nodes in a glTF file that may be a body. */
#ifndef JC_SKELETON_GLTF_GROUPS_H
#define JC_SKELETON_GLTF_GROUPS_H

#include <stdbool.h>

#include "jointcast/gltf.h"
#include "jointcast_private/recognition.h"

/* A range of members: joints, then tips. */
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
	int *places;                  /* owned, by node: its index in its group */
	struct jc_vec3 *positions;    /* owned, by node, from the last call of _place */
};

/* Makes one group for all skins whose joints are connected: the joints and the nodes
 * between them. In the order of the skins. */
int jc_gltf_groups_init_skins(struct jc_gltf_groups *groups, const struct jc_gltf *gltf);

/* Makes one group for every root node: all nodes below it. */
int jc_gltf_groups_init_trees(struct jc_gltf_groups *groups, const struct jc_gltf *gltf);
void jc_gltf_groups_finish(struct jc_gltf_groups *groups);

/* A group as a joint tree; nodes without a mesh at the end of a joint are its tips. */
struct jc_gltf_groups_tree {
	struct jc_joint_tree tree;
	int *nodes; /* owned, by joint or tip, as are the other arrays */
	const char **names;
	int *parents;
	struct jc_vec3 *positions;
};

/* Sets the positions of all nodes from `locals` (by node). */
int jc_gltf_groups_place(struct jc_gltf_groups *groups, const struct jc_transform *locals);

/* Call after _place. The time is linear in the size of the group, whatever the number of
 * groups. */
int jc_gltf_groups_tree_init(
	struct jc_gltf_groups_tree *tree, const struct jc_gltf_groups *groups, size_t group);
void jc_gltf_groups_tree_finish(struct jc_gltf_groups_tree *tree);

#endif
