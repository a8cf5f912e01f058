/* KHR_character and its family, drafts of glTF's pull request 2512 in the state of its texts with
 * mapping sets named by URIs and nodes named by index. */
#ifndef JC_PRIVATE_KHR_CHARACTER_H
#define JC_PRIVATE_KHR_CHARACTER_H

#include "jointcast/gltf.h"
#include "jointcast/lint.h"

/* Identifiers of the mapping sets that are understood ("Mapping-set and role semantics": absolute
 * URIs of a version, compared exactly). The roles are the names of VRM's bones, and the names of
 * H-Anim 2.0's joints. */
#define JC_KHR_VRM_ROLES                                                                           \
	"https://github.com/vrm-c/vrm-specification/blob/"                                         \
	"70ae16e93abd6da727fdf641b67aa41010c6d933/specification/VRMC_vrm-1.0/humanoid.md"
#define JC_KHR_HANIM_ROLES                                                                         \
	"https://www.web3d.org/documents/specifications/19774/V2.0/Architecture/concepts.html"

/* Whether a joint of H-Anim or a bone of VRM has that name in the set; out_bone is JC_BONE_NONE
 * for a joint that drives no bone. */
bool jc_khr_character_role(const char *set, const char *role, enum jc_bone *out_bone);

/* Reads the first valid reference pose of type TPose: the local transform of each node. False if
 * the file has no such pose. */
bool jc_khr_character_t_pose(const struct jc_gltf *gltf, struct jc_transform *out_locals);

/* Adds what the texts of the drafts forbid to lint (may be NULL). */
void jc_khr_character_lint(const struct jc_gltf *gltf, struct jc_lint *lint);

#endif
