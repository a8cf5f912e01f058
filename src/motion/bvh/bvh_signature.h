/* Recognises BVH files of this project's writer. A BVH states neither its unit nor its floor, but
 * the writer gives all its end sites lengths that no other program gives them. */
#ifndef JC_MOTION_BVH_SIGNATURE_H
#define JC_MOTION_BVH_SIGNATURE_H

#include <stdbool.h>

#include "bvh_evidence.h"

/* Whether every end site of the clip lies where jc_write_bvh puts it: along the axis of its bone in
 * the T-pose, at that bone's share of the hips height. Then the file is in centimetres, +Y is up
 * and the floor is at y = 0; out_hips_height is the height of its figure in file units. */
bool jc_bvh_signature_find(const struct jc_bvh_clip *clip, float *out_hips_height);

#endif
