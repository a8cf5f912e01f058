/* Reads figures whose bones KHR_character_skeleton_mapping lists. The draft defines neither the
 * pose nor the front of a figure: KHR_character_reference_pose may store its T-pose, and the front
 * is measured. */
#include "khr_character.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bind_pose.h"
#include "constraint_list.h"
#include "gltf_groups.h"
#include "gltf_skeletons.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/bone_map_match.h"
#include "jointcast_private/gltf_bone_map.h"
#include "jointcast_private/json.h"
#include "jointcast_private/khr_character.h"
#include "virtual_transform_list.h"

static const char *const sets[] = { JC_KHR_VRM_ROLES, JC_KHR_HANIM_ROLES };

/* Reads a mapping set; false if it does not map the hips. Invalid entries are left out and
 * reported by jc_khr_character_lint. */
static bool read_set(const struct jc_gltf *gltf, const char *set, int out_bones[JC_BONE_COUNT])
{
	json_t *roles = json_object_get(
		json_object_get(jc_gltf_extension(gltf, "KHR_character_skeleton_mapping"),
			"skeletalRigMappings"),
		set);
	const char *role;
	json_t *value;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_bones[b] = -1;
	}
	json_object_foreach(roles, role, value)
	{
		enum jc_bone bone = JC_BONE_NONE;
		int node = -1;

		if (jc_khr_character_role(set, role, &bone) && bone != JC_BONE_NONE &&
			!jc_json_read_index(
				value, "node", NULL, 0, jc_gltf_node_count(gltf), &node, NULL)) {
			out_bones[bone] = node;
		}
	}
	/* Several roles may name one node; a skeleton has a bone for it. */
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int above = 0; above < b && out_bones[b] >= 0; above++) {
			out_bones[b] = out_bones[above] == out_bones[b] ? -1 : out_bones[b];
		}
	}
	return out_bones[JC_BONE_HIPS] >= 0;
}

static bool read_bones(const struct jc_gltf *gltf, int out_bones[JC_BONE_COUNT])
{
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		if (read_set(gltf, sets[i], out_bones)) {
			return true;
		}
	}
	return false;
}

bool jc_khr_character_applies(const struct jc_gltf *gltf)
{
	int bones[JC_BONE_COUNT];

	return read_bones(gltf, bones);
}

/* World rotations of all nodes, parents first. */
static void find_rotations(const struct jc_gltf_groups *groups, const struct jc_transform *locals,
	struct jc_quat *out_rotations)
{
	for (size_t i = 0; i < groups->node_count; i++) {
		int node = groups->order[i];
		int parent = groups->parents[node];

		out_rotations[node] =
			parent < 0 ? locals[node].rotation
				   : jc_quat_normalize(jc_quat_multiply(
					     out_rotations[parent], locals[node].rotation));
	}
}

/* Sets facing and corrections. The stored T-pose is authoritative ("Pose labels"): the corrections
 * lead to it and not to the T-pose that is measured in it. */
static int correct(struct jc_gltf_groups *groups, const struct jc_bind_pose *pose,
	struct jc_skeleton_description *description, struct jc_lint *lint)
{
	size_t count = groups->node_count;
	size_t group = (size_t)groups->groups[description->bones[JC_BONE_HIPS]];
	struct jc_transform *locals = calloc(count + 1, sizeof(*locals));
	struct jc_quat *rest = calloc(count + 1, sizeof(*rest));
	struct jc_quat *posed = calloc(count + 1, sizeof(*posed));
	int error = locals && rest && posed ? JC_OK : JC_ERROR_MEMORY;
	bool is_posed = !error && jc_khr_character_t_pose(groups->gltf, locals);

	if (!error) {
		error = jc_recognised_gltf_correct(
			groups, group, is_posed ? locals : pose->locals, description, lint);
	}
	if (!error && is_posed) {
		find_rotations(groups, pose->locals, rest);
		find_rotations(groups, locals, posed);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			int node = description->bones[b];

			description->corrections[b] =
				node < 0 ? JC_QUAT_IDENTITY
					 : jc_quat_normalize(jc_quat_multiply(
						   posed[node], jc_quat_conjugate(rest[node])));
		}
	}
	free(locals);
	free(rest);
	free(posed);
	return error;
}

/* The name of the node that KHR_character designates as root. */
static const char *name_of(const struct jc_gltf *gltf)
{
	int root = -1;

	if (jc_json_read_index(jc_gltf_extension(gltf, "KHR_character"), "rootNode", NULL, 0,
		    jc_gltf_node_count(gltf), &root, NULL) ||
		root < 0 || strlen(jc_gltf_nodes(gltf)[root].name) >= JC_LIMIT_NAME_BYTES) {
		return "";
	}
	return jc_gltf_nodes(gltf)[root].name;
}

static int create(struct jc_gltf_groups *groups, struct jc_skeleton_description *description,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const struct jc_gltf *gltf = groups->gltf;
	struct jc_skeleton_node *nodes = calloc(groups->node_count + 1, sizeof(*nodes));
	struct jc_bind_pose pose;
	int error;

	if (!nodes || jc_bind_pose_init(&pose, gltf, description->bones, lint)) {
		free(nodes);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < groups->node_count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(gltf)[i];

		nodes[i] = (struct jc_skeleton_node){ node->name, node->parent, pose.locals[i] };
	}
	description->format = JC_SKELETON_GLTF;
	description->name = name_of(gltf);
	description->family = "KHR_character";
	description->node_count = groups->node_count;
	description->nodes = nodes;
	error = correct(groups, &pose, description, lint);
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
	} else {
		error = jc_skeleton_create(description, out_skeleton, diagnostic);
	}
	jc_bind_pose_finish(&pose);
	free(nodes);
	return error;
}

int jc_khr_character_read(const struct jc_gltf *gltf, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_virtual_transform_list virtuals = { .count = 0 };
	struct jc_constraint_list constraints = { .count = 0 };
	struct jc_skeleton_description description;
	struct jc_gltf_groups groups;
	int error;

	if (index > 0) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no humanoid %zu: the file has one", index);
	}
	jc_skeleton_description_init(&description);
	read_bones(gltf, description.bones);
	error = map ? jc_gltf_bone_map_match(gltf, map, description.bones, diagnostic) : JC_OK;
	if (error) {
		return error;
	}
	if (description.bones[JC_BONE_HIPS] < 0) {
		return jc_bone_map_refuse(
			map, diagnostic, JC_ERROR_INVALID, "the map has no 'hips'");
	}
	if (jc_gltf_groups_init_trees(&groups, gltf)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (jc_virtual_transform_list_read_gltf(&virtuals, gltf, lint) ||
		jc_constraint_list_read(&constraints, gltf, lint)) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else {
		description.virtual_transform_count = virtuals.count;
		description.virtual_transforms = virtuals.items;
		description.constraint_count = constraints.count;
		description.constraints = constraints.items;
		error = create(&groups, &description, out_skeleton, lint, diagnostic);
	}
	jc_virtual_transform_list_finish(&virtuals);
	jc_constraint_list_finish(&constraints);
	jc_gltf_groups_finish(&groups);
	return error;
}
