/* The bones of a motion go to any skeleton. Other nodes only go to the figure that they belong to:
 * name, parent and rest identify them. */
#include "gltf_node_tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define SAME_REST 1e-4f

static struct jc_gltf_moving_node *find(
	const struct jc_gltf_node_tracks *tracks, const char *name, const char *parent)
{
	for (size_t i = 0; i < tracks->count; i++) {
		if (strcmp(tracks->nodes[i].name, name) == 0 &&
			strcmp(tracks->nodes[i].parent, parent) == 0) {
			return &tracks->nodes[i];
		}
	}
	return NULL;
}

/* NULL without memory. */
static struct jc_gltf_moving_node *add(
	struct jc_gltf_node_tracks *tracks, const struct jc_gltf_node *node, const char *parent)
{
	struct jc_gltf_moving_node *moving = &tracks->nodes[tracks->count];

	*moving = (struct jc_gltf_moving_node){
		.name = strdup(node->name), .parent = strdup(parent), .rest = node->local
	};
	tracks->count++;
	return moving->name && moving->parent ? moving : NULL;
}

static int read_track(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_gltf_target *target, size_t *budget, struct jc_gltf_node_tracks *tracks,
	size_t *left_out, struct jc_diagnostic *diagnostic)
{
	const struct jc_gltf_node *nodes = jc_gltf_nodes(gltf);
	const struct jc_gltf_node *node = &nodes[target->node];
	const char *parent = node->parent < 0 ? "" : nodes[node->parent].name;
	struct jc_gltf_moving_node *moving = find(tracks, node->name, parent);
	int error;

	if (!moving && tracks->count == JC_LIMIT_MOVING_NODES) {
		++*left_out;
		return JC_OK;
	}
	moving = moving ? moving : add(tracks, node, parent);
	if (!moving) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	/* Two nodes may have the same name. */
	if (moving->track_count == 3) {
		return JC_OK;
	}
	error = jc_gltf_clip_track(
		gltf, clip, target, budget, &moving->tracks[moving->track_count], diagnostic);
	moving->track_count += error == JC_OK;
	return error;
}

int jc_gltf_node_tracks_read(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const int *places, size_t *budget, struct jc_gltf_node_tracks *out_tracks,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	size_t left_out = 0;
	int error = JC_OK;

	out_tracks->nodes = calloc(JC_LIMIT_MOVING_NODES, sizeof(*out_tracks->nodes));
	if (!out_tracks->nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < clip->target_count && error == JC_OK; i++) {
		const struct jc_gltf_target *target = &clip->targets[i];

		if (target->bone == JC_BONE_NONE && places[target->node] < 0 &&
			jc_gltf_nodes(gltf)[target->node].name[0]) {
			error = read_track(
				gltf, clip, target, budget, out_tracks, &left_out, diagnostic);
		}
	}
	if (left_out > 0) {
		jc_lint_add(lint, JC_WARNING, "other-nodes",
			"%zu channels move nodes that are no bones beyond the first %u; left out",
			left_out, JC_LIMIT_MOVING_NODES);
	}
	return error;
}

void jc_gltf_node_tracks_finish(struct jc_gltf_node_tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++) {
		struct jc_gltf_moving_node *node = &tracks->nodes[i];

		for (size_t k = 0; k < node->track_count; k++) {
			jc_gltf_track_finish(&node->tracks[k]);
		}
		free(node->name);
		free(node->parent);
	}
	free(tracks->nodes);
	*tracks = (struct jc_gltf_node_tracks){ .count = 0 };
}

struct jc_transform jc_gltf_node_tracks_sample(
	const struct jc_gltf_node_tracks *tracks, size_t index, double t)
{
	const struct jc_gltf_moving_node *node = &tracks->nodes[index];
	struct jc_transform local = node->rest;

	for (size_t k = 0; k < node->track_count; k++) {
		float value[4];

		jc_gltf_track_sample(&node->tracks[k], t, value);
		jc_gltf_track_apply(&local, node->tracks[k].path, value);
	}
	return local;
}

static bool is_near(struct jc_vec3 a, struct jc_vec3 b)
{
	return fabsf(a.x - b.x) <= SAME_REST && fabsf(a.y - b.y) <= SAME_REST &&
	       fabsf(a.z - b.z) <= SAME_REST;
}

static bool is_same_rest(const struct jc_transform *a, const struct jc_transform *b)
{
	return is_near(a->translation, b->translation) && is_near(a->scale, b->scale) &&
	       jc_quat_angle(a->rotation, b->rotation) <= 10.0f * SAME_REST;
}

static bool is_bone_or_above(const struct jc_skeleton *skeleton, int node)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int at = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		while (at >= 0 && at != node) {
			at = jc_skeleton_nodes(skeleton)[at].parent;
		}
		if (at == node) {
			return true;
		}
	}
	return false;
}

int jc_gltf_node_tracks_match(
	const struct jc_gltf_node_tracks *tracks, size_t index, const struct jc_skeleton *skeleton)
{
	const struct jc_gltf_moving_node *wanted = &tracks->nodes[index];
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		const char *parent = nodes[i].parent < 0 ? "" : nodes[nodes[i].parent].name;

		if (strcmp(nodes[i].name, wanted->name) == 0 &&
			strcmp(parent, wanted->parent) == 0 &&
			is_same_rest(&nodes[i].rest, &wanted->rest) &&
			!is_bone_or_above(skeleton, (int)i)) {
			return (int)i;
		}
	}
	return -1;
}
