/* Writes the bone map of a file, to start from. */
#ifndef JC_PRIVATE_BONE_TEMPLATE_H
#define JC_PRIVATE_BONE_TEMPLATE_H

#include <stddef.h>

#include "jointcast/bone_map.h"
#include "jointcast/gltf.h"
#include "jointcast/write.h"

/* Writes the map of figure `index` of a BVH, glTF or H-Anim file: a line for each bone that a joint
 * has, and as comments the other bones and joints. The bones are those of `map` if it is not NULL,
 * else those that the readers find; of a file that has no humanoid for them, those that names alone
 * show. The map reads back as the same bones. JC_ERROR_UNSUPPORTED for formats without joints. */
int jc_bone_template_write(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_written *out_file, struct jc_diagnostic *diagnostic);

#endif
