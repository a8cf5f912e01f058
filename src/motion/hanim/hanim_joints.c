/* Writes the joint tree of an H-Anim file. Joint names follow the version: 1.0 in VRML97,
 * 2.0 in X3D. */
#include "hanim_joints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_viewpoints.h"
#include "jointcast/transform.h"
#include "jointcast_private/hanim.h"

int jc_hanim_joints_init(struct jc_hanim_joints *joints, const struct jc_skeleton *figure,
	struct jc_scene_writer *scene, struct jc_diagnostic *diagnostic)
{
	const struct jc_joint_limit *limits = jc_skeleton_limits(figure);
	int error;

	*joints = (struct jc_hanim_joints){
		.figure = figure,
		.limits = calloc(
			jc_skeleton_node_count(figure), sizeof(const struct jc_joint_limit *)),
		.scene = scene,
	};
	if (!joints->limits) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	error = jc_hanim_segments_init(&joints->body, figure, diagnostic);
	if (error) {
		free(joints->limits);
		return error;
	}
	for (size_t i = 0; i < jc_skeleton_limit_count(figure); i++) {
		joints->limits[limits[i].node] = &limits[i];
	}
	return JC_OK;
}

void jc_hanim_joints_finish(struct jc_hanim_joints *joints)
{
	jc_hanim_segments_finish(&joints->body);
	free(joints->limits);
}

static bool is_vrml97(const struct jc_hanim_joints *joints)
{
	return joints->scene->syntax == JC_SCENE_VRML97;
}

const char *jc_hanim_joints_type(const struct jc_hanim_joints *joints, const char *type)
{
	return is_vrml97(joints) ? type + strlen("HAnim") : type;
}

static void find_names(const struct jc_hanim_joints *joints, int node,
	char out_joint[JC_HANIM_DEF_BYTES], char out_segment[JC_HANIM_DEF_BYTES])
{
	const char *name = jc_skeleton_nodes(joints->figure)[node].name;
	struct jc_hanim_label label;

	if (jc_hanim_label_joint(
		    name, is_vrml97(joints) ? JC_HANIM_SPELLING_1 : JC_HANIM_SPELLING_2, &label)) {
		snprintf(out_joint, JC_HANIM_DEF_BYTES, "%s", label.joint);
		snprintf(out_segment, JC_HANIM_DEF_BYTES, "%s", label.segment);
	} else {
		snprintf(out_joint, JC_HANIM_DEF_BYTES, "%s", name);
		snprintf(out_segment, JC_HANIM_DEF_BYTES, "%s_segment", name);
	}
}

void jc_hanim_joints_name(
	const struct jc_hanim_joints *joints, int node, char out_name[JC_HANIM_DEF_BYTES])
{
	char segment[JC_HANIM_DEF_BYTES];

	find_names(joints, node, out_name, segment);
}

static void begin(
	struct jc_hanim_joints *joints, const char *type, const char *name, const char *container)
{
	char def[JC_HANIM_DEF_BYTES + 40];

	snprintf(def, sizeof(def), "hanim_%s", name);
	jc_scene_writer_begin(joints->scene, jc_hanim_joints_type(joints, type), def, container);
	jc_scene_writer_string(joints->scene, "name", name);
}

static void end(struct jc_hanim_joints *joints, const char *type)
{
	jc_scene_writer_end(joints->scene, jc_hanim_joints_type(joints, type));
}

static void put_vector(struct jc_hanim_joints *joints, const char *field, struct jc_vec3 v)
{
	jc_scene_writer_value(joints->scene, field, (const float[]){ v.x, v.y, v.z }, 3);
}

static void put_rotation(struct jc_hanim_joints *joints, const char *field, struct jc_quat q)
{
	float v[4] = { 0.0f, 0.0f, 1.0f, 0.0f };

	jc_scene_writer_axis_angle(q, v);
	jc_scene_writer_value(joints->scene, field, v, 4);
}

static void put_triple(struct jc_hanim_joints *joints, const char *field, struct jc_vec3 v)
{
	const float values[] = { v.x, v.y, v.z };

	jc_scene_writer_values_begin(joints->scene, field);
	for (size_t i = 0; i < 3; i++) {
		jc_scene_writer_values_put(joints->scene, &values[i], 1, i);
	}
	jc_scene_writer_values_end(joints->scene);
}

static void put_limits(struct jc_hanim_joints *joints, const struct jc_joint_limit *limit)
{
	if (!limit->is_unlimited) {
		put_triple(joints, "llimit", limit->lower);
		put_triple(joints, "ulimit", limit->upper);
	}
	if (jc_quat_angle(limit->orientation, JC_QUAT_IDENTITY) > 1e-5f) {
		put_rotation(joints, "limitOrientation", limit->orientation);
	}
	if (jc_vec3_length(limit->stiffness) > 0.0f) {
		put_triple(joints, "stiffness", limit->stiffness);
	}
}

static void put_body(struct jc_hanim_joints *joints, const struct jc_skeleton_segment *segment,
	struct jc_vec3 center)
{
	if (segment->mass > 0.0f) {
		jc_scene_writer_value(joints->scene, "mass", &segment->mass, 1);
	}
	put_vector(joints, "centerOfMass", jc_vec3_add(center, segment->center_of_mass));
	if (segment->has_inertia) {
		jc_scene_writer_values_begin(joints->scene, "momentsOfInertia");
		for (size_t i = 0; i < 9; i++) {
			jc_scene_writer_values_put(joints->scene, &segment->inertia[i], 1, i);
		}
		jc_scene_writer_values_end(joints->scene);
	}
}

/* The segment of that ordinal on a joint; NULL past the last. A joint has one segment with its
 * shape at least, which has a body if the skeleton has one there. */
static const struct jc_skeleton_segment *find_body(
	const struct jc_hanim_joints *joints, int node, size_t ordinal)
{
	const struct jc_skeleton_segment *segments = jc_skeleton_segments(joints->figure);

	for (size_t i = 0; i < jc_skeleton_segment_count(joints->figure); i++) {
		if (segments[i].node == node && ordinal-- == 0) {
			return &segments[i];
		}
	}
	return NULL;
}

static void name_segment(const char *label, size_t ordinal, char out_name[JC_HANIM_DEF_BYTES + 32])
{
	if (ordinal == 0) {
		snprintf(out_name, JC_HANIM_DEF_BYTES + 32, "%s", label);
	} else {
		snprintf(out_name, JC_HANIM_DEF_BYTES + 32, "%s_part%zu", label, ordinal);
	}
}

static void put_segments(
	struct jc_hanim_joints *joints, int node, const char *label, struct jc_vec3 center)
{
	const struct jc_skeleton_segment *body = find_body(joints, node, 0);
	char name[JC_HANIM_DEF_BYTES + 32];

	for (size_t i = 0; i == 0 || body; body = find_body(joints, node, ++i)) {
		name_segment(label, i, name);
		begin(joints, "HAnimSegment", name, NULL);
		if (body) {
			put_body(joints, body, center);
		}
		if (i == 0) {
			jc_hanim_segments_put_box(&joints->body.boxes[node], joints->scene);
			jc_hanim_segments_put_shape(&joints->body, node, joints->scene);
		}
		end(joints, "HAnimSegment");
	}
}

/* node: -1 for the sites of the humanoid. */
static void put_sites(
	struct jc_hanim_joints *joints, int node, struct jc_vec3 center, const char *container)
{
	const struct jc_virtual_transform *sites = jc_skeleton_virtual_transforms(joints->figure);

	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(joints->figure); i++) {
		const struct jc_transform *offset = &sites[i].offset;

		if (sites[i].parent != node) {
			continue;
		}
		begin(joints, "HAnimSite", sites[i].name, container);
		put_vector(joints, "translation", jc_vec3_add(center, offset->translation));
		put_rotation(joints, "rotation", offset->rotation);
		if (offset->scale.x != 1.0f || offset->scale.y != 1.0f || offset->scale.z != 1.0f) {
			put_vector(joints, "scale", offset->scale);
		}
		end(joints, "HAnimSite");
	}
}

/* Recursion is as deep as the skeleton, at most JC_LIMIT_DEPTH. */
static void put_joint(struct jc_hanim_joints *joints, int node, const char *container)
{
	struct jc_vec3 center = jc_mat4_translation(jc_skeleton_rest_worlds(joints->figure)[node]);
	char joint[JC_HANIM_DEF_BYTES], segment[JC_HANIM_DEF_BYTES];

	find_names(joints, node, joint, segment);
	begin(joints, "HAnimJoint", joint, container);
	put_vector(joints, "center", center);
	if (joints->limits[node]) {
		put_limits(joints, joints->limits[node]);
	}
	jc_scene_writer_list(joints->scene, "children");
	put_segments(joints, node, segment, center);
	put_sites(joints, node, center, NULL);
	if (node == jc_skeleton_bone_node(joints->figure, JC_BONE_HEAD)) {
		jc_hanim_viewpoints_put_at_head(&joints->body, joints->scene);
	}
	for (int i = joints->body.first_child[node]; i >= 0; i = joints->body.next_child[i]) {
		put_joint(joints, i, NULL);
	}
	jc_scene_writer_list_end(joints->scene);
	end(joints, "HAnimJoint");
}

void jc_hanim_joints_put(struct jc_hanim_joints *joints, const char *container)
{
	put_joint(joints, 0, container);
	put_sites(joints, -1, (struct jc_vec3){ 0.0f, 0.0f, 0.0f }, container);
}

static void put_use(
	struct jc_hanim_joints *joints, const char *type, const char *name, const char *list)
{
	char def[JC_HANIM_DEF_BYTES + 40];

	snprintf(def, sizeof(def), "hanim_%s", name);
	jc_scene_writer_use(joints->scene, jc_hanim_joints_type(joints, type), def, list);
}

static bool is_site_of(const struct jc_virtual_transform *site, int node)
{
	return node == JC_HANIM_ALL_SITES || site->parent == node;
}

void jc_hanim_joints_put_site_uses(struct jc_hanim_joints *joints, int node, const char *list)
{
	const struct jc_virtual_transform *sites = jc_skeleton_virtual_transforms(joints->figure);

	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(joints->figure); i++) {
		if (is_site_of(&sites[i], node)) {
			put_use(joints, "HAnimSite", sites[i].name, list);
		}
	}
}

void jc_hanim_joints_put_lists(struct jc_hanim_joints *joints)
{
	size_t count = jc_skeleton_node_count(joints->figure);
	char joint[JC_HANIM_DEF_BYTES], segment[JC_HANIM_DEF_BYTES];

	jc_scene_writer_list(joints->scene, "joints");
	for (size_t i = 0; i < count; i++) {
		find_names(joints, (int)i, joint, segment);
		put_use(joints, "HAnimJoint", joint, "joints");
	}
	jc_scene_writer_list_end(joints->scene);
	jc_scene_writer_list(joints->scene, "segments");
	for (size_t i = 0; i < count; i++) {
		char name[JC_HANIM_DEF_BYTES + 32];

		find_names(joints, (int)i, joint, segment);
		for (size_t part = 0; part == 0 || find_body(joints, (int)i, part); part++) {
			name_segment(segment, part, name);
			put_use(joints, "HAnimSegment", name, "segments");
		}
	}
	jc_scene_writer_list_end(joints->scene);
	if (jc_skeleton_virtual_transform_count(joints->figure) > 0) {
		jc_scene_writer_list(joints->scene, "sites");
		jc_hanim_joints_put_site_uses(joints, JC_HANIM_ALL_SITES, "sites");
		jc_scene_writer_list_end(joints->scene);
	}
	jc_hanim_viewpoints_put_uses(&joints->body, joints->scene);
}
