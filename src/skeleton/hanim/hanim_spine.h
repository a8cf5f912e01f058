/* Spines of more vertebrae than the humanoid has bones for. */
#ifndef JC_SKELETON_HANIM_SPINE_H
#define JC_SKELETON_HANIM_SPINE_H

#include "jointcast/skeleton.h"

#define JC_HANIM_SPINE_VERTEBRAE 24

/* The vertebrae that share one bone's rotation: the bone's own, then those that
 * follow it up to the next bone's, or to where another bone branches off. */
struct jc_hanim_spine_chain {
	enum jc_bone bone;
	size_t count;                        /* two at least */
	int nodes[JC_HANIM_SPINE_VERTEBRAE]; /* from below; a node between them has no share */
	float weights[JC_HANIM_SPINE_VERTEBRAE];
	struct jc_quat t_poses[JC_HANIM_SPINE_VERTEBRAE]; /* W */
};

/* Chains of spine, chest, upperChest and neck. */
struct jc_hanim_spine {
	size_t chain_count;
	struct jc_hanim_spine_chain chains[4];
};

/* Finds the chains of an H-Anim skeleton, which its rest analysis is done with,
 * and sets the nodes where its bones' rotations are complete. */
void jc_hanim_spine_analyse(struct jc_skeleton *skeleton);

#endif
