/* Measures the branches of a joint tree, in one pass from the leaves to the roots. */
#include "branches.h"

#include <stdlib.h>

#include "jointcast/transform.h"

bool jc_branches_is_tip(const struct jc_branches *branches, int joint)
{
	return (size_t)joint >= branches->tree->joint_count;
}

float jc_branches_distance(const struct jc_branches *branches, int from, int to)
{
	const struct jc_vec3 *positions = branches->tree->positions;

	return jc_vec3_length(jc_vec3_subtract(positions[to], positions[from]));
}

int jc_branches_init(struct jc_branches *branches, const struct jc_joint_tree *tree)
{
	size_t count = tree->count;

	*branches = (struct jc_branches){
		.tree = tree,
		.lengths = calloc(count + 1, sizeof(*branches->lengths)),
		.reaches = calloc(count + 1, sizeof(*branches->reaches)),
		.longest = calloc(count + 1, sizeof(*branches->longest)),
		.first = calloc(count + 1, sizeof(*branches->first)),
		.next = calloc(count + 1, sizeof(*branches->next)),
	};
	if (!branches->lengths || !branches->reaches || !branches->longest || !branches->first ||
		!branches->next) {
		jc_branches_finish(branches);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		branches->longest[i] = branches->first[i] = branches->next[i] = -1;
	}
	for (size_t i = count; i-- > 0;) {
		int parent = tree->parents[i];
		float reach;

		if (parent < 0) {
			continue;
		}
		branches->lengths[i] = jc_branches_distance(branches, parent, (int)i);
		branches->next[i] = branches->first[parent];
		branches->first[parent] = (int)i;
		reach = branches->lengths[i] + branches->reaches[i];
		if (branches->longest[parent] < 0 || reach >= branches->reaches[parent]) {
			branches->reaches[parent] = reach;
			branches->longest[parent] = (int)i;
		}
	}
	return JC_OK;
}

void jc_branches_finish(struct jc_branches *branches)
{
	free(branches->lengths);
	free(branches->reaches);
	free(branches->longest);
	free(branches->first);
	free(branches->next);
}

void jc_branches_chain(
	const struct jc_branches *branches, int joint, struct jc_branch_chain *out_chain)
{
	out_chain->count = 0;
	while (joint >= 0 && out_chain->count < JC_BRANCH_CHAIN_LENGTH) {
		out_chain->joints[out_chain->count++] = joint;
		joint = branches->longest[joint];
	}
}

static float reach_of(const struct jc_branches *branches, int child)
{
	return branches->lengths[child] + branches->reaches[child];
}

size_t jc_branches_fan(const struct jc_branches *branches, int joint, float least,
	int out_children[JC_BRANCH_FAN_WIDTH])
{
	size_t count = 0;

	for (int child = branches->first[joint]; child >= 0; child = branches->next[child]) {
		size_t shortest = 0;

		if (jc_branches_is_tip(branches, child) || reach_of(branches, child) < least) {
			continue;
		}
		if (count < JC_BRANCH_FAN_WIDTH) {
			out_children[count++] = child;
			continue;
		}
		for (size_t i = 1; i < count; i++) {
			if (reach_of(branches, out_children[i]) <
				reach_of(branches, out_children[shortest])) {
				shortest = i;
			}
		}
		if (reach_of(branches, child) > reach_of(branches, out_children[shortest])) {
			for (; shortest + 1 < count; shortest++) {
				out_children[shortest] = out_children[shortest + 1];
			}
			out_children[count - 1] = child;
		}
	}
	return count;
}

float jc_branches_way(const struct jc_branches *branches, const struct jc_branch_chain *chain,
	size_t from, size_t to)
{
	float way = 0.0f;

	for (size_t i = from + 1; i <= to; i++) {
		way += branches->lengths[chain->joints[i]];
	}
	return way;
}
