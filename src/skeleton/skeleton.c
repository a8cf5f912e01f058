/* Creates skeletons and returns their properties. The description is copied, with all
 * names, into a few blocks; after that nothing changes. */
#include "skeleton_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description_check.h"
#include "descriptor.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/hierarchy.h"
#include "jointcast_private/text.h"
#include "t_pose.h"

static const char *const format_names[] = {
	[JC_SKELETON_BUILTIN] = "builtin",
	[JC_SKELETON_DESCRIPTOR] = "descriptor",
	[JC_SKELETON_VRM0] = "vrm-0.x",
	[JC_SKELETON_VRM1] = "vrm-1.0",
	[JC_SKELETON_BVH] = "bvh",
	[JC_SKELETON_HANIM] = "h-anim",
	[JC_SKELETON_EXT] = "gltf-ext",
	[JC_SKELETON_GLTF] = "gltf",
};

const char *jc_skeleton_format_name(enum jc_skeleton_format format)
{
	assert(format >= 0 && (size_t)format < sizeof(format_names) / sizeof(*format_names));
	return format_names[format];
}

enum jc_skeleton_format jc_descriptor_find_format(const char *name)
{
	for (size_t i = 0; i < sizeof(format_names) / sizeof(*format_names); i++) {
		if (strcmp(format_names[i], name) == 0) {
			return (enum jc_skeleton_format)i;
		}
	}
	return JC_SKELETON_DESCRIPTOR;
}

void jc_skeleton_description_init(struct jc_skeleton_description *description)
{
	*description = (struct jc_skeleton_description){
		.format = JC_SKELETON_DESCRIPTOR,
		.name = "",
		.family = "",
		.confidence = 1.0f,
		.facts.version = "",
		.facing = JC_QUAT_IDENTITY,
	};
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		description->bones[b] = -1;
		description->corrections[b] = JC_QUAT_IDENTITY;
		description->offsets[b] = JC_QUAT_IDENTITY;
	}
}

/* Keeps a quaternion whose length is one in single precision, so that writing and reading
 * it back does not change a bit. */
static struct jc_quat make_unit(struct jc_quat q)
{
	double norm = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
	double factor = 1.0 / sqrt(norm);

	if (fabs(norm - 1.0) < 2.5e-7) {
		return q;
	}
	return (struct jc_quat){ (float)(q.x * factor), (float)(q.y * factor),
		(float)(q.z * factor), (float)(q.w * factor) };
}

/* Copies the text to *end, which moves past it; bytes that are not UTF-8 become '?'. */
static const char *keep_bytes(char **end, const char *text, size_t length)
{
	char *copy = memcpy(*end, text, length);

	copy[length] = '\0';
	jc_utf8_repair(copy);
	*end += length + 1;
	return copy;
}

static const char *keep_string(char **end, const char *text)
{
	return keep_bytes(end, text, strlen(text));
}

static size_t fact_length(const char *text)
{
	return jc_utf8_cut(text, JC_LIMIT_FACT_BYTES - 1);
}

static const char *keep_fact(char **end, const char *text)
{
	return keep_bytes(end, text, fact_length(text));
}

static size_t string_bytes(const struct jc_skeleton_description *description)
{
	const struct jc_skeleton_facts *facts = &description->facts;
	size_t bytes = strlen(description->name) + 1 + fact_length(facts->version) + 1;

	for (size_t i = 0; i < facts->info_count; i++) {
		bytes += fact_length(facts->info[i]) + 1;
	}
	for (size_t i = 0; i < description->node_count; i++) {
		bytes += strlen(description->nodes[i].name) + 1;
	}
	for (size_t i = 0; i < description->segment_count; i++) {
		bytes += strlen(description->segments[i].name) + 1;
	}
	for (size_t i = 0; i < description->virtual_transform_count; i++) {
		const struct jc_virtual_transform *virtual = &description->virtual_transforms[i];

		bytes += strlen(virtual->name) + 1;
		for (size_t tag = 0; tag < virtual->tag_count; tag++) {
			bytes += strlen(virtual->tags[tag]) + 1;
		}
	}
	return bytes;
}

static int allocate(struct jc_skeleton *skeleton, const struct jc_skeleton_description *description)
{
	size_t nodes = description->node_count;
	size_t virtuals = description->virtual_transform_count;
	size_t tags = 0;

	for (size_t i = 0; i < virtuals; i++) {
		tags += description->virtual_transforms[i].tag_count;
	}
	/* One spare element each, so that NULL always means out of memory. */
	skeleton->nodes = calloc(nodes + 1, sizeof(*skeleton->nodes));
	skeleton->order = calloc(nodes + 1, sizeof(*skeleton->order));
	skeleton->rest_worlds = calloc(nodes + 1, sizeof(*skeleton->rest_worlds));
	skeleton->virtual_transforms = calloc(virtuals + 1, sizeof(*skeleton->virtual_transforms));
	skeleton->tags = calloc(tags + 1, sizeof(*skeleton->tags));
	skeleton->limits = calloc(description->limit_count + 1, sizeof(*skeleton->limits));
	skeleton->segments = calloc(description->segment_count + 1, sizeof(*skeleton->segments));
	skeleton->constraints =
		calloc(description->constraint_count + 1, sizeof(*skeleton->constraints));
	skeleton->info = calloc(description->facts.info_count + 1, sizeof(*skeleton->info));
	skeleton->strings = malloc(string_bytes(description));
	if (!skeleton->nodes || !skeleton->order || !skeleton->rest_worlds ||
		!skeleton->virtual_transforms || !skeleton->tags || !skeleton->limits ||
		!skeleton->segments || !skeleton->constraints || !skeleton->info ||
		!skeleton->strings) {
		return JC_ERROR_MEMORY;
	}
	return JC_OK;
}

static void copy_description(
	struct jc_skeleton *skeleton, const struct jc_skeleton_description *description)
{
	char *end = skeleton->strings;
	const char **tags = skeleton->tags;

	skeleton->format = description->format;
	skeleton->name = keep_string(&end, description->name);
	skeleton->family = description->family;
	skeleton->confidence = description->confidence;
	skeleton->facing = make_unit(description->facing);
	skeleton->node_count = description->node_count;
	for (size_t i = 0; i < description->node_count; i++) {
		skeleton->nodes[i] = description->nodes[i];
		skeleton->nodes[i].name = keep_string(&end, description->nodes[i].name);
		skeleton->nodes[i].rest.rotation = make_unit(description->nodes[i].rest.rotation);
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		skeleton->bones[b] = description->bones[b];
		skeleton->corrections[b] = skeleton->offsets[b] = JC_QUAT_IDENTITY;
		if (description->bones[b] >= 0) {
			skeleton->corrections[b] = make_unit(description->corrections[b]);
			skeleton->offsets[b] = make_unit(description->offsets[b]);
		}
	}
	skeleton->has_floor = description->has_floor;
	skeleton->floor = description->floor;
	skeleton->limit_count = description->limit_count;
	for (size_t i = 0; i < description->limit_count; i++) {
		skeleton->limits[i] = description->limits[i];
		skeleton->limits[i].orientation = make_unit(description->limits[i].orientation);
	}
	skeleton->segment_count = description->segment_count;
	for (size_t i = 0; i < description->segment_count; i++) {
		skeleton->segments[i] = description->segments[i];
		skeleton->segments[i].name = keep_string(&end, description->segments[i].name);
	}
	skeleton->constraint_count = description->constraint_count;
	for (size_t i = 0; i < description->constraint_count; i++) {
		skeleton->constraints[i] = description->constraints[i];
	}
	skeleton->facts = description->facts;
	for (size_t i = 0; description->facts.mass == 0.0 && i < description->segment_count; i++) {
		skeleton->facts.mass += (double)description->segments[i].mass;
	}
	skeleton->facts.version = keep_fact(&end, description->facts.version);
	skeleton->facts.info = skeleton->info;
	for (size_t i = 0; i < description->facts.info_count; i++) {
		skeleton->info[i] = keep_fact(&end, description->facts.info[i]);
	}
	skeleton->virtual_transform_count = description->virtual_transform_count;
	for (size_t i = 0; i < description->virtual_transform_count; i++) {
		struct jc_virtual_transform *virtual = &skeleton->virtual_transforms[i];

		*virtual = description->virtual_transforms[i];
		virtual->name = keep_string(&end, virtual->name);
		virtual->offset.rotation = make_unit(virtual->offset.rotation);
		for (size_t tag = 0; tag < virtual->tag_count; tag++) {
			tags[tag] = keep_string(&end, virtual->tags[tag]);
		}
		virtual->tags = tags;
		tags += virtual->tag_count;
	}
}

static int order_nodes(struct jc_skeleton *skeleton, struct jc_diagnostic *diagnostic)
{
	int *parents = calloc(skeleton->node_count, sizeof(*parents));
	int error;

	if (!parents) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < skeleton->node_count; i++) {
		parents[i] = skeleton->nodes[i].parent;
	}
	error = jc_hierarchy_order(
		parents, skeleton->node_count, "nodes", skeleton->order, diagnostic);
	free(parents);
	return error;
}

int jc_skeleton_create(const struct jc_skeleton_description *description,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	int error = jc_description_check(description, diagnostic);

	if (error) {
		return error;
	}
	skeleton = calloc(1, sizeof(*skeleton));
	if (!skeleton || allocate(skeleton, description)) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto fail;
	}
	copy_description(skeleton, description);
	error = order_nodes(skeleton, diagnostic);
	if (error) {
		goto fail;
	}
	error = jc_t_pose_analyse(skeleton, diagnostic);
	if (error) {
		goto fail;
	}
	jc_hanim_spine_analyse(skeleton);
	jc_split_limb_analyse(skeleton);
	error = jc_descriptor_write(skeleton, &skeleton->descriptor, skeleton->hash, diagnostic);
	if (error) {
		goto fail;
	}
	*out_skeleton = skeleton;
	return JC_OK;
fail:
	jc_skeleton_destroy(skeleton);
	return error;
}

int jc_skeleton_create_builtin(struct jc_skeleton **out_skeleton)
{
	struct jc_skeleton_description description;
	struct jc_skeleton_node nodes[JC_BONE_COUNT];

	jc_skeleton_description_init(&description);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		enum jc_bone parent = jc_bone_parent(bone);
		struct jc_vec3 position = jc_bone_rest_position(bone);

		if (parent != JC_BONE_NONE) {
			position = jc_vec3_subtract(position, jc_bone_rest_position(parent));
		}
		nodes[b] = (struct jc_skeleton_node){
			.name = jc_bone_name(bone),
			.parent = parent,
			.rest = JC_TRANSFORM_IDENTITY,
		};
		nodes[b].rest.translation = position;
		description.bones[b] = b;
	}
	description.format = JC_SKELETON_BUILTIN;
	description.name = "humanoid";
	description.node_count = JC_BONE_COUNT;
	description.nodes = nodes;
	return jc_skeleton_create(&description, out_skeleton, NULL);
}

void jc_skeleton_destroy(struct jc_skeleton *skeleton)
{
	if (!skeleton) {
		return;
	}
	free(skeleton->nodes);
	free(skeleton->order);
	free(skeleton->rest_worlds);
	free(skeleton->virtual_transforms);
	free(skeleton->tags);
	free(skeleton->limits);
	free(skeleton->segments);
	free(skeleton->constraints);
	free(skeleton->info);
	free(skeleton->strings);
	free(skeleton->descriptor);
	free(skeleton);
}

int jc_skeleton_write_descriptor(const struct jc_skeleton *skeleton, char **out_json)
{
	char *copy = strdup(skeleton->descriptor);

	if (!copy) {
		return JC_ERROR_MEMORY;
	}
	*out_json = copy;
	return JC_OK;
}

const char *jc_skeleton_hash(const struct jc_skeleton *skeleton)
{
	return skeleton->hash;
}

enum jc_skeleton_format jc_skeleton_format(const struct jc_skeleton *skeleton)
{
	return skeleton->format;
}

const char *jc_skeleton_name(const struct jc_skeleton *skeleton)
{
	return skeleton->name;
}

size_t jc_skeleton_node_count(const struct jc_skeleton *skeleton)
{
	return skeleton->node_count;
}

const char *jc_skeleton_family(const struct jc_skeleton *skeleton)
{
	return skeleton->family;
}

float jc_skeleton_confidence(const struct jc_skeleton *skeleton)
{
	return skeleton->confidence;
}

const struct jc_skeleton_node *jc_skeleton_nodes(const struct jc_skeleton *skeleton)
{
	return skeleton->nodes;
}

const struct jc_mat4 *jc_skeleton_rest_worlds(const struct jc_skeleton *skeleton)
{
	return skeleton->rest_worlds;
}

int jc_skeleton_bone_node(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return skeleton->bones[bone];
}

uint64_t jc_skeleton_bone_mask(const struct jc_skeleton *skeleton)
{
	return skeleton->bone_mask;
}

struct jc_quat jc_skeleton_facing(const struct jc_skeleton *skeleton)
{
	return skeleton->facing;
}

struct jc_quat jc_skeleton_correction(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return skeleton->corrections[bone];
}

struct jc_quat jc_skeleton_offset(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return skeleton->offsets[bone];
}

struct jc_quat jc_skeleton_t_pose(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return skeleton->t_pose[bone];
}

struct jc_quat jc_skeleton_parent_t_pose(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return skeleton->parent_t_pose[bone];
}

enum jc_bone jc_skeleton_mapped_parent(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return skeleton->mapped_parents[bone];
}

bool jc_skeleton_has_floor(const struct jc_skeleton *skeleton)
{
	return skeleton->has_floor;
}

float jc_skeleton_floor(const struct jc_skeleton *skeleton)
{
	return skeleton->floor;
}

float jc_skeleton_hips_height(const struct jc_skeleton *skeleton)
{
	return skeleton->hips_height;
}

struct jc_vec3 jc_skeleton_hips_point(const struct jc_skeleton *skeleton)
{
	return skeleton->hips_point;
}

size_t jc_skeleton_virtual_transform_count(const struct jc_skeleton *skeleton)
{
	return skeleton->virtual_transform_count;
}

const struct jc_virtual_transform *jc_skeleton_virtual_transforms(
	const struct jc_skeleton *skeleton)
{
	return skeleton->virtual_transforms;
}

const struct jc_skeleton_facts *jc_skeleton_facts(const struct jc_skeleton *skeleton)
{
	return &skeleton->facts;
}

size_t jc_skeleton_segment_count(const struct jc_skeleton *skeleton)
{
	return skeleton->segment_count;
}

const struct jc_skeleton_segment *jc_skeleton_segments(const struct jc_skeleton *skeleton)
{
	return skeleton->segments;
}

size_t jc_skeleton_constraint_count(const struct jc_skeleton *skeleton)
{
	return skeleton->constraint_count;
}

const struct jc_node_constraint *jc_skeleton_constraints(const struct jc_skeleton *skeleton)
{
	return skeleton->constraints;
}
