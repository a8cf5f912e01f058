/* Lists the nodes of a glTF file for a bone map. */
#include "jointcast_private/gltf_bone_map.h"

#include <stdlib.h>

#include "jointcast_private/bone_map_match.h"

int jc_gltf_bone_map_match(const struct jc_gltf *gltf, const struct jc_bone_map *map,
	int *out_bones, struct jc_diagnostic *diagnostic)
{
	size_t count = jc_gltf_node_count(gltf);
	const char **names = calloc(count + 1, sizeof(*names));
	int *parents = calloc(count + 1, sizeof(*parents));
	const struct jc_named_joints joints = { count, names, parents, false };
	int error = names && parents
			    ? JC_OK
			    : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");

	for (size_t i = 0; !error && i < count; i++) {
		names[i] = jc_gltf_nodes(gltf)[i].name;
		parents[i] = jc_gltf_nodes(gltf)[i].parent;
	}
	if (!error) {
		error = jc_bone_map_match(map, &joints, out_bones, diagnostic);
	}
	free(parents);
	free(names);
	return error;
}
