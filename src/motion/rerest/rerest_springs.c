/* Expresses spring bones for a new rest: VRMC_springBone 1.0 with extended colliders, and the
 * secondaryAnimation of VRM 0.x. */
#include "rerest_springs.h"

#include <jansson.h>

#include "jointcast/transform.h"
#include "vrm_vector.h"

/* The part of the figure's turn that is about the vertical. */
static struct jc_quat heading(const struct jc_rerest_plan *plan)
{
	return jc_quat_normalize((struct jc_quat){ 0.0f, plan->is_turned ? plan->turn.y : 0.0f,
		0.0f, plan->is_turned ? plan->turn.w : 1.0f });
}

/* Moves a shape of VRMC_springBone or VRMC_springBone_extended_collider. */
static void move_shape(struct jc_rerest_document *document, json_t *shape, int node)
{
	struct jc_transform change = JC_TRANSFORM_IDENTITY;
	const char *kind;
	json_t *form;

	if (node < 0) {
		return;
	}
	jc_mat4_decompose(document->plan.change[node], &change, NULL);
	json_object_foreach(shape, kind, form)
	{
		jc_vrm_vector_move_point(document, form, "offset", node);
		jc_vrm_vector_move_point(document, form, "tail", node);
		jc_vrm_vector_rotate(document, form, "normal", jc_quat_conjugate(change.rotation));
	}
}

static void move_colliders(struct jc_rerest_document *document, json_t *colliders)
{
	json_t *collider;
	size_t i;

	json_array_foreach(colliders, i, collider)
	{
		int node = jc_vrm_vector_node(document, collider, "node");
		const json_t *extension = json_object_get(json_object_get(collider, "extensions"),
			"VRMC_springBone_extended_collider");

		move_shape(document, json_object_get(collider, "shape"), node);
		move_shape(document, json_object_get(extension, "shape"), node);
	}
}

static void move_groups(struct jc_rerest_document *document, json_t *groups)
{
	json_t *group, *collider;
	size_t i, c;

	json_array_foreach(groups, i, group)
	{
		int node = jc_vrm_vector_node(document, group, "node");

		json_array_foreach(json_object_get(group, "colliders"), c, collider)
		{
			jc_vrm_vector_move_point(document, collider, "offset", node);
		}
	}
}

/* Turns gravity in a list of joints or of groups of VRM 0.x. */
static void turn_gravity(struct jc_rerest_document *document, json_t *list)
{
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		jc_vrm_vector_rotate(document, item, "gravityDir", heading(&document->plan));
	}
}

void jc_rerest_springs(struct jc_rerest_document *document)
{
	json_t *extensions = json_object_get(document->edit.root, "extensions");
	json_t *springs = json_object_get(extensions, "VRMC_springBone");
	json_t *secondary =
		json_object_get(json_object_get(extensions, "VRM"), "secondaryAnimation");
	json_t *spring;
	size_t i;

	move_colliders(document, json_object_get(springs, "colliders"));
	move_groups(document, json_object_get(secondary, "colliderGroups"));
	if (!document->plan.is_turned) {
		return;
	}
	json_array_foreach(json_object_get(springs, "springs"), i, spring)
	{
		turn_gravity(document, json_object_get(spring, "joints"));
	}
	turn_gravity(document, json_object_get(secondary, "boneGroups"));
}
