/* Renumbers the nodes of bones and their ancestors. */
#include "bone_chains.h"

#include <stdlib.h>

#include "jointcast/limits.h"

/* Marks the ancestors of each bone; the nodes keep their order. Returns their number. */
static size_t mark(const struct jc_skeleton_description *whole, int *places)
{
	size_t count = 0;

	for (size_t i = 0; i < whole->node_count; i++) {
		places[i] = -1;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int node = whole->bones[b]; node >= 0 && places[node] < 0;
			node = whole->nodes[node].parent) {
			places[node] = 0;
			count++;
		}
	}
	for (size_t i = 0, next = 0; i < whole->node_count; i++) {
		places[i] = places[i] < 0 ? -1 : (int)next++;
	}
	return count;
}

int jc_bone_chains_create(const struct jc_skeleton_description *whole, int *out_places,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description part = *whole;
	struct jc_skeleton_node *nodes;
	int error;

	part.node_count = mark(whole, out_places);
	if (part.node_count > JC_LIMIT_MOTION_NODES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, "nodes",
			"more than %u nodes at or above bones", JC_LIMIT_MOTION_NODES);
	}
	nodes = calloc(part.node_count + 1, sizeof(*nodes));
	if (!nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < whole->node_count; i++) {
		int parent = whole->nodes[i].parent;

		if (out_places[i] >= 0) {
			nodes[out_places[i]] = whole->nodes[i];
			nodes[out_places[i]].parent = parent < 0 ? -1 : out_places[parent];
		}
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		part.bones[b] = whole->bones[b] < 0 ? -1 : out_places[whole->bones[b]];
	}
	part.nodes = nodes;
	part.virtual_transform_count = 0;
	part.virtual_transforms = NULL;
	part.limit_count = 0;
	part.limits = NULL;
	error = jc_skeleton_create(&part, out_skeleton, diagnostic);
	free(nodes);
	return error;
}
