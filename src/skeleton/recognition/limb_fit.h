/* Which joints of a branch are those of an arm or a leg. */
#ifndef JC_SKELETON_LIMB_FIT_H
#define JC_SKELETON_LIMB_FIT_H

#include "branches.h"

enum jc_limb_kind {
	JC_LIMB_LEG,
	JC_LIMB_ARM,
};

struct jc_limb {
	struct jc_branch_chain chain;
	size_t root;              /* places in the chain: the first joint of this side */
	size_t upper, lower, end; /* hip, knee, ankle or shoulder, elbow, wrist */
	float misfit;             /* 0 for a limb of human proportions */
};

/* Fits a branch whose mirrored one is `mirrored`. False where it has too few
 * joints. */
bool jc_limb_fit(const struct jc_branches *branches, int branch, int mirrored,
	enum jc_limb_kind kind, struct jc_limb *out_limb);

/* Where the limb's joints stand; the end may be a tip. */
struct jc_vec3 jc_limb_fit_position(
	const struct jc_branches *branches, const struct jc_limb *limb, size_t place);

/* How far its middle joint stands off the straight line, as a vector. */
struct jc_vec3 jc_limb_fit_bend(const struct jc_branches *branches, const struct jc_limb *limb);

#endif
