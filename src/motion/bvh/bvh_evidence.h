/* Measures a figure by the frames of its BVH clip: the direction of the body, and hinge axes. */
#ifndef JC_MOTION_BVH_EVIDENCE_H
#define JC_MOTION_BVH_EVIDENCE_H

#include "bvh_tree.h"
#include "jointcast_private/bvh.h"
#include "jointcast_private/rest_pose.h"

/* A clip, its joints in the reference pose, and the bones among them; all borrowed. */
struct jc_bvh_clip {
	const struct jc_bvh *bvh;
	const struct jc_bvh_tree *tree;
	const int *bones;
};

/* The direction of trunk and legs together from these world transforms of all joints, of length 1
 * for a straight body: a high kick or a bent trunk turns it less than the hips. */
struct jc_vec3 jc_bvh_evidence_up(const struct jc_transform *worlds, const int *bones);

/* The coordinate axis nearest to v, with its sign; Y is preferred, then Z. */
struct jc_vec3 jc_bvh_evidence_axis(struct jc_vec3 v);

/* Averages over the clip: up and left of the hips where the figure does not stand in the reference
 * pose, bend axes of elbows and knees, and rotations of joints. A rest pose in which all bones lie
 * along one axis (as in LAFAN1 and Rokoko's exports) does not show how bones are turned about their
 * length; the bend of a hinge and the mean rotation do. clip is borrowed; its tree is in the zero
 * pose now, and in the reference pose when the evidence is used. */
struct jc_rest_evidence jc_bvh_evidence(const struct jc_bvh_clip *clip);

#endif
