/* Reads props: things without bones, such as a chair, whose virtual transforms others use. */
#include <stdlib.h>

#include "gltf_skeletons.h"
#include "jointcast/gltf.h"
#include "virtual_transform_list.h"

static int create(const struct jc_gltf *gltf, const struct jc_virtual_transform_list *virtuals,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;
	size_t count = jc_gltf_node_count(gltf);
	struct jc_skeleton_node *nodes = calloc(count + 1, sizeof(*nodes));
	int error;

	if (!nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(gltf)[i];

		nodes[i] = (struct jc_skeleton_node){ node->name, node->parent, node->local };
	}
	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_GLTF;
	description.is_prop = true;
	description.node_count = count;
	description.nodes = nodes;
	description.virtual_transform_count = virtuals->count;
	description.virtual_transforms = virtuals->items;
	error = jc_skeleton_create(&description, out_skeleton, diagnostic);
	free(nodes);
	return error;
}

int jc_skeleton_read_prop(const void *bytes, size_t length, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_virtual_transform_list virtuals = { .count = 0 };
	struct jc_gltf *gltf;
	int error = jc_gltf_read(bytes, length, NULL, &gltf, lint, diagnostic);

	if (error) {
		return error;
	}
	if (jc_virtual_transform_list_read_gltf(&virtuals, gltf, lint)) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else if (virtuals.count == 0 || jc_gltf_node_count(gltf) == 0) {
		error = jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"no node with a virtual transform (KHR_virtual_transform), so that "
			"nothing of it can be used");
	} else {
		error = create(gltf, &virtuals, out_skeleton, diagnostic);
	}
	if (!error && jc_skeleton_lint(*out_skeleton, lint)) {
		jc_skeleton_destroy(*out_skeleton);
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_virtual_transform_list_finish(&virtuals);
	jc_gltf_destroy(gltf);
	return error;
}
