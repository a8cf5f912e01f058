/* Spines with more vertebrae than the humanoid has bones. */
#ifndef JC_SKELETON_HANIM_SPINE_H
#define JC_SKELETON_HANIM_SPINE_H

#include "jointcast/skeleton.h"

#define JC_HANIM_SPINE_VERTEBRAE 24

/* Vertebrae that share the rotation of one bone: the bone's own, then those above it up
 * to that of the next bone, or to a branch with another bone. */
struct jc_hanim_spine_chain {
	enum jc_bone bone;
	size_t count;                        /* at least two */
	int nodes[JC_HANIM_SPINE_VERTEBRAE]; /* from below; nodes between them have no share */
	float weights[JC_HANIM_SPINE_VERTEBRAE];
	struct jc_quat t_poses[JC_HANIM_SPINE_VERTEBRAE]; /* W */
};

/* Chains of spine, chest, upperChest and neck. */
struct jc_hanim_spine {
	size_t chain_count;
	struct jc_hanim_spine_chain chains[4];
};

/* Finds the chains of an H-Anim skeleton and the nodes where the rotations of its bones
 * are complete. Call after jc_t_pose_analyse. */
void jc_hanim_spine_analyse(struct jc_skeleton *skeleton);

#endif
