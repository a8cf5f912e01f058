/* Reads VRMC_node_constraint of a glTF file. */
#ifndef JC_SKELETON_CONSTRAINT_LIST_H
#define JC_SKELETON_CONSTRAINT_LIST_H

#include "jointcast/gltf.h"
#include "jointcast/skeleton.h"

struct jc_constraint_list {
	size_t count;
	struct jc_node_constraint *items; /* owned */
};

/* Reads the constraints of all nodes. Leaves out invalid ones and those in a circle, with
 * a finding. Fails only when memory is short. */
int jc_constraint_list_read(
	struct jc_constraint_list *list, const struct jc_gltf *gltf, struct jc_lint *lint);
void jc_constraint_list_finish(struct jc_constraint_list *list);

/* Adds a note for nodes that constraints turn, and a warning for constraints that affect
 * a bone. carriers: by node, the first bone at or below it, or JC_BONE_NONE. */
void jc_constraint_list_report(
	const struct jc_skeleton *skeleton, const enum jc_bone *carriers, struct jc_lint *lint);

#endif
