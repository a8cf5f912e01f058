/* Finds the joints of a bone map among the nodes of a glTF file. */
#ifndef JC_PRIVATE_GLTF_BONE_MAP_H
#define JC_PRIVATE_GLTF_BONE_MAP_H

#include "jointcast/bone_map.h"
#include "jointcast/gltf.h"

/* Sets the node of each bone, or -1; errors as of jc_bone_map_match. */
int jc_gltf_bone_map_match(const struct jc_gltf *gltf, const struct jc_bone_map *map,
	int *out_bones, struct jc_diagnostic *diagnostic);

#endif
