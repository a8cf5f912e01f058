/* Reads skeleton descriptors strictly by proto/SKELETONS.md, "Skeleton descriptors"; the diagnostic
 * names the first field that violates it. */
#include <stdlib.h>

#include <jansson.h>

#include "descriptor.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/json.h"
#include "virtual_transform_list.h"

static int read_node(const json_t *json, const struct jc_json_place *place, size_t count,
	struct jc_skeleton_node *node, struct jc_diagnostic *diagnostic)
{
	int error;

	node->name = "";
	node->parent = -1;
	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	error = jc_json_read_string(json, "name", place, &node->name, diagnostic);
	if (!error) {
		error = jc_json_read_index(
			json, "parent", place, -1, count, &node->parent, diagnostic);
	}
	if (!error) {
		error = jc_json_read_transform(json, place, &node->rest, diagnostic);
	}
	return error;
}

static int read_nodes(const json_t *root, struct jc_skeleton_node **out_nodes, size_t *out_count,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "nodes" };
	const json_t *array = NULL;
	struct jc_skeleton_node *nodes;
	size_t count;
	int error = jc_json_read_array(root, "nodes", NULL, JC_LIMIT_NODES, &array, diagnostic);

	if (error) {
		return error;
	}
	if (!array) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "nodes",
			"nodes are missing: not a skeleton descriptor");
	}
	count = json_array_size(array);
	nodes = calloc(count + 1, sizeof(*nodes));
	if (!nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		struct jc_json_place place = { .outer = &list, .index = i };

		error = read_node(json_array_get(array, i), &place, count, &nodes[i], diagnostic);
		if (error) {
			free(nodes);
			return error;
		}
	}
	*out_nodes = nodes;
	*out_count = count;
	return JC_OK;
}

/* Checks that every key of the object names a bone; values are read later. */
static int check_keys(const json_t *object, const char *key, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = key };
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
	{
		struct jc_json_place place = { .outer = &list, .key = name };

		if (jc_bone_find(name) == JC_BONE_NONE) {
			return jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, &place, "not a bone of a humanoid");
		}
	}
	return JC_OK;
}

static int read_bones(const json_t *root, struct jc_skeleton_description *description,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = "bones" };
	const json_t *bones = NULL;
	int error = jc_json_read_object(root, "bones", NULL, &bones, diagnostic);

	if (error) {
		return error;
	}
	if (!bones) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "bones",
			"bones are missing: not a skeleton descriptor");
	}
	error = check_keys(bones, "bones", diagnostic);
	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		error = jc_json_read_index(bones, jc_bone_name((enum jc_bone)b), &place, 0,
			description->node_count, &description->bones[b], diagnostic);
	}
	return error;
}

static int read_quat(const json_t *object, const char *key, const struct jc_json_place *place,
	struct jc_quat *out_quat, struct jc_diagnostic *diagnostic)
{
	float q[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
	int error = jc_json_read_floats(object, key, place, 4, q, diagnostic);

	if (!error) {
		*out_quat = (struct jc_quat){ q[0], q[1], q[2], q[3] };
	}
	return error;
}

/* Reads rotations by bone name. */
static int read_rotations(const json_t *root, const char *key,
	struct jc_quat out_rotations[JC_BONE_COUNT], struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = key };
	const json_t *rotations = NULL;
	int error = jc_json_read_object(root, key, NULL, &rotations, diagnostic);

	if (!error && rotations) {
		error = check_keys(rotations, key, diagnostic);
	}
	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		error = read_quat(rotations, jc_bone_name((enum jc_bone)b), &place,
			&out_rotations[b], diagnostic);
	}
	return error;
}

static int read_virtual_transforms(const json_t *root, size_t node_count,
	struct jc_virtual_transform_list *list, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place array_place = { .key = "virtualTransforms" };
	const json_t *array = NULL;
	int error = jc_json_read_array(
		root, "virtualTransforms", NULL, JC_LIMIT_VIRTUAL_TRANSFORMS, &array, diagnostic);

	for (size_t i = 0; !error && i < json_array_size(array); i++) {
		struct jc_json_place place = { .outer = &array_place, .index = i };

		error = jc_virtual_transform_list_read(
			list, json_array_get(array, i), &place, node_count, diagnostic);
	}
	return error;
}

static int read_vec3(const json_t *object, const char *key, const struct jc_json_place *place,
	struct jc_vec3 *out_vec3, struct jc_diagnostic *diagnostic)
{
	float v[3] = { 0.0f, 0.0f, 0.0f };
	int error = jc_json_read_floats(object, key, place, 3, v, diagnostic);

	*out_vec3 = (struct jc_vec3){ v[0], v[1], v[2] };
	return error;
}

/* Reads the node of a limit or segment, which must be given. */
static int read_carrier(const json_t *json, const struct jc_json_place *place, size_t node_count,
	int *out_node, struct jc_diagnostic *diagnostic)
{
	*out_node = -1;
	if (!json_is_object(json)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	if (!json_object_get(json, "node")) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "has no node");
	}
	return jc_json_read_index(json, "node", place, 0, node_count, out_node, diagnostic);
}

static int read_limit(const json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_joint_limit *limit, struct jc_diagnostic *diagnostic)
{
	bool has_lower = json_object_get(json, "lower") != NULL;
	int error = read_carrier(json, place, node_count, &limit->node, diagnostic);

	if (!error && has_lower != (json_object_get(json, "upper") != NULL)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"has one of lower and upper, but not both");
	}
	limit->is_unlimited = !has_lower;
	limit->orientation = JC_QUAT_IDENTITY;
	if (!error) {
		error = read_vec3(json, "lower", place, &limit->lower, diagnostic);
	}
	if (!error) {
		error = read_vec3(json, "upper", place, &limit->upper, diagnostic);
	}
	if (!error) {
		error = read_vec3(json, "stiffness", place, &limit->stiffness, diagnostic);
	}
	return error ? error
		     : read_quat(json, "orientation", place, &limit->orientation, diagnostic);
}

static int read_limits(const json_t *root, struct jc_skeleton_description *description,
	struct jc_joint_limit **out_limits, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "limits" };
	const json_t *array = NULL;
	int error =
		jc_json_read_array(root, "limits", NULL, JC_LIMIT_JOINT_LIMITS, &array, diagnostic);

	*out_limits = calloc(json_array_size(array) + 1, sizeof(**out_limits));
	if (!error && !*out_limits) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; !error && i < json_array_size(array); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };

		error = read_limit(json_array_get(array, i), &place, description->node_count,
			&(*out_limits)[i], diagnostic);
	}
	description->limit_count = json_array_size(array);
	description->limits = *out_limits;
	return error;
}

static int read_segment(const json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_skeleton_segment *segment, struct jc_diagnostic *diagnostic)
{
	int error = read_carrier(json, place, node_count, &segment->node, diagnostic);

	segment->name = "";
	if (!error) {
		error = jc_json_read_string(json, "name", place, &segment->name, diagnostic);
	}
	if (!error) {
		error = jc_json_read_float(json, "mass", place, &segment->mass, diagnostic);
	}
	if (!error) {
		error = read_vec3(
			json, "centerOfMass", place, &segment->center_of_mass, diagnostic);
	}
	segment->has_inertia = json_object_get(json, "momentsOfInertia") != NULL;
	return error ? error
		     : jc_json_read_floats(
			       json, "momentsOfInertia", place, 9, segment->inertia, diagnostic);
}

static int read_segments(const json_t *root, struct jc_skeleton_description *description,
	struct jc_skeleton_segment **out_segments, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "segments" };
	const json_t *array = NULL;
	int error =
		jc_json_read_array(root, "segments", NULL, JC_LIMIT_SEGMENTS, &array, diagnostic);

	*out_segments = calloc(json_array_size(array) + 1, sizeof(**out_segments));
	if (!error && !*out_segments) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; !error && i < json_array_size(array); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };

		error = read_segment(json_array_get(array, i), &place, description->node_count,
			&(*out_segments)[i], diagnostic);
	}
	description->segment_count = json_array_size(array);
	description->segments = *out_segments;
	return error;
}

/* The value is not used: a reader measures the height itself. */
static int check_hips_height(const json_t *root, struct jc_diagnostic *diagnostic)
{
	const struct jc_json_place place = { .key = "hipsHeight" };
	float height = 1.0f;
	int error = jc_json_read_float(root, "hipsHeight", NULL, &height, diagnostic);

	if (!error && !(height > 0.0f)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place, "not above 0");
	}
	return error;
}

static int read_fields(const json_t *root, struct jc_skeleton_description *description,
	struct jc_virtual_transform_list *virtuals, struct jc_diagnostic *diagnostic)
{
	const char *format = "";
	int error = jc_json_read_string(root, "name", NULL, &description->name, diagnostic);

	if (!error) {
		error = jc_json_read_string(root, "format", NULL, &format, diagnostic);
		description->format = jc_descriptor_find_format(format);
	}
	if (!error) {
		error = check_hips_height(root, diagnostic);
	}
	if (!error) {
		description->has_floor = json_object_get(root, "floor") != NULL;
		error = jc_json_read_float(root, "floor", NULL, &description->floor, diagnostic);
	}
	if (!error) {
		error = read_quat(root, "facing", NULL, &description->facing, diagnostic);
	}
	if (!error) {
		error = read_bones(root, description, diagnostic);
	}
	if (!error) {
		error = read_rotations(root, "corrections", description->corrections, diagnostic);
	}
	if (!error) {
		error = read_rotations(root, "offsets", description->offsets, diagnostic);
	}
	if (!error) {
		error = read_virtual_transforms(
			root, description->node_count, virtuals, diagnostic);
	}
	return error;
}

int jc_descriptor_read(const struct json_t *root, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;
	struct jc_virtual_transform_list virtuals = { .count = 0 };
	struct jc_skeleton_node *nodes = NULL;
	struct jc_joint_limit *limits = NULL;
	struct jc_skeleton_segment *segments = NULL;
	int error;

	if (!json_is_object(root)) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "not a skeleton descriptor");
	}
	jc_skeleton_description_init(&description);
	error = read_nodes(root, &nodes, &description.node_count, diagnostic);
	if (!error) {
		error = read_fields(root, &description, &virtuals, diagnostic);
	}
	if (!error) {
		error = read_limits(root, &description, &limits, diagnostic);
	}
	if (!error) {
		error = read_segments(root, &description, &segments, diagnostic);
	}
	if (!error) {
		description.nodes = nodes;
		description.virtual_transform_count = virtuals.count;
		description.virtual_transforms = virtuals.items;
		error = jc_skeleton_create(&description, out_skeleton, diagnostic);
	}
	jc_virtual_transform_list_finish(&virtuals);
	free(segments);
	free(limits);
	free(nodes);
	return error;
}
