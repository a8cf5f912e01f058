/* Skeletons of EXT_skeleton_humanoid. */
#ifndef JC_SKELETON_EXT_H
#define JC_SKELETON_EXT_H

#include "skeleton.h"

/* Whether the file defines a skeleton. Its animations may name bones by the same
 * extension without one. */
bool jc_ext_is_humanoid(const struct jc_gltf *gltf);

/* Reads the humanoid of that index. */
int jc_ext_read(const struct jc_gltf *gltf, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
