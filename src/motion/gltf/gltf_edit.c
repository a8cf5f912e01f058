/* Edits a glTF document as jansson values. New numbers get buffer views in one additional
 * buffer; gltf_edit_write.c merges the buffers. */
#include "gltf_edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"

enum { FLOAT = 5126 };

static void fail(struct jc_gltf_edit *edit, int error)
{
	edit->error = edit->error ? edit->error : error;
}

int jc_gltf_edit_init(struct jc_gltf_edit *edit, const struct jc_gltf *gltf)
{
	*edit = (struct jc_gltf_edit){ .gltf = gltf };
	if (gltf) {
		edit->root = json_deep_copy(jc_gltf_json(gltf));
		edit->accessors = json_array_size(json_object_get(edit->root, "accessors"));
	} else {
		edit->root = json_pack("{s:{s:s},s:i,s:[{s:[]}],s:[]}", "asset", "version", "2.0",
			"scene", 0, "scenes", "nodes", "nodes");
	}
	return edit->root ? JC_OK : JC_ERROR_MEMORY;
}

void jc_gltf_edit_finish(struct jc_gltf_edit *edit)
{
	json_decref(edit->root);
	free(edit->added.bytes);
}

void jc_gltf_edit_set(struct jc_gltf_edit *edit, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value)) {
		fail(edit, object && !json_is_object(object) ? JC_ERROR_INVALID : JC_ERROR_MEMORY);
	}
}

void jc_gltf_edit_append(struct jc_gltf_edit *edit, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value)) {
		fail(edit, array && !json_is_array(array) ? JC_ERROR_INVALID : JC_ERROR_MEMORY);
	}
}

json_t *jc_gltf_edit_array(struct jc_gltf_edit *edit, const char *name)
{
	json_t *array = json_object_get(edit->root, name);

	if (!json_is_array(array)) {
		jc_gltf_edit_set(edit, edit->root, name, json_array());
		array = json_object_get(edit->root, name);
	}
	return array;
}

json_t *jc_gltf_edit_object(struct jc_gltf_edit *edit, json_t *outer, const char *key)
{
	json_t *object = json_object_get(outer, key);

	if (!json_is_object(object)) {
		jc_gltf_edit_set(edit, outer, key, json_object());
		object = json_object_get(outer, key);
	}
	return object;
}

json_t *jc_gltf_edit_numbers(const float *values, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		if (json_array_append_new(array, json_real((double)values[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static void set_bounds(
	struct jc_gltf_edit *edit, json_t *accessor, const struct jc_gltf_floats *floats)
{
	float least[4], most[4];

	for (size_t c = 0; c < floats->components; c++) {
		least[c] = most[c] = floats->values[c];
		for (size_t i = 1; i < floats->count; i++) {
			float value = floats->values[i * floats->components + c];

			least[c] = fminf(least[c], value);
			most[c] = fmaxf(most[c], value);
		}
	}
	jc_gltf_edit_set(edit, accessor, "min", jc_gltf_edit_numbers(least, floats->components));
	jc_gltf_edit_set(edit, accessor, "max", jc_gltf_edit_numbers(most, floats->components));
}

int jc_gltf_edit_add_bytes(struct jc_gltf_edit *edit, const void *bytes, size_t length)
{
	json_t *views = jc_gltf_edit_array(edit, "bufferViews");
	size_t buffer = edit->gltf ? jc_gltf_buffer_count(edit->gltf) : 0;
	size_t view = json_array_size(views);

	if (view >= JC_LIMIT_ACCESSORS) {
		fail(edit, JC_ERROR_LIMIT);
		return 0;
	}
	jc_file_buffer_put(&edit->added, "\0\0\0", -edit->added.length & 3);
	jc_gltf_edit_append(edit, views,
		json_pack("{s:I,s:I,s:I}", "buffer", (json_int_t)buffer, "byteOffset",
			(json_int_t)edit->added.length, "byteLength", (json_int_t)length));
	jc_file_buffer_put(&edit->added, bytes, length);
	if (edit->added.error) {
		fail(edit, edit->added.error);
	}
	return edit->error ? 0 : (int)view;
}

int jc_gltf_edit_add(struct jc_gltf_edit *edit, struct jc_gltf_floats floats)
{
	json_t *accessors = jc_gltf_edit_array(edit, "accessors");
	size_t index = json_array_size(accessors);
	int view = jc_gltf_edit_add_bytes(
		edit, floats.values, floats.count * floats.components * sizeof(float));
	json_t *accessor;

	if (index >= JC_LIMIT_ACCESSORS) {
		fail(edit, JC_ERROR_LIMIT);
	}
	if (edit->error) {
		return 0;
	}
	accessor = json_pack("{s:i,s:i,s:s,s:I}", "bufferView", view, "componentType", FLOAT,
		"type", floats.type, "count", (json_int_t)floats.count);
	jc_gltf_edit_append(edit, accessors, accessor);
	if (floats.has_bounds && floats.count > 0 && !edit->error) {
		set_bounds(edit, accessor, &floats);
	}
	return edit->error ? 0 : (int)index;
}

static void remove_name(struct jc_gltf_edit *edit, const char *list, const char *name)
{
	json_t *array = json_object_get(edit->root, list);

	for (size_t i = json_array_size(array); i-- > 0;) {
		const char *item = json_string_value(json_array_get(array, i));

		if (item && strcmp(item, name) == 0) {
			json_array_remove(array, i);
		}
	}
	if (array && json_array_size(array) == 0) {
		json_object_del(edit->root, list);
	}
}

void jc_gltf_edit_forget_extension(struct jc_gltf_edit *edit, const char *name)
{
	remove_name(edit, "extensionsUsed", name);
	remove_name(edit, "extensionsRequired", name);
}

void jc_gltf_edit_use_extension(struct jc_gltf_edit *edit, const char *name)
{
	remove_name(edit, "extensionsUsed", name);
	jc_gltf_edit_append(edit, jc_gltf_edit_array(edit, "extensionsUsed"), json_string(name));
}
