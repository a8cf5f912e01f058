/* Collects joints, segments and sites of a humanoid. A joint is at its center, given in
 * humanoid coordinates. Transforms between joints belong to the figure and go to the rest
 * of the joint below them. */
#include "hanim_skeleton.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"
#include "jointcast_private/segment.h"

/* State of a walk: the joint above, and the transforms from the current coordinates to
 * that joint's node and to the humanoid. */
struct spot {
	int joint; /* or -1 */
	int node;  /* of the joint or of the humanoid */
	struct jc_mat4 to_node;
	struct jc_mat4 to_humanoid;
};

struct collector {
	struct jc_hanim *hanim;
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;
	bool *seen;
	size_t joint_capacity, node_capacity, segment_capacity, virtual_capacity;
	size_t virtual_dropped, segments_dropped;
};

static const char *const site_tags[] = { "site" };
static const char *const viewpoint_tags[] = { "viewpoint" };

static int fail_memory(struct collector *collector)
{
	return jc_diagnose(collector->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

static int fail_at(
	struct collector *collector, const struct jc_scene_node *node, int error, const char *what)
{
	char where[64];

	snprintf(where, sizeof(where), "line %u", node->line);
	return jc_diagnose(collector->diagnostic, error, where, "%s '%s' %s", node->type,
		jc_scene_string(node, "name", node->def), what);
}

static int reserve(
	struct collector *collector, void *items, size_t *capacity, size_t count, size_t size)
{
	return jc_array_grow(items, capacity, count + 1, SIZE_MAX, size) ? JC_OK
									 : fail_memory(collector);
}

static struct jc_mat4 translation(struct jc_vec3 v)
{
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	transform.translation = v;
	return jc_mat4_compose(transform);
}

static int decompose(struct collector *collector, const struct jc_scene_node *node,
	struct jc_mat4 matrix, struct jc_transform *out_transform)
{
	const float tolerance = 1e-4f;
	float shear;

	if (!jc_mat4_is_finite(matrix) || !jc_mat4_decompose(matrix, out_transform, &shear)) {
		return fail_at(collector, node, JC_ERROR_INVALID,
			"has no valid position: it is too far away or its scale is zero");
	}
	if (shear > tolerance) {
		jc_lint_add(collector->lint, JC_WARNING, "hanim-shear",
			"line %u: the scales above %s '%s' shear it; the shear is removed",
			node->line, node->type, jc_scene_string(node, "name", node->def));
	}
	return JC_OK;
}

static int add_node(
	struct collector *collector, const char *name, int parent, struct jc_transform rest)
{
	struct jc_hanim *hanim = collector->hanim;

	if (hanim->node_count >= JC_LIMIT_NODES) {
		return jc_diagnose(collector->diagnostic, JC_ERROR_LIMIT, NULL,
			"the humanoid has more than %u joints", JC_LIMIT_NODES - 1);
	}
	if (reserve(collector, &hanim->nodes, &collector->node_capacity, hanim->node_count,
		    sizeof(*hanim->nodes))) {
		return JC_ERROR_MEMORY;
	}
	hanim->nodes[hanim->node_count++] =
		(struct jc_skeleton_node){ .name = name, .parent = parent, .rest = rest };
	return JC_OK;
}

static void read_limits(const struct jc_scene_node *node, struct jc_hanim_joint *joint)
{
	const struct jc_vec3 zero = { 0.0f, 0.0f, 0.0f };

	joint->lower_limit = jc_hanim_scene_vector(node, "llimit", zero);
	joint->upper_limit = jc_hanim_scene_vector(node, "ulimit", zero);
	joint->limit_orientation = jc_hanim_scene_rotation(node, "limitOrientation");
	joint->stiffness = jc_hanim_scene_vector(node, "stiffness", zero);
	joint->has_stiffness = jc_vec3_length(joint->stiffness) > 0.0f;
	if (!jc_vec3_is_finite(joint->stiffness)) {
		joint->has_stiffness = false;
		joint->stiffness = zero;
	}
	joint->has_limits = jc_vec3_is_finite(joint->lower_limit) &&
			    jc_vec3_is_finite(joint->upper_limit) &&
			    (jc_vec3_length(joint->lower_limit) > 0.0f ||
				    jc_vec3_length(joint->upper_limit) > 0.0f);
}

static int add_joint(struct collector *collector, const struct jc_scene_node *node,
	const struct spot *spot, struct spot *out_spot)
{
	const struct jc_vec3 zero = { 0.0f, 0.0f, 0.0f };
	struct jc_hanim *hanim = collector->hanim;
	struct jc_vec3 center = jc_hanim_scene_vector(node, "center", zero);
	struct jc_hanim_joint joint = {
		.name = jc_scene_string(node, "name", ""),
		.node = node,
		.parent = spot->joint,
		.skeleton_node = (int)hanim->node_count,
		.bone = JC_BONE_NONE,
		.vertebra = -1,
		.center = jc_mat4_transform_point(spot->to_humanoid, center),
	};
	struct jc_transform rest;
	int error = decompose(
		collector, node, jc_mat4_multiply(spot->to_node, translation(center)), &rest);

	if (!error) {
		error = add_node(collector, joint.name, spot->node, rest);
	}
	if (!error) {
		error = reserve(collector, &hanim->joints, &collector->joint_capacity,
			hanim->joint_count, sizeof(*hanim->joints));
	}
	if (error) {
		return error;
	}
	read_limits(node, &joint);
	*out_spot = (struct spot){
		.joint = (int)hanim->joint_count,
		.node = joint.skeleton_node,
		/* The joint's node is at its center. */
		.to_node = translation(jc_vec3_scale(center, -1.0f)),
		.to_humanoid = spot->to_humanoid,
	};
	hanim->joints[hanim->joint_count++] = joint;
	return JC_OK;
}

/* Reads the body of a segment; false if it has none. */
static bool read_body(const struct jc_scene_node *node, const struct spot *spot,
	struct jc_skeleton_segment *segment)
{
	const struct jc_vec3 zero = { 0.0f, 0.0f, 0.0f };
	double mass = 0.0, inertia[9] = { 0.0 };

	jc_scene_numbers(node, "mass", 1, &mass);
	jc_scene_numbers(node, "momentsOfInertia", 9, inertia);
	*segment = (struct jc_skeleton_segment){
		.name = jc_scene_string(node, "name", node->def),
		.node = spot->node,
		.mass = mass > 0.0 ? (float)fmin(mass, (double)FLT_MAX) : 0.0f,
		.center_of_mass = jc_hanim_scene_vector(node, "centerOfMass", zero),
	};
	for (int i = 0; i < 9; i++) {
		segment->inertia[i] =
			(float)fmax(fmin(inertia[i], (double)FLT_MAX), -(double)FLT_MAX);
		segment->has_inertia = segment->has_inertia || inertia[i] != 0.0;
	}
	return segment->mass > 0.0f || segment->has_inertia ||
	       jc_vec3_length(segment->center_of_mass) > 0.0f;
}

static int add_segment(struct collector *collector, const struct jc_scene_node *node,
	const struct spot *spot, struct spot *out_spot)
{
	struct jc_hanim *hanim = collector->hanim;
	struct jc_skeleton_segment segment;
	double mass = 0.0;

	*out_spot = *spot;
	if (jc_scene_numbers(node, "mass", 1, &mass) && mass > 0.0) {
		hanim->mass += mass;
	}
	if (!read_body(node, spot, &segment)) {
		return JC_OK;
	}
	jc_skeleton_segment_transform(&segment, &spot->to_node);
	if (!jc_skeleton_segment_is_valid(&segment) || hanim->segment_count >= JC_LIMIT_SEGMENTS ||
		strlen(segment.name) >= JC_LIMIT_NAME_BYTES) {
		collector->segments_dropped++;
		return JC_OK;
	}
	if (reserve(collector, &hanim->segments, &collector->segment_capacity, hanim->segment_count,
		    sizeof(*hanim->segments))) {
		return JC_ERROR_MEMORY;
	}
	hanim->segments[hanim->segment_count++] = segment;
	return JC_OK;
}

/* matrix: of the site or viewpoint in the node of its joint. */
static int add_virtual_transform(struct collector *collector, const struct jc_scene_node *node,
	const char *name, const char *const *tags, int parent, struct jc_mat4 matrix)
{
	struct jc_hanim *hanim = collector->hanim;
	struct jc_transform offset;
	float shear;

	if (hanim->virtual_transform_count >= JC_LIMIT_VIRTUAL_TRANSFORMS) {
		collector->virtual_dropped++;
		return JC_OK;
	}
	if (!jc_mat4_is_finite(matrix) || !jc_mat4_decompose(matrix, &offset, &shear)) {
		jc_lint_add(collector->lint, JC_WARNING, "hanim-site",
			"line %u: %s '%s' has no valid position: left out", node->line, node->type,
			name);
		return JC_OK;
	}
	if (reserve(collector, &hanim->virtual_transforms, &collector->virtual_capacity,
		    hanim->virtual_transform_count, sizeof(*hanim->virtual_transforms))) {
		return JC_ERROR_MEMORY;
	}
	hanim->virtual_transforms[hanim->virtual_transform_count++] = (struct jc_virtual_transform){
		.name = name,
		.parent = parent,
		.offset = offset,
		.respect_position = true,
		.respect_rotation = true,
		.respect_scale = true,
		.tag_count = 1,
		.tags = tags,
	};
	return JC_OK;
}

static int add_viewpoint(
	struct collector *collector, const struct jc_scene_node *node, const struct spot *spot)
{
	struct jc_transform place = JC_TRANSFORM_IDENTITY;
	const struct jc_vec3 standard = { 0.0f, 0.0f, 10.0f };

	place.translation = jc_hanim_scene_vector(node, "position", standard);
	place.rotation = jc_hanim_scene_rotation(node, "orientation");
	return add_virtual_transform(collector, node,
		*node->def ? node->def : jc_scene_string(node, "description", ""), viewpoint_tags,
		spot->node, jc_mat4_multiply(spot->to_node, jc_mat4_compose(place)));
}

static int add_site(struct collector *collector, const struct jc_scene_node *node,
	const struct spot *spot, struct spot *out_spot)
{
	struct jc_mat4 matrix = jc_hanim_scene_matrix(node);

	*out_spot = *spot;
	out_spot->to_node = jc_mat4_multiply(spot->to_node, matrix);
	out_spot->to_humanoid = jc_mat4_multiply(spot->to_humanoid, matrix);
	return add_virtual_transform(collector, node, jc_scene_string(node, "name", node->def),
		site_tags, spot->node, out_spot->to_node);
}

static int walk(
	struct collector *collector, const struct jc_scene_node *node, const struct spot *spot);

static int walk_children(
	struct collector *collector, const struct jc_scene_node *node, const struct spot *spot)
{
	for (size_t i = 0; i < node->field_count; i++) {
		for (size_t j = 0; j < node->fields[i].node_count; j++) {
			int error = walk(collector, node->fields[i].nodes[j], spot);

			if (error) {
				return error;
			}
		}
	}
	return JC_OK;
}

/* Recursion is limited by the depth of the scene: node->height. */
static int walk(
	struct collector *collector, const struct jc_scene_node *node, const struct spot *spot)
{
	struct spot below;
	int error = JC_OK;

	if (collector->seen[node->index] || jc_hanim_scene_is_humanoid(node)) {
		return JC_OK;
	}
	collector->seen[node->index] = true;
	if (jc_hanim_scene_is_joint(node)) {
		error = add_joint(collector, node, spot, &below);
	} else if (jc_hanim_scene_is_segment(node)) {
		error = add_segment(collector, node, spot, &below);
	} else if (jc_hanim_scene_is_site(node)) {
		error = add_site(collector, node, spot, &below);
	} else if (strcmp(node->type, "Viewpoint") == 0) {
		return add_viewpoint(collector, node, spot);
	} else {
		struct jc_mat4 matrix = jc_hanim_scene_group_matrix(node);

		below = *spot;
		below.to_node = jc_mat4_multiply(spot->to_node, matrix);
		below.to_humanoid = jc_mat4_multiply(spot->to_humanoid, matrix);
	}
	return error ? error : walk_children(collector, node, &below);
}

/* Collects sites and viewpoints of the humanoid itself. */
static int walk_attachments(
	struct collector *collector, const struct jc_scene_node *humanoid, const struct spot *spot)
{
	static const char *const fields[] = { "sites", "viewpoints", "skeleton", "humanoidBody" };

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		struct jc_scene_node *const *nodes;
		size_t count = jc_scene_nodes(humanoid, fields[i], &nodes);

		for (size_t j = 0; j < count; j++) {
			/* The joints of the last two are among the roots. */
			int error = i < 2 || jc_hanim_scene_is_site(nodes[j])
					    ? walk(collector, nodes[j], spot)
					    : JC_OK;

			if (error) {
				return error;
			}
		}
	}
	return JC_OK;
}

static int add_humanoid(struct collector *collector, const struct jc_scene *scene,
	const struct jc_hanim_scene_place *place)
{
	struct jc_transform unit = JC_TRANSFORM_IDENTITY;
	const struct jc_scene_node *node = place->humanoid ? place->humanoid : place->roots[0];
	struct jc_transform rest;
	int error;

	unit.scale = jc_vec3_scale(unit.scale, (float)scene->metres_per_unit);
	error = decompose(
		collector, node, jc_mat4_multiply(jc_mat4_compose(unit), place->world), &rest);
	if (error) {
		return error;
	}
	collector->hanim->facing = rest.rotation;
	if (rest.scale.x * rest.scale.y * rest.scale.z < 0.0f) {
		jc_lint_add(collector->lint, JC_WARNING, "hanim-mirror",
			"the humanoid is mirrored by a negative scale");
	}
	return add_node(collector, place->humanoid ? jc_scene_string(node, "name", node->def) : "",
		-1, rest);
}

int jc_hanim_collect(struct jc_hanim *hanim, const struct jc_scene *scene,
	const struct jc_hanim_scene_place *place, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct collector collector = {
		.hanim = hanim,
		.lint = lint,
		.diagnostic = diagnostic,
		.seen = calloc(scene->node_count, sizeof(bool)),
	};
	const struct jc_mat4 identity = jc_mat4_compose(JC_TRANSFORM_IDENTITY);
	const struct spot spot = { -1, 0, identity, identity };
	int error;

	if (!collector.seen) {
		return fail_memory(&collector);
	}
	error = add_humanoid(&collector, scene, place);
	for (size_t i = 0; !error && i < place->root_count; i++) {
		error = walk(&collector, place->roots[i], &spot);
	}
	if (!error && place->humanoid) {
		error = walk_attachments(&collector, place->humanoid, &spot);
	}
	if (collector.virtual_dropped > 0) {
		jc_lint_add(lint, JC_WARNING, "hanim-site",
			"%zu sites and viewpoints past the first %u are left out",
			collector.virtual_dropped, JC_LIMIT_VIRTUAL_TRANSFORMS);
	}
	if (collector.segments_dropped > 0) {
		jc_lint_add(lint, JC_WARNING, "hanim-segment",
			"mass, center and inertia of %zu segments are left out: out of range, or "
			"past "
			"the first %u",
			collector.segments_dropped, JC_LIMIT_SEGMENTS);
	}
	free(collector.seen);
	return error;
}
