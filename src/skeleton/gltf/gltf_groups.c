/* Groups nodes into possible bodies. Skins of one figure share joints, or one is below a
 * joint of another, like hair on a head; skins of two figures have only scene nodes in
 * common. */
#include "gltf_groups.h"

#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/hierarchy.h"

#define NONE (-1)

static int init(struct jc_gltf_groups *groups, const struct jc_gltf *gltf)
{
	size_t count = jc_gltf_node_count(gltf);

	*groups = (struct jc_gltf_groups){
		.gltf = gltf,
		.node_count = count,
		.parents = calloc(count + 1, sizeof(*groups->parents)),
		.order = calloc(count + 1, sizeof(*groups->order)),
		.groups = calloc(count + 1, sizeof(*groups->groups)),
		.members = calloc(count + 1, sizeof(*groups->members)),
		.places = calloc(count + 1, sizeof(*groups->places)),
		.positions = calloc(count + 1, sizeof(*groups->positions)),
	};
	if (!groups->parents || !groups->order || !groups->groups || !groups->members ||
		!groups->places || !groups->positions) {
		jc_gltf_groups_finish(groups);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		groups->parents[i] = jc_gltf_nodes(gltf)[i].parent;
		groups->groups[i] = NONE;
	}
	if (jc_hierarchy_order(groups->parents, count, "nodes", groups->order, NULL)) {
		jc_gltf_groups_finish(groups);
		return JC_ERROR_MEMORY;
	}
	return JC_OK;
}

void jc_gltf_groups_finish(struct jc_gltf_groups *groups)
{
	free(groups->parents);
	free(groups->order);
	free(groups->groups);
	free(groups->ranges);
	free(groups->members);
	free(groups->places);
	free(groups->positions);
}

/* Marks the nodes from one up to another, or up to a marked one. */
static void mark_up(struct jc_gltf_groups *groups, int node, int top)
{
	while (node >= 0 && groups->groups[node] == NONE) {
		groups->groups[node] = 0;
		if (node == top) {
			return;
		}
		node = groups->parents[node];
	}
}

/* By node: its depth, and the last skin, counted from 1, whose joints reached it on the
 * way up. */
struct climb {
	int *depths, *skins; /* owned */
};

static void climb_finish(struct climb *climb)
{
	free(climb->depths);
	free(climb->skins);
}

/* The caller calls climb_finish, also after an error. */
static int climb_init(struct climb *climb, const struct jc_gltf_groups *groups)
{
	*climb = (struct climb){
		.depths = calloc(groups->node_count + 1, sizeof(*climb->depths)),
		.skins = calloc(groups->node_count + 1, sizeof(*climb->skins)),
	};
	if (!climb->depths || !climb->skins) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int parent = groups->parents[node];

		climb->depths[node] = parent < 0 ? 0 : climb->depths[parent] + 1;
	}
	return JC_OK;
}

/* The lowest node above all joints of a skin, or one of them; NONE if they are in
 * different trees. Each edge is followed once. */
static int root_of_skin(
	const struct jc_gltf_groups *groups, size_t index, const struct climb *climb)
{
	const struct jc_gltf_skin *skin = &jc_gltf_skins(groups->gltf)[index];
	int mark = (int)index + 1;
	int root = NONE;

	for (size_t i = 0; i < skin->joint_count; i++) {
		int node = skin->joints[i];

		while (node >= 0 && climb->skins[node] != mark) {
			climb->skins[node] = mark;
			node = groups->parents[node];
		}
		if (i == 0) {
			root = skin->joints[0];
		} else if (node < 0) {
			return NONE;
		} else if (climb->depths[node] < climb->depths[root]) {
			root = node;
		}
	}
	return root;
}

/* Joins a skin to the skin with a joint above it. */
static void join_skin(struct jc_gltf_groups *groups, int root)
{
	int above = groups->parents[root];

	while (above >= 0 && groups->groups[above] == NONE) {
		above = groups->parents[above];
	}
	if (above >= 0) {
		mark_up(groups, groups->parents[root], above);
	}
}

/* Numbers connected skins in the order of the skins. */
static void number_groups(struct jc_gltf_groups *groups, int *tops)
{
	const struct jc_gltf_skin *skins = jc_gltf_skins(groups->gltf);

	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int parent = groups->parents[node];

		if (groups->groups[node] != NONE) {
			tops[node] =
				parent >= 0 && groups->groups[parent] != NONE ? tops[parent] : node;
		}
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		groups->groups[i] = NONE;
	}
	for (size_t s = 0; s < jc_gltf_skin_count(groups->gltf); s++) {
		for (size_t j = 0; j < skins[s].joint_count; j++) {
			int top = tops[skins[s].joints[j]];

			if (groups->groups[top] == NONE) {
				groups->groups[top] = (int)groups->count++;
			}
		}
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		if (tops[i] >= 0) {
			groups->groups[i] = groups->groups[tops[i]];
		}
	}
}

/* The group whose joint ends in this node outside of all groups, or NONE. */
static int group_of_tip(const struct jc_gltf_groups *groups, int node)
{
	int parent = groups->parents[node];

	return parent >= 0 && groups->groups[node] == NONE &&
			       jc_gltf_nodes(groups->gltf)[node].mesh < 0
		       ? groups->groups[parent]
		       : NONE;
}

/* Sorts the nodes by group, joints before tips, otherwise in their order. */
static int gather(struct jc_gltf_groups *groups)
{
	size_t first = 0;

	groups->ranges = calloc(groups->count + 1, sizeof(*groups->ranges));
	if (!groups->ranges) {
		jc_gltf_groups_finish(groups);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int group = groups->groups[node];

		if (group != NONE) {
			groups->places[node] = (int)groups->ranges[group].joint_count++;
		}
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int group = group_of_tip(groups, node);

		if (group != NONE) {
			struct jc_gltf_group *range = &groups->ranges[group];

			groups->places[node] = (int)(range->joint_count + range->tip_count++);
		}
	}
	for (size_t g = 0; g < groups->count; g++) {
		groups->ranges[g].first = first;
		first += groups->ranges[g].joint_count + groups->ranges[g].tip_count;
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int group = groups->groups[node] != NONE ? groups->groups[node]
							 : group_of_tip(groups, node);

		if (group != NONE) {
			groups->members[groups->ranges[group].first +
					(size_t)groups->places[node]] = node;
		}
	}
	return JC_OK;
}

int jc_gltf_groups_init_skins(struct jc_gltf_groups *groups, const struct jc_gltf *gltf)
{
	const struct jc_gltf_skin *skins = jc_gltf_skins(gltf);
	size_t skin_count = jc_gltf_skin_count(gltf);
	int *roots = calloc(skin_count + 1, sizeof(*roots));
	int *tops = calloc(jc_gltf_node_count(gltf) + 1, sizeof(*tops));
	struct climb climb = { NULL, NULL };
	int error = roots && tops ? init(groups, gltf) : JC_ERROR_MEMORY;

	if (error) {
		goto out;
	}
	error = climb_init(&climb, groups);
	if (error) {
		jc_gltf_groups_finish(groups);
		goto out;
	}
	groups->are_skins = true;
	for (size_t s = 0; s < skin_count; s++) {
		roots[s] = root_of_skin(groups, s, &climb);
		for (size_t j = 0; j < skins[s].joint_count; j++) {
			mark_up(groups, skins[s].joints[j], roots[s]);
		}
	}
	for (size_t s = 0; s < skin_count; s++) {
		if (roots[s] >= 0) {
			join_skin(groups, roots[s]);
		}
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		tops[i] = NONE;
	}
	number_groups(groups, tops);
	error = gather(groups);
out:
	climb_finish(&climb);
	free(tops);
	free(roots);
	return error;
}

int jc_gltf_groups_init_trees(struct jc_gltf_groups *groups, const struct jc_gltf *gltf)
{
	int error = init(groups, gltf);

	if (error) {
		return error;
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int parent = groups->parents[node];

		groups->groups[node] = parent < 0 ? (int)groups->count++ : groups->groups[parent];
	}
	return gather(groups);
}

static int allocate(struct jc_gltf_groups_tree *tree, size_t count)
{
	*tree = (struct jc_gltf_groups_tree){
		.nodes = calloc(count + 1, sizeof(*tree->nodes)),
		.names = calloc(count + 1, sizeof(*tree->names)),
		.parents = calloc(count + 1, sizeof(*tree->parents)),
		.positions = calloc(count + 1, sizeof(*tree->positions)),
	};
	if (!tree->nodes || !tree->names || !tree->parents || !tree->positions) {
		jc_gltf_groups_tree_finish(tree);
		return JC_ERROR_MEMORY;
	}
	return JC_OK;
}

int jc_gltf_groups_place(struct jc_gltf_groups *groups, const struct jc_transform *locals)
{
	struct jc_mat4 *worlds = calloc(groups->node_count + 1, sizeof(*worlds));

	if (!worlds) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int parent = groups->parents[node];
		struct jc_mat4 local = jc_mat4_compose(locals[node]);

		worlds[node] = parent < 0 ? local : jc_mat4_multiply(worlds[parent], local);
		groups->positions[node] = jc_mat4_translation(worlds[node]);
	}
	free(worlds);
	return JC_OK;
}

int jc_gltf_groups_tree_init(
	struct jc_gltf_groups_tree *tree, const struct jc_gltf_groups *groups, size_t group)
{
	const struct jc_gltf_group *range = &groups->ranges[group];
	size_t count = range->joint_count + range->tip_count;

	if (allocate(tree, count)) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		int node = groups->members[range->first + i];
		int parent = groups->parents[node];
		bool has_parent = parent >= 0 && groups->groups[parent] == (int)group;

		tree->nodes[i] = node;
		tree->names[i] = jc_gltf_nodes(groups->gltf)[node].name;
		tree->parents[i] = has_parent ? groups->places[parent] : -1;
		tree->positions[i] = groups->positions[node];
	}
	tree->tree = (struct jc_joint_tree){
		.count = count,
		.joint_count = range->joint_count,
		.names = tree->names,
		.parents = tree->parents,
		.positions = tree->positions,
	};
	return JC_OK;
}

void jc_gltf_groups_tree_finish(struct jc_gltf_groups_tree *tree)
{
	free(tree->nodes);
	free(tree->names);
	free(tree->parents);
	free(tree->positions);
}
