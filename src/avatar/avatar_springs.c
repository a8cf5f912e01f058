/* Spring bones of a VRM. A renderer moves each joint in every picture and tests it against each
 * collider of its spring, so that a small file could stop a page. */
#include <stdlib.h>

#include <jansson.h>

#include "avatar_private.h"

/* The colliders of the groups that a spring lists. */
static size_t count_colliders(const json_t *spring, const json_t *groups)
{
	const json_t *list = json_object_get(spring, "colliderGroups");
	size_t count = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		long long index = -1;

		if (jc_json_is_integer(json_array_get(list, i), &index) && index >= 0) {
			const json_t *group = json_array_get(groups, (size_t)index);

			count = jc_avatar_add(
				count, json_array_size(json_object_get(group, "colliders")));
		}
	}
	return count;
}

static size_t cost_of(size_t joints, size_t colliders)
{
	return jc_avatar_multiply(joints, jc_avatar_add(1, colliders));
}

/* VRMC_springBone-1.0: springs list their joints. */
static size_t count_vrm1(const json_t *extension)
{
	const json_t *springs = json_object_get(extension, "springs");
	const json_t *groups = json_object_get(extension, "colliderGroups");
	size_t sum = 0;

	for (size_t i = 0; i < json_array_size(springs); i++) {
		const json_t *spring = json_array_get(springs, i);
		size_t joints = json_array_size(json_object_get(spring, "joints"));

		sum = jc_avatar_add(sum, cost_of(joints, count_colliders(spring, groups)));
	}
	return sum;
}

/* VRM 0.x, secondaryAnimation: a group lists roots, and all nodes below them are joints. */
static size_t count_vrm0(const json_t *extension, const size_t *below, size_t node_count)
{
	const json_t *springs = json_object_get(extension, "boneGroups");
	const json_t *groups = json_object_get(extension, "colliderGroups");
	size_t sum = 0;

	for (size_t i = 0; i < json_array_size(springs); i++) {
		const json_t *spring = json_array_get(springs, i);
		const json_t *roots = json_object_get(spring, "bones");
		size_t joints = 0;

		for (size_t j = 0; j < json_array_size(roots); j++) {
			long long root = -1;

			if (jc_json_is_integer(json_array_get(roots, j), &root) && root >= 0 &&
				(size_t)root < node_count) {
				joints = jc_avatar_add(joints, below[root]);
			}
		}
		sum = jc_avatar_add(sum, cost_of(joints, count_colliders(spring, groups)));
	}
	return sum;
}

/* How many nodes hang at each node, itself included. */
static void count_below(const struct jc_gltf *gltf, size_t *below)
{
	const struct jc_gltf_node *nodes = jc_gltf_nodes(gltf);

	for (size_t i = 0; i < jc_gltf_node_count(gltf); i++) {
		for (int node = (int)i; node >= 0; node = nodes[node].parent) {
			below[node]++;
		}
	}
}

int jc_avatar_springs_check(struct jc_avatar_reader *reader)
{
	const json_t *vrm0 =
		json_object_get(jc_gltf_extension(reader->gltf, "VRM"), "secondaryAnimation");
	size_t count = jc_gltf_node_count(reader->gltf);
	size_t *below = calloc(count + 1, sizeof(*below));

	if (!below) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	count_below(reader->gltf, below);
	reader->facts.springs =
		jc_avatar_add(count_vrm1(jc_gltf_extension(reader->gltf, "VRMC_springBone")),
			count_vrm0(vrm0, below, count));
	free(below);
	return jc_avatar_cap(reader, "springs", reader->facts.springs, reader->caps->springs,
		"joints of springs with their colliders");
}
