/* Compares the joints of a figure with two clauses of H-Anim 1.0. "Modeling the Humanoid": in the
 * default position only center has another value than its default. "The Joint Node" and the
 * introduction: a figure is animated by the rotations of its joints, HumanoidRoot positions it in
 * space, and center does not receive events. */
#include "hanim_lint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that differ by less are rounding errors of an exporter. */
#define SLACK 1e-5

/* A field of a joint, and its effect in this reader. */
struct field {
	const char *name;
	size_t count;          /* numbers of its value */
	const char *if_static; /* effect of another value than the default */
	const char *if_routed; /* effect of a route into it; NULL: a route is portable */
	bool is_portable_at_root;
};

static const struct field fields[] = {
	{ "rotation", 4, "read as a pose, not as the rest", NULL, true },
	{ "translation", 3, "read as a pose, not as the rest",
		"not applied, only HumanoidRoot moves in space", true },
	{ "scale", 3, "not applied", "not applied", false },
	{ "scaleOrientation", 4, "not applied", "not applied", false },
	{ "center", 0, NULL, "not applied, center does not receive events", false },
};

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

static bool is_default(const struct field *field, const struct jc_scene_node *joint)
{
	double usual = strcmp(field->name, "scale") == 0 ? 1.0 : 0.0;
	double v[4];

	if (field->count == 0 || !jc_scene_numbers(joint, field->name, field->count, v)) {
		return true;
	}
	if (field->count == 4) {
		return fabs(v[3]) <= SLACK; /* a rotation by nothing about any axis */
	}
	return fabs(v[0] - usual) <= SLACK && fabs(v[1] - usual) <= SLACK &&
	       fabs(v[2] - usual) <= SLACK;
}

/* Joints that one finding concerns. */
struct joints {
	size_t count;
	const struct jc_hanim_joint *first;
};

static void add(struct joints *joints, const struct jc_hanim_joint *joint)
{
	if (joints->count++ == 0) {
		joints->first = joint;
	}
}

static void report(const struct joints *joints, const char *code, bool is_route,
	const struct field *field, const char *effect, struct jc_lint *lint)
{
	char whose[120];

	if (joints->count == 0) {
		return;
	}
	if (joints->count == 1) {
		snprintf(whose, sizeof(whose), "'%.80s'", joints->first->name);
	} else {
		snprintf(whose, sizeof(whose), "%zu joints ('%.80s' first)", joints->count,
			joints->first->name);
	}
	if (is_route) {
		jc_lint_add(lint, JC_WARNING, code, "line %u: a route leads into %s of %s: %s",
			joints->first->node->line, field->name, whose, effect);
	} else {
		jc_lint_add(lint, JC_WARNING, code, "line %u: %s of %s is not the default: %s",
			joints->first->node->line, field->name, whose, effect);
	}
}

static void lint_values(const struct jc_hanim *hanim, struct jc_lint *lint)
{
	for (size_t f = 0; f < FIELDS; f++) {
		struct joints off = { .count = 0 };

		for (size_t i = 0; i < hanim->joint_count; i++) {
			if (!is_default(&fields[f], hanim->joints[i].node)) {
				add(&off, &hanim->joints[i]);
			}
		}
		report(&off, "hanim-not-neutral", false, &fields[f], fields[f].if_static, lint);
	}
}

static bool is_field(const char *event, const char *name)
{
	return strcmp(strncmp(event, "set_", 4) == 0 ? event + 4 : event, name) == 0;
}

/* Marks each field once for each joint, because several routes may lead into it. */
static void mark_routes(const struct jc_hanim *hanim, const struct jc_scene *scene,
	const int *places, bool (*out_routed)[FIELDS])
{
	for (size_t i = 0; i < scene->route_count; i++) {
		int place = places[scene->routes[i].to->index];

		for (size_t f = 0; place >= 0 && f < FIELDS; f++) {
			bool is_root = hanim->joints[place].bone == JC_BONE_HIPS;

			if (fields[f].if_routed && !(is_root && fields[f].is_portable_at_root) &&
				is_field(scene->routes[i].to_field, fields[f].name)) {
				out_routed[place][f] = true;
			}
		}
	}
}

static void report_routes(
	const struct jc_hanim *hanim, bool (*routed)[FIELDS], struct jc_lint *lint)
{
	for (size_t f = 0; f < FIELDS; f++) {
		struct joints moved = { .count = 0 };

		for (size_t i = 0; i < hanim->joint_count; i++) {
			if (routed[i][f]) {
				add(&moved, &hanim->joints[i]);
			}
		}
		report(&moved, "hanim-not-portable", true, &fields[f], fields[f].if_routed, lint);
	}
}

static int lint_routes(
	const struct jc_hanim *hanim, const struct jc_scene *scene, struct jc_lint *lint)
{
	int *places = calloc(scene->node_count + 1, sizeof(*places));
	bool(*routed)[FIELDS] = calloc(hanim->joint_count + 1, sizeof(*routed));
	int error = places && routed ? JC_OK : JC_ERROR_MEMORY;

	if (!error) {
		for (size_t i = 0; i < scene->node_count; i++) {
			places[i] = -1;
		}
		for (size_t i = 0; i < hanim->joint_count; i++) {
			places[hanim->joints[i].node->index] = (int)i;
		}
		mark_routes(hanim, scene, places, routed);
		report_routes(hanim, routed, lint);
	}
	free(routed);
	free(places);
	return error;
}

int jc_hanim_lint(const struct jc_hanim *hanim, const struct jc_scene *scene, struct jc_lint *lint)
{
	if (!lint) {
		return JC_OK;
	}
	lint_values(hanim, lint);
	return lint_routes(hanim, scene, lint);
}
