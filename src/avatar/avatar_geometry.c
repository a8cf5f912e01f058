/* Nodes, skins, meshes and accessors of an avatar: what they cost, and that each index into
 * vertices and joints exists. A joint that is missing stops the renderers that compute the
 * extent of a skinned mesh. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "avatar_private.h"
#include "jointcast/limits.h"
#include "jointcast_private/gltf_accessor.h"

#define MODE_TRIANGLES 4 /* 3.7.2.1; 0 to 3 are points and lines, 5 and 6 strips and fans */

struct accessor {
	struct jc_gltf_accessor shape;
	struct jc_gltf_range range;
};

struct mesh {
	size_t primitives, triangles;
	double greatest_joint; /* -1: not all of its parts have joints */
	bool has_skin, has_no_skin;
};

struct geometry {
	struct jc_avatar_reader *reader;
	size_t accessor_count, mesh_count;
	struct accessor *accessors;      /* owned */
	struct mesh *meshes;             /* owned */
	struct jc_avatar_reach *reaches; /* owned; of the meshes */
};

static int measure_accessors(struct geometry *geometry)
{
	struct jc_avatar_reader *reader = geometry->reader;
	size_t *bytes = &reader->facts.geometry;
	int error = JC_OK;

	for (size_t i = 0; !error && i < geometry->accessor_count; i++) {
		struct jc_gltf_accessor *shape = &geometry->accessors[i].shape;

		error = jc_gltf_accessor_measure(reader->gltf, (int)i, shape, reader->diagnostic);
		if (!error) {
			*bytes = jc_avatar_add(
				*bytes, jc_avatar_multiply(shape->count, shape->size));
			error = jc_avatar_cap(reader, "accessors", *bytes, reader->caps->geometry,
				"bytes of geometry");
		}
	}
	for (size_t i = 0; !error && i < geometry->accessor_count; i++) {
		error = jc_gltf_accessor_range(
			reader->gltf, (int)i, &geometry->accessors[i].range, reader->diagnostic);
	}
	return error;
}

/* An accessor that the field `key` of a primitive names; *out_index is -1 without one. */
static int read_accessor(const struct geometry *geometry, const json_t *json, const char *key,
	const struct jc_json_place *place, int *out_index)
{
	*out_index = -1;
	return jc_json_read_index(json, key, place, 0, geometry->accessor_count, out_index,
		geometry->reader->diagnostic);
}

/* All attributes of a primitive or of one of its morph targets have `vertices` elements.
 * *out_joint becomes the greatest index of a joint in them, if it is greater. */
static int check_attributes(const struct geometry *geometry, const json_t *attributes,
	size_t vertices, const struct jc_json_place *place, double *out_joint)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)attributes, key, value)
	{
		const struct accessor *accessor;
		int index;
		int error = read_accessor(geometry, attributes, key, place, &index);

		if (error) {
			return error;
		}
		accessor = &geometry->accessors[index];
		if (accessor->shape.count != vertices) {
			return jc_json_refuse(geometry->reader->diagnostic, JC_ERROR_INVALID, place,
				"%s has %zu elements for %zu vertices", key, accessor->shape.count,
				vertices);
		}
		if (strncmp(key, "JOINTS_", 7) == 0) {
			if (!accessor->shape.is_index || accessor->shape.components != 4) {
				return jc_json_refuse(geometry->reader->diagnostic,
					JC_ERROR_INVALID, place,
					"%s has no four whole numbers for each vertex", key);
			}
			*out_joint = fmax(*out_joint, accessor->range.greatest);
		}
	}
	return JC_OK;
}

/* Widens the reach of a mesh to the accessor of an attribute POSITION, if there is one. */
static void widen(const struct geometry *geometry, const json_t *attributes, double reach[3])
{
	const json_t *index = json_object_get(attributes, "POSITION");

	for (size_t axis = 0; index && axis < 3; axis++) {
		const struct accessor *accessor = &geometry->accessors[json_integer_value(index)];

		reach[axis] = fmax(reach[axis], accessor->range.reach[axis]);
	}
}

static int check_targets(struct geometry *geometry, const json_t *primitive, size_t vertices,
	const struct jc_json_place *place, struct jc_avatar_reach *reach)
{
	struct jc_avatar_reader *reader = geometry->reader;
	struct jc_json_place list = { .outer = place, .key = "targets" };
	const json_t *targets = NULL;
	double unused = 0.0;
	int error = jc_json_read_array(
		primitive, "targets", place, JC_LIMIT_ACCESSORS, &targets, reader->diagnostic);

	for (size_t i = 0; !error && i < json_array_size(targets); i++) {
		struct jc_json_place target = { .outer = &list, .index = i };

		error = check_attributes(
			geometry, json_array_get(targets, i), vertices, &target, &unused);
		if (!error) {
			widen(geometry, json_array_get(targets, i), reach->target);
		}
	}
	if (!error) {
		size_t copies = 1 + json_array_size(targets);

		reader->facts.base_vertices = jc_avatar_add(reader->facts.base_vertices, vertices);
		reader->facts.vertices =
			jc_avatar_add(reader->facts.vertices, jc_avatar_multiply(copies, vertices));
	}
	return error;
}

/* How many elements a primitive draws: indices, or vertices without them. */
static int count_elements(const struct geometry *geometry, const json_t *primitive, size_t vertices,
	const struct jc_json_place *place, size_t *out_count)
{
	int index;
	int error = read_accessor(geometry, primitive, "indices", place, &index);

	if (error || index < 0) {
		*out_count = vertices;
		return error;
	}
	if (geometry->accessors[index].shape.components != 1 ||
		!geometry->accessors[index].shape.is_index ||
		geometry->accessors[index].range.greatest >= (double)vertices) {
		return jc_json_refuse(geometry->reader->diagnostic, JC_ERROR_INVALID, place,
			"an index is not below %zu, the number of vertices", vertices);
	}
	*out_count = geometry->accessors[index].shape.count;
	return JC_OK;
}

static size_t triangles_of(long long mode, size_t elements)
{
	if (mode < MODE_TRIANGLES) {
		return elements;
	}
	if (mode == MODE_TRIANGLES) {
		return elements / 3;
	}
	return elements > 2 ? elements - 2 : 0;
}

static int check_primitive(struct geometry *geometry, const json_t *json,
	const struct jc_json_place *place, struct mesh *mesh, struct jc_avatar_reach *reach)
{
	struct jc_json_place attributes_place = { .outer = place, .key = "attributes" };
	struct jc_diagnostic *diagnostic = geometry->reader->diagnostic;
	const json_t *attributes = NULL;
	long long mode = MODE_TRIANGLES;
	size_t vertices, elements = 0;
	double joint = -1.0;
	int position;
	int error = jc_json_read_object(json, "attributes", place, &attributes, diagnostic);

	if (!error) {
		error = read_accessor(
			geometry, attributes, "POSITION", &attributes_place, &position);
	}
	if (!error) {
		error = jc_json_read_integer(json, "mode", place, 0, 6, &mode, diagnostic);
	}
	if (error) {
		return error;
	}
	if (position < 0 || geometry->accessors[position].shape.components != 3) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "has no positions of three numbers");
	}
	vertices = geometry->accessors[position].shape.count;
	error = check_attributes(geometry, attributes, vertices, &attributes_place, &joint);
	if (!error) {
		widen(geometry, attributes, reach->base);
		error = check_targets(geometry, json, vertices, place, reach);
	}
	if (!error) {
		error = count_elements(geometry, json, vertices, place, &elements);
	}
	if (error) {
		return error;
	}
	mesh->greatest_joint = joint < 0.0 || mesh->greatest_joint < 0.0
				       ? -1.0
				       : fmax(joint, mesh->greatest_joint);
	mesh->triangles = jc_avatar_add(mesh->triangles, triangles_of(mode, elements));
	mesh->primitives++;
	return JC_OK;
}

static int check_mesh(struct geometry *geometry, const json_t *json, size_t index)
{
	struct jc_json_place meshes = { .key = "meshes" };
	struct jc_json_place place = { .outer = &meshes, .index = index };
	struct jc_json_place list = { .outer = &place, .key = "primitives" };
	const json_t *primitives = NULL;
	int error = jc_json_read_array(json, "primitives", &place, JC_LIMIT_ACCESSORS, &primitives,
		geometry->reader->diagnostic);

	if (!error && json_array_size(primitives) == 0) {
		return jc_json_refuse(geometry->reader->diagnostic, JC_ERROR_INVALID, &place,
			"has no primitives");
	}
	for (size_t i = 0; !error && i < json_array_size(primitives); i++) {
		struct jc_json_place primitive = { .outer = &list, .index = i };

		error = check_primitive(geometry, json_array_get(primitives, i), &primitive,
			&geometry->meshes[index], &geometry->reaches[index]);
	}
	return error;
}

/* The extension draws a mesh many times, which the counts of nodes do not show. */
static int check_instancing(const struct geometry *geometry, const struct jc_json_place *place)
{
	const json_t *nodes = json_object_get(geometry->reader->root, "nodes");
	const json_t *extensions =
		json_object_get(json_array_get(nodes, place->index), "extensions");

	if (json_object_get(extensions, "EXT_mesh_gpu_instancing")) {
		return jc_json_refuse(geometry->reader->diagnostic, JC_ERROR_UNSUPPORTED, place,
			"uses EXT_mesh_gpu_instancing, which no avatar needs");
	}
	return JC_OK;
}

/* Loaders make a mesh skinned if one of its nodes has a skin. */
static int check_skin(const struct geometry *geometry, const struct jc_gltf_node *node,
	const struct jc_json_place *place)
{
	struct jc_diagnostic *diagnostic = geometry->reader->diagnostic;
	struct mesh *mesh = &geometry->meshes[node->mesh];
	size_t joints;

	mesh->has_skin |= node->skin >= 0;
	mesh->has_no_skin |= node->skin < 0;
	if (mesh->has_skin && mesh->has_no_skin) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"meshes[%d] is used with and without a skin", node->mesh);
	}
	if (node->skin < 0) {
		return JC_OK;
	}
	joints = jc_gltf_skins(geometry->reader->gltf)[node->skin].joint_count;
	if (mesh->greatest_joint < 0.0 || mesh->greatest_joint >= (double)joints) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"meshes[%d] refers to joints that skins[%d] does not have", node->mesh,
			node->skin);
	}
	return JC_OK;
}

static int check_nodes(const struct geometry *geometry)
{
	struct jc_avatar_facts *facts = &geometry->reader->facts;
	const struct jc_gltf *gltf = geometry->reader->gltf;
	struct jc_json_place list = { .key = "nodes" };
	int error = JC_OK;

	for (size_t i = 0; !error && i < jc_gltf_node_count(gltf); i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(gltf)[i];
		struct jc_json_place place = { .outer = &list, .index = i };

		error = check_instancing(geometry, &place);
		if (error || node->mesh < 0) {
			continue;
		}
		facts->primitives =
			jc_avatar_add(facts->primitives, geometry->meshes[node->mesh].primitives);
		facts->triangles =
			jc_avatar_add(facts->triangles, geometry->meshes[node->mesh].triangles);
		error = check_skin(geometry, node, &place);
	}
	return error;
}

static int check_caps(const struct jc_avatar_reader *reader)
{
	const struct jc_avatar_facts *facts = &reader->facts;
	const struct jc_avatar_caps *caps = reader->caps;
	int error =
		jc_avatar_cap(reader, "meshes", facts->primitives, caps->primitives, "draw calls");

	if (!error) {
		error = jc_avatar_cap(
			reader, "meshes", facts->triangles, caps->triangles, "triangles");
	}
	if (!error) {
		error = jc_avatar_cap(reader, "meshes", facts->vertices, caps->vertices,
			"vertices with those of morph targets");
	}
	return error;
}

static int count_skeleton(struct jc_avatar_reader *reader)
{
	struct jc_avatar_facts *facts = &reader->facts;
	int error;

	facts->nodes = jc_gltf_node_count(reader->gltf);
	facts->materials = json_array_size(json_object_get(reader->root, "materials"));
	for (size_t i = 0; i < jc_gltf_skin_count(reader->gltf); i++) {
		facts->joints =
			jc_avatar_add(facts->joints, jc_gltf_skins(reader->gltf)[i].joint_count);
	}
	error = jc_avatar_cap(reader, "nodes", facts->nodes, reader->caps->nodes, "nodes");
	if (!error) {
		error = jc_avatar_cap(
			reader, "skins", facts->joints, reader->caps->joints, "joints");
	}
	if (!error) {
		error = jc_avatar_cap(reader, "materials", facts->materials,
			reader->caps->materials, "materials");
	}
	return error;
}

int jc_avatar_geometry_check(struct jc_avatar_reader *reader)
{
	struct geometry geometry = { .reader = reader };
	const json_t *accessors = NULL, *meshes = NULL;
	int error = count_skeleton(reader);

	if (!error) {
		error = jc_json_read_array(reader->root, "accessors", NULL, JC_LIMIT_ACCESSORS,
			&accessors, reader->diagnostic);
	}
	if (!error) {
		error = jc_json_read_array(reader->root, "meshes", NULL, JC_LIMIT_ACCESSORS,
			&meshes, reader->diagnostic);
	}
	if (error) {
		return error;
	}
	geometry.accessor_count = json_array_size(accessors);
	geometry.mesh_count = json_array_size(meshes);
	geometry.accessors = calloc(geometry.accessor_count + 1, sizeof(*geometry.accessors));
	geometry.meshes = calloc(geometry.mesh_count + 1, sizeof(*geometry.meshes));
	geometry.reaches = calloc(geometry.mesh_count + 1, sizeof(*geometry.reaches));
	if (!geometry.accessors || !geometry.meshes || !geometry.reaches) {
		error = jc_diagnose(reader->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	error = measure_accessors(&geometry);
	for (size_t i = 0; !error && i < geometry.mesh_count; i++) {
		error = check_mesh(&geometry, json_array_get(meshes, i), i);
	}
	if (!error) {
		error = check_nodes(&geometry);
	}
	if (!error) {
		error = check_caps(reader);
	}
	if (!error) {
		error = jc_avatar_extent_check(reader, geometry.reaches);
	}
out:
	free(geometry.reaches);
	free(geometry.meshes);
	free(geometry.accessors);
	return error;
}
