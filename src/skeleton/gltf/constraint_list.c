/* Reads node constraints strictly: programs interpret invalid ones differently. */
#include "constraint_list.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast_private/json.h"

#define EXTENSION "VRMC_node_constraint"

static const char *const roll_axes[] = { "X", "Y", "Z", NULL };
static const char *const aim_axes[] = { "PositiveX", "NegativeX", "PositiveY", "NegativeY",
	"PositiveZ", "NegativeZ", NULL };

static const struct kind {
	const char *name;
	const char *axis;        /* the field with the axis, or NULL */
	const char *const *axes; /* its valid values; ends with NULL */
} kinds[] = {
	[JC_CONSTRAINT_ROLL] = { "roll", "rollAxis", roll_axes },
	[JC_CONSTRAINT_AIM] = { "aim", "aimAxis", aim_axes },
	[JC_CONSTRAINT_ROTATION] = { "rotation", NULL, NULL },
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

const char *jc_constraint_kind_name(enum jc_constraint_kind kind)
{
	assert(kind >= 0 && (size_t)kind < KINDS);
	return kinds[kind].name;
}

static int read_axis(const json_t *json, const struct kind *kind, const struct jc_json_place *place,
	struct jc_node_constraint *constraint, struct jc_diagnostic *diagnostic)
{
	const char *axis = "";
	int error;

	constraint->axis = "";
	if (!kind->axis) {
		return JC_OK;
	}
	error = jc_json_read_string(json, kind->axis, place, &axis, diagnostic);
	for (size_t i = 0; !error && kind->axes[i]; i++) {
		if (strcmp(kind->axes[i], axis) == 0) {
			constraint->axis = kind->axes[i];
			return JC_OK;
		}
	}
	return error ? error
		     : jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "'%s' is no %s", axis,
			       kind->axis);
}

/* Reads the object of one kind of constraint. */
static int read_kind(const json_t *json, const struct jc_json_place *place, size_t node_count,
	struct jc_node_constraint *constraint, struct jc_diagnostic *diagnostic)
{
	int error = jc_json_read_index(
		json, "source", place, 0, node_count, &constraint->source, diagnostic);

	if (!error && constraint->source < 0) {
		error = jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "names no source");
	}
	if (!error && constraint->source == constraint->node) {
		error = jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "the node is its own source");
	}
	if (!error) {
		error = jc_json_read_float(json, "weight", place, &constraint->weight, diagnostic);
	}
	if (!error && !(constraint->weight >= 0.0f && constraint->weight <= 1.0f)) {
		error = jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"weight %g is not between 0 and 1", (double)constraint->weight);
	}
	return error ? error
		     : read_axis(json, &kinds[constraint->kind], place, constraint, diagnostic);
}

static int read_constraint(const json_t *extension, const struct jc_json_place *place,
	size_t node_count, struct jc_node_constraint *constraint, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place inner = { .outer = place, .key = "constraint" };
	const json_t *json = NULL;
	const char *version = "";
	size_t found = 0;
	int error = jc_json_read_string(extension, "specVersion", place, &version, diagnostic);

	if (!error && strcmp(version, "1.0") != 0 && strcmp(version, "1.0-beta") != 0) {
		error = jc_json_refuse(
			diagnostic, JC_ERROR_UNSUPPORTED, place, "specVersion is '%s'", version);
	}
	if (!error) {
		error = jc_json_read_object(extension, "constraint", place, &json, diagnostic);
	}
	for (size_t k = 0; !error && k < KINDS; k++) {
		if (json_object_get(json, kinds[k].name)) {
			constraint->kind = (enum jc_constraint_kind)k;
			found++;
		}
	}
	if (!error && found != 1) {
		error = jc_json_refuse(diagnostic, JC_ERROR_INVALID, &inner,
			"must have one of roll, aim and rotation, not %zu", found);
	}
	if (!error) {
		struct jc_json_place kind_place = { .outer = &inner,
			.key = kinds[constraint->kind].name };
		const json_t *kind = NULL;

		error = jc_json_read_object(
			json, kinds[constraint->kind].name, &inner, &kind, diagnostic);
		if (!error) {
			error = read_kind(kind, &kind_place, node_count, constraint, diagnostic);
		}
	}
	return error;
}

/* "Sources": circles of constraints are invalid. A node has at most one constraint, so
 * each chain is a list; it is followed once, and its items are marked with the item where
 * it was entered. */
static int leave_out_circles(
	struct jc_constraint_list *list, const struct jc_gltf *gltf, struct jc_lint *lint)
{
	size_t count = jc_gltf_node_count(gltf);
	size_t *entered = calloc(count + 1, sizeof(*entered)); /* 1 + item entered from */
	int *items = calloc(count + 1, sizeof(*items));        /* 1 + item of a node */
	bool *is_bad = calloc(list->count + 1, sizeof(*is_bad));
	size_t kept = 0;
	int error = entered && items && is_bad ? JC_OK : JC_ERROR_MEMORY;

	for (size_t i = 0; !error && i < list->count; i++) {
		items[list->items[i].node] = (int)i + 1;
	}
	for (size_t i = 0; !error && i < list->count; i++) {
		int node = list->items[i].node;

		while (items[node] && !entered[node]) {
			entered[node] = i + 1;
			node = list->items[items[node] - 1].source;
		}
		if (!items[node] || entered[node] != i + 1) {
			continue;
		}
		for (int at = node; !is_bad[items[at] - 1];
			at = list->items[items[at] - 1].source) {
			is_bad[items[at] - 1] = true;
		}
	}
	for (size_t i = 0; !error && i < list->count; i++) {
		if (is_bad[i]) {
			jc_lint_add_at(lint, JC_WARNING, "constraint-fault", JC_BONE_NONE,
				list->items[i].node,
				"left out: nodes[%d]." EXTENSION
				": it is part of a circle of constraints",
				list->items[i].node);
		} else {
			list->items[kept++] = list->items[i];
		}
	}
	list->count = error ? list->count : kept;
	free(entered);
	free(items);
	free(is_bad);
	return error;
}

int jc_constraint_list_read(
	struct jc_constraint_list *list, const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *nodes = json_object_get(jc_gltf_json(gltf), "nodes");
	size_t count = jc_gltf_node_count(gltf);
	struct jc_json_place array = { .key = "nodes" };

	list->count = 0;
	list->items = calloc(count + 1, sizeof(*list->items));
	if (!list->items) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		struct jc_json_place node = { .outer = &array, .index = i };
		struct jc_json_place place = { .outer = &node, .key = EXTENSION };
		struct jc_node_constraint constraint = {
			.node = (int)i,
			.source = -1,
			.weight = 1.0f,
		};
		struct jc_diagnostic diagnostic;
		const json_t *extension = json_object_get(
			json_object_get(json_array_get(nodes, i), "extensions"), EXTENSION);

		if (!extension) {
			continue;
		}
		if (json_is_object(extension) ? read_constraint(extension, &place, count,
							&constraint, &diagnostic)
					      : jc_json_refuse(&diagnostic, JC_ERROR_INVALID,
							&place, "not an object")) {
			jc_lint_add_at(lint, JC_WARNING, "constraint-fault", JC_BONE_NONE, (int)i,
				"left out: %s: %s", diagnostic.where, diagnostic.what);
		} else {
			list->items[list->count++] = constraint;
		}
	}
	return leave_out_circles(list, gltf, lint);
}

void jc_constraint_list_finish(struct jc_constraint_list *list)
{
	free(list->items);
}

void jc_constraint_list_report(
	const struct jc_skeleton *skeleton, const enum jc_bone *carriers, struct jc_lint *lint)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	size_t quiet = 0;

	for (size_t i = 0; i < jc_skeleton_constraint_count(skeleton); i++) {
		const struct jc_node_constraint *c = &jc_skeleton_constraints(skeleton)[i];
		enum jc_bone bone = carriers[c->node];

		if (bone == JC_BONE_NONE) {
			quiet++;
		} else if (jc_skeleton_bone_node(skeleton, bone) == c->node) {
			jc_lint_add_at(lint, JC_WARNING, "constrained-bone", bone, c->node,
				"%s is turned by motions and also by a %s constraint after "
				"'%.60s': the last to write wins",
				jc_bone_name(bone), jc_constraint_kind_name(c->kind),
				nodes[c->source].name);
		} else {
			jc_lint_add_at(lint, JC_WARNING, "constraint-above-bone", bone, c->node,
				"'%.60s', which a %s constraint turns after '%.60s', carries %s: "
				"its rotation is added to the motion",
				nodes[c->node].name, jc_constraint_kind_name(c->kind),
				nodes[c->source].name, jc_bone_name(bone));
		}
	}
	if (quiet) {
		jc_lint_add(lint, JC_NOTE, "constraints",
			"%zu nodes follow bones by constraints; jointcast leaves them at rest, the "
			"program that shows the figure turns them",
			quiet);
	}
}
