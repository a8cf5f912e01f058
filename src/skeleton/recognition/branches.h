/* A joint tree seen from its joints downwards: how far every branch reaches. */
#ifndef JC_SKELETON_BRANCHES_H
#define JC_SKELETON_BRANCHES_H

#include <stdbool.h>

#include "jointcast_private/recognition.h"

/* Joints looked at along one limb, and limbs that leave one joint. */
#define JC_BRANCH_CHAIN_LENGTH 32
#define JC_BRANCH_FAN_WIDTH    12

struct jc_branches {
	const struct jc_joint_tree *tree; /* with positions */
	float *lengths;                   /* owned: from the parent to the joint; 0 at roots */
	float *reaches;    /* owned: along the longest way from the joint to an end */
	int *longest;      /* owned: the child on that way, or -1 */
	int *first, *next; /* owned: children, as lists; -1 ends */
};

/* The longest way down from a joint, which it begins with; it ends with a tip
 * or a joint that nothing hangs on. */
struct jc_branch_chain {
	size_t count;
	int joints[JC_BRANCH_CHAIN_LENGTH];
};

int jc_branches_init(struct jc_branches *branches, const struct jc_joint_tree *tree);
void jc_branches_finish(struct jc_branches *branches);

bool jc_branches_is_tip(const struct jc_branches *branches, int joint);
void jc_branches_chain(
	const struct jc_branches *branches, int joint, struct jc_branch_chain *out_chain);

/* The children that reach farthest, themselves included, in the order of the
 * tree; JC_BRANCH_FAN_WIDTH at most, none of shorter reach than `least`. */
size_t jc_branches_fan(const struct jc_branches *branches, int joint, float least,
	int out_children[JC_BRANCH_FAN_WIDTH]);

float jc_branches_distance(const struct jc_branches *branches, int from, int to);

/* Along the chain from index to index. */
float jc_branches_way(const struct jc_branches *branches, const struct jc_branch_chain *chain,
	size_t from, size_t to);

#endif
