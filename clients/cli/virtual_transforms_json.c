/* One shape for what a skeleton has and where a pose puts it. */
#include "virtual_transforms_json.h"

void jc_virtual_transforms_write(struct jc_json_writer *json, const struct jc_skeleton *skeleton,
	const struct jc_transform *placed)
{
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton);

	jc_json_begin_array(json, "virtualTransforms");
	for (size_t i = 0; i < count; i++) {
		jc_json_begin_object(json, NULL);
		jc_json_write_integer(json, "index", (long long)i);
		jc_json_write_string(json, "name", all[i].name);
		if (all[i].parent >= 0) {
			jc_json_write_integer(json, "parent", all[i].parent);
		} else {
			jc_json_write_null(json, "parent");
		}
		jc_json_begin_array(json, "tags");
		for (size_t tag = 0; tag < all[i].tag_count; tag++) {
			jc_json_write_string(json, NULL, all[i].tags[tag]);
		}
		jc_json_end_array(json);
		if (placed) {
			jc_json_write_vec3(json, "translation", placed[i].translation);
			jc_json_write_quat(json, "rotation", placed[i].rotation);
			jc_json_write_vec3(json, "scale", placed[i].scale);
		}
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}
