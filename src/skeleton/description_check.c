/* Validates a description before it becomes a skeleton. Readers may be lenient; this
 * check is strict. */
#include "description_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/segment.h"

__attribute__((format(printf, 4, 5))) static int refuse(
	struct jc_diagnostic *diagnostic, int error, const char *what, const char *where, ...)
{
	char place[120];
	va_list arguments;

	va_start(arguments, where);
	vsnprintf(place, sizeof(place), where, arguments);
	va_end(arguments);
	return jc_diagnose(diagnostic, error, place, "%s", what);
}

static bool is_within(struct jc_vec3 v)
{
	return fabsf(v.x) <= JC_LIMIT_COORDINATE && fabsf(v.y) <= JC_LIMIT_COORDINATE &&
	       fabsf(v.z) <= JC_LIMIT_COORDINATE;
}

/* A quaternion so near to unit length that normalising it loses nothing. */
static bool is_rotation(struct jc_quat q)
{
	double norm = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;

	return fabs(norm - 1.0) < 1e-2;
}

static const char *transform_fault(struct jc_transform t)
{
	if (!is_within(t.translation)) {
		return "translation is not finite or too large";
	}
	if (!is_within(t.scale)) {
		return "scale is not finite or too large";
	}
	return is_rotation(t.rotation) ? NULL : "rotation is not a unit quaternion";
}

static bool is_long(const char *name)
{
	return strnlen(name, JC_LIMIT_NAME_BYTES) == JC_LIMIT_NAME_BYTES;
}

static int check_nodes(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	if (description->node_count > JC_LIMIT_NODES) {
		return refuse(diagnostic, JC_ERROR_LIMIT, "too many nodes", "nodes");
	}
	for (size_t i = 0; i < description->node_count; i++) {
		const char *fault = transform_fault(description->nodes[i].rest);

		if (fault) {
			return refuse(diagnostic, JC_ERROR_INVALID, fault, "nodes[%zu]", i);
		}
		if (is_long(description->nodes[i].name)) {
			return refuse(diagnostic, JC_ERROR_LIMIT, "name is too long",
				"nodes[%zu].name", i);
		}
	}
	return JC_OK;
}

static int check_bones(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	bool found = false;

	if (!is_rotation(description->facing)) {
		return refuse(diagnostic, JC_ERROR_INVALID, "not a unit quaternion", "facing");
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const char *name = jc_bone_name((enum jc_bone)b);
		int node = description->bones[b];

		if (node < -1 || (node >= 0 && (size_t)node >= description->node_count)) {
			return refuse(diagnostic, JC_ERROR_INVALID, "node does not exist",
				"bones.%s", name);
		}
		if (!is_rotation(description->corrections[b])) {
			return refuse(diagnostic, JC_ERROR_INVALID, "not a unit quaternion",
				"corrections.%s", name);
		}
		if (!is_rotation(description->offsets[b])) {
			return refuse(diagnostic, JC_ERROR_INVALID, "not a unit quaternion",
				"offsets.%s", name);
		}
		for (int other = 0; node >= 0 && other < b; other++) {
			if (description->bones[other] == node) {
				return refuse(diagnostic, JC_ERROR_INVALID,
					"node already has another bone", "bones.%s", name);
			}
		}
		found = found || node >= 0;
	}
	if (description->has_floor && !(fabsf(description->floor) <= JC_LIMIT_COORDINATE)) {
		return refuse(diagnostic, JC_ERROR_INVALID, "not finite or too large", "floor");
	}
	if (!found && !description->is_prop) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"no humanoid: no bone is mapped to a node");
	}
	return JC_OK;
}

static int check_virtual_transforms(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	if (description->virtual_transform_count > JC_LIMIT_VIRTUAL_TRANSFORMS) {
		return refuse(diagnostic, JC_ERROR_LIMIT, "too many virtual transforms",
			"virtualTransforms");
	}
	for (size_t i = 0; i < description->virtual_transform_count; i++) {
		const struct jc_virtual_transform *virtual = &description->virtual_transforms[i];
		const char *fault = transform_fault(virtual->offset);

		if (fault) {
			return refuse(
				diagnostic, JC_ERROR_INVALID, fault, "virtualTransforms[%zu]", i);
		}
		if (virtual->parent < -1 ||
			(virtual->parent >= 0 &&
				(size_t) virtual->parent >= description->node_count)) {
			return refuse(diagnostic, JC_ERROR_INVALID, "node does not exist",
				"virtualTransforms[%zu].parent", i);
		}
		if (is_long(virtual->name)) {
			return refuse(diagnostic, JC_ERROR_LIMIT, "name is too long",
				"virtualTransforms[%zu].name", i);
		}
		if (virtual->tag_count > JC_LIMIT_TAGS) {
			return refuse(diagnostic, JC_ERROR_LIMIT, "too many tags",
				"virtualTransforms[%zu].tags", i);
		}
		for (size_t tag = 0; tag < virtual->tag_count; tag++) {
			if (is_long(virtual->tags[tag])) {
				return refuse(diagnostic, JC_ERROR_LIMIT, "tag is too long",
					"virtualTransforms[%zu].tags[%zu]", i, tag);
			}
		}
	}
	return JC_OK;
}

static int check_limits(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	if (description->limit_count > JC_LIMIT_JOINT_LIMITS) {
		return refuse(diagnostic, JC_ERROR_LIMIT, "too many limits", "limits");
	}
	for (size_t i = 0; i < description->limit_count; i++) {
		const struct jc_joint_limit *limit = &description->limits[i];

		if (limit->node < 0 || (size_t)limit->node >= description->node_count) {
			return refuse(diagnostic, JC_ERROR_INVALID, "node does not exist",
				"limits[%zu]", i);
		}
		if (!is_within(limit->lower) || !is_within(limit->upper) ||
			!is_within(limit->stiffness) || !is_rotation(limit->orientation)) {
			return refuse(diagnostic, JC_ERROR_INVALID,
				"is not a valid limit of a rotation", "limits[%zu]", i);
		}
	}
	return JC_OK;
}

static int check_segments(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	if (description->segment_count > JC_LIMIT_SEGMENTS) {
		return refuse(diagnostic, JC_ERROR_LIMIT, "too many segments", "segments");
	}
	for (size_t i = 0; i < description->segment_count; i++) {
		const struct jc_skeleton_segment *segment = &description->segments[i];

		if (segment->node < 0 || (size_t)segment->node >= description->node_count) {
			return refuse(diagnostic, JC_ERROR_INVALID, "node does not exist",
				"segments[%zu]", i);
		}
		if (!jc_skeleton_segment_is_valid(segment)) {
			return refuse(diagnostic, JC_ERROR_INVALID,
				"mass, center of mass or moments of inertia are not valid",
				"segments[%zu]", i);
		}
		if (is_long(segment->name)) {
			return refuse(diagnostic, JC_ERROR_LIMIT, "name is too long",
				"segments[%zu].name", i);
		}
	}
	return JC_OK;
}

static int check_constraints(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	size_t nodes = description->node_count;

	if (description->constraint_count > nodes) {
		return refuse(
			diagnostic, JC_ERROR_LIMIT, "more constraints than nodes", "constraints");
	}
	for (size_t i = 0; i < description->constraint_count; i++) {
		const struct jc_node_constraint *constraint = &description->constraints[i];

		if (constraint->node < 0 || (size_t)constraint->node >= nodes ||
			constraint->source < 0 || (size_t)constraint->source >= nodes) {
			return refuse(diagnostic, JC_ERROR_INVALID, "node does not exist",
				"constraints[%zu]", i);
		}
		if (constraint->source == constraint->node ||
			!(constraint->weight >= 0.0f && constraint->weight <= 1.0f)) {
			return refuse(diagnostic, JC_ERROR_INVALID,
				"is not a valid constraint of a node", "constraints[%zu]", i);
		}
	}
	return JC_OK;
}

int jc_description_check(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic)
{
	int error;

	if (is_long(description->name)) {
		return refuse(diagnostic, JC_ERROR_LIMIT, "name is too long", "name");
	}
	error = check_nodes(description, diagnostic);
	if (!error) {
		error = check_bones(description, diagnostic);
	}
	if (!error) {
		error = check_virtual_transforms(description, diagnostic);
	}
	if (!error) {
		error = check_limits(description, diagnostic);
	}
	if (!error) {
		error = check_segments(description, diagnostic);
	}
	if (!error) {
		error = check_constraints(description, diagnostic);
	}
	return error;
}
