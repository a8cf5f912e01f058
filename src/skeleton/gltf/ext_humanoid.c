/* Reads EXT_skeleton_humanoid. The text of the specification has an array of skeletons,
 * its published schema a single one at the root; both are read. By the text the reference
 * pose is the T-pose, so directions are not corrected; it is the bind pose of the skins
 * and not the transforms of the nodes. */
#include "gltf_skeletons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bind_pose.h"
#include "constraint_list.h"
#include "jointcast/limits.h"
#include "jointcast_private/ext_humanoid.h"
#include "jointcast_private/gltf_bone_map.h"
#include "jointcast_private/json.h"
#include "skeleton_lint.h"
#include "virtual_transform_list.h"

#define EXTENSION "EXT_skeleton_humanoid"

/* Counts the skeletons of a file, in either form. */
static size_t count_skeletons(const struct jc_gltf *gltf)
{
	const json_t *extension = jc_gltf_extension(gltf, EXTENSION);
	const json_t *list = json_object_get(extension, "humanoidSkeletons");

	if (list) {
		return json_array_size(list);
	}
	return json_object_get(extension, "humanoidBones") ? 1 : 0;
}

static const json_t *find_skeleton(const struct jc_gltf *gltf, size_t index)
{
	const json_t *extension = jc_gltf_extension(gltf, EXTENSION);
	const json_t *list = json_object_get(extension, "humanoidSkeletons");

	return list ? json_array_get(list, index) : extension;
}

/* JSON path of a skeleton; it links to itself, so it must not move in memory. */
struct place {
	struct jc_json_place extension, list, skeleton;
};

static const struct jc_json_place *make_place(
	struct place *place, const struct jc_gltf *gltf, size_t index)
{
	const json_t *extension = jc_gltf_extension(gltf, EXTENSION);

	place->extension = (struct jc_json_place){ .key = EXTENSION };
	place->list =
		(struct jc_json_place){ .outer = &place->extension, .key = "humanoidSkeletons" };
	place->skeleton = (struct jc_json_place){ .outer = &place->list, .index = index };
	return json_object_get(extension, "humanoidSkeletons") ? &place->skeleton
							       : &place->extension;
}

/* One entry of the list of skeletons. */
struct entry {
	int root; /* node index or -1 */
	int bones[JC_BONE_COUNT];
	const char *name;
	bool has_floor;
	float floor;
};

static int map_bones(const struct jc_gltf *gltf, const json_t *map,
	const struct jc_json_place *place, struct entry *entry, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)map, name, value)
	{
		enum jc_bone bone = jc_bone_find(name);
		int node = -1;
		int error = jc_json_read_index(
			map, name, place, 0, jc_gltf_node_count(gltf), &node, diagnostic);

		if (error) {
			return error;
		}
		if (bone == JC_BONE_NONE) {
			jc_lint_add(lint, JC_WARNING, "unknown-bone",
				"'%s' is not a humanoid bone; ignored", name);
		} else {
			entry->bones[bone] = node;
		}
	}
	return JC_OK;
}

/* Reads the height of the ground, as `lint --fix` writes it: "extras": { "floor": 0 },
 * metres. */
static int read_floor(const json_t *json, const struct jc_json_place *place, struct entry *entry,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place extras_place = { .outer = place, .key = "extras" };
	const json_t *extras = json_object_get(json, "extras");

	if (!json_is_number(json_object_get(extras, "floor"))) {
		return JC_OK;
	}
	entry->has_floor = true;
	return jc_json_read_float(extras, "floor", &extras_place, &entry->floor, diagnostic);
}

static int read_entry(const struct jc_gltf *gltf, size_t index, struct entry *out_entry,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct place room;
	const struct jc_json_place *place = make_place(&room, gltf, index);
	struct jc_json_place bones_place = { .outer = place, .key = "humanoidBones" };
	const json_t *json = find_skeleton(gltf, index);
	const json_t *bones = NULL;
	struct entry entry = { .root = -1, .name = "" };
	int error;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		entry.bones[b] = -1;
	}
	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	error = jc_json_read_index(
		json, "rootNode", place, 0, jc_gltf_node_count(gltf), &entry.root, diagnostic);
	if (!error) {
		error = jc_json_read_object(json, "humanoidBones", place, &bones, diagnostic);
	}
	if (error) {
		return error;
	}
	if (json_object_size(bones) == 0) {
		return jc_json_refuse(diagnostic, JC_ERROR_NO_HUMANOID, &bones_place,
			"no humanoid: no bone is mapped");
	}
	error = map_bones(gltf, bones, &bones_place, &entry, lint, diagnostic);
	if (!error) {
		error = read_floor(json, place, &entry, diagnostic);
	}
	if (error) {
		return error;
	}
	if (entry.root >= 0 && strlen(jc_gltf_nodes(gltf)[entry.root].name) < JC_LIMIT_NAME_BYTES) {
		entry.name = jc_gltf_nodes(gltf)[entry.root].name;
	}
	*out_entry = entry;
	return JC_OK;
}

/* Whether the node is in the tree of the skeleton: below its root, or below a bone if the
 * root is not above the bones. */
static bool holds(const struct jc_gltf *gltf, const struct entry *entry, int node)
{
	for (; node >= 0; node = jc_gltf_nodes(gltf)[node].parent) {
		if (node == entry->root || node == entry->bones[JC_BONE_HIPS]) {
			return true;
		}
	}
	return false;
}

/* Keeps the virtual transforms of this skeleton: those with a parent in its tree, and
 * those with a parent in no skeleton's tree. */
static void keep_own_virtuals(
	struct jc_virtual_transform_list *list, const struct jc_gltf *gltf, const struct entry *own)
{
	size_t skeletons = count_skeletons(gltf);
	bool is_others[JC_LIMIT_VIRTUAL_TRANSFORMS] = { false };
	struct jc_diagnostic ignored;
	struct entry entry;
	size_t kept = 0;

	for (size_t s = 0; s < skeletons; s++) {
		if (read_entry(gltf, s, &entry, NULL, &ignored)) {
			continue;
		}
		for (size_t i = 0; i < list->count; i++) {
			is_others[i] = is_others[i] || holds(gltf, &entry, list->items[i].parent);
		}
	}
	for (size_t i = 0; i < list->count; i++) {
		if (is_others[i] && !holds(gltf, own, list->items[i].parent)) {
			free((void *)list->items[i].tags);
		} else {
			list->items[kept++] = list->items[i];
		}
	}
	list->count = kept;
}

static void lint_entry(const struct jc_gltf *gltf, const struct entry *entry,
	const struct jc_bind_pose *pose, struct jc_lint *lint)
{
	struct jc_skeleton_lint_bones loose = { .count = 0 }, outside = { .count = 0 };
	struct jc_skeleton_lint_bones unbound = { .count = 0 };

	if (entry->root < 0) {
		jc_lint_add(lint, JC_WARNING, "no-root", "the skeleton has no rootNode");
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = entry->bones[b];
		int above = node;

		if (node < 0) {
			continue;
		}
		while (above >= 0 && above != entry->root) {
			above = jc_gltf_nodes(gltf)[above].parent;
		}
		if (entry->root >= 0 && above < 0) {
			jc_skeleton_lint_add_bone(&outside, (enum jc_bone)b);
		}
		if (!pose->is_joint[node]) {
			jc_skeleton_lint_add_bone(&loose, (enum jc_bone)b);
		} else if (!pose->is_bound[node]) {
			jc_skeleton_lint_add_bone(&unbound, (enum jc_bone)b);
		}
	}
	if (outside.count) {
		jc_lint_add(
			lint, JC_WARNING, "outside-root", "not below rootNode: %s", outside.text);
	}
	if (loose.count) {
		jc_lint_add(lint, JC_WARNING, "not-a-joint",
			"not joints of a skin, so the transforms of their nodes give the rest: %s",
			loose.text);
	}
	if (unbound.count) {
		jc_lint_add(lint, JC_NOTE, "no-inverse-bind",
			"without inverse bind matrix, so the transforms of their nodes give the "
			"rest: %s",
			unbound.text);
	}
}

bool jc_ext_humanoid_applies(const struct jc_gltf *gltf)
{
	return count_skeletons(gltf) > 0;
}

bool jc_ext_humanoid_lint_empty(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	if (!jc_gltf_extension(gltf, EXTENSION) || count_skeletons(gltf) > 0) {
		return false;
	}
	jc_lint_add(lint, JC_WARNING, "no-skeletons",
		EXTENSION ".humanoidSkeletons holds no skeleton, but at least 1 is required: bones "
			  "are read as from a file without the extension");
	return true;
}

static int check_index(const struct jc_gltf *gltf, size_t index, struct jc_diagnostic *diagnostic)
{
	size_t count = count_skeletons(gltf);

	if (count > JC_LIMIT_SKINS) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, EXTENSION ".humanoidSkeletons",
			"more than %u skeletons", JC_LIMIT_SKINS);
	}
	if (index >= count) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no humanoid %zu: the file has %zu", index, count);
	}
	return JC_OK;
}

static int create(const struct jc_gltf *gltf, const struct entry *entry,
	const struct jc_bind_pose *pose, const struct jc_virtual_transform_list *virtuals,
	const struct jc_constraint_list *constraints, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;
	struct jc_skeleton_node *nodes = calloc(pose->count + 1, sizeof(*nodes));
	int error;

	if (!nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < pose->count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(gltf)[i];

		nodes[i] = (struct jc_skeleton_node){ node->name, node->parent, pose->locals[i] };
	}
	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_EXT;
	description.name = entry->name;
	description.node_count = pose->count;
	description.nodes = nodes;
	memcpy(description.bones, entry->bones, sizeof(description.bones));
	description.has_floor = entry->has_floor;
	description.floor = entry->floor;
	description.virtual_transform_count = virtuals->count;
	description.virtual_transforms = virtuals->items;
	description.constraint_count = constraints->count;
	description.constraints = constraints->items;
	error = jc_skeleton_create(&description, out_skeleton, diagnostic);
	free(nodes);
	return error;
}

int jc_ext_humanoid_read(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_virtual_transform_list virtuals = { .count = 0 };
	struct jc_constraint_list constraints = { .count = 0 };
	struct jc_bind_pose pose;
	struct entry entry;
	int error = check_index(gltf, index, diagnostic);

	if (error) {
		return error;
	}
	error = read_entry(gltf, index, &entry, lint, diagnostic);
	if (!error && map) {
		error = jc_gltf_bone_map_match(gltf, map, entry.bones, diagnostic);
	}
	if (error) {
		return error;
	}
	if (jc_bind_pose_init(&pose, gltf, entry.bones, lint)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = jc_virtual_transform_list_read_gltf(&virtuals, gltf, lint);
	if (!error) {
		error = jc_constraint_list_read(&constraints, gltf, lint);
	}
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto out;
	}
	keep_own_virtuals(&virtuals, gltf, &entry);
	error = create(gltf, &entry, &pose, &virtuals, &constraints, out_skeleton, diagnostic);
	if (!error) {
		lint_entry(gltf, &entry, &pose, lint);
	}
out:
	jc_virtual_transform_list_finish(&virtuals);
	jc_constraint_list_finish(&constraints);
	jc_bind_pose_finish(&pose);
	return error;
}
