/* Finds the joints of an arm or a leg in a branch. */
#ifndef JC_SKELETON_LIMB_FIT_H
#define JC_SKELETON_LIMB_FIT_H

#include "branches.h"

enum jc_limb_kind {
	JC_LIMB_LEG,
	JC_LIMB_ARM,
};

struct jc_limb {
	struct jc_branch_chain chain;
	size_t root;              /* index in the chain of the first joint of this side */
	size_t upper, lower, end; /* of hip, knee, ankle or shoulder, elbow, wrist */
	float misfit;             /* 0 for a limb of human proportions */
};

/* Fits a branch whose mirrored branch is `mirrored`. False if it has too few joints. */
bool jc_limb_fit(const struct jc_branches *branches, int branch, int mirrored,
	enum jc_limb_kind kind, struct jc_limb *out_limb);

/* Positions of the limb's joints; the end may be a tip. */
struct jc_vec3 jc_limb_fit_position(
	const struct jc_branches *branches, const struct jc_limb *limb, size_t place);

/* Vector from the straight line to the middle joint. */
struct jc_vec3 jc_limb_fit_bend(const struct jc_branches *branches, const struct jc_limb *limb);

#endif
