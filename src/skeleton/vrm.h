/* Skeletons of VRM 1.0 and VRM 0.x files. */
#ifndef JC_SKELETON_VRM_H
#define JC_SKELETON_VRM_H

#include "skeleton.h"

/* Whether the file has a VRM extension at its root, of either generation. */
bool jc_vrm_is_humanoid(const struct jc_gltf *gltf);

int jc_vrm_read(const struct jc_gltf *gltf, struct jc_skeleton **out_skeleton, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
