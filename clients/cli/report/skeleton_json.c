/* Writes parts of a skeleton that several reports contain. */
#include "report/skeleton_json.h"

void jc_skeleton_json_write_virtual_transforms(struct jc_json_writer *json,
	const struct jc_skeleton *skeleton, const struct jc_transform *placed, bool with_flags)
{
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton);

	jc_json_begin_array(json, "virtualTransforms");
	for (size_t i = 0; i < count; i++) {
		jc_json_begin_object(json, NULL);
		jc_json_write_integer(json, "index", (long long)i);
		jc_json_write_string(json, "name", all[i].name);
		if (all[i].parent >= 0) {
			jc_json_write_integer(json, "parent", all[i].parent);
		} else {
			jc_json_write_null(json, "parent");
		}
		jc_json_begin_array(json, "tags");
		for (size_t tag = 0; tag < all[i].tag_count; tag++) {
			jc_json_write_string(json, NULL, all[i].tags[tag]);
		}
		jc_json_end_array(json);
		if (with_flags) {
			jc_json_write_bool(json, "respectParentPosition", all[i].respect_position);
			jc_json_write_bool(json, "respectParentRotation", all[i].respect_rotation);
			jc_json_write_bool(json, "respectParentScale", all[i].respect_scale);
		}
		if (placed) {
			jc_json_write_vec3(json, "translation", placed[i].translation);
			jc_json_write_quat(json, "rotation", placed[i].rotation);
			jc_json_write_vec3(json, "scale", placed[i].scale);
		}
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}

void jc_skeleton_json_write_constraints(
	struct jc_json_writer *json, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	jc_json_begin_array(json, "constraints");
	for (size_t i = 0; i < jc_skeleton_constraint_count(skeleton); i++) {
		const struct jc_node_constraint *c = &jc_skeleton_constraints(skeleton)[i];

		jc_json_begin_object(json, NULL);
		jc_json_write_string(json, "kind", jc_constraint_kind_name(c->kind));
		jc_json_write_integer(json, "node", c->node);
		jc_json_write_string(json, "name", nodes[c->node].name);
		jc_json_write_integer(json, "source", c->source);
		jc_json_write_string(json, "sourceName", nodes[c->source].name);
		if (c->axis[0]) {
			jc_json_write_string(json, "axis", c->axis);
		} else {
			jc_json_write_null(json, "axis");
		}
		jc_json_write_float(json, "weight", c->weight);
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}

void jc_skeleton_json_write_limits(struct jc_json_writer *json, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	jc_json_begin_array(json, "limits");
	for (size_t i = 0; i < jc_skeleton_limit_count(skeleton); i++) {
		const struct jc_joint_limit *limit = &jc_skeleton_limits(skeleton)[i];

		jc_json_begin_object(json, NULL);
		jc_json_write_integer(json, "node", limit->node);
		jc_json_write_string(json, "name", nodes[limit->node].name);
		if (limit->is_unlimited) {
			jc_json_write_null(json, "lower");
			jc_json_write_null(json, "upper");
		} else {
			jc_json_write_vec3(json, "lower", limit->lower);
			jc_json_write_vec3(json, "upper", limit->upper);
		}
		jc_json_write_quat(json, "orientation", limit->orientation);
		jc_json_write_vec3(json, "stiffness", limit->stiffness);
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}

void jc_skeleton_json_write_segments(
	struct jc_json_writer *json, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	jc_json_begin_array(json, "segments");
	for (size_t i = 0; i < jc_skeleton_segment_count(skeleton); i++) {
		const struct jc_skeleton_segment *segment = &jc_skeleton_segments(skeleton)[i];

		jc_json_begin_object(json, NULL);
		jc_json_write_string(json, "name", segment->name);
		jc_json_write_integer(json, "node", segment->node);
		jc_json_write_string(json, "nodeName", nodes[segment->node].name);
		if (segment->mass > 0.0f) {
			jc_json_write_float(json, "mass", segment->mass);
		} else {
			jc_json_write_null(json, "mass");
		}
		jc_json_write_vec3(json, "centerOfMass", segment->center_of_mass);
		if (segment->has_inertia) {
			jc_json_write_floats(json, "momentsOfInertia", segment->inertia, 9);
		} else {
			jc_json_write_null(json, "momentsOfInertia");
		}
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}
