/* Makes the figure of a written H-Anim file. Joints of an H-Anim skeleton are copied;
 * bones of any other skeleton are turned from the T-pose to hanging arms. */
#include "hanim_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_body.h"
#include "hanim_sites.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/hanim.h"
#include "jointcast_private/hierarchy.h"
#include "scene_writer.h"
#include "t_pose_figure.h"

#define RIGHT_ANGLE 1.57079633f

/* More than the number of names in all versions. */
enum { NAMES_MAX = 256 };

/* Bytes of a name that are kept before the node index. */
enum { NAME_MAX_BYTES = 65 };

struct builder {
	struct jc_skeleton_description description;
	size_t count;
	struct jc_skeleton_node *nodes;     /* owned; made relative to their parents at the end */
	char (*names)[JC_LIMIT_NAME_BYTES]; /* owned, by node */
	size_t known_count;
	size_t known[NAMES_MAX]; /* the node with each H-Anim name */
	int *places;             /* owned, by node of the skeleton: its node in the figure, or -1 */
	struct jc_hanim_sites *sites; /* owned */
	struct jc_hanim_body body;
	struct jc_vec3 shift; /* from the skeleton's canonical space */
};

static void builder_finish(struct builder *builder)
{
	free(builder->nodes);
	free(builder->names);
	free(builder->places);
	free(builder->sites);
	jc_hanim_body_finish(&builder->body);
}

/* Allocates a joint for each node of the skeleton, or one for each bone, and the
 * sacroiliac. */
static int builder_init(struct builder *builder, const struct jc_skeleton *skeleton)
{
	size_t nodes = jc_skeleton_node_count(skeleton);
	size_t capacity = nodes + JC_BONE_COUNT;

	*builder = (struct builder){
		.nodes = calloc(capacity, sizeof(*builder->nodes)),
		.names = calloc(capacity, sizeof(*builder->names)),
		.places = calloc(nodes, sizeof(*builder->places)),
		.sites = calloc(1, sizeof(*builder->sites)),
	};
	if (!builder->nodes || !builder->names || !builder->places || !builder->sites) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < nodes; i++) {
		builder->places[i] = -1;
	}
	jc_skeleton_description_init(&builder->description);
	builder->description.format = JC_SKELETON_HANIM;
	builder->description.name = jc_skeleton_name(skeleton);
	return JC_OK;
}

static bool is_taken(const struct builder *builder, const char *name)
{
	for (size_t i = 0; i < builder->known_count; i++) {
		if (strcmp(builder->names[builder->known[i]], name) == 0) {
			return true;
		}
	}
	return false;
}

/* Uses an H-Anim name once; makes any other name of characters that both syntaxes allow
 * and the node index. */
static void name_node(struct builder *builder, size_t node, const char *name)
{
	char *out = builder->names[node];
	struct jc_hanim_label label;
	size_t length;

	if (jc_hanim_label_joint(name, JC_HANIM_SPELLING_2, &label) &&
		!is_taken(builder, label.joint) && builder->known_count < NAMES_MAX) {
		snprintf(out, JC_LIMIT_NAME_BYTES, "%s", label.joint);
		builder->known[builder->known_count++] = node;
		return;
	}
	length = jc_scene_writer_identifier(name, out, NAME_MAX_BYTES);
	snprintf(out + length, JC_LIMIT_NAME_BYTES - length, "%s%zu", length ? "_j" : "j", node);
}

/* Returns the index of the node; its name is set later. */
static int add_node(struct builder *builder, int parent, struct jc_vec3 position)
{
	struct jc_skeleton_node *node = &builder->nodes[builder->count];

	*node = (struct jc_skeleton_node){
		.name = builder->names[builder->count],
		.parent = parent,
		.rest = JC_TRANSFORM_IDENTITY,
	};
	node->rest.translation = position;
	return (int)builder->count++;
}

static bool is_leg(enum jc_bone bone)
{
	return jc_bone_left_of(bone) >= JC_BONE_LEFT_UPPER_LEG &&
	       jc_bone_left_of(bone) <= JC_BONE_LEFT_TOES;
}

/* Upper arm to finger tips: turned by a right angle from the T-pose. */
static bool hangs(enum jc_bone bone)
{
	enum jc_bone left = jc_bone_left_of(bone);

	return (left >= JC_BONE_LEFT_UPPER_ARM && left <= JC_BONE_LEFT_HAND) ||
	       (left >= JC_BONE_LEFT_THUMB_METACARPAL && left <= JC_BONE_LEFT_LITTLE_DISTAL);
}

static bool is_thumb(enum jc_bone bone)
{
	return jc_bone_left_of(bone) >= JC_BONE_LEFT_THUMB_METACARPAL &&
	       jc_bone_left_of(bone) <= JC_BONE_LEFT_THUMB_DISTAL;
}

/* I-pose to T-pose: +90 degrees about the front axis on the left. */
static struct jc_quat correction(enum jc_bone bone)
{
	const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };

	return hangs(bone) ? jc_quat_from_axis_angle(
				     front, jc_bone_is_right(bone) ? -RIGHT_ANGLE : RIGHT_ANGLE)
			   : JC_QUAT_IDENTITY;
}

/* Rotation between the direction of the hand and that of the arm, measured at the first
 * finger that is present, in the order of the reader. */
static struct jc_quat level_hand(const struct jc_t_pose_figure *t_pose, enum jc_bone hand)
{
	static const enum jc_bone fingers[] = { JC_BONE_LEFT_MIDDLE_PROXIMAL,
		JC_BONE_LEFT_RING_PROXIMAL, JC_BONE_LEFT_INDEX_PROXIMAL,
		JC_BONE_LEFT_LITTLE_PROXIMAL };
	const struct jc_vec3 side = { jc_bone_is_right(hand) ? -1.0f : 1.0f, 0.0f, 0.0f };
	const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };

	for (size_t i = 0; i < sizeof(fingers) / sizeof(*fingers); i++) {
		enum jc_bone finger =
			jc_bone_is_right(hand) ? jc_bone_mirror(fingers[i]) : fingers[i];

		if (jc_t_pose_figure_has(t_pose, finger) && t_pose->parents[finger] == hand) {
			return jc_quat_between(jc_t_pose_figure_offset(t_pose, finger), side, up);
		}
	}
	return JC_QUAT_IDENTITY;
}

/* Position of a joint relative to its parent in the rest that is written. */
static struct jc_vec3 hanging_offset(const struct jc_t_pose_figure *t_pose, enum jc_bone bone)
{
	struct jc_vec3 offset = jc_t_pose_figure_offset(t_pose, bone);
	enum jc_bone parent = t_pose->parents[bone];
	float side = jc_bone_is_right(bone) ? -1.0f : 1.0f;
	float length = jc_vec3_length(offset);

	if (!hangs(parent)) {
		return offset;
	}
	if (jc_bone_left_of(parent) == JC_BONE_LEFT_HAND) {
		offset = jc_quat_rotate(level_hand(t_pose, parent), offset);
	} else if (is_thumb(parent)) {
		offset = jc_vec3_scale((struct jc_vec3){ side, 0.0f, 1.0f }, length * sqrtf(0.5f));
	} else if (jc_bone_left_of(parent) <= JC_BONE_LEFT_LOWER_ARM) {
		offset = (struct jc_vec3){ side * length, 0.0f, 0.0f };
	}
	return jc_quat_rotate(jc_quat_conjugate(correction(parent)), offset);
}

/* Between the leg joints, where the pelvis turns. */
static struct jc_vec3 find_pelvis(const struct jc_t_pose_figure *t_pose)
{
	if (!jc_t_pose_figure_has(t_pose, JC_BONE_LEFT_UPPER_LEG) ||
		!jc_t_pose_figure_has(t_pose, JC_BONE_RIGHT_UPPER_LEG)) {
		return t_pose->positions[JC_BONE_HIPS];
	}
	return jc_vec3_lerp(t_pose->positions[JC_BONE_LEFT_UPPER_LEG],
		t_pose->positions[JC_BONE_RIGHT_UPPER_LEG], 0.5f);
}

static void add_bones(struct builder *builder, const struct jc_t_pose_figure *t_pose)
{
	int *bones = builder->description.bones;
	int pelvis = -1;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		enum jc_bone parent = t_pose->parents[b];
		struct jc_vec3 position = jc_t_pose_figure_offset(t_pose, bone);
		struct jc_hanim_label label;

		if (!jc_t_pose_figure_has(t_pose, bone)) {
			continue;
		}
		jc_hanim_label_bone(bone, JC_HANIM_SPELLING_2, &label);
		builder->description.corrections[b] = correction(bone);
		if (parent == JC_BONE_NONE) {
			bones[b] = add_node(builder, -1, position);
			name_node(builder, (size_t)bones[b], label.joint);
			continue;
		}
		position = jc_vec3_add(builder->nodes[bones[parent]].rest.translation,
			hanging_offset(t_pose, bone));
		if (parent == JC_BONE_HIPS && is_leg(bone) && pelvis < 0) {
			pelvis = add_node(builder, 0, find_pelvis(t_pose));
			name_node(builder, (size_t)pelvis, "sacroiliac");
		}
		bones[b] = add_node(builder,
			parent == JC_BONE_HIPS && is_leg(bone) ? pelvis : bones[parent], position);
		name_node(builder, (size_t)bones[b], label.joint);
	}
}

static int build_from_bones(struct builder *builder, const struct jc_skeleton *skeleton,
	struct jc_diagnostic *diagnostic)
{
	struct jc_t_pose_figure t_pose;
	int error = jc_t_pose_figure_init(&t_pose, skeleton, diagnostic);

	if (error) {
		return error;
	}
	add_bones(builder, &t_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		if (node >= 0) {
			builder->places[node] = builder->description.bones[b];
		}
	}
	return JC_OK;
}

/* Returns the indices of the nodes, parents first; the caller frees them. */
static int order_nodes(
	const struct jc_skeleton *skeleton, int **out_order, struct jc_diagnostic *diagnostic)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	size_t count = jc_skeleton_node_count(skeleton);
	int *parents = calloc(count, sizeof(*parents));
	int *order = calloc(count, sizeof(*order));
	int error;

	if (!parents || !order) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		parents[i] = nodes[i].parent;
	}
	error = jc_hierarchy_order(parents, count, "nodes", order, diagnostic);
out:
	free(parents);
	if (error) {
		free(order);
		return error;
	}
	*out_order = order;
	return JC_OK;
}

/* Adds the hips node and all nodes below it. */
static void add_joints(
	struct builder *builder, const struct jc_skeleton *skeleton, const int *order)
{
	int *places = builder->places;
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(skeleton);
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(skeleton));
	int hips = jc_skeleton_bone_node(skeleton, JC_BONE_HIPS);

	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		int node = order[i];
		int parent = nodes[node].parent < 0 ? -1 : places[nodes[node].parent];

		if (node == hips || parent >= 0) {
			places[node] = add_node(builder, parent,
				jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node])));
		}
	}
	/* Of two joints with one name, readers use the first in the file. */
	name_node(builder, (size_t)places[hips], "humanoid_root");
	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		if (places[i] >= 0 && (int)i != hips) {
			name_node(builder, (size_t)places[i], nodes[i].name);
		}
	}
}

static void map_joints(struct builder *builder, const struct jc_skeleton *skeleton)
{
	struct jc_quat facing = jc_skeleton_facing(skeleton);
	struct jc_quat to_canonical = jc_quat_conjugate(facing);

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		int node = jc_skeleton_bone_node(skeleton, bone);

		if (node >= 0 && builder->places[node] >= 0) {
			builder->description.bones[b] = builder->places[node];
			builder->description.corrections[b] = jc_quat_multiply(to_canonical,
				jc_quat_multiply(jc_skeleton_correction(skeleton, bone), facing));
		}
	}
}

static int build_from_joints(struct builder *builder, const struct jc_skeleton *skeleton,
	struct jc_diagnostic *diagnostic)
{
	int *order;
	int error = order_nodes(skeleton, &order, diagnostic);

	if (error) {
		return error;
	}
	add_joints(builder, skeleton, order);
	map_joints(builder, skeleton);
	free(order);
	return JC_OK;
}

/* The standard demands the origin on the ground between the feet. A figure near enough to
 * it keeps its position. */
static void set_down(struct builder *builder, const struct jc_skeleton *skeleton)
{
	struct jc_vec3 hips = builder->nodes[0].rest.translation;
	float near = 0.25f * jc_skeleton_hips_height(skeleton);
	float floor = jc_skeleton_floor(skeleton);
	bool is_aside = hypotf(hips.x, hips.z) > near;

	builder->shift = (struct jc_vec3){ is_aside ? -hips.x : 0.0f,
		fabsf(floor) > near ? -floor : 0.0f, is_aside ? -hips.z : 0.0f };
	for (size_t i = 0; i < builder->count; i++) {
		struct jc_vec3 *position = &builder->nodes[i].rest.translation;

		*position = jc_vec3_add(*position, builder->shift);
	}
}

/* Converts model positions to positions relative to the parent joint. */
static void make_local(struct builder *builder)
{
	for (size_t i = builder->count; i-- > 0;) {
		struct jc_skeleton_node *node = &builder->nodes[i];

		if (node->parent >= 0) {
			node->rest.translation = jc_vec3_subtract(node->rest.translation,
				builder->nodes[node->parent].rest.translation);
		}
	}
}

/* Adds sites, limits, segments and facts. */
static int add_details(struct builder *builder, const struct jc_skeleton *skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description *description = &builder->description;
	struct jc_hanim_placement placement = {
		.skeleton = skeleton,
		.places = builder->places,
		.corrections = description->corrections,
		.shift = builder->shift,
	};
	int error = jc_hanim_placement_init(&placement);

	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	jc_hanim_sites_find(&placement, builder->sites, lint);
	description->virtual_transform_count = builder->sites->count;
	description->virtual_transforms = builder->sites->items;
	error = jc_hanim_body_init(&builder->body, &placement, lint, diagnostic);
	description->limit_count = builder->body.limit_count;
	description->limits = builder->body.limits;
	description->segment_count = builder->body.segment_count;
	description->segments = builder->body.segments;
	description->facts = *jc_skeleton_facts(skeleton);
	jc_hanim_placement_finish(&placement);
	return error;
}

int jc_hanim_figure_create(const struct jc_skeleton *skeleton, struct jc_skeleton **out_figure,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct builder builder;
	int error;

	if (jc_skeleton_bone_node(skeleton, JC_BONE_HIPS) < 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_NO_HUMANOID, NULL, "the skeleton has no hips");
	}
	error = builder_init(&builder, skeleton);
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto out;
	}
	error = jc_skeleton_format(skeleton) == JC_SKELETON_HANIM
			? build_from_joints(&builder, skeleton, diagnostic)
			: build_from_bones(&builder, skeleton, diagnostic);
	if (error) {
		goto out;
	}
	set_down(&builder, skeleton);
	make_local(&builder);
	error = add_details(&builder, skeleton, lint, diagnostic);
	if (error) {
		goto out;
	}
	builder.description.node_count = builder.count;
	builder.description.nodes = builder.nodes;
	error = jc_skeleton_create(&builder.description, out_figure, diagnostic);
out:
	builder_finish(&builder);
	return error;
}
