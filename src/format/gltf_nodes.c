/* Reads the node hierarchy (3.5) and skins (3.7.3). */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "gltf_private.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/hierarchy.h"
#include "jointcast_private/json.h"

#define SHEAR_TOLERANCE 1e-3f

static void take_matrix(
	const float *values, size_t index, struct jc_lint *lint, struct jc_transform *out_local)
{
	struct jc_mat4 matrix;
	float shear = 0.0f;

	for (int i = 0; i < 16; i++) {
		matrix.m[i] = values[i];
	}
	if (!jc_mat4_decompose(matrix, out_local, &shear)) {
		*out_local = JC_TRANSFORM_IDENTITY;
		out_local->translation = jc_mat4_translation(matrix);
		out_local->scale = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
		jc_lint_add(lint, JC_WARNING, "singular-matrix",
			"nodes[%zu]: its matrix flattens everything below it", index);
	} else if (shear > SHEAR_TOLERANCE) {
		jc_lint_add(lint, JC_WARNING, "shear",
			"nodes[%zu]: its matrix holds a shear, which is left out", index);
	}
}

static void normalize_rotation(size_t index, struct jc_lint *lint, struct jc_quat *rotation)
{
	struct jc_quat q = *rotation;
	float norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

	if (!(norm > 1e-12f)) {
		*rotation = JC_QUAT_IDENTITY;
	} else {
		float factor = 1.0f / sqrtf(norm);

		*rotation =
			(struct jc_quat){ q.x * factor, q.y * factor, q.z * factor, q.w * factor };
	}
	if (!(fabsf(norm - 1.0f) < 1e-2f)) {
		jc_lint_add(lint, JC_WARNING, "rotation-not-unit",
			"nodes[%zu]: its rotation is not a unit quaternion", index);
	}
}

static int read_local(const json_t *json, size_t index, const struct jc_json_place *place,
	struct jc_lint *lint, struct jc_transform *out_local, struct jc_diagnostic *diagnostic)
{
	float matrix[16];
	int error;

	if (json_object_get(json, "matrix")) {
		error = jc_json_read_floats(json, "matrix", place, 16, matrix, diagnostic);
		if (!error) {
			take_matrix(matrix, index, lint, out_local);
		}
		return error;
	}
	error = jc_json_read_transform(json, place, out_local, diagnostic);
	if (!error) {
		normalize_rotation(index, lint, &out_local->rotation);
	}
	return error;
}

static int read_node(struct jc_gltf *gltf, const json_t *json, size_t index, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "nodes" };
	struct jc_json_place place = { .outer = &list, .index = index };
	struct jc_gltf_node *node = &gltf->nodes[index];
	size_t meshes = json_array_size(json_object_get(gltf->root, "meshes"));
	size_t skins = json_array_size(json_object_get(gltf->root, "skins"));
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "not an object");
	}
	error = jc_json_read_string(json, "name", &place, &node->name, diagnostic);
	if (!error) {
		error = jc_json_read_index(
			json, "mesh", &place, 0, meshes, &node->mesh, diagnostic);
	}
	if (!error) {
		error = jc_json_read_index(json, "skin", &place, 0, skins, &node->skin, diagnostic);
	}
	if (!error) {
		error = read_local(json, index, &place, lint, &node->local, diagnostic);
	}
	return error;
}

/* Turns children lists into parent links; a second parent is refused (3.5.2). */
static int link_children(
	struct jc_gltf *gltf, const json_t *json, size_t index, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "nodes" };
	struct jc_json_place place = { .outer = &list, .index = index };
	struct jc_json_place children = { .outer = &place, .key = "children" };
	const json_t *array = NULL;
	int error =
		jc_json_read_array(json, "children", &place, gltf->node_count, &array, diagnostic);

	for (size_t i = 0; !error && i < json_array_size(array); i++) {
		struct jc_json_place element = { .outer = &children, .index = i };
		const json_t *value = json_array_get(array, i);
		json_int_t child = json_is_integer(value) ? json_integer_value(value) : -1;

		if (child < 0 || (size_t)child >= gltf->node_count) {
			error = jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, &element, "not a node's index");
		} else if (gltf->nodes[child].parent >= 0) {
			error = jc_json_refuse(diagnostic, JC_ERROR_INVALID, &element,
				"node %lld has two parents, nodes %d and %zu", (long long)child,
				gltf->nodes[child].parent, index);
		} else {
			gltf->nodes[child].parent = (int)index;
		}
	}
	return error;
}

static int prove_forest(const struct jc_gltf *gltf, struct jc_diagnostic *diagnostic)
{
	int *parents = calloc(gltf->node_count + 1, 2 * sizeof(*parents));
	int error;

	if (!parents) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < gltf->node_count; i++) {
		parents[i] = gltf->nodes[i].parent;
	}
	error = jc_hierarchy_order(
		parents, gltf->node_count, "nodes", parents + gltf->node_count, diagnostic);
	free(parents);
	return error;
}

int jc_gltf_read_nodes(struct jc_gltf *gltf, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const json_t *nodes = NULL;
	size_t count;
	int error =
		jc_json_read_array(gltf->root, "nodes", NULL, JC_LIMIT_NODES, &nodes, diagnostic);

	if (error) {
		return error;
	}
	count = json_array_size(nodes);
	gltf->nodes = calloc(count + 1, sizeof(*gltf->nodes));
	if (!gltf->nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	gltf->node_count = count;
	for (size_t i = 0; i < count; i++) {
		gltf->nodes[i] = (struct jc_gltf_node){
			.name = "",
			.parent = -1,
			.mesh = -1,
			.skin = -1,
			.local = JC_TRANSFORM_IDENTITY,
		};
	}
	for (size_t i = 0; !error && i < count; i++) {
		error = read_node(gltf, json_array_get(nodes, i), i, lint, diagnostic);
	}
	for (size_t i = 0; !error && i < count; i++) {
		error = link_children(gltf, json_array_get(nodes, i), i, diagnostic);
	}
	return error ? error : prove_forest(gltf, diagnostic);
}

static int read_joints(const struct jc_gltf *gltf, const json_t *json,
	const struct jc_json_place *place, struct jc_gltf_skin *skin,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .outer = place, .key = "joints" };
	const json_t *array = NULL;
	int *joints;
	int error = jc_json_read_array(json, "joints", place, gltf->node_count, &array, diagnostic);

	if (error) {
		return error;
	}
	joints = calloc(json_array_size(array) + 1, sizeof(*joints));
	if (!joints) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < json_array_size(array); i++) {
		struct jc_json_place element = { .outer = &list, .index = i };
		const json_t *value = json_array_get(array, i);
		json_int_t joint = json_is_integer(value) ? json_integer_value(value) : -1;

		if (joint < 0 || (size_t)joint >= gltf->node_count) {
			free(joints);
			return jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, &element, "not a node's index");
		}
		joints[i] = (int)joint;
	}
	skin->joints = joints;
	skin->joint_count = json_array_size(array);
	return JC_OK;
}

/* Inverse bind matrices that cannot be read leave the node hierarchy as the
 * rest pose, so they are a finding. */
static int read_inverse_bind(const struct jc_gltf *gltf, int accessor, size_t index,
	struct jc_gltf_skin *skin, struct jc_lint *lint)
{
	struct jc_diagnostic fault = { .what = "" };
	size_t count = 0, components = 0;
	float *values = NULL;
	struct jc_mat4 *matrices;
	const json_t *json =
		json_array_get(json_object_get(gltf->root, "accessors"), (size_t)accessor);
	int error;

	/* Many skins may share an accessor, so a huge one would be read often. */
	if (json_number_value(json_object_get(json, "count")) > JC_LIMIT_NODES) {
		error = jc_diagnose(&fault, JC_ERROR_LIMIT, NULL, "more than there can be joints");
	} else {
		error = jc_gltf_accessor_floats(
			gltf, accessor, &count, &components, &values, &fault);
	}
	if (!error && (components != 16 || count < skin->joint_count)) {
		error = jc_diagnose(&fault, JC_ERROR_INVALID, NULL, "not a matrix for every joint");
	}
	if (error) {
		free(values);
		jc_lint_add(lint, JC_WARNING, "inverse-bind",
			"skins[%zu]: its inverse bind matrices cannot be used: %s%s%s", index,
			fault.where, *fault.where ? ": " : "", fault.what);
		return error == JC_ERROR_MEMORY ? error : JC_OK;
	}
	matrices = calloc(skin->joint_count + 1, sizeof(*matrices));
	if (!matrices) {
		free(values);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < skin->joint_count * 16; i++) {
		matrices[i / 16].m[i % 16] = values[i];
	}
	free(values);
	skin->inverse_bind = matrices;
	return JC_OK;
}

static int read_skin(struct jc_gltf *gltf, const json_t *json, size_t index, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "skins" };
	struct jc_json_place place = { .outer = &list, .index = index };
	struct jc_gltf_skin *skin = &gltf->skins[index];
	int accessor = -1;
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "not an object");
	}
	skin->name = "";
	skin->skeleton = -1;
	error = jc_json_read_string(json, "name", &place, &skin->name, diagnostic);
	if (!error) {
		error = jc_json_read_index(
			json, "skeleton", &place, 0, gltf->node_count, &skin->skeleton, diagnostic);
	}
	if (!error) {
		error = jc_json_read_index(
			json, "inverseBindMatrices", &place, 0, INT_MAX, &accessor, diagnostic);
	}
	if (!error) {
		error = read_joints(gltf, json, &place, skin, diagnostic);
	}
	if (error || accessor < 0) {
		return error;
	}
	if (read_inverse_bind(gltf, accessor, index, skin, lint)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	return JC_OK;
}

int jc_gltf_read_skins(struct jc_gltf *gltf, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const json_t *skins = NULL;
	size_t count;
	int error =
		jc_json_read_array(gltf->root, "skins", NULL, JC_LIMIT_SKINS, &skins, diagnostic);

	if (error) {
		return error;
	}
	count = json_array_size(skins);
	gltf->skins = calloc(count + 1, sizeof(*gltf->skins));
	if (!gltf->skins) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	gltf->skin_count = count;
	for (size_t i = 0; !error && i < count; i++) {
		error = read_skin(gltf, json_array_get(skins, i), i, lint, diagnostic);
	}
	return error;
}
