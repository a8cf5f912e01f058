/* KHR_virtual_transform, "Properties": the same form in glTF and descriptors. */
#ifndef JC_SKELETON_VIRTUAL_TRANSFORM_LIST_H
#define JC_SKELETON_VIRTUAL_TRANSFORM_LIST_H

#include "jointcast_private/json.h"
#include "skeleton_private.h"

/* A list that is being read; names and tags stay in the JSON. */
struct jc_virtual_transform_list {
	size_t count;
	struct jc_virtual_transform *items; /* owned, with the tags */
};

/* Reads one virtual transform and appends it. node_count limits its parent. */
int jc_virtual_transform_list_read(struct jc_virtual_transform_list *list,
	const struct json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_diagnostic *diagnostic);

/* Reads the virtual transforms of a glTF file under either name of the extension; leaves
 * out invalid ones with a finding. Fails only when memory is short. */
int jc_virtual_transform_list_read_gltf(
	struct jc_virtual_transform_list *list, const struct jc_gltf *gltf, struct jc_lint *lint);

void jc_virtual_transform_list_finish(struct jc_virtual_transform_list *list);

#endif
