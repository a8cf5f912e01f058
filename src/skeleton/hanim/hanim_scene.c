/* Finds humanoids in a scene. Humanoid nodes contain their joints (1.1 and later) or only
 * list joints elsewhere in the scene (1.0); one walk finds both. */
#include "hanim_scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hanim_names.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"

static bool is_type(const struct jc_scene_node *node, const char *type)
{
	const char *own = strncmp(node->type, "HAnim", 5) == 0 ? node->type + 5 : node->type;

	return strcmp(own, type) == 0;
}

bool jc_hanim_scene_is_humanoid(const struct jc_scene_node *node)
{
	return is_type(node, "Humanoid");
}

bool jc_hanim_scene_is_joint(const struct jc_scene_node *node)
{
	return is_type(node, "Joint");
}

bool jc_hanim_scene_is_segment(const struct jc_scene_node *node)
{
	return is_type(node, "Segment");
}

bool jc_hanim_scene_is_site(const struct jc_scene_node *node)
{
	return is_type(node, "Site");
}

static float narrow(double value)
{
	return fabs(value) <= (double)JC_LIMIT_COORDINATE ? (float)value : INFINITY;
}

struct jc_vec3 jc_hanim_scene_vector(
	const struct jc_scene_node *node, const char *name, struct jc_vec3 fallback)
{
	double v[3];

	if (!jc_scene_numbers(node, name, 3, v)) {
		return fallback;
	}
	return (struct jc_vec3){ narrow(v[0]), narrow(v[1]), narrow(v[2]) };
}

struct jc_quat jc_hanim_scene_rotation(const struct jc_scene_node *node, const char *name)
{
	double v[4];
	double length, sine;

	if (!jc_scene_numbers(node, name, 4, v)) {
		return JC_QUAT_IDENTITY;
	}
	length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	if (!(length > 0.0) || !isfinite(length)) {
		return JC_QUAT_IDENTITY;
	}
	sine = sin(v[3] / 2.0) / length;
	return (struct jc_quat){ (float)(v[0] * sine), (float)(v[1] * sine), (float)(v[2] * sine),
		(float)cos(v[3] / 2.0) };
}

static struct jc_mat4 translation(struct jc_vec3 v, float sign)
{
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	transform.translation = jc_vec3_scale(v, sign);
	return jc_mat4_compose(transform);
}

static struct jc_mat4 rotation(struct jc_quat q)
{
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	transform.rotation = q;
	return jc_mat4_compose(transform);
}

struct jc_mat4 jc_hanim_scene_matrix(const struct jc_scene_node *node)
{
	const struct jc_vec3 zero = { 0.0f, 0.0f, 0.0f };
	struct jc_vec3 center = jc_hanim_scene_vector(node, "center", zero);
	struct jc_quat scale_axes = jc_hanim_scene_rotation(node, "scaleOrientation");
	struct jc_transform scale = JC_TRANSFORM_IDENTITY;
	struct jc_mat4 matrix;

	scale.scale = jc_hanim_scene_vector(node, "scale", scale.scale);
	matrix = jc_mat4_multiply(
		translation(jc_hanim_scene_vector(node, "translation", zero), 1.0f),
		translation(center, 1.0f));
	matrix = jc_mat4_multiply(matrix, rotation(jc_hanim_scene_rotation(node, "rotation")));
	matrix = jc_mat4_multiply(matrix, rotation(scale_axes));
	matrix = jc_mat4_multiply(matrix, jc_mat4_compose(scale));
	matrix = jc_mat4_multiply(matrix, rotation(jc_quat_conjugate(scale_axes)));
	return jc_mat4_multiply(matrix, translation(center, -1.0f));
}

struct jc_mat4 jc_hanim_scene_group_matrix(const struct jc_scene_node *node)
{
	const struct jc_scene_node *built_in = node;

	while (built_in->proto && built_in->proto->body) {
		built_in = built_in->proto->body;
	}
	return strcmp(built_in->type, "Transform") == 0 ? jc_hanim_scene_matrix(node)
							: jc_mat4_compose(JC_TRANSFORM_IDENTITY);
}

/* A humanoid, or the topmost joint of a tree outside of all humanoids. */
struct find {
	const struct jc_scene_node *node;
	struct jc_mat4 world; /* of its children's coordinates; for a joint, of its own */
	size_t rank;          /* position in a HumanoidGroup; humanoids in a group come first */
	const struct jc_scene_proto *proto; /* see struct jc_hanim_scene_place */
};

struct finds {
	struct find *items;
	size_t count, capacity;
};

struct search {
	bool *seen;                          /* by node index */
	const struct jc_scene_node **owners; /* by node index: the humanoid that lists a joint */
	size_t *ranks;                       /* by node index */
	struct finds humanoids, trees;
	const struct jc_scene_proto *proto; /* whose body is walked, if IS connects it */
	bool out_of_memory;
};

static void add_find(struct search *search, struct finds *finds, const struct jc_scene_node *node,
	const struct jc_mat4 *world)
{
	if (!jc_array_grow(&finds->items, &finds->capacity, finds->count + 1, SIZE_MAX,
		    sizeof(finds->items[0]))) {
		search->out_of_memory = true;
		return;
	}
	finds->items[finds->count++] = (struct find){ node, *world, SIZE_MAX, search->proto };
}

static void note_group(struct search *search, const struct jc_scene_node *group)
{
	struct jc_scene_node *const *nodes;
	size_t count = jc_scene_nodes(group, "children", &nodes);

	for (size_t i = 0; i < count; i++) {
		search->ranks[nodes[i]->index] = i + 1;
	}
}

static void note_listed_joints(struct search *search, const struct jc_scene_node *humanoid)
{
	struct jc_scene_node *const *nodes;
	size_t count = jc_scene_nodes(humanoid, "joints", &nodes);

	for (size_t i = 0; i < count; i++) {
		search->owners[nodes[i]->index] = humanoid;
	}
}

/* Recursion is limited by the depth of the scene: node->height. */
static void walk(
	struct search *search, const struct jc_scene_node *node, const struct jc_mat4 *world)
{
	struct jc_mat4 matrix;

	if (search->seen[node->index]) {
		return;
	}
	search->seen[node->index] = true;
	if (strcmp(node->def, "HumanoidGroup") == 0) {
		note_group(search, node);
	}
	if (jc_hanim_scene_is_joint(node)) {
		add_find(search, &search->trees, node, world);
		return;
	}
	if (jc_hanim_scene_is_humanoid(node)) {
		matrix = jc_mat4_multiply(*world, jc_hanim_scene_matrix(node));
		add_find(search, &search->humanoids, node, &matrix);
		note_listed_joints(search, node);
		return;
	}
	matrix = jc_mat4_multiply(*world, jc_hanim_scene_group_matrix(node));
	for (size_t i = 0; i < node->field_count; i++) {
		for (size_t j = 0; j < node->fields[i].node_count; j++) {
			walk(search, node->fields[i].nodes[j], &matrix);
		}
	}
	if (node->proto && node->proto->body) {
		const struct jc_scene_proto *outer = search->proto;

		search->proto = node->proto->is_connected ? node->proto : outer;
		walk(search, node->proto->body, &matrix);
		search->proto = outer;
	}
}

/* Fields of a humanoid with its joints; the field `joints` only lists them. */
static const char *const holders[] = { "skeleton", "humanoidBody", "children" };

/* The humanoid that lists a joint of this tree, or NULL. Each node is visited once for
 * all trees. */
static const struct jc_scene_node *find_owner(
	struct search *search, const struct jc_scene_node *node)
{
	const struct jc_scene_node *owner = search->owners[node->index];

	search->seen[node->index] = true;
	for (size_t i = 0; !owner && i < node->field_count; i++) {
		for (size_t j = 0; !owner && j < node->fields[i].node_count; j++) {
			const struct jc_scene_node *child = node->fields[i].nodes[j];

			owner = search->seen[child->index] ? search->owners[child->index]
							   : find_owner(search, child);
		}
	}
	search->owners[node->index] = owner;
	return owner;
}

static bool holds_joint(struct search *search, const struct jc_scene_node *node)
{
	bool found = jc_hanim_scene_is_joint(node);

	search->seen[node->index] = true;
	for (size_t i = 0; !found && i < node->field_count; i++) {
		for (size_t j = 0; !found && j < node->fields[i].node_count; j++) {
			const struct jc_scene_node *child = node->fields[i].nodes[j];

			found = !search->seen[child->index] && holds_joint(search, child);
		}
	}
	return found;
}

/* Assigns trees to the humanoids that list their joints. A tree in no list is a humanoid
 * of its own if it has the name of one. */
static void sort_trees(struct search *search)
{
	size_t humanoid_count = search->humanoids.count;

	for (size_t i = 0; i < search->trees.count; i++) {
		const struct jc_scene_node *node = search->trees.items[i].node;
		struct jc_hanim_name name;

		if (find_owner(search, node)) {
			continue;
		}
		if (humanoid_count == 1) {
			search->owners[node->index] = search->humanoids.items[0].node;
		} else if (jc_hanim_names_find(jc_scene_string(node, "name", ""), &name) &&
			   name.bone == JC_BONE_HIPS) {
			search->owners[node->index] = node;
			search->proto = search->trees.items[i].proto;
			add_find(search, &search->humanoids, node, &search->trees.items[i].world);
		}
	}
}

static int compare_ranks(const void *left, const void *right)
{
	const struct find *a = left;
	const struct find *b = right;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Sorts humanoids of a group in its order, then those in the order of the file. */
static void rank_humanoids(struct search *search)
{
	struct finds *humanoids = &search->humanoids;

	for (size_t i = 0; i < humanoids->count; i++) {
		size_t rank = search->ranks[humanoids->items[i].node->index];

		humanoids->items[i].rank = rank > 0 ? rank : JC_LIMIT_SCENE_NODES * 4u + i;
	}
	if (humanoids->count > 0) {
		qsort(humanoids->items, humanoids->count, sizeof(*humanoids->items), compare_ranks);
	}
}

static void add_roots(
	struct search *search, const struct find *humanoid, struct jc_hanim_scene_place *place)
{
	size_t held = 0;

	if (jc_hanim_scene_is_humanoid(humanoid->node)) {
		for (size_t i = 0; i < sizeof(holders) / sizeof(*holders); i++) {
			struct jc_scene_node *const *nodes;
			size_t count = jc_scene_nodes(humanoid->node, holders[i], &nodes);

			for (size_t j = 0; j < count; j++) {
				if (!search->seen[nodes[j]->index] &&
					holds_joint(search, nodes[j])) {
					place->roots[place->root_count++] = nodes[j];
					held++;
				}
			}
		}
	}
	for (size_t i = 0; held == 0 && i < search->trees.count; i++) {
		const struct find *tree = &search->trees.items[i];

		if (search->owners[tree->node->index] == humanoid->node) {
			if (place->root_count == 0) {
				place->world = tree->world;
			}
			place->roots[place->root_count++] = tree->node;
		}
	}
}

static int choose(struct search *search, const struct jc_scene *scene, size_t index,
	struct jc_hanim_scene_place *out_place, struct jc_diagnostic *diagnostic)
{
	const struct find *humanoid;
	struct jc_hanim_scene_place place = { .humanoid_count = search->humanoids.count };

	if (search->humanoids.count == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"the scene has no Humanoid or HAnimHumanoid");
	}
	if (index >= search->humanoids.count) {
		return jc_diagnose(diagnostic, JC_ERROR_ABSENT, NULL,
			"there is no humanoid %zu: the file has %zu", index,
			search->humanoids.count);
	}
	humanoid = &search->humanoids.items[index];
	place.world = humanoid->world;
	place.proto = humanoid->proto;
	place.roots = calloc(scene->node_count, sizeof(struct jc_scene_node *));
	if (!place.roots) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	place.humanoid = jc_hanim_scene_is_humanoid(humanoid->node) ? humanoid->node : NULL;
	memset(search->seen, 0, scene->node_count);
	add_roots(search, humanoid, &place);
	*out_place = place;
	return JC_OK;
}

int jc_hanim_scene_find(const struct jc_scene *scene, size_t index,
	struct jc_hanim_scene_place *out_place, struct jc_diagnostic *diagnostic)
{
	const struct jc_mat4 identity = jc_mat4_compose(JC_TRANSFORM_IDENTITY);
	size_t count = scene->node_count ? scene->node_count : 1;
	struct search search = {
		.seen = calloc(count, sizeof(*search.seen)),
		.owners = calloc(count, sizeof(struct jc_scene_node *)),
		.ranks = calloc(count, sizeof(*search.ranks)),
	};
	int error;

	search.out_of_memory = !search.seen || !search.owners || !search.ranks;
	if (!search.out_of_memory) {
		for (size_t i = 0; i < scene->root_count; i++) {
			walk(&search, scene->roots[i], &identity);
		}
		memset(search.seen, 0, count);
		sort_trees(&search);
	}
	if (search.out_of_memory) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else {
		rank_humanoids(&search);
		error = choose(&search, scene, index, out_place, diagnostic);
	}
	free(search.seen);
	free(search.owners);
	free(search.ranks);
	free(search.humanoids.items);
	free(search.trees.items);
	return error;
}

void jc_hanim_scene_place_finish(struct jc_hanim_scene_place *place)
{
	free(place->roots);
}
