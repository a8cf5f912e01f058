/* Reads virtual transforms: strictly in descriptors, leniently in glTF files of exporters
 * that follow a draft. */
#include "virtual_transform_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

static int read_tags(const json_t *json, const struct jc_json_place *place,
	struct jc_virtual_transform *virtual, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .outer = place, .key = "tags" };
	const json_t *array = NULL;
	const char **tags;
	int error = jc_json_read_array(json, "tags", place, JC_LIMIT_TAGS, &array, diagnostic);

	if (error || json_array_size(array) == 0) {
		return error;
	}
	tags = calloc(json_array_size(array), sizeof(*tags));
	if (!tags) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < json_array_size(array); i++) {
		struct jc_json_place element = { .outer = &list, .index = i };

		tags[i] = json_string_value(json_array_get(array, i));
		if (!tags[i]) {
			free(tags);
			return jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, &element, "not a string");
		}
	}
	virtual->tags = tags;
	virtual->tag_count = json_array_size(array);
	return JC_OK;
}

static int read_virtual(const json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_virtual_transform *virtual, struct jc_diagnostic *diagnostic)
{
	int error = jc_json_read_string(json, "name", place, &virtual->name, diagnostic);

	if (!error) {
		error = jc_json_read_index(
			json, "parent", place, -1, node_count, &virtual->parent, diagnostic);
	}
	if (!error) {
		error = jc_json_read_transform(json, place, &virtual->offset, diagnostic);
	}
	if (!error) {
		error = jc_json_read_bool(json, "respectParentPosition", place,
			&virtual->respect_position, diagnostic);
	}
	if (!error) {
		error = jc_json_read_bool(json, "respectParentRotation", place,
			&virtual->respect_rotation, diagnostic);
	}
	if (!error) {
		error = jc_json_read_bool(
			json, "respectParentScale", place, &virtual->respect_scale, diagnostic);
	}
	return error ? error : read_tags(json, place, virtual, diagnostic);
}

int jc_virtual_transform_list_read(struct jc_virtual_transform_list *list,
	const struct json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_diagnostic *diagnostic)
{
	struct jc_virtual_transform virtual = {
		.name = "",
		.parent = -1,
		.offset = JC_TRANSFORM_IDENTITY,
		.respect_position = true,
		.respect_rotation = true,
		.respect_scale = true,
	};
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	if (list->count == JC_LIMIT_VIRTUAL_TRANSFORMS) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_LIMIT, place, "too many virtual transforms");
	}
	if (!list->items) {
		list->items = calloc(JC_LIMIT_VIRTUAL_TRANSFORMS, sizeof(*list->items));
		if (!list->items) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
	}
	error = read_virtual(json, place, node_count, &virtual, diagnostic);
	if (!error) {
		list->items[list->count++] = virtual;
	}
	return error;
}

/* Faults for which jc_skeleton_create would reject the whole skeleton. */
static const char *find_fault(const struct jc_virtual_transform *virtual)
{
	struct jc_quat q = virtual->offset.rotation;

	if (!(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) < 1e-2f)) {
		return "its rotation is not a unit quaternion";
	}
	if (strlen(virtual->name) >= JC_LIMIT_NAME_BYTES) {
		return "its name is too long";
	}
	for (size_t i = 0; i < virtual->tag_count; i++) {
		if (strlen(virtual->tags[i]) >= JC_LIMIT_NAME_BYTES) {
			return "a tag is too long";
		}
	}
	return NULL;
}

static int read_leniently(struct jc_virtual_transform_list *list, const json_t *json,
	const struct jc_json_place *place, size_t node_count, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic;
	int error = jc_virtual_transform_list_read(list, json, place, node_count, &diagnostic);
	const char *fault = error ? NULL : find_fault(&list->items[list->count - 1]);

	if (fault) {
		free((void *)list->items[--list->count].tags);
		error = jc_json_refuse(&diagnostic, JC_ERROR_INVALID, place, "%s", fault);
	}
	if (error && error != JC_ERROR_MEMORY) {
		jc_lint_add(lint, JC_WARNING, "virtual-transform", "left out: %s: %s",
			diagnostic.where, diagnostic.what);
	}
	return error == JC_ERROR_MEMORY ? error : JC_OK;
}

int jc_virtual_transform_list_read_gltf(
	struct jc_virtual_transform_list *list, const struct jc_gltf *gltf, struct jc_lint *lint)
{
	/* A published exporter writes the plural. */
	static const char *const spellings[] = { "KHR_virtual_transform",
		"KHR_virtual_transforms" };

	for (size_t s = 0; s < sizeof(spellings) / sizeof(*spellings); s++) {
		struct jc_json_place extension = { .key = spellings[s] };
		struct jc_json_place array_place = { .outer = &extension,
			.key = "virtualTransforms" };
		const json_t *array =
			json_object_get(jc_gltf_extension(gltf, spellings[s]), "virtualTransforms");

		for (size_t i = 0; i < json_array_size(array); i++) {
			struct jc_json_place place = { .outer = &array_place, .index = i };

			if (read_leniently(list, json_array_get(array, i), &place,
				    jc_gltf_node_count(gltf), lint)) {
				return JC_ERROR_MEMORY;
			}
		}
	}
	return JC_OK;
}

void jc_virtual_transform_list_finish(struct jc_virtual_transform_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free((void *)list->items[i].tags);
	}
	free(list->items);
}
