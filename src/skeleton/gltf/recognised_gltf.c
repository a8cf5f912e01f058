/* Reads skeletons of glTF files that do not mark their bones: recognises the figure in
 * the bind pose of its skins, computes the bind pose again with the known bones, and
 * measures the corrections to the T-pose. */
#include "gltf_skeletons.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bind_pose.h"
#include "constraint_list.h"
#include "gltf_groups.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/bone_map_match.h"
#include "jointcast_private/gltf_bone_map.h"
#include "jointcast_private/recognition.h"
#include "jointcast_private/rest_pose.h"
#include "virtual_transform_list.h"

/* A recognised figure; bones are node indices. */
struct figure {
	size_t group;
	struct jc_recognition recognition;
};

static int out_of_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* In a group of nodes without a skin only names are used: many things in a scene have
 * branches. */
static int recognize_group(const struct jc_gltf_groups *groups, size_t group,
	struct figure *out_figure, struct jc_diagnostic *diagnostic)
{
	struct jc_recognition *recognition = &out_figure->recognition;
	struct jc_gltf_groups_tree tree;
	int error;

	out_figure->group = group;
	if (jc_gltf_groups_tree_init(&tree, groups, group)) {
		return out_of_memory(diagnostic);
	}
	error = groups->are_skins ? jc_recognize(&tree.tree, recognition, diagnostic)
				  : jc_recognize_names(&tree.tree, recognition, diagnostic);
	for (int b = 0; error == JC_OK && b < JC_BONE_COUNT; b++) {
		int joint = recognition->bones[b];

		recognition->bones[b] = joint < 0 ? -1 : tree.nodes[joint];
	}
	jc_gltf_groups_tree_finish(&tree);
	return error;
}

/* Searches the groups for a figure, with *out_found figures already counted.
 * JC_ERROR_NO_HUMANOID if there is none; the diagnostic then describes the group with the
 * highest confidence, if that is above *nearest, and *has_animal is set if it is an animal. */
static int find_figure(const struct jc_gltf_groups *groups, size_t index, size_t *out_found,
	float *nearest, bool *has_animal, struct figure *out_figure,
	struct jc_diagnostic *diagnostic)
{
	for (size_t g = 0; g < groups->count; g++) {
		struct jc_diagnostic miss = { 0 };
		struct figure figure;
		int error = recognize_group(groups, g, &figure, &miss);

		if (error == JC_OK && (*out_found)++ == index) {
			*out_figure = figure;
			return JC_OK;
		}
		if (error && error != JC_ERROR_NO_HUMANOID) {
			*diagnostic = miss;
			return error;
		}
		if (error && figure.recognition.confidence > *nearest) {
			*nearest = figure.recognition.confidence;
			*has_animal = *figure.recognition.family != '\0';
			*diagnostic = miss;
		}
	}
	return JC_ERROR_NO_HUMANOID;
}

/* Searches the skins; if they have neither figure nor animal, all nodes. On success the caller
 * finishes *out_groups. */
static int find(const struct jc_gltf *gltf, size_t index, struct jc_gltf_groups *out_groups,
	struct figure *out_figure, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic miss = { 0 };
	int no_bones[JC_BONE_COUNT];
	struct jc_bind_pose pose;
	bool has_animal = false;
	float nearest = -1.0f;
	size_t found = 0;
	int error;

	memset(no_bones, -1, sizeof(no_bones));
	if (jc_bind_pose_init(&pose, gltf, no_bones, NULL)) {
		return out_of_memory(diagnostic);
	}
	for (int pass = 0; pass < 2; pass++) {
		error = pass ? jc_gltf_groups_init_trees(out_groups, gltf)
			     : jc_gltf_groups_init_skins(out_groups, gltf);
		if (error) {
			out_of_memory(diagnostic);
			break;
		}
		if (jc_gltf_groups_place(out_groups, pose.locals)) {
			jc_gltf_groups_finish(out_groups);
			error = out_of_memory(diagnostic);
			break;
		}
		error = find_figure(
			out_groups, index, &found, &nearest, &has_animal, out_figure, &miss);
		if (error == JC_OK) {
			break;
		}
		jc_gltf_groups_finish(out_groups);
		if (diagnostic) {
			*diagnostic = miss;
		}
		if (error != JC_ERROR_NO_HUMANOID || found > 0 || has_animal) {
			break;
		}
	}
	jc_bind_pose_finish(&pose);
	if (error == JC_ERROR_NO_HUMANOID && found > 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no humanoid %zu: the file has %zu", index, found);
	}
	if (error == JC_ERROR_NO_HUMANOID && nearest < 0.0f) {
		jc_diagnose(diagnostic, error, NULL, "no humanoid: a glTF file without any nodes");
	}
	return error;
}

/* The group with all mapped nodes among its joints; groups->count if no group has them. */
static size_t group_of(const struct jc_gltf_groups *groups, const int *bones)
{
	int group = groups->groups[bones[JC_BONE_HIPS]];

	for (int b = 0; group >= 0 && b < JC_BONE_COUNT; b++) {
		if (bones[b] >= 0 && groups->groups[bones[b]] != group) {
			return groups->count;
		}
	}
	return group < 0 ? groups->count : (size_t)group;
}

/* Finds the figure of a map. On success the caller finishes *out_groups. */
static int find_mapped(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_gltf_groups *out_groups, struct figure *out_figure,
	struct jc_diagnostic *diagnostic)
{
	struct jc_recognition *recognition = &out_figure->recognition;
	int error = jc_gltf_bone_map_match(gltf, map, recognition->bones, diagnostic);

	if (error) {
		return error;
	}
	if (recognition->bones[JC_BONE_HIPS] < 0) {
		return jc_bone_map_refuse(
			map, diagnostic, JC_ERROR_INVALID, "the map has no 'hips'");
	}
	if (index > 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no humanoid %zu: a bone map makes one", index);
	}
	recognition->family = JC_BONE_MAP_FAMILY;
	recognition->confidence = 1.0f;
	for (int pass = 0; pass < 2; pass++) {
		if (pass ? jc_gltf_groups_init_trees(out_groups, gltf)
			 : jc_gltf_groups_init_skins(out_groups, gltf)) {
			return out_of_memory(diagnostic);
		}
		out_figure->group = group_of(out_groups, recognition->bones);
		if (out_figure->group < out_groups->count) {
			return JC_OK;
		}
		jc_gltf_groups_finish(out_groups);
	}
	return jc_bone_map_refuse(map, diagnostic, JC_ERROR_INVALID,
		"its joints are not all below one root node of the file");
}

int jc_recognised_gltf_correct(struct jc_gltf_groups *groups, size_t group,
	const struct jc_transform *locals, struct jc_skeleton_description *description,
	struct jc_lint *lint)
{
	int bones[JC_BONE_COUNT];
	struct jc_rest_pose rest;
	struct jc_gltf_groups_tree tree;

	if (jc_gltf_groups_place(groups, locals) ||
		jc_gltf_groups_tree_init(&tree, groups, group)) {
		return JC_ERROR_MEMORY;
	}
	memset(bones, -1, sizeof(bones));
	for (size_t i = 0; i < tree.tree.joint_count; i++) {
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			if (description->bones[b] == tree.nodes[i]) {
				bones[b] = (int)i;
			}
		}
	}
	if (jc_rest_pose_init(&rest, &tree.tree, bones, NULL)) {
		jc_gltf_groups_tree_finish(&tree);
		return JC_ERROR_MEMORY;
	}
	if (!rest.is_measurable) {
		jc_lint_add(lint, JC_WARNING, "rest",
			"the bind pose shows no left and up; taken as +X and +Y");
	}
	description->facing = jc_quat_conjugate(rest.orientation);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		description->corrections[b] = jc_quat_normalize(
			jc_quat_multiply(jc_quat_multiply(description->facing, rest.corrections[b]),
				rest.orientation));
	}
	jc_rest_pose_finish(&rest);
	jc_gltf_groups_tree_finish(&tree);
	return JC_OK;
}

/* The name of the first skin that binds the figure. */
static const char *name_of(const struct jc_gltf_groups *groups, size_t group)
{
	for (size_t s = 0; groups->are_skins && s < jc_gltf_skin_count(groups->gltf); s++) {
		const struct jc_gltf_skin *skin = &jc_gltf_skins(groups->gltf)[s];

		if (skin->joint_count && groups->groups[skin->joints[0]] == (int)group &&
			strlen(skin->name) < JC_LIMIT_NAME_BYTES) {
			return skin->name;
		}
	}
	return "";
}

static int create(struct jc_gltf_groups *groups, const struct figure *figure,
	const struct jc_virtual_transform_list *virtuals,
	const struct jc_constraint_list *constraints, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const struct jc_recognition *recognition = &figure->recognition;
	struct jc_skeleton_node *nodes = calloc(groups->node_count + 1, sizeof(*nodes));
	struct jc_skeleton_description description;
	struct jc_bind_pose pose;
	int error;

	if (!nodes || jc_bind_pose_init(&pose, groups->gltf, recognition->bones, lint)) {
		free(nodes);
		return out_of_memory(diagnostic);
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(groups->gltf)[i];

		nodes[i] = (struct jc_skeleton_node){ node->name, node->parent, pose.locals[i] };
	}
	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_GLTF;
	description.name = name_of(groups, figure->group);
	description.family = recognition->family;
	description.confidence = recognition->confidence;
	description.node_count = groups->node_count;
	description.nodes = nodes;
	memcpy(description.bones, recognition->bones, sizeof(description.bones));
	description.virtual_transform_count = virtuals->count;
	description.virtual_transforms = virtuals->items;
	description.constraint_count = constraints->count;
	description.constraints = constraints->items;
	error = jc_recognised_gltf_correct(groups, figure->group, pose.locals, &description, lint);
	if (error) {
		out_of_memory(diagnostic);
	} else {
		error = jc_skeleton_create(&description, out_skeleton, diagnostic);
	}
	jc_bind_pose_finish(&pose);
	free(nodes);
	return error;
}

int jc_recognised_gltf_read(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_virtual_transform_list virtuals = { .count = 0 };
	struct jc_constraint_list constraints = { .count = 0 };
	struct jc_gltf_groups groups;
	struct figure figure;
	int error = map ? find_mapped(gltf, index, map, &groups, &figure, diagnostic)
			: find(gltf, index, &groups, &figure, diagnostic);

	if (error) {
		return error;
	}
	if (jc_virtual_transform_list_read_gltf(&virtuals, gltf, lint) ||
		jc_constraint_list_read(&constraints, gltf, lint)) {
		error = out_of_memory(diagnostic);
	} else {
		error = create(
			&groups, &figure, &virtuals, &constraints, out_skeleton, lint, diagnostic);
	}
	jc_virtual_transform_list_finish(&virtuals);
	jc_constraint_list_finish(&constraints);
	jc_gltf_groups_finish(&groups);
	return error;
}
