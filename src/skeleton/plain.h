/* Skeletons of glTF files that do not say which nodes are bones. */
#ifndef JC_SKELETON_PLAIN_H
#define JC_SKELETON_PLAIN_H

#include "skeleton.h"

/* Reads the recognised humanoid of that index, by the order of the skins. */
int jc_plain_read(const struct jc_gltf *gltf, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
