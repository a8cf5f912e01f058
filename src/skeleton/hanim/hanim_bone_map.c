/* Lists the joints of an H-Anim figure for a bone map, numbered like the nodes of its skeleton. */
#include "hanim_bone_map.h"

#include <stdlib.h>

#include "hanim_names.h"
#include "jointcast_private/bone_map_match.h"

static struct jc_hanim_joint *joint_of(const struct jc_hanim *hanim, int node)
{
	for (size_t i = 0; i < hanim->joint_count; i++) {
		if (hanim->joints[i].skeleton_node == node) {
			return &hanim->joints[i];
		}
	}
	return NULL;
}

static int refuse_humanoid(const struct jc_bone_map *map, struct jc_diagnostic *diagnostic)
{
	return jc_bone_map_refuse(
		map, diagnostic, JC_ERROR_INVALID, "#0 is the humanoid, which is no joint");
}

static int assign_bones(struct jc_hanim *hanim, const struct jc_bone_map *map,
	const struct jc_named_joints *joints, struct jc_diagnostic *diagnostic)
{
	int bones[JC_BONE_COUNT];
	int error = jc_bone_map_match(map, joints, bones, diagnostic);

	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		struct jc_hanim_joint *joint = joint_of(hanim, bones[b]);

		if (joint) {
			joint->bone = (enum jc_bone)b;
			hanim->bones[b] = bones[b];
		} else if (bones[b] >= 0) {
			error = refuse_humanoid(map, diagnostic);
		}
	}
	return error;
}

/* Gives vertebrae their names, by which the spine is recognised. */
static int name_vertebrae(struct jc_hanim *hanim, const struct jc_bone_map *map,
	const struct jc_named_joints *joints, struct jc_diagnostic *diagnostic)
{
	int vertebrae[JC_HANIM_VERTEBRA_COUNT];
	int error = jc_bone_map_match_vertebrae(map, joints, vertebrae, diagnostic);

	for (int v = 0; !error && v < JC_HANIM_VERTEBRA_COUNT; v++) {
		struct jc_hanim_joint *joint = joint_of(hanim, vertebrae[v]);

		if (joint) {
			joint->name = jc_hanim_names_vertebra(v);
		} else if (vertebrae[v] >= 0) {
			error = refuse_humanoid(map, diagnostic);
		}
	}
	return error;
}

int jc_hanim_bone_map_apply(
	struct jc_hanim *hanim, const struct jc_bone_map *map, struct jc_diagnostic *diagnostic)
{
	const char **names = calloc(hanim->node_count + 1, sizeof(*names));
	int *parents = calloc(hanim->node_count + 1, sizeof(*parents));
	const struct jc_named_joints joints = { hanim->node_count, names, parents, true };
	int error = names && parents
			    ? JC_OK
			    : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");

	for (size_t i = 0; !error && i < hanim->node_count; i++) {
		names[i] = "";
		parents[i] = hanim->nodes[i].parent;
	}
	for (size_t i = 0; !error && i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		names[joint->skeleton_node] = *joint->name ? joint->name : joint->node->def;
	}
	error = error ? error : assign_bones(hanim, map, &joints, diagnostic);
	error = error ? error : name_vertebrae(hanim, map, &joints, diagnostic);
	free(parents);
	free(names);
	return error;
}
