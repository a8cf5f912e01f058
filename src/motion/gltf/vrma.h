/* VRM animations: glTF files with VRMC_vrm_animation. */
#ifndef JC_MOTION_VRMA_H
#define JC_MOTION_VRMA_H

#include "gltf_clip.h"
#include "motion_private.h"

bool jc_vrma_is_animation(const struct jc_gltf *gltf);

/* The node of each bone that the animation lists, or -1. */
int jc_vrma_bones(const struct jc_gltf *gltf, int *out_bones, struct jc_diagnostic *diagnostic);

/* The map replaces the bones that the file lists; may be NULL. */
int jc_vrma_read(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_bone_map *map, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
