/* Applies linear blend skinning once: v' = (sum of w F before inverseBind) v. After that,
 * the inverse bind matrix of a joint is the inverse of its world matrix at rest, as the
 * reference pose of EXT_skeleton_humanoid demands. */
#include "rerest_meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/transform.h"
#include "vertex_baker.h"

/* A change smaller than this leaves vertices in place. */
static const float unmoved = 2e-6f;

/* State of a mesh while the nodes that show it are visited. */
enum { MESH_FREE = -1, MESH_KEPT = -2 }; /* else the skin it was baked for */

struct baking {
	struct jc_gltf_edit *edit;
	const struct jc_gltf *gltf;
	const struct jc_skeleton *skeleton;
	const struct jc_rerest_plan *plan;
	struct jc_vertex_baker *baker;
	int *meshes; /* by mesh of the file: MESH_FREE, MESH_KEPT or a skin */
	struct jc_rerest_copies *copies;
	struct jc_diagnostic *diagnostic;
};

static bool is_identity(struct jc_mat4 m)
{
	for (int i = 0; i < 16; i++) {
		if (!(fabsf(m.m[i] - (i % 5 == 0 ? 1.0f : 0.0f)) <= unmoved)) {
			return false;
		}
	}
	return true;
}

/* Whether a node moves with the bones. */
static bool is_of_figure(const struct baking *baking, int node)
{
	if (baking->plan->is_carrier[node]) {
		return true;
	}
	for (; node >= 0; node = jc_skeleton_nodes(baking->skeleton)[node].parent) {
		if (baking->plan->bones[node] != JC_BONE_NONE) {
			return true;
		}
	}
	return false;
}

static bool is_skin_of_figure(const struct baking *baking, const struct jc_gltf_skin *skin)
{
	if (jc_quat_angle(baking->plan->turn, JC_QUAT_IDENTITY) > 0.0f) {
		return true; /* everything in the file turns */
	}
	for (size_t j = 0; j < skin->joint_count; j++) {
		if (is_of_figure(baking, skin->joints[j])) {
			return true;
		}
	}
	return false;
}

/* Finds how each joint moves vertices into the T-pose; *out_moves: whether any does. */
static void find_moves(const struct baking *baking, const struct jc_gltf_skin *skin,
	struct jc_mat4 *out_matrices, bool *out_moves)
{
	struct jc_mat4 turn = jc_mat4_compose((struct jc_transform){
		.rotation = baking->plan->turn, .scale = { 1.0f, 1.0f, 1.0f } });

	*out_moves = false;
	for (size_t j = 0; j < skin->joint_count; j++) {
		struct jc_mat4 world =
			jc_mat4_multiply(turn, baking->plan->before[skin->joints[j]]);

		out_matrices[j] =
			skin->inverse_bind ? jc_mat4_multiply(world, skin->inverse_bind[j]) : world;
		*out_moves = *out_moves || !is_identity(out_matrices[j]);
	}
}

static int bind(struct baking *baking, size_t index)
{
	const struct jc_gltf_skin *skin = &jc_gltf_skins(baking->gltf)[index];
	json_t *json = json_array_get(json_object_get(baking->edit->root, "skins"), index);
	float *values = calloc(skin->joint_count + 1, 16 * sizeof(float));

	if (!values) {
		return jc_diagnose(baking->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t j = 0; j < skin->joint_count; j++) {
		struct jc_mat4 inverse = jc_mat4_invert(baking->plan->after[skin->joints[j]]);

		/* A joint of zero size shows nothing, whatever its bind matrix. */
		if (!jc_mat4_is_finite(inverse)) {
			inverse = jc_mat4_compose(JC_TRANSFORM_IDENTITY);
		}
		inverse.m[3] = inverse.m[7] = inverse.m[11] = 0.0f;
		inverse.m[15] = 1.0f;
		memcpy(values + 16 * j, inverse.m, sizeof(inverse.m));
	}
	jc_gltf_edit_set(baking->edit, json, "inverseBindMatrices",
		json_integer(jc_gltf_edit_add(baking->edit,
			(struct jc_gltf_floats){ "MAT4", 16, skin->joint_count, values, false })));
	free(values);
	return JC_OK;
}

/* Returns the index of the mesh that a skin of the figure uses instead of one of the
 * file; out_is_new: whether it must still be baked. */
static int claim_mesh(struct baking *baking, int mesh, int skin, bool *out_is_new)
{
	json_t *meshes = json_object_get(baking->edit->root, "meshes");
	struct jc_rerest_copies *copies = baking->copies;
	const size_t most = sizeof(copies->items) / sizeof(*copies->items);

	*out_is_new = false;
	if (baking->meshes[mesh] == skin) {
		return mesh;
	}
	for (size_t i = 0; i < copies->count; i++) {
		if (copies->items[i].mesh == mesh && copies->items[i].skin == skin) {
			return copies->items[i].copy;
		}
	}
	*out_is_new = true;
	if (baking->meshes[mesh] == MESH_FREE) {
		baking->meshes[mesh] = skin;
		return mesh;
	}
	if (copies->count == most) {
		return jc_diagnose(baking->diagnostic, JC_ERROR_LIMIT, "meshes",
			"more than %zu are shared among skins", most);
	}
	copies->items[copies->count++] =
		(struct jc_rerest_copy){ mesh, skin, (int)json_array_size(meshes) };
	jc_gltf_edit_append(baking->edit, meshes,
		json_deep_copy(json_array_get(
			json_object_get(jc_gltf_json(baking->gltf), "meshes"), (size_t)mesh)));
	return (int)json_array_size(meshes) - 1;
}

static int bake_mesh(
	struct baking *baking, json_t *mesh, int original, int skin, const struct jc_mat4 *matrices)
{
	const json_t *primitives = json_object_get(
		json_array_get(
			json_object_get(jc_gltf_json(baking->gltf), "meshes"), (size_t)original),
		"primitives");
	int error = JC_OK;

	for (size_t p = 0; p < json_array_size(primitives) && !error && !baking->edit->error; p++) {
		struct jc_vertex_baker_source source = {
			.mesh = original,
			.primitive = (int)p,
			.json = json_array_get(primitives, p),
			.skin = skin,
			.matrix_count = jc_gltf_skins(baking->gltf)[skin].joint_count,
			.matrices = matrices,
		};

		error = jc_vertex_baker_bake(baking->baker, &source,
			json_array_get(json_object_get(mesh, "primitives"), p), baking->diagnostic);
	}
	return error;
}

/* A mesh shown twice by one skin is baked once. matrices is NULL for a skin whose vertices stay:
 * it needs the mesh of the file, which another skin may have baked. */
static int bake_node(struct baking *baking, size_t index, const struct jc_mat4 *matrices)
{
	const struct jc_gltf_node *node = &jc_gltf_nodes(baking->gltf)[index];
	struct jc_gltf_edit *edit = baking->edit;
	bool is_new;
	int own = claim_mesh(baking, node->mesh, node->skin, &is_new);

	if (own < 0) {
		return own;
	}
	jc_gltf_edit_set(edit, json_array_get(json_object_get(edit->root, "nodes"), index), "mesh",
		json_integer(own));
	if (!is_new || !matrices || edit->error) {
		return JC_OK; /* edit keeps its own error */
	}
	return bake_mesh(baking, json_array_get(json_object_get(edit->root, "meshes"), (size_t)own),
		node->mesh, node->skin, matrices);
}

static int bake_skin(struct baking *baking, size_t index)
{
	const struct jc_gltf_skin *skin = &jc_gltf_skins(baking->gltf)[index];
	struct jc_mat4 *matrices = calloc(skin->joint_count + 1, sizeof(*matrices));
	bool moves = false;
	int error;

	if (!matrices) {
		return jc_diagnose(baking->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	find_moves(baking, skin, matrices, &moves);
	error = bind(baking, index);
	for (size_t i = 0; i < jc_gltf_node_count(baking->gltf) && !error && !baking->edit->error;
		i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(baking->gltf)[i];

		if (node->mesh < 0 || node->skin != (int)index) {
			continue;
		}
		error = bake_node(baking, i, moves ? matrices : NULL);
	}
	free(matrices);
	return error;
}

/* Keeps the original of a mesh that is also shown without a skin of the figure. */
static void find_kept_meshes(struct baking *baking, size_t mesh_count, const bool *is_touched)
{
	for (size_t i = 0; i < mesh_count; i++) {
		baking->meshes[i] = MESH_FREE;
	}
	for (size_t i = 0; i < jc_gltf_node_count(baking->gltf); i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(baking->gltf)[i];

		if (node->mesh >= 0 && (node->skin < 0 || !is_touched[node->skin])) {
			baking->meshes[node->mesh] = MESH_KEPT;
		}
	}
}

int jc_rerest_meshes(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, struct jc_rerest_copies *out_copies,
	struct jc_diagnostic *diagnostic)
{
	struct baking baking = {
		.edit = edit,
		.gltf = edit->gltf,
		.skeleton = skeleton,
		.plan = plan,
		.copies = out_copies,
		.diagnostic = diagnostic,
	};
	size_t skins = jc_gltf_skin_count(edit->gltf);
	size_t meshes = json_array_size(json_object_get(edit->root, "meshes"));
	bool *is_touched = calloc(skins + 1, sizeof(*is_touched));
	int error = JC_OK;

	out_copies->count = 0;
	baking.meshes = calloc(meshes + 1, sizeof(*baking.meshes));
	baking.baker = jc_vertex_baker_create(edit);
	if (!is_touched || !baking.meshes || !baking.baker) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	for (size_t s = 0; s < skins; s++) {
		is_touched[s] = is_skin_of_figure(&baking, &jc_gltf_skins(edit->gltf)[s]);
	}
	find_kept_meshes(&baking, meshes, is_touched);
	for (size_t s = 0; s < skins && !error; s++) {
		if (is_touched[s]) {
			error = bake_skin(&baking, s);
		}
	}
out:
	jc_vertex_baker_destroy(baking.baker);
	free(baking.meshes);
	free(is_touched);
	return error;
}
