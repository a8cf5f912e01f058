/* Writes virtual transforms for the writers of glTF files. */
#include "gltf_virtual.h"

#include <jansson.h>

#include "gltf_edit.h"
#include "jointcast/transform.h"

static int set_offset(json_t *json, struct jc_transform t)
{
	int error = 0;

	if (jc_vec3_length(t.translation) > 0.0f) {
		error |= json_object_set_new(json, "translation",
			jc_gltf_edit_numbers((const float[]){ t.translation.x, t.translation.y,
						     t.translation.z },
				3));
	}
	if (jc_quat_angle(t.rotation, JC_QUAT_IDENTITY) > 0.0f) {
		error |= json_object_set_new(json, "rotation",
			jc_gltf_edit_numbers((const float[]){ t.rotation.x, t.rotation.y,
						     t.rotation.z, t.rotation.w },
				4));
	}
	if (t.scale.x != 1.0f || t.scale.y != 1.0f || t.scale.z != 1.0f) {
		error |= json_object_set_new(json, "scale",
			jc_gltf_edit_numbers(
				(const float[]){ t.scale.x, t.scale.y, t.scale.z }, 3));
	}
	return error;
}

static int set_tags(json_t *json, const struct jc_virtual_transform *virtual)
{
	json_t *tags = json_array();
	int error = 0;

	for (size_t i = 0; i < virtual->tag_count; i++) {
		error |= json_array_append_new(tags, json_string(virtual->tags[i]));
	}
	return error | json_object_set_new(json, "tags", tags);
}

json_t *jc_gltf_virtual_json(const struct jc_virtual_transform *virtual)
{
	json_t *json = json_pack("{s:s,s:b,s:b,s:b}", "name", virtual->name,
		"respectParentPosition", virtual->respect_position, "respectParentRotation",
		virtual->respect_rotation, "respectParentScale", virtual->respect_scale);
	int error = json ? set_offset(json, virtual->offset) : 0;

	if (json && virtual->parent >= 0) {
		error |= json_object_set_new(json, "parent", json_integer(virtual->parent));
	}
	if (json && virtual->tag_count > 0) {
		error |= set_tags(json, virtual);
	}
	if (error) {
		json_decref(json);
		return NULL;
	}
	return json;
}
