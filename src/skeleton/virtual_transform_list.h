/* KHR_virtual_transform, "Properties": the same shape in glTF and descriptor. */
#ifndef JC_SKELETON_VIRTUAL_TRANSFORM_LIST_H
#define JC_SKELETON_VIRTUAL_TRANSFORM_LIST_H

#include "jointcast_private/json.h"
#include "skeleton_private.h"

/* A list under construction; names and tags stay in the JSON. */
struct jc_virtual_transform_list {
	size_t count;
	struct jc_virtual_transform *items; /* owned, tags too */
};

/* Reads one and appends it. node_count bounds its parent. */
int jc_virtual_transform_list_read(struct jc_virtual_transform_list *list,
	const struct json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_diagnostic *diagnostic);

/* Reads what a glTF file holds under either spelling of the extension; a faulty
 * one is left out with a finding. Fails for want of memory only. */
int jc_virtual_transform_list_read_gltf(
	struct jc_virtual_transform_list *list, const struct jc_gltf *gltf, struct jc_lint *lint);

void jc_virtual_transform_list_finish(struct jc_virtual_transform_list *list);

#endif
