/* How far an avatar reaches at rest, from the magnitudes of positions and the matrices that move
 * them (proto/AVATARS.md, "Caps"): an upper bound, for which no vertex is skinned. */
#include <math.h>
#include <stdint.h>

#include <jansson.h>

#include "avatar_private.h"
#include "jointcast/transform.h"
#include "jointcast_private/gltf_accessor.h"

/* Beyond each cap; a size_t of 32 bits has it. */
#define MOST_MILLIMETRES 4.0e9

static struct jc_mat4 world_of(const struct jc_gltf *gltf, int node)
{
	const struct jc_gltf_node *nodes = jc_gltf_nodes(gltf);
	struct jc_mat4 world = jc_mat4_compose(nodes[node].local);

	for (int at = nodes[node].parent; at >= 0; at = nodes[at].parent) {
		world = jc_mat4_multiply(jc_mat4_compose(nodes[at].local), world);
	}
	return world;
}

/* The greatest magnitude of the weights of a mesh or a node, at least `least`. */
static double greatest_weight(const json_t *owner, double least)
{
	const json_t *weights = json_object_get(owner, "weights");

	for (size_t i = 0; i < json_array_size(weights); i++) {
		least = fmax(least, fabs(json_number_value(json_array_get(weights, i))));
	}
	return least;
}

static void widen(struct jc_avatar_reader *reader, const double reach[3], struct jc_mat4 matrix)
{
	const float *m = matrix.m;
	size_t *extent = &reader->facts.extent;

	for (size_t row = 0; row < 3; row++) {
		double metres = fabs((double)m[12 + row]) + fabs((double)m[row]) * reach[0] +
				fabs((double)m[4 + row]) * reach[1] +
				fabs((double)m[8 + row]) * reach[2];
		double millimetres = ceil(1000.0 * metres);

		/* Also where it is not a number. */
		if (!(millimetres < MOST_MILLIMETRES)) {
			millimetres = MOST_MILLIMETRES;
		}
		*extent = millimetres > (double)*extent ? (size_t)millimetres : *extent;
	}
}

/* Loaders differ in what they do without the matrices that a skin names. */
static int check_bind(const struct jc_avatar_reader *reader, size_t skin)
{
	struct jc_json_place list = { .key = "skins" };
	struct jc_json_place place = { .outer = &list, .index = skin };
	const json_t *json = json_array_get(json_object_get(reader->root, "skins"), skin);
	const json_t *accessor = json_object_get(json, "inverseBindMatrices");
	struct jc_gltf_accessor shape;

	if (!accessor) {
		return JC_OK;
	}
	if (!jc_gltf_skins(reader->gltf)[skin].inverse_bind ||
		jc_gltf_accessor_measure(
			reader->gltf, (int)json_integer_value(accessor), &shape, NULL) != JC_OK ||
		!shape.is_float) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, &place,
			"its inverse bind matrices cannot be used");
	}
	return JC_OK;
}

/* Widens the extent to the mesh at a node. */
static int add_mesh(struct jc_avatar_reader *reader, size_t node, const struct jc_mat4 *worlds,
	const struct jc_avatar_reach *reach)
{
	const struct jc_gltf_node *at = &jc_gltf_nodes(reader->gltf)[node];
	const json_t *meshes = json_object_get(reader->root, "meshes");
	const json_t *nodes = json_object_get(reader->root, "nodes");
	double weight = greatest_weight(json_array_get(meshes, (size_t)at->mesh), 1.0);
	double sum[3];

	weight = greatest_weight(json_array_get(nodes, node), weight);
	for (size_t axis = 0; axis < 3; axis++) {
		sum[axis] = reach->base[axis] + weight * reach->target[axis];
	}
	if (at->skin < 0) {
		widen(reader, sum, worlds[node]);
		return JC_OK;
	}
	const struct jc_gltf_skin *skin = &jc_gltf_skins(reader->gltf)[at->skin];
	int error = check_bind(reader, (size_t)at->skin);

	for (size_t i = 0; !error && i < skin->joint_count; i++) {
		struct jc_mat4 world = worlds[skin->joints[i]];

		widen(reader, sum,
			skin->inverse_bind ? jc_mat4_multiply(world, skin->inverse_bind[i])
					   : world);
	}
	return error;
}

static int check_bounds(const struct jc_avatar_reader *reader)
{
	size_t extent = reader->facts.extent;

	if (reader->facts.primitives > 0 && extent < JC_AVATAR_LEAST_EXTENT) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_LIMIT, "meshes",
			"they reach %zu mm from the origin, less than %d", extent,
			JC_AVATAR_LEAST_EXTENT);
	}
	return jc_avatar_cap(reader, "meshes", extent, reader->caps->extent, "mm from the origin");
}

int jc_avatar_extent_check(struct jc_avatar_reader *reader, const struct jc_avatar_reach *reaches)
{
	const struct jc_gltf_node *nodes = jc_gltf_nodes(reader->gltf);
	size_t count = jc_gltf_node_count(reader->gltf);
	struct jc_mat4 *worlds = calloc(count + 1, sizeof(*worlds));
	int error = JC_OK;

	if (!worlds) {
		return jc_diagnose(reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		worlds[i] = world_of(reader->gltf, (int)i);
	}
	for (size_t i = 0; !error && i < count; i++) {
		if (nodes[i].mesh >= 0) {
			error = add_mesh(reader, i, worlds, &reaches[nodes[i].mesh]);
		}
	}
	free(worlds);
	return error ? error : check_bounds(reader);
}
