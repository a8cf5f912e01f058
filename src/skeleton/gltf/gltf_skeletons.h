/* Readers of glTF skeletons: EXT_skeleton_humanoid, VRM, and files that do not mark their
 * bones. A map (may be NULL) replaces the bones that the file lists or that are recognised. */
#ifndef JC_SKELETON_GLTF_SKELETONS_H
#define JC_SKELETON_GLTF_SKELETONS_H

#include "skeleton_private.h"

/* Whether the file defines a skeleton with EXT_skeleton_humanoid. Its animations may name
 * bones without one. */
bool jc_ext_humanoid_applies(const struct jc_gltf *gltf);

/* Reads the skeleton with this index. */
int jc_ext_humanoid_read(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Whether the file has a VRM extension at its root, of VRM 0.x or 1.0. */
bool jc_vrm_skeleton_applies(const struct jc_gltf *gltf);

int jc_vrm_skeleton_read(const struct jc_gltf *gltf, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Reads the recognised humanoid with this index, in the order of the skins. With a map there is one
 * humanoid: the joints of a skin and the nodes between them, or all nodes below a root, whichever
 * first hold all joints of the map. */
int jc_recognised_gltf_read(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

struct jc_gltf_groups;

/* Measures facing and corrections of a figure from the pose that `locals` (by node) give it. The
 * description has its bones, which are nodes of the group. JC_OK or JC_ERROR_MEMORY. */
int jc_recognised_gltf_correct(struct jc_gltf_groups *groups, size_t group,
	const struct jc_transform *locals, struct jc_skeleton_description *description,
	struct jc_lint *lint);

#endif
