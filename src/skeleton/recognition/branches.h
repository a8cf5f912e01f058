/* The branches of a joint tree: how far each one reaches from its joint. */
#ifndef JC_SKELETON_BRANCHES_H
#define JC_SKELETON_BRANCHES_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

/* Maximum joints of one limb, and maximum limbs at one joint. */
#define JC_BRANCH_CHAIN_LENGTH 32
#define JC_BRANCH_FAN_WIDTH    12

struct jc_branches {
	const struct jc_joint_tree *tree; /* it has positions */
	float *lengths;                   /* owned: from the parent to the joint; 0 at roots */
	float *reaches;    /* owned: length of the longest path from the joint to an end */
	int *longest;      /* owned: the child on that path, or -1 */
	int *first, *next; /* owned: children as lists; -1 ends */
};

/* The longest path down from a joint, including it, to a tip or a joint without children. */
struct jc_branch_chain {
	size_t count;
	int joints[JC_BRANCH_CHAIN_LENGTH];
};

int jc_branches_init(struct jc_branches *branches, const struct jc_joint_tree *tree);
void jc_branches_finish(struct jc_branches *branches);

bool jc_branches_is_tip(const struct jc_branches *branches, int joint);
void jc_branches_chain(
	const struct jc_branches *branches, int joint, struct jc_branch_chain *out_chain);

/* The children with the longest reach (reach includes the child), in the order of the
 * tree; at most JC_BRANCH_FAN_WIDTH, none with a reach below `least`. */
size_t jc_branches_fan(const struct jc_branches *branches, int joint, float least,
	int out_children[JC_BRANCH_FAN_WIDTH]);

float jc_branches_distance(const struct jc_branches *branches, int from, int to);

/* Length along the chain between two indices. */
float jc_branches_way(const struct jc_branches *branches, const struct jc_branch_chain *chain,
	size_t from, size_t to);

#endif
