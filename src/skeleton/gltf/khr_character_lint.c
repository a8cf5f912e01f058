/* Checks the drafts of the KHR_character family against their texts, and knows the roles of the
 * mapping sets that are understood. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "hanim/hanim_names.h"
#include "jointcast_private/hanim.h"
#include "jointcast_private/json.h"
#include "jointcast_private/khr_character.h"
#include "khr_lint.h"

#define MAPPING "KHR_character_skeleton_mapping"
#define TARGET  "KHR_node_lookat_target"

/* The bone that a vertebra drives in written H-Anim; a file that is read as H-Anim needs its tree.
 */
static enum jc_bone find_trunk_bone(const char *role)
{
	for (int b = JC_BONE_SPINE; b <= JC_BONE_NECK; b++) {
		struct jc_hanim_label label;

		jc_hanim_label_bone((enum jc_bone)b, JC_HANIM_SPELLING_2, &label);
		if (strcmp(label.joint, role) == 0) {
			return (enum jc_bone)b;
		}
	}
	return JC_BONE_NONE;
}

bool jc_khr_character_role(const char *set, const char *role, enum jc_bone *out_bone)
{
	struct jc_hanim_name name;

	if (strcmp(set, JC_KHR_VRM_ROLES) == 0) {
		*out_bone = jc_bone_find(role);
		return *out_bone != JC_BONE_NONE;
	}
	if (strcmp(set, JC_KHR_HANIM_ROLES) != 0 || !jc_hanim_names_find(role, &name)) {
		return false;
	}
	*out_bone = name.vertebra < 0 ? name.bone : find_trunk_bone(role);
	return true;
}

static bool is_used(const struct jc_gltf *gltf, const char *name)
{
	const json_t *used = json_object_get(jc_gltf_json(gltf), "extensionsUsed");

	for (size_t i = 0; i < json_array_size(used); i++) {
		const char *other = json_string_value(json_array_get(used, i));

		if (other && strcmp(other, name) == 0) {
			return true;
		}
	}
	return false;
}

/* RFC 3986: a scheme of letters, digits, '+', '-' and '.', then ':' and at least a character. */
static bool is_absolute_uri(const char *text)
{
	const char *at = text;

	if (!isalpha((unsigned char)*at)) {
		return false;
	}
	while (isalnum((unsigned char)*at) || (*at && strchr("+-.", *at))) {
		at++;
	}
	return *at == ':' && at[1] && !strpbrk(at, " <>\"{}|\\^`");
}

/* Finds the extensions of the family at animations and nodes. */
static bool has_tagged(const struct jc_gltf *gltf, const char *list, const char *name)
{
	const json_t *items = json_object_get(jc_gltf_json(gltf), list);

	for (size_t i = 0; i < json_array_size(items); i++) {
		if (json_object_get(
			    json_object_get(json_array_get(items, i), "extensions"), name)) {
			return true;
		}
	}
	return false;
}

/* "Dependencies": what the file uses it lists, with KHR_character, which it has at its root. */
static void lint_dependencies(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const struct {
		const char *name;
		bool is_there;
	} members[] = {
		{ "KHR_character", jc_gltf_extension(gltf, "KHR_character") },
		{ MAPPING, jc_gltf_extension(gltf, MAPPING) },
		{ "KHR_character_expression", jc_gltf_extension(gltf, "KHR_character_expression") },
		{ "KHR_character_reference_pose",
			has_tagged(gltf, "animations", "KHR_character_reference_pose") },
		{ TARGET, has_tagged(gltf, "nodes", TARGET) },
	};
	const json_t *character = jc_gltf_extension(gltf, "KHR_character");
	int root = -1;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (members[i].is_there && !is_used(gltf, members[i].name)) {
			jc_lint_add(lint, JC_WARNING, "khr-character",
				"extensionsUsed does not list %s", members[i].name);
		}
		if (members[i].is_there && !character && strcmp(members[i].name, TARGET) != 0) {
			jc_lint_add(lint, JC_WARNING, "khr-character",
				"%s requires KHR_character at the root of the file",
				members[i].name);
		}
	}
	if (character && (jc_json_read_index(character, "rootNode", NULL, 0,
				  jc_gltf_node_count(gltf), &root, NULL) ||
				 root < 0)) {
		jc_lint_add(lint, JC_WARNING, "khr-character",
			"KHR_character.rootNode is no node of the file");
	}
}

/* Reports an association; `is_known`: the set is understood. */
static void lint_role(const struct jc_gltf *gltf, const char *set, const char *role,
	const json_t *value, bool is_known, struct jc_lint *lint)
{
	const json_t *name = json_object_get(value, "name");
	enum jc_bone bone;
	int node = -1;

	if (jc_json_read_index(value, "node", NULL, 0, jc_gltf_node_count(gltf), &node, NULL) ||
		node < 0) {
		jc_lint_add(lint, JC_WARNING, "khr-mapping",
			MAPPING ": role '%.40s' names no node of the file", role);
		return;
	}
	if (name && (!json_is_string(name) ||
			    strcmp(json_string_value(name), jc_gltf_nodes(gltf)[node].name) != 0)) {
		jc_lint_add_at(lint, JC_WARNING, "khr-mapping", JC_BONE_NONE, node,
			MAPPING ": role '%.40s' has the name '%.40s', its node '%.40s'", role,
			json_is_string(name) ? json_string_value(name) : "",
			jc_gltf_nodes(gltf)[node].name);
	}
	if (is_known && !jc_khr_character_role(set, role, &bone)) {
		jc_lint_add_at(lint, JC_WARNING, "khr-mapping", JC_BONE_NONE, node,
			MAPPING ": '%.40s' is no role of its mapping set; ignored", role);
	}
}

static void lint_set(
	const struct jc_gltf *gltf, const char *set, json_t *roles, struct jc_lint *lint)
{
	bool is_known = strcmp(set, JC_KHR_VRM_ROLES) == 0 || strcmp(set, JC_KHR_HANIM_ROLES) == 0;
	const char *role;
	json_t *value;

	if (!is_absolute_uri(set)) {
		jc_lint_add(lint, JC_WARNING, "khr-mapping",
			MAPPING ": '%.60s' is no absolute URI; older texts of the draft had names",
			set);
	} else if (!is_known) {
		jc_lint_add(lint, JC_NOTE, "khr-mapping",
			MAPPING ": the roles of '%.100s' are not understood", set);
	}
	if (json_object_size(roles) == 0) {
		jc_lint_add(lint, JC_WARNING, "khr-mapping",
			MAPPING ": '%.60s' maps no role, but at least 1 is required", set);
	}
	json_object_foreach(roles, role, value)
	{
		lint_role(gltf, set, role, value, is_known, lint);
	}
}

static void lint_mapping(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *extension = jc_gltf_extension(gltf, MAPPING);
	json_t *all = json_object_get(extension, "skeletalRigMappings");
	const char *set;
	json_t *roles;

	if (extension && json_object_size(all) == 0) {
		jc_lint_add(lint, JC_WARNING, "khr-mapping",
			MAPPING ".skeletalRigMappings is empty, but at least 1 set is required");
	}
	json_object_foreach(all, set, roles)
	{
		lint_set(gltf, set, roles, lint);
	}
}

/* Names for a note, cut where the room ends. */
struct names {
	size_t count, used;
	char text[160];
};

static void add_name(struct names *names, const char *name)
{
	size_t left = sizeof(names->text) - names->used;
	int length = snprintf(
		names->text + names->used, left, "%s'%.40s'", names->count ? ", " : "", name);

	names->count++;
	if (length > 0 && (size_t)length < left) {
		names->used += (size_t)length;
	} else {
		names->text[names->used] = '\0';
	}
}

/* Lists the expressions. */
static void note_expressions(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *list =
		json_object_get(jc_gltf_extension(gltf, "KHR_character_expression"), "expressions");
	struct names names = { .count = 0 };

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name =
			json_string_value(json_object_get(json_array_get(list, i), "expression"));

		add_name(&names, name ? name : "");
	}
	if (names.count) {
		jc_lint_add(lint, JC_NOTE, "khr-character", "expressions (%zu): %s", names.count,
			names.text);
	}
}

static void lint_targets(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *nodes = json_object_get(jc_gltf_json(gltf), "nodes");
	struct names names = { .count = 0 };

	for (size_t i = 0; i < json_array_size(nodes); i++) {
		const json_t *target = json_object_get(
			json_object_get(json_array_get(nodes, i), "extensions"), TARGET);
		const json_t *hint = json_object_get(target, "hint");

		if (target &&
			(!json_is_object(target) || (hint && json_string_length(hint) == 0))) {
			jc_lint_add_at(lint, JC_WARNING, "khr-look-at", JC_BONE_NONE, (int)i,
				TARGET ".hint of node %zu is no text", i);
		} else if (target) {
			add_name(&names, hint ? json_string_value(hint) : "");
		}
	}
	if (names.count) {
		jc_lint_add(lint, JC_NOTE, "khr-character", "targets to look at (%zu): %s",
			names.count, names.text);
	}
}

void jc_khr_character_lint(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	if (lint) {
		lint_dependencies(gltf, lint);
		lint_mapping(gltf, lint);
		lint_targets(gltf, lint);
		jc_khr_reference_pose_lint(gltf, lint);
		jc_khr_expression_lint(gltf, lint);
		note_expressions(gltf, lint);
	}
}
