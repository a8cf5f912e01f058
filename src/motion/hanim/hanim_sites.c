/* Converts virtual transforms to sites: measures each in the T-pose and turns it with its
 * joint into the rest of the figure. */
#include "hanim_sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_viewpoints.h"
#include "jointcast/transform.h"
#include "jointcast_private/posture.h"
#include "jointcast_private/virtual_placement.h"
#include "write_losses.h"

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

/* The joint of the figure that a site hangs on, as a node of the skeleton; -1: the humanoid. */
static int find_joint(const struct jc_skeleton *skeleton, const int *places,
	const struct jc_virtual_transform *virtual)
{
	int node = virtual->respect_position ? virtual->parent : -1;

	while (node >= 0 && places[node] < 0) {
		node = jc_skeleton_nodes(skeleton)[node].parent;
	}
	return node;
}

static void add_site(struct jc_hanim_sites *sites, const struct jc_skeleton *skeleton,
	const struct jc_hanim_sites_figure *figure, const struct jc_mat4 *worlds,
	const struct jc_virtual_transform *virtual)
{
	struct jc_transform world = jc_virtual_transform_place(
		virtual, virtual->parent >= 0 ? &worlds[virtual->parent] : NULL);
	struct jc_virtual_transform *site = &sites->items[sites->count];
	struct jc_quat turn = jc_quat_conjugate(jc_skeleton_facing(skeleton));
	int joint = find_joint(skeleton, figure->places, virtual);
	struct jc_quat correction = find_correction(skeleton, joint, figure->corrections);

	name_site(sites, virtual->name);
	site->parent = joint < 0 ? -1 : figure->places[joint];
	if (joint >= 0) {
		world.translation =
			jc_vec3_subtract(world.translation, jc_mat4_translation(worlds[joint]));
	}
	turn = jc_quat_multiply(jc_quat_conjugate(correction), turn);
	site->offset = (struct jc_transform){
		.translation = jc_quat_rotate(turn, world.translation),
		.rotation = jc_quat_normalize(jc_quat_multiply(turn, world.rotation)),
		.scale = world.scale,
	};
	if (joint < 0) {
		site->offset.translation = jc_vec3_add(site->offset.translation, figure->shift);
	}
	site->respect_position = true;
	site->respect_rotation = true;
	site->respect_scale = true;
	sites->count++;
}

static bool is_viewpoint(const struct jc_virtual_transform *virtual)
{
	return (virtual->tag_count > 0 && strcmp(virtual->tags[0], "viewpoint") == 0) ||
	       jc_hanim_viewpoints_is_own(virtual->name);
}

/* Flags that a site does not have. A virtual transform that respects neither position nor
 * rotation stands still as a site of the humanoid does. */
static bool has_flags(const struct jc_virtual_transform *virtual)
{
	return virtual->parent >= 0 && (virtual->respect_position || virtual->respect_rotation) &&
	       !(virtual->respect_position && virtual->respect_rotation && virtual->respect_scale);
}

/* A reader gives every site this tag. */
static bool has_tags(const struct jc_virtual_transform *virtual)
{
	return virtual->tag_count > 1 ||
	       (virtual->tag_count == 1 && strcmp(virtual->tags[0], "site") != 0);
}

static void report_losses(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	const struct jc_virtual_transform *virtuals = jc_skeleton_virtual_transforms(skeleton);
	struct jc_write_losses_names views = { 0 }, flags = { 0 }, tags = { 0 };

	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(skeleton); i++) {
		const char *name = virtuals[i].name;

		if (is_viewpoint(&virtuals[i])) {
			if (!jc_hanim_viewpoints_is_own(name)) {
				jc_write_losses_add_name(&views, name);
			}
			continue;
		}
		if (has_flags(&virtuals[i])) {
			jc_write_losses_add_name(&flags, name);
		}
		if (has_tags(&virtuals[i])) {
			jc_write_losses_add_name(&tags, name);
		}
	}
	jc_write_losses_report_names(&views, "virtual-lost", "viewpoints not kept", lint);
	jc_write_losses_report_names(&flags, "virtual-flags-lost",
		"not kept which parts of their node virtual transforms respect", lint);
	jc_write_losses_report_names(
		&tags, "virtual-tags-lost", "tags of virtual transforms not kept", lint);
}

int jc_hanim_sites_find(const struct jc_skeleton *skeleton,
	const struct jc_hanim_sites_figure *figure, struct jc_hanim_sites *out_sites,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const struct jc_virtual_transform *virtuals = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton);
	struct jc_mat4 *worlds;

	out_sites->count = 0;
	if (pose_t(skeleton, &worlds)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_viewpoint(&virtuals[i])) {
			add_site(out_sites, skeleton, figure, worlds, &virtuals[i]);
		}
	}
	free(worlds);
	report_losses(skeleton, lint);
	return JC_OK;
}
