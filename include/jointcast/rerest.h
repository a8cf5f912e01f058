/* Re-rests a skeleton: rewrites it so that its rest pose is the reference pose of
 * EXT_skeleton_humanoid. It then faces +Z in the T-pose, +Y of every bone's node points along the
 * bone (enum jc_bone_axes), +X is the bend axis, and bones and the nodes above them have
 * scale 1. Joints keep their positions in the T-pose. Bones that deviate too far from the T-pose in
 * a skeleton that claims to rest in it are straightened; a skeleton that does not face its front is
 * turned. */
#ifndef JOINTCAST_REREST_H
#define JOINTCAST_REREST_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "gltf.h"
#include "lint.h"
#include "skeleton.h"
#include "write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Re-rests the skeleton with its virtual transforms; node indices stay the same. Straightened
 * bones are reported in lint (may be NULL). */
int jc_rerest_skeleton(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Writes a re-rested glTF file with EXT_skeleton_humanoid, as GLB or as JSON with an embedded
 * buffer. gltf is the file that the skeleton was read from as humanoid `index`, or NULL if that
 * was no glTF file. Meshes, skins, materials and animations of gltf are kept: vertices are baked
 * into the new rest pose and bound there, and animations give every node the same world
 * transform as before. VRM 0.x and 1.0 stay what they are: look-at, colliders and constraints are
 * expressed for the new rest, expressions and first person follow their meshes. Nodes are added
 * above constrained ones where the new axes require it.
 *
 * A VRM 0.x file gets the rest pose of its own specification, facing -Z with nodes of bones
 * without rotation and scale, in place of `axes`, and no EXT_skeleton_humanoid, which demands a
 * figure that faces +Z. lint reports removed parts. */
int jc_rerest_gltf(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	const struct jc_gltf *gltf, size_t index, bool is_binary, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* Like jc_rerest_gltf, and also writes drafts of glTF's pull request 2512, which may change:
 * KHR_character; KHR_character_skeleton_mapping with the roles of VRM 1.0 and of H-Anim 2.0; the
 * T-pose as KHR_character_reference_pose; expressions of a VRM that move morph targets as
 * KHR_character_expression; KHR_node_lookat_target at the eyes, if the file shows where they are.
 */
int jc_rerest_gltf_with_drafts(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	const struct jc_gltf *gltf, size_t index, bool is_binary, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
