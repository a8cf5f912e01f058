/* Converts virtual transforms to sites: measures each in the T-pose and turns it with its
 * joint into the rest of the figure. */
#include "hanim_sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_viewpoints.h"
#include "jointcast/transform.h"
#include "jointcast_private/posture.h"

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), wanted = strlen(end);

	return length > wanted && strcmp(text + length - wanted, end) == 0;
}

/* "_tip" is an end effector, "_view" a camera, "_pt" any other place (2.0, "Site"). */
static void name_site(struct jc_hanim_sites *sites, const char *name)
{
	char *out = sites->names[sites->count];
	size_t length = jc_scene_writer_identifier(name, out, JC_HANIM_SITE_NAME_BYTES - 16);

	for (size_t i = 0; i < sites->count; i++) {
		if (strncmp(sites->names[i], out, length) == 0) {
			length += (size_t)snprintf(out + length, 8, "_%zu", sites->count);
			break;
		}
	}
	if (!ends_with(out, "_pt") && !ends_with(out, "_tip") && !ends_with(out, "_view")) {
		snprintf(out + length, 8, "_pt");
	}
	sites->items[sites->count].name = out;
}

/* The correction of the bone that carries a node. */
static struct jc_quat find_correction(const struct jc_skeleton *skeleton, int node,
	const struct jc_quat corrections[JC_BONE_COUNT])
{
	for (; node >= 0; node = jc_skeleton_nodes(skeleton)[node].parent) {
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) == node) {
				return corrections[b];
			}
		}
	}
	return JC_QUAT_IDENTITY;
}

/* World matrices of the nodes in the T-pose, model space; the caller frees them. */
static int pose_t(const struct jc_skeleton *skeleton, struct jc_mat4 **out_worlds)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));

	if (!locals || !worlds) {
		free(locals);
		free(worlds);
		return JC_ERROR_MEMORY;
	}
	jc_posture_t_pose(skeleton, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	free(locals);
	*out_worlds = worlds;
	return JC_OK;
}

static void add_site(struct jc_hanim_sites *sites, const struct jc_skeleton *skeleton,
	const int *places, const struct jc_quat corrections[JC_BONE_COUNT],
	const struct jc_mat4 *worlds, const struct jc_virtual_transform *virtual)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	int joint = virtual->parent;
	struct jc_transform world;
	struct jc_quat turn;

	while (joint >= 0 && places[joint] < 0) {
		joint = nodes[joint].parent;
	}
	if (joint < 0 || !jc_mat4_decompose(jc_mat4_multiply(worlds[virtual->parent],
						    jc_mat4_compose(virtual->offset)),
				 &world, NULL)) {
		return;
	}
	turn = jc_quat_conjugate(jc_quat_multiply(
		jc_skeleton_facing(skeleton), find_correction(skeleton, joint, corrections)));
	name_site(sites, virtual->name);
	sites->items[sites->count].parent = places[joint];
	sites->items[sites->count].offset = (struct jc_transform){
		.translation = jc_quat_rotate(turn,
			jc_vec3_subtract(world.translation, jc_mat4_translation(worlds[joint]))),
		.rotation = jc_quat_normalize(jc_quat_multiply(turn, world.rotation)),
		.scale = { 1.0f, 1.0f, 1.0f },
	};
	sites->items[sites->count].respect_position = true;
	sites->items[sites->count].respect_rotation = true;
	sites->items[sites->count].respect_scale = true;
	sites->count++;
}

static bool is_viewpoint(const struct jc_virtual_transform *virtual)
{
	return (virtual->tag_count > 0 && strcmp(virtual->tags[0], "viewpoint") == 0) ||
	       jc_hanim_viewpoints_is_own(virtual->name);
}

int jc_hanim_sites_find(const struct jc_skeleton *skeleton, const int *places,
	const struct jc_quat corrections[JC_BONE_COUNT], struct jc_hanim_sites *out_sites,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_virtual_transform *virtuals = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton);
	struct jc_mat4 *worlds;

	out_sites->count = 0;
	if (pose_t(skeleton, &worlds)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		if (virtuals[i].parent >= 0 && !is_viewpoint(&virtuals[i])) {
			add_site(out_sites, skeleton, places, corrections, worlds, &virtuals[i]);
		}
	}
	free(worlds);
	return JC_OK;
}
