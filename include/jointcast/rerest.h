/* Re-resting: a skeleton in the reference pose of EXT_skeleton_humanoid, which
 * an artist's figure seldom rests in. It faces +Z in the T-pose, +Y of every
 * bone's node leads along the bone and +X is the axis it bends about, bones and
 * what is above them have scale 1. Joints stand where they stand in the T-pose
 * of the skeleton; bones that are farther off the T-pose than
 * jc_posture_measure allows, in a skeleton that claims to rest in it, are
 * straightened, and a figure turned away from its front is turned to it. */
#ifndef JOINTCAST_REREST_H
#define JOINTCAST_REREST_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "gltf.h"
#include "lint.h"
#include "skeleton.h"
#include "write.h"

/* The skeleton alone, with its virtual transforms; node indices stay. What had
 * to be straightened goes to lint (may be NULL). */
int jc_rerest_skeleton(const struct jc_skeleton *skeleton, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* A glTF file with EXT_skeleton_humanoid, as GLB or as JSON with its buffer
 * inside. gltf is the file the skeleton was read from as its humanoid `index`,
 * NULL where that was no glTF. Then meshes, skins, materials and animations stay:
 * vertices are baked into the new rest and bound there, animations give every
 * node the world transform they gave it before. What cannot stay (VRM's own
 * extensions, constraints along the old axes) is named in lint. */
int jc_rerest_gltf(const struct jc_skeleton *skeleton, const struct jc_gltf *gltf, size_t index,
	bool is_binary, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
