/* Makes random and hand-made figures; see figures.h. */
#include "figures.h"

#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "unit_test.h"

float figure_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

struct jc_quat figure_random_quat(uint32_t *seed)
{
	struct jc_quat q;
	float norm;

	do { /* uniform: points in the ball of four dimensions */
		q.x = figure_random(seed);
		q.y = figure_random(seed);
		q.z = figure_random(seed);
		q.w = figure_random(seed);
		norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	} while (norm > 1.0f || norm < 0.1f);
	return jc_quat_normalize(q);
}

void figure_init(struct figure *figure)
{
	jc_skeleton_description_init(&figure->description);
	figure->description.nodes = figure->nodes;
}

int figure_add(struct figure *figure, const char *name, int parent, struct jc_transform rest)
{
	int index = (int)figure->description.node_count++;

	assert_true(index < FIGURE_NODES);
	figure->nodes[index] = (struct jc_skeleton_node){ name, parent, rest };
	return index;
}

static int add_random(struct figure *figure, const char *name, int parent, uint32_t *seed)
{
	struct jc_transform rest = {
		.translation = { figure_random(seed), figure_random(seed), figure_random(seed) },
		.rotation = figure_random_quat(seed),
		.scale = { 1.0f, 1.0f, 1.0f },
	};

	return figure_add(figure, name, parent, rest);
}

static void scale_node(struct figure *figure, int node, float scale)
{
	figure->nodes[node].rest.scale = (struct jc_vec3){ scale, scale, scale };
}

/* Renumbers the nodes at random (Fisher and Yates). */
static void shuffle(struct figure *figure, uint32_t *seed)
{
	size_t count = figure->description.node_count;
	struct jc_skeleton_node old[FIGURE_NODES];
	int place[FIGURE_NODES]; /* the new index of each node */

	memcpy(old, figure->nodes, sizeof(old));
	for (size_t i = 0; i < count; i++) {
		place[i] = (int)i;
	}
	for (size_t i = count; i-- > 1;) {
		size_t other = (size_t)((figure_random(seed) + 1.0f) * 0.5f * (float)(i + 1));
		int kept = place[i];

		place[i] = place[other];
		place[other] = kept;
	}
	for (size_t i = 0; i < count; i++) {
		figure->nodes[place[i]] = old[i];
		if (old[i].parent >= 0) {
			figure->nodes[place[i]].parent = place[old[i].parent];
		}
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (figure->description.bones[b] >= 0) {
			figure->description.bones[b] = place[figure->description.bones[b]];
		}
	}
}

void figure_init_random(struct figure *figure, uint32_t *seed)
{
	struct jc_skeleton_description *description = &figure->description;
	int root;

	figure_init(figure);
	root = add_random(figure, "root", -1, seed);
	scale_node(figure, root, powf(10.0f, 2.0f * figure_random(seed)));
	root = add_random(figure, "armature", root, seed);
	description->facing = figure_random_quat(seed);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		int parent = root;

		if (bone != JC_BONE_HEAD && figure_random(seed) > 0.7f) {
			continue;
		}
		for (enum jc_bone p = jc_bone_parent(bone); p != JC_BONE_NONE;
			p = jc_bone_parent(p)) {
			if (description->bones[p] >= 0) {
				parent = description->bones[p];
				break;
			}
		}
		while (figure_random(seed) > 0.4f) {
			parent = add_random(figure, "between", parent, seed);
			scale_node(figure, parent, 1.0f + 0.5f * figure_random(seed));
		}
		description->bones[b] = add_random(figure, jc_bone_name(bone), parent, seed);
		description->corrections[b] = figure_random_quat(seed);
		description->offsets[b] = figure_random_quat(seed);
	}
	shuffle(figure, seed);
}

struct jc_skeleton *figure_make(const struct figure *figure)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;

	if (jc_skeleton_create(&figure->description, &skeleton, &diagnostic)) {
		print_error("%s: %s\n", diagnostic.where, diagnostic.what);
		fail();
	}
	return skeleton;
}
