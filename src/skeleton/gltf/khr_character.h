/* Reads figures whose bones KHR_character_skeleton_mapping lists (a draft, see
 * jointcast_private/khr_character.h). */
#ifndef JC_SKELETON_KHR_CHARACTER_H
#define JC_SKELETON_KHR_CHARACTER_H

#include "skeleton_private.h"

/* Whether a mapping set that is understood maps the hips. */
bool jc_khr_character_applies(const struct jc_gltf *gltf);

/* Reads the figure of the file; a map (may be NULL) replaces its bones. Its T-pose is the reference
 * pose of that type, else it is measured as in files that do not mark their bones. */
int jc_khr_character_read(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
