/* Expresses node constraints for a new rest. With the change C of a node (rerest_plan.h), a
 * constraint keeps its effect under these conditions; Q is the rotation of C:
 *
 * - rotation copies the local rotation of the source: Q of the node is Q of the source.
 * - roll compares local rotations in the space of both parents: Q of both parents are equal, and
 *   the axis of the node is a coordinate axis again.
 * - aim works in the world: the axis of the node is a coordinate axis again.
 *
 * Where one fails, nodes with the required Q are put above the constrained node: one that does not
 * move in place of its parent, and one that is constrained instead of the node and carries it. */
#include "rerest_constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define EXTENSION "VRMC_node_constraint"

/* Rotations that differ by less are equal (radians). */
static const float same = 2e-5f;

static const struct jc_vec3 ones = { 1.0f, 1.0f, 1.0f };

/* A node as constraints see it. */
struct driven {
	int node;                    /* in the written file: the node itself or one above it */
	struct jc_quat own, parents; /* Q of it and of its parent */
	json_t *extension;           /* of the file, valid; owned; NULL without a constraint */
	const struct jc_node_constraint *constraint;
	bool is_done;
};

struct work {
	struct jc_rerest_document *document;
	struct driven *driven; /* by node of the file */
	int *path;             /* a chain of constrained nodes, from the last source back */
	size_t added;          /* nodes */
};

static struct jc_quat rotation_of(struct jc_mat4 matrix)
{
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	jc_mat4_decompose(matrix, &transform, NULL);
	return transform.rotation;
}

static bool is_same(struct jc_quat a, struct jc_quat b)
{
	return jc_quat_angle(a, b) <= same;
}

static void work_finish(struct work *work)
{
	for (size_t i = 0; work->driven && i < work->document->plan.count; i++) {
		json_decref(work->driven[i].extension);
	}
	free(work->driven);
	free(work->path);
}

/* Takes the extension from all nodes; returns the number of those that the skeleton does not
 * list. */
static size_t take_extensions(struct work *work)
{
	struct jc_rerest_document *document = work->document;
	size_t unknown = 0;

	for (size_t i = 0; i < jc_skeleton_constraint_count(document->skeleton); i++) {
		const struct jc_node_constraint *c =
			&jc_skeleton_constraints(document->skeleton)[i];

		work->driven[c->node].constraint = c;
	}
	for (size_t i = 0; i < document->plan.count; i++) {
		json_t *node = json_array_get(document->nodes, i);
		json_t *extensions = json_object_get(node, "extensions");
		json_t *extension = json_object_get(extensions, EXTENSION);

		if (extension && work->driven[i].constraint) {
			work->driven[i].extension = json_incref(extension);
		}
		unknown += extension && !work->driven[i].constraint;
		json_object_del(extensions, EXTENSION);
		if (extension && json_object_size(extensions) == 0) {
			json_object_del(node, "extensions");
		}
	}
	return unknown;
}

static int init(struct work *work, struct jc_rerest_document *document)
{
	const struct jc_rerest_plan *plan = &document->plan;

	*work = (struct work){
		.document = document,
		.driven = calloc(plan->count + 1, sizeof(*work->driven)),
		.path = calloc(plan->count + 1, sizeof(*work->path)),
	};
	if (!work->driven || !work->path) {
		return jc_diagnose(document->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < plan->count; i++) {
		work->driven[i].node = (int)i;
		work->driven[i].own = rotation_of(plan->change[i]);
		work->driven[i].parents = rotation_of(plan->above[i]);
	}
	return JC_OK;
}

/* Appends a node at a place in the world, below a matrix. */
static int append(
	struct work *work, int named, const char *role, struct jc_mat4 below, struct jc_mat4 world)
{
	struct jc_rerest_document *document = work->document;
	const char *name = jc_skeleton_nodes(document->skeleton)[named].name;
	json_t *node = json_object();
	struct jc_transform local = JC_TRANSFORM_IDENTITY;

	jc_mat4_decompose(jc_mat4_multiply(jc_mat4_invert(below), world), &local, NULL);
	jc_rerest_document_place(document, node, local);
	if (name[0]) {
		jc_gltf_edit_set(
			&document->edit, node, "name", json_sprintf("%s (%s)", name, role));
	}
	work->added++;
	return jc_rerest_document_append_node(document, node);
}

/* Puts a node in the place of another in a list of nodes. */
static void replace(json_t *list, int old, int node)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (json_integer_value(json_array_get(list, i)) == old) {
			json_array_set_new(list, i, json_integer(node));
		}
	}
}

/* Makes `node` a child of the parent of `old`, instead of it. */
static void adopt(struct jc_rerest_document *document, int old, int node)
{
	int parent = jc_skeleton_nodes(document->skeleton)[old].parent;
	json_t *scenes = json_object_get(document->edit.root, "scenes");

	if (parent >= 0) {
		replace(json_object_get(
				json_array_get(document->nodes, (size_t)parent), "children"),
			old, node);
		return;
	}
	for (size_t s = 0; s < json_array_size(scenes); s++) {
		replace(json_object_get(json_array_get(scenes, s), "nodes"), old, node);
	}
}

/* The matrix of the model space of the new rest in the old one. */
static struct jc_mat4 old_to_new(const struct jc_rerest_plan *plan)
{
	return jc_mat4_compose((struct jc_transform){ .rotation = plan->turn, .scale = ones });
}

/* Puts nodes above a constrained one so that its parent has the change `parents` and the node
 * that is constrained the change `own`. */
static void put_above(struct work *work, int node, struct jc_quat parents, struct jc_quat own)
{
	struct jc_rerest_document *document = work->document;
	struct jc_rerest_plan *plan = &document->plan;
	struct driven *driven = &work->driven[node];
	int parent = jc_skeleton_nodes(document->skeleton)[node].parent;
	struct jc_mat4 top =
		parent >= 0 ? plan->after[parent] : jc_mat4_compose(JC_TRANSFORM_IDENTITY);
	struct jc_mat4 back = jc_mat4_invert(
		parent >= 0 ? jc_mat4_multiply(old_to_new(plan), plan->before[parent])
			    : old_to_new(plan));
	struct jc_mat4 still = jc_mat4_multiply(
		top, jc_mat4_compose((struct jc_transform){
			     .rotation = jc_quat_normalize(
				     jc_quat_multiply(jc_quat_conjugate(driven->parents), parents)),
			     .scale = ones }));
	struct jc_transform place = JC_TRANSFORM_IDENTITY;
	struct jc_mat4 turning;
	int first = -1;

	jc_mat4_decompose(top, &place, NULL);
	place.translation = jc_mat4_translation(plan->after[node]);
	place.rotation = jc_quat_normalize(jc_quat_multiply(
		jc_quat_multiply(plan->turn, rotation_of(plan->before[node])), own));
	turning = jc_mat4_compose(place);
	if (!is_same(driven->parents, parents)) {
		first = append(work, node, "constraint space", top, still);
		top = still;
	}
	driven->node = append(work, node, "constraint", top, turning);
	jc_rerest_document_append_child(
		document, json_array_get(document->nodes, (size_t)driven->node), node);
	if (first >= 0) {
		jc_rerest_document_append_child(
			document, json_array_get(document->nodes, (size_t)first), driven->node);
	}
	adopt(document, node, first >= 0 ? first : driven->node);
	plan->above[node] = jc_mat4_multiply(back, turning);
	plan->locals[node] = JC_TRANSFORM_IDENTITY;
	jc_mat4_decompose(jc_mat4_multiply(jc_mat4_invert(turning), plan->after[node]),
		&plan->locals[node], NULL);
	driven->parents = parents;
	driven->own = own;
}

/* The name of the axis of a constraint in the new axes of its node; NULL if it is no coordinate
 * axis any more. A roll axis has no sign. */
static const char *turned_axis(const struct driven *driven, bool is_signed)
{
	static const char *const axes[3] = { "X", "Y", "Z" };
	static const char *const signed_axes[3][2] = { { "NegativeX", "PositiveX" },
		{ "NegativeY", "PositiveY" }, { "NegativeZ", "PositiveZ" } };
	const char *name = driven->constraint->axis;
	int letter = name[strlen(name) - 1] - 'X';
	float sign = name[0] == 'N' ? -1.0f : 1.0f;
	struct jc_vec3 axis = { letter == 0 ? sign : 0.0f, letter == 1 ? sign : 0.0f,
		letter == 2 ? sign : 0.0f };
	struct jc_vec3 turned = jc_quat_rotate(jc_quat_conjugate(driven->own), axis);
	float values[3] = { turned.x, turned.y, turned.z };

	for (int i = 0; i < 3; i++) {
		struct jc_vec3 exact = { i == 0 ? copysignf(1.0f, values[0]) : 0.0f,
			i == 1 ? copysignf(1.0f, values[1]) : 0.0f,
			i == 2 ? copysignf(1.0f, values[2]) : 0.0f };

		if (jc_vec3_angle(turned, exact) <= same) {
			return is_signed ? signed_axes[i][values[i] > 0.0f] : axes[i];
		}
	}
	return NULL;
}

/* Chooses the axes of the constrained node, and writes its constraint. */
static void express(struct work *work, int node)
{
	struct jc_rerest_document *document = work->document;
	struct driven *driven = &work->driven[node];
	const struct jc_node_constraint *c = driven->constraint;
	const struct driven *source = &work->driven[c->source];
	struct jc_quat parents = c->kind == JC_CONSTRAINT_ROLL ? source->parents : driven->parents;
	struct jc_quat own = driven->own;
	const char *axis = NULL;
	json_t *extension, *json, *holder;

	if (c->kind == JC_CONSTRAINT_ROTATION) {
		own = source->own;
	} else {
		axis = turned_axis(driven, c->kind == JC_CONSTRAINT_AIM);
		own = axis ? own : JC_QUAT_IDENTITY;
		axis = axis ? axis : c->axis;
	}
	if (!is_same(own, driven->own) || !is_same(parents, driven->parents)) {
		put_above(work, node, parents, own);
	}
	extension = json_deep_copy(driven->extension);
	json = json_object_get(
		json_object_get(extension, "constraint"), jc_constraint_kind_name(c->kind));
	jc_gltf_edit_set(&document->edit, json, "source", json_integer(source->node));
	if (axis) {
		jc_gltf_edit_set(&document->edit, json,
			c->kind == JC_CONSTRAINT_AIM ? "aimAxis" : "rollAxis", json_string(axis));
	}
	holder = jc_gltf_edit_object(&document->edit,
		json_array_get(document->nodes, (size_t)driven->node), "extensions");
	jc_gltf_edit_set(&document->edit, holder, EXTENSION, extension);
	driven->is_done = true;
}

/* Expresses a constraint after that of its source, which may get another node. The skeleton has no
 * circles of constraints. */
static void express_chain(struct work *work, int node)
{
	size_t length = 0;

	while (work->driven[node].extension && !work->driven[node].is_done) {
		work->path[length++] = node;
		node = work->driven[node].constraint->source;
	}
	while (length > 0 && !work->document->edit.error) {
		express(work, work->path[--length]);
	}
}

int jc_rerest_constraints(struct jc_rerest_document *document)
{
	size_t count = document->plan.count;
	struct work work;
	size_t unknown;
	int error = init(&work, document);

	if (error) {
		goto out;
	}
	unknown = take_extensions(&work);
	for (size_t i = 0; i < count; i++) {
		express_chain(&work, (int)i);
	}
	if (unknown) {
		jc_lint_add(document->lint, JC_WARNING, "left-out",
			EXTENSION " of %zu nodes is left out: it is invalid", unknown);
	}
	if (jc_skeleton_constraint_count(document->skeleton) == 0) {
		jc_gltf_edit_forget_extension(&document->edit, EXTENSION);
	}
	if (work.added) {
		jc_lint_add(document->lint, JC_NOTE, "constraint-nodes",
			"%zu nodes were added above constrained ones, because the new axes of "
			"their sources differ",
			work.added);
	}
	if (json_array_size(document->nodes) > JC_LIMIT_NODES) {
		error = jc_diagnose(document->diagnostic, JC_ERROR_LIMIT, "nodes",
			"its constraints need more than %u nodes", JC_LIMIT_NODES);
	}
out:
	work_finish(&work);
	return error;
}
