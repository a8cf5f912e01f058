/* Lists the joints of BVH, glTF and H-Anim files. */
#include "joint_list.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast_private/bvh.h"
#include "jointcast_private/hanim.h"

static int allocate(struct jc_joint_list *list, size_t count, struct jc_diagnostic *diagnostic)
{
	list->names = calloc(count + 1, sizeof(*list->names));
	list->parents = calloc(count + 1, sizeof(*list->parents));
	list->is_joint = calloc(count + 1, sizeof(*list->is_joint));
	if (!list->names || !list->parents || !list->is_joint) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	list->joints =
		(struct jc_named_joints){ count, list->names, list->parents, list->hanim != NULL };
	return JC_OK;
}

static int list_bvh(const void *bytes, size_t length, struct jc_joint_list *list,
	struct jc_diagnostic *diagnostic)
{
	int error = jc_bvh_read(bytes, length, &list->bvh, NULL, diagnostic);

	error = error ? error : allocate(list, list->bvh->joint_count, diagnostic);
	for (size_t i = 0; !error && i < list->joints.count; i++) {
		list->names[i] = list->bvh->joints[i].name;
		list->parents[i] = list->bvh->joints[i].parent;
		list->is_joint[i] = true;
	}
	return error;
}

static int list_gltf(const void *bytes, size_t length, const struct jc_gltf_resolver *resolver,
	struct jc_joint_list *list, struct jc_diagnostic *diagnostic)
{
	int error = jc_gltf_read(bytes, length, resolver, &list->gltf, NULL, diagnostic);

	error = error ? error : allocate(list, jc_gltf_node_count(list->gltf), diagnostic);
	for (size_t i = 0; !error && i < list->joints.count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(list->gltf)[i];

		list->names[i] = node->name;
		list->parents[i] = node->parent;
		list->is_joint[i] = node->mesh < 0;
	}
	return error;
}

/* With an empty map the figure is read whatever the names of its joints. */
static int read_figure(struct jc_joint_list *list, size_t index, const struct jc_bone_map *map,
	struct jc_diagnostic *diagnostic)
{
	struct jc_bone_map *nothing = NULL;
	int error = JC_OK;

	if (!map) {
		/* Names decide which joints are vertebrae. */
		error = jc_hanim_read(list->scene, index, &list->hanim, NULL, diagnostic);
		if (error != JC_ERROR_NO_HUMANOID) {
			return error;
		}
		error = jc_bone_map_read("", "", 0, &nothing, diagnostic);
	}
	if (!error) {
		error = jc_hanim_read_mapped(
			list->scene, index, map ? map : nothing, &list->hanim, NULL, diagnostic);
	}
	jc_bone_map_destroy(nothing);
	return error;
}

static int list_scene(const void *bytes, size_t length, size_t index, const struct jc_bone_map *map,
	struct jc_joint_list *list, struct jc_diagnostic *diagnostic)
{
	int error = jc_scene_read(bytes, length, &list->scene, NULL, diagnostic);

	error = error ? error : read_figure(list, index, map, diagnostic);
	error = error ? error : allocate(list, list->hanim->node_count, diagnostic);
	for (size_t i = 0; !error && i < list->joints.count; i++) {
		list->names[i] = "";
		list->parents[i] = list->hanim->nodes[i].parent;
	}
	for (size_t i = 0; !error && i < list->hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &list->hanim->joints[i];
		const char *name = jc_scene_string(joint->node, "name", "");

		list->names[joint->skeleton_node] = *name ? name : joint->node->def;
		list->is_joint[joint->skeleton_node] = true;
	}
	return error;
}

/* The first word of a text after the byte order mark and white space. */
static bool begins_with(const char *text, size_t length, const char *word)
{
	const char *end = text + length;

	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
	}
	while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r'))) {
		text++;
	}
	return (size_t)(end - text) >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

int jc_joint_list_read(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_joint_list *out_list, struct jc_diagnostic *diagnostic)
{
	*out_list = (struct jc_joint_list){ .bvh = NULL };
	if (jc_scene_is(bytes, length)) {
		return list_scene(bytes, length, index, map, out_list, diagnostic);
	}
	if (begins_with(bytes, length, "HIERARCHY")) {
		return list_bvh(bytes, length, out_list, diagnostic);
	}
	if (begins_with(bytes, length, "glTF") ||
		(begins_with(bytes, length, "{") && memmem(bytes, length, "\"asset\"", 7))) {
		return list_gltf(bytes, length, resolver, out_list, diagnostic);
	}
	return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
		"no joints to map: not a BVH, glTF, VRM or H-Anim file");
}

void jc_joint_list_finish(struct jc_joint_list *list)
{
	free(list->names);
	free(list->parents);
	free(list->is_joint);
	jc_bvh_destroy(list->bvh);
	jc_gltf_destroy(list->gltf);
	jc_hanim_destroy(list->hanim);
	jc_scene_destroy(list->scene);
}
