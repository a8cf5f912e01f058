/* Converts virtual transforms to sites: measures each in the T-pose and turns it with its
 * joint into the rest of the figure. */
#include "hanim_sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_viewpoints.h"
#include "jointcast/transform.h"
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

static void add_site(struct jc_hanim_sites *sites, const struct jc_hanim_placement *placement,
	const struct jc_virtual_transform *virtual)
{
	struct jc_transform world = jc_virtual_transform_place(
		virtual, virtual->parent >= 0 ? &placement->worlds[virtual->parent] : NULL);
	struct jc_virtual_transform *site = &sites->items[sites->count];
	int joint = virtual->respect_position ? jc_hanim_placement_joint(placement, virtual->parent)
					      : -1;
	struct jc_transform place = JC_TRANSFORM_IDENTITY;

	jc_mat4_decompose(jc_hanim_placement_matrix(placement, joint), &place, NULL);
	name_site(sites, virtual->name);
	site->parent = joint < 0 ? -1 : placement->places[joint];
	site->offset = (struct jc_transform){
		.translation = jc_vec3_add(
			place.translation, jc_quat_rotate(place.rotation, world.translation)),
		.rotation = jc_quat_normalize(jc_quat_multiply(place.rotation, world.rotation)),
		.scale = world.scale,
	};
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
			if (!jc_hanim_viewpoints_is_standard(name)) {
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

void jc_hanim_sites_find(const struct jc_hanim_placement *placement,
	struct jc_hanim_sites *out_sites, struct jc_lint *lint)
{
	const struct jc_virtual_transform *virtuals =
		jc_skeleton_virtual_transforms(placement->skeleton);
	size_t count = jc_skeleton_virtual_transform_count(placement->skeleton);

	out_sites->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_viewpoint(&virtuals[i])) {
			add_site(out_sites, placement, &virtuals[i]);
		}
	}
	report_losses(placement->skeleton, lint);
}
