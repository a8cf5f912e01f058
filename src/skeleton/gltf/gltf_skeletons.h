/* Skeletons of EXT_skeleton_humanoid. */
#ifndef JC_SKELETON_GLTF_SKELETONS_H
#define JC_SKELETON_GLTF_SKELETONS_H

#include "skeleton_private.h"

/* Whether the file defines a skeleton. Its animations may name bones by the same
 * extension without one. */
bool jc_ext_humanoid_is(const struct jc_gltf *gltf);

/* Reads the humanoid of that index. */
int jc_ext_humanoid_read(const struct jc_gltf *gltf, size_t index,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Whether the file has a VRM extension at its root, of either generation. */
bool jc_vrm_skeleton_is(const struct jc_gltf *gltf);

int jc_vrm_skeleton_read(const struct jc_gltf *gltf, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Reads the recognised humanoid of that index, by the order of the skins. */
int jc_recognised_gltf_read(const struct jc_gltf *gltf, size_t index,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
