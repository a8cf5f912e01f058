/* Writes the drafts of glTF's KHR_character family beside EXT_skeleton_humanoid and VRM. */
#ifndef JC_MOTION_REREST_CHARACTER_H
#define JC_MOTION_REREST_CHARACTER_H

#include "rerest_document.h"

/* Adds KHR_character, KHR_character_skeleton_mapping with the roles of VRM and H-Anim, the T-pose
 * as KHR_character_reference_pose, and KHR_node_lookat_target at the eyes. The expressions of a VRM
 * become KHR_character_expression. To be called last; root is a node above the bones. */
void jc_rerest_character(struct jc_rerest_document *document, int root);

#endif
